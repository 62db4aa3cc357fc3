/* Sets of readers; see readers.h. */
#include "sched/readers.h"

static uint32_t with(struct readers *y, uint32_t rest, thread_id t, uint32_t epoch)
{
	uint32_t *first = &y->bucket[((rest * 31 + t) * 31 + epoch) % READERS_BUCKETS];
	for (uint32_t i = *first; i; i = y->at[i].chain)
		if (y->at[i].rest == rest && y->at[i].thread == t && y->at[i].epoch == epoch)
			return i;
	if (y->used + 1 >= y->cap)
		return 0;
	uint32_t i = ++y->used;
	y->at[i] = (struct reader){ .rest = rest, .epoch = epoch, .chain = *first, .thread = t };
	*first = i;
	return i;
}

uint32_t readers_add(struct readers *y, uint32_t set, const struct hb *h, thread_id t, uint32_t epoch)
{
	uint32_t kept[READERS_MOST], n = 0, all = 0;
	for (uint32_t i = set; i; i = y->at[i].rest, all++) {
		const struct reader *r = &y->at[i];
		if (r->thread == t && r->epoch == epoch)
			return set;
		if (r->thread == t || hb_seen(h, t, r->thread) >= r->epoch)
			continue;
		if (n == READERS_MOST)
			return 0;
		kept[n++] = i;
	}
	if (n == all)
		return with(y, set, t, epoch);
	uint32_t made = 0;
	while (n--) {
		made = with(y, made, y->at[kept[n]].thread, y->at[kept[n]].epoch);
		if (!made)
			return 0;
	}
	return with(y, made, t, epoch);
}
