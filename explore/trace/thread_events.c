/* The events of each thread by number: see thread_events.h. */
#include "explore/trace/thread_events.h"

#include "explore/trace/waiting_outcome.h"

struct line_item line_next(const struct line_item *before, const struct event *e)
{
	static const struct line_item none;
	struct line_item x = before ? *before : none;
	unsigned flags = event_kind_flags(e->kind);
	bool join = e->kind == EV_THREAD_JOIN;
	x.waits |= is_waiting(e);
	x.hard |= is_waiting(e) || (!join && (flags & K_BLOCK));
	x.hard |= x.joins && !join && e->kind != EV_THREAD_EXIT && !(flags & (K_END | K_LOCAL));
	x.joins |= join;
	return x;
}

bool lines_extend(struct search *s)
{
	while (s->trace.lines.n < s->trace.slots.n)
		if (!vec_push(&s->core, &s->trace.lines, sizeof(struct vec)))
			return false;
	for (; s->trace.lined < s->trace.analysed; s->trace.lined++) {
		const struct node *n = node_at(s, s->trace.lined);
		struct vec *v = (struct vec *)vec_data(&s->core, &s->trace.lines) + n->slot;
		v->n = n->idx - 1;
		if (!vec_reserve(&s->core, v, n->idx, sizeof(struct line_item)))
			return false;
		struct line_item x = line_next(v->n ? line_item(s, n->slot, v->n) : NULL, &n->ev);
		x.node = s->trace.lined;
		((struct line_item *)vec_data(&s->core, v))[v->n++] = x;
	}
	return true;
}

uint32_t line_before(struct search *s, uint32_t slot, uint32_t i)
{
	uint32_t lo = 0, hi = ((struct slot *)vec_data(&s->core, &s->trace.slots))[slot].count;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (line_event(s, slot, mid + 1) < i)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
