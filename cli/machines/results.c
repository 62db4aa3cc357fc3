/* Bugs and counts of other machines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/say.h"
#include "cli/machines/machines_internal.h"
#include "cli/resume/saved_finding.h"
#include "cli/segment/segment_keep.h"
#include "recorder/xalloc.h"

/* Stores the bugs that were found here. `stop`: they end the search of all machines. */
bool results_store_bugs(struct run *run, bool stop)
{
	struct machines *m = run->machines;

	for (; m->bugs < run->n_findings; m->bugs++) {
		struct saved_finding head;
		char name[24], *text, *all;
		size_t size;
		bool ok;

		text = saved_finding_make(&run->findings[m->bugs], &head, &size);
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

bool results_load_bugs(struct run *run)
{
	struct machines *m = run->machines;
	struct engine *e = m->store.engine;
	const struct engine_value search = engine_text(m->store.search);
	bool ok = engine_begin(e) && engine_query_binary(e, "SELECT data FROM simul_search.bugs_of($1)", &search, 1);

	for (int i = 0; ok && i < engine_rows(e); i++) {
		struct engine_value v = engine_field(e, i, 0);
		uint64_t signature = 0;
		bool known = false;

		if (v.size >= sizeof(struct saved_finding))
			memcpy(&signature, v.data + offsetof(struct saved_finding, signature), sizeof(signature));
		for (size_t k = 0; k < run->n_findings; k++)
			known |= run->findings[k].signature == signature;
		if (!known && !saved_finding_load(run, v.data, v.size, "the database"))
			say("--search: a stored recording is damaged and was left out");
	}
	engine_rollback(e);
	m->bugs = run->n_findings;
	return ok;
}

/* Adds the counts of the slots that other machines had. They stand still, or have not been stored since. */
void results_add_counts(struct run *run)
{
	struct machines *m = run->machines;
	char (*slot)[UUID], why[SESSION_MESSAGE];
	size_t n = 0;
	bool ok = engine_begin(m->store.engine) && store_slots(&m->store, &slot, &n);

	for (size_t i = 0; ok && i < n; i++) {
		struct replica copy;
		struct worker *w;
		bool whole = false;

		if (!strcmp(slot[i], m->store.slot))
			continue;
		w = workers_add_empty(&run->workers, why, sizeof(why));
		if (!w) {
			say("--search: %s", why);
			break;
		}
		ok = replica_open(&copy, w->seg) && store_read_slot(&m->store, slot[i], &copy, &whole);
		replica_close(&copy);
		if (ok && whole && segment_go_on(w->seg, &run->config, false))
			workers_remove(&run->workers, run->workers.n - 1);
		else
			ok = false;
	}
	if (!ok)
		say("--search: the counts of other machines could not be read: %s", engine_why(m->store.engine));
	if (n)
		free(slot);
	engine_rollback(m->store.engine);
}
