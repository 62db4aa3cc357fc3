/* Happens-before of the program; see full_order.h. */
#include "preload/memory/full_order.h"

#include "preload/base/state.h"
#include "sched/section.h"
#include "preload/base/rules.h"

static struct hb *full; /* NULL: ctl_hb is the only order */

bool full_order_init(struct arena *a)
{
	full = ctl_sections ? hb_init(a, ctl_session->config.settings.model) : NULL;
	return full || !ctl_sections;
}

/* Gives t the same epoch in both orders. */
static void level(thread_id t)
{
	while (hb_epoch(ctl_hb, t) < hb_epoch(full, t))
		hb_new_epoch(ctl_hb, t);
	while (hb_epoch(full, t) < hb_epoch(ctl_hb, t))
		hb_new_epoch(full, t);
}

void full_order_event(const struct event *e)
{
	hb_event(ctl_hb, e);
	if (!full)
		return;
	struct event open = section_opened(e);
	hb_event(full, &open);
	level(e->thread);
}

void full_order_fence(thread_id t, bool acquire, bool release)
{
	hb_fence(ctl_hb, t, acquire, release);
	if (!full)
		return;
	hb_fence(full, t, acquire, release);
	level(t);
}

uint32_t full_order_new_epoch(thread_id t)
{
	hb_new_epoch(ctl_hb, t);
	if (full)
		level(t);
	return hb_epoch(ctl_hb, t);
}

bool full_order_has(const struct past *first, const struct past *second)
{
	return full && hb_seen(full, second->thread, first->thread) >= first->epoch;
}
