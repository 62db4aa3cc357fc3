/* Opening and closing: see machines.h. */
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/nightly/machines/machines_internal.h"
#include "cli/nightly/machines/search_sql.h"

bool machines_open(struct machines **out, struct search *search, struct findings *findings)
{
	char why[512];
	struct machines *m;
	long version;

	*out = NULL;
	if (!search->opt.search)
		return true;
	m = *out = xcalloc(1, sizeof(*m));
	m->search = search;
	m->findings = findings;
	m->env = search->target.env;
	m->stack_limit = search->target.stack_limit;
	uuid_random(m->store.self);
	if (gethostname(m->store.machine, sizeof(m->store.machine) - 1))
		text_set(m->store.machine, sizeof(m->store.machine), "unknown");
	m->store.process = (int)getpid();
	m->store.engine = engine_open(search->opt.search, why, sizeof(why));
	if (!m->store.engine) {
		say("--search: %s", why);
		return false;
	}
	if (!engine_schema(m->store.engine, "simul_search", search_sql, &version)) {
		if (!engine_is_lost(m->store.engine))
			say("--search: %s", engine_why(m->store.engine));
		return false;
	}
	if (version != STORE_LAYOUT) {
		say("--search: another version of simul made the schema simul_search in this database (layout %ld, "
		    "here %d); use another database, or DROP SCHEMA simul_search CASCADE",
			version, STORE_LAYOUT);
		return false;
	}
	return true;
}

void machines_close(struct machines *m)
{
	if (!m)
		return;
	engine_close(m->store.engine);
	replica_close(&m->replica);
	identity_free(&m->identity);
	identity_restore_free(&m->restored);
	command_free(&m->command);
	free(m->maps);
	free(m);
}

void machines_add_others(const struct machines *m, struct explore_stats *stats)
{
	stats->executions += m->others;
	stats->blocked += m->others_blocked;
}

const char *machines_search(const struct machines *m)
{
	return m->store.search;
}

bool machines_is_over(const struct machines *m)
{
	return m->over;
}
