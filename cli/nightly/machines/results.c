/* Bugs and counts of other machines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/finding.h"
#include "cli/nightly/machines/machines_internal.h"
#include "cli/resume/saved_finding.h"
#include "cli/segment/segment_keep.h"

/* Stores the bugs that were found here. `stop`: they end the search of all machines. */
bool results_store_bugs(struct machines *m, bool stop)
{
	for (; m->bugs < m->findings->n; m->bugs++) {
		struct saved_finding head;
		char name[24], *text, *all;
		size_t size;
		bool ok;

		text = saved_finding_make(&m->findings->list[m->bugs], &head, &size);
		if (!text)
			continue;
		all = xcalloc(1, sizeof(head) + size);
		memcpy(all, &head, sizeof(head));
		memcpy(all + sizeof(head), text, size);
		snprintf(name, sizeof(name), "%016" PRIx64, head.signature);
		ok = store_bug(&m->store, name, all, sizeof(head) + size, stop);
		free(all);
		free(text);
		if (!ok)
			return false;
	}
	return true;
}

/* A stored bug, inside a transaction. */
static void load_bug(struct machines *m, struct engine_value v)
{
	uint64_t signature = 0;
	bool known = false;

	if (v.size >= sizeof(struct saved_finding))
		memcpy(&signature, v.data + offsetof(struct saved_finding, signature), sizeof(signature));
	for (size_t k = 0; k < m->findings->n; k++)
		known |= m->findings->list[k].signature == signature;
	if (!known && !saved_finding_load(m->findings, v.data, v.size, "the database"))
		say("--search: a stored recording is damaged and was left out");
}

static bool load_bugs(struct engine *e, void *arg)
{
	struct machines *m = arg;
	const struct engine_value search = engine_text(m->store.search);

	if (!engine_query_binary(e, "SELECT data FROM simul_search.bugs_of($1)", &search, 1))
		return false;
	for (int i = 0; i < engine_rows(e); i++)
		load_bug(m, engine_field(e, i, 0));
	return true;
}

bool results_load_bugs(struct machines *m)
{
	bool ok = engine_do(m->store.engine, load_bugs, m);

	m->bugs = m->findings->n;
	return ok;
}

/* The slots whose counts were added. */
struct counting {
	struct machines *machines;
	char (*added)[UUID];
	size_t n;
	bool damaged;
};

static bool was_added(const struct counting *c, const char *slot)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->added[i], slot))
			return true;
	return !strcmp(slot, c->machines->store.slot);
}

/* Adds the counts of a slot, inside a transaction. false: it could not be read. */
static bool add_slot(struct counting *c, const char *slot)
{
	struct machines *m = c->machines;
	char why[SESSION_MESSAGE];
	struct worker *w = workers_add_empty(&m->search->workers, why, sizeof(why));
	struct replica copy;
	bool read = false, whole = false;

	if (w && replica_open(&copy, w->seg)) {
		read = store_read_slot(&m->store, slot, &copy, &whole);
		c->damaged |= read && !(whole && segment_go_on(w->seg, &m->search->config, false));
		replica_close(&copy);
	} else {
		c->damaged = true;
	}
	if (read && !c->damaged)
		workers_remove(&m->search->workers, m->search->workers.n - 1);
	else if (w)
		workers_drop(&m->search->workers, m->search->workers.n - 1);
	return read && !c->damaged;
}

static bool add_slots(struct engine *e, void *arg)
{
	struct counting *c = arg;
	char (*slot)[UUID] = NULL;
	size_t n = 0;
	bool ok = store_slots(&c->machines->store, &slot, &n);

	for (size_t i = 0; ok && i < n; i++) {
		if (was_added(c, slot[i]))
			continue;
		ok = add_slot(c, slot[i]);
		if (ok) {
			c->added = xgrow(c->added, c->n, sizeof(*c->added));
			memcpy(c->added[c->n++], slot[i], UUID);
		}
	}
	free(slot);
	return ok;
}

bool results_add_counts(struct machines *m)
{
	struct counting c = {.machines = m};
	struct engine *e = m->store.engine;
	bool ok = engine_read(e, add_slots, &c);

	if (!ok && !engine_is_lost(e))
		say("--search: the counts of other machines could not be read: %s", c.damaged ? "they are damaged" : engine_why(e));
	free(c.added);
	return ok;
}
