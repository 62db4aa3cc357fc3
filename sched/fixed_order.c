#include "sched/fixed_order.h"

#define NO_MEMBER FIXED_ORDER_MEMBERS

bool fixed_order_join(struct fixed_order *f, uint64_t m, thread_id t)
{
	if (m >= FIXED_ORDER_MEMBERS)
		return false;
	f->present |= UINT64_C(1) << m;
	f->thread[m] = t;
	return true;
}

static unsigned member_of(const struct fixed_order *f, thread_id t)
{
	for (unsigned m = 0; m < FIXED_ORDER_MEMBERS; m++)
		if ((f->present >> m & 1) && f->thread[m] == t)
			return m;
	return NO_MEMBER;
}

/* Adds that a comes before b, with all that follows from it. */
static void decide(struct fixed_order *f, unsigned a, unsigned b)
{
	uint64_t earlier = f->before[a] | UINT64_C(1) << a;
	if ((f->before[b] & earlier) == earlier)
		return;
	for (unsigned m = 0; m < FIXED_ORDER_MEMBERS; m++)
		if (m == b || (f->before[m] >> b & 1))
			f->before[m] |= earlier;
}

void fixed_order_begin(struct fixed_order *f, const struct trace *trace)
{
	f->pass_from = trace->n;
}

/* Returns whether the event belongs to a turn. What threads do to begin and end their turns is no part of them. */
static bool is_of_turn(const struct event *e)
{
	return e->kind != EV_ATOMIC_BEGIN && e->kind != EV_ATOMIC_END;
}

/* Decides the order of all turns as they began. A turn begins with its atomic region. The turn of a thread that cannot continue has
   none: it begins with the last event by which the thread waited for it. */
static void decide_all(struct fixed_order *f, const struct trace *trace)
{
	uint32_t begin[FIXED_ORDER_MEMBERS] = {0};
	bool entered[FIXED_ORDER_MEMBERS] = {0};
	for (uint32_t i = f->pass_from; i < trace->n; i++) {
		const struct event *e = &trace->event[i];
		unsigned m = e->kind == EV_ATOMIC_BEGIN || e->kind == EV_SEM_WAIT ? member_of(f, e->thread) : NO_MEMBER;
		if (m == NO_MEMBER || entered[m])
			continue;
		entered[m] = e->kind == EV_ATOMIC_BEGIN;
		begin[m] = i + 1;
	}
	for (unsigned a = 0; a < FIXED_ORDER_MEMBERS; a++)
		for (unsigned b = 0; b < FIXED_ORDER_MEMBERS; b++)
			if (begin[a] && begin[b] && begin[a] < begin[b])
				decide(f, a, b);
}

void fixed_order_end(struct fixed_order *f, const struct trace *trace, bool all)
{
	if (all)
		decide_all(f, trace);
	for (uint32_t i = f->pass_from; i < trace->n; i++) {
		const struct event *e = &trace->event[i];
		unsigned b = is_of_turn(e) ? member_of(f, e->thread) : NO_MEMBER;
		for (uint32_t k = f->pass_from; b != NO_MEMBER && k < i; k++) {
			const struct event *d = &trace->event[k];
			if (d->thread == e->thread || events_apart(d, e) || !is_of_turn(d) || !events_dependent(d, e))
				continue;
			unsigned a = member_of(f, d->thread);
			if (a != NO_MEMBER)
				decide(f, a, b);
		}
	}
}
