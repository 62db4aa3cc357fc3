/*
 * What each store of the execution published, for loads that read another store than the latest (RC11, sched/live.h).
 * Bytes (hb_bytes.c) hold only what their latest store published.
 */
#include <string.h>

#include "sched/hb_internal.h"

static struct mark *mark_at(struct hb *h, uint32_t step)
{
	if (step >= h->stores) {
		uint32_t n = h->stores ? h->stores : 32;
		while (n <= step)
			n *= 2;
		struct mark *more = hb_take(h, n * sizeof *more);
		if (h->store)
			memcpy(more, h->store, h->stores * sizeof *more);
		hb_give(h, h->store, h->stores * sizeof *more);
		h->store = more;
		h->stores = n;
	}
	return &h->store[step];
}

void hb_store_publishes(struct hb *h, uint32_t step, const struct mark *m)
{
	if (m->epoch)
		hb_add(h, mark_at(h, step), m);
}

const struct mark *hb_store_published(const struct hb *h, uint32_t step)
{
	return step < h->stores && h->store[step].epoch ? &h->store[step] : NULL;
}
