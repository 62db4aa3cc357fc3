/* Happens-before; see hb.h. */
#include "sched/hb.h"

struct hb {
	struct arena *arena;
};

struct hb *hb_init(struct arena *a)
{
	struct hb *h = arena_ptr(a, arena_alloc(a, sizeof *h));
	if (h)
		h->arena = a;
	return h;
}

void hb_event(struct hb *h, const struct event *e)
{
}

uint32_t hb_epoch(const struct hb *h, thread_id t)
{
	return 1;
}

uint32_t hb_seen(const struct hb *h, thread_id t, thread_id of)
{
	return 0;
}
