/*
 * Data races under RC11 (rc11.h): conflicting accesses of two threads, one of them plain, that happens-before does not
 * order.
 *
 * An event happens before none that was added earlier. So an access of another thread races with event i if the clock
 * of event i does not cover it. The events of a thread that a clock does not cover are its last ones.
 */
#include "sched/rc11.h"

/* Returns whether events d and i, of which d was added first, conflict: the same place, one writes, one is plain. */
static bool conflict(const struct rc11 *g, const struct rc11_event *d, const struct rc11_event *i)
{
	bool plain_before = rc11_is_plain(d) && !(g->without & RC11_WITHOUT_PLAIN_BEFORE && !rc11_is_plain(i));
	bool plain_after = rc11_is_plain(i) && !(g->without & RC11_WITHOUT_PLAIN_AFTER && !rc11_is_plain(d));
	if (!rc11_accesses(d) || d->op.place != i->op.place || !(plain_before || plain_after))
		return false;
	return i->writes || (d->writes && !(g->without & RC11_WITHOUT_RACING_LOADS));
}

uint32_t rc11_race(const struct rc11 *g, uint32_t i)
{
	const struct rc11_event *e = rc11_event(g, i);
	const uint32_t *clock = rc11_clock(g, i, RC11_HB);
	if (!rc11_accesses(e) || !rc11_place_at(g, e->op.place)->plain || g->without & RC11_WITHOUT_RACES)
		return 0;
	for (uint32_t t = 0; t < g->limits.threads; t++) {
		if (t == e->op.thread)
			continue;
		uint32_t covered = g->without & RC11_WITHOUT_RACES_BY_HB ? 0 : clock[t];
		for (uint32_t d = rc11_last(g)[t]; d && rc11_event(g, d - 1)->number > covered;
			d = rc11_event(g, d - 1)->before)
			if (d - 1 < i && conflict(g, rc11_event(g, d - 1), e))
				return d;
	}
	return 0;
}
