/*
 * Coherence and atomicity of the newest event under RC11 (rc11.h).
 *
 * The newest event e happens before nothing. So the only new cycles of hb and eco lead from e to a newer store, or to a load of one, that
 * happens before e. Stores are examined from the latest on: when one of them makes e incoherent, so it does for every older choice.
 */
#include "sched/rc11.h"

/* Returns whether the store, or an event that reads it, happens before event i. */
static bool known(const struct rc11 *g, uint32_t i, uint32_t store)
{
	const uint32_t *clock = rc11_clock(g, i, RC11_HB);
	const struct rc11_event *w = rc11_event(g, store - 1);
	if (rc11_covers(g, clock, store - 1))
		return true;
	for (uint32_t r = w->readers; r; r = rc11_event(g, r - 1)->next_reader)
		if (r - 1 != i && rc11_covers(g, clock, r - 1))
			return true;
	return false;
}

/* Returns whether `store` is the store of a read-modify-write that reads another store than the one it is placed after. */
static bool torn(const struct rc11 *g, uint32_t store)
{
	const struct rc11_event *w = store ? rc11_event(g, store - 1) : NULL;
	return w && w->reads && w->reads_from != w->older;
}

enum rc11_verdict rc11_verdict(struct rc11 *g)
{
	uint32_t i = g->n - 1;
	const struct rc11_event *e = rc11_event(g, i);
	if (!e->reads && !e->writes)
		return RC11_CONSISTENT;
	uint32_t newer = e->writes ? e->newer : rc11_newer(g, e->op.place, e->reads_from);
	if (newer && (g->without & RC11_WITHOUT_OLD_PLACES) && e->writes)
		return RC11_INCOHERENT;
	for (uint32_t w = newer; w; w = rc11_event(g, w - 1)->newer)
		if (known(g, i, w))
			return RC11_INCOHERENT;
	if (e->writes && torn(g, e->newer))
		return RC11_TORN;
	/* An event with nothing newer leads to no other event, so it closes no cycle. */
	bool examined = newer && rc11_accesses(e) && g->strong > 1 && !(g->without & RC11_WITHOUT_PSC);
	if (examined && rc11_leads_back(g))
		return RC11_CYCLIC;
	return RC11_CONSISTENT;
}
