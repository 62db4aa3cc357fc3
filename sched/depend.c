/* The only place that decides which events are dependent. The rules are in event.h. */
#include "sched/event.h"

#define B(mode) (1u << (mode))

/* Modes that conflict with every other one, except PASS (see below). */
#define TOTAL (B(M_WRITE) | B(M_ACQ) | B(M_REL))

/* conflicts[m]: the modes that m depends on whatever the seq. The caller makes the relation symmetric, so each pair is written once. */
static const uint32_t conflicts[M_COUNT] = {
	[M_READ] = B(M_RDACQ) | B(M_RDREL) | B(M_SEND) | B(M_RECV) | B(M_ARRIVE) | B(M_MEET) | B(M_ENQ) | B(M_SIG),
	[M_WRITE] = ~0u,
	[M_ACQ] = ~B(M_PASS),
	[M_REL] = ~B(M_PASS),
	[M_RDACQ] = TOTAL,
	[M_RDREL] = TOTAL,
	[M_SEND] = B(M_SEND),
	[M_RECV] = B(M_RECV),
	[M_ARRIVE] = TOTAL | B(M_MEET),
	[M_MEET] = TOTAL,
	[M_LAST] = ~B(M_PASS),
	[M_ENQ] = B(M_SIG) | B(M_DEQ),
	[M_SIG] = B(M_ENQ) | B(M_TAKE) | B(M_DEQ),
	[M_TAKE] = B(M_SIG) | B(M_TAKE) | B(M_DEQ),
	[M_DEQ] = B(M_SIG) | B(M_TAKE) | B(M_ENQ) | B(M_DEQ),
	[M_POKE] = B(M_POKE),
	[M_SECT] = ~(B(M_PASS) | B(M_SECT)),
	[M_CLAIM] = ~B(M_PASS),
	[M_ADD] = ~(B(M_PASS) | B(M_ADD)),
};

static bool pair(unsigned a, unsigned b, unsigned x, unsigned y)
{
	return (a == x && b == y) || (a == y && b == x);
}

bool modes_dependent(unsigned a, uint32_t seq_a, unsigned b, uint32_t seq_b)
{
	if (a == M_NONE || b == M_NONE || a >= M_COUNT || b >= M_COUNT || a == M_BUFFER || b == M_BUFFER)
		return false;
	if ((conflicts[a] & B(b)) || (conflicts[b] & B(a)))
		return true;
	if (a == M_MEET && b == M_MEET)
		return seq_a != seq_b;
	return seq_a == seq_b && (pair(a, b, M_SEND, M_RECV) || pair(a, b, M_LAST, M_PASS) || pair(a, b, M_MEET, M_PASS));
}

static bool pokes(const struct event *a, const struct event *b)
{
	return (a->mode[0] == M_POKE && event_poked(a) == b->thread) ||
	       (a->mode[0] == M_POKE && b->mode[0] == M_POKE && event_poked(a) == event_poked(b));
}

/* Wake-ups are independent of each other, except that FUTEX_WAKE returns how many threads it woke: the order of two wakes is visible
   unless neither found a waiter. */
static bool wakes_dependent(const struct event *a, const struct event *b)
{
	return a->kind == EV_FUTEX_WAKE && b->kind == EV_FUTEX_WAKE && (a->result || b->result);
}

/* Futex waiters are first in, first out for wake-ups with a bitset and for requeueing, so the order of two waits is visible. */
static bool waits_dependent(const struct event *a, const struct event *b)
{
	return a->kind == EV_FUTEX_WAIT && b->kind == EV_FUTEX_WAIT;
}

/* A thread that looks how many wait sees that one has given up. Other reads of a condition or futex do not. */
static bool look_dependent(const struct event *a, unsigned i, const struct event *b, unsigned j)
{
	return a->kind == EV_COND_LOOK && i == 0 && b->mode[j] == M_DEQ;
}

static bool bytes_dependent(const struct event *a, const struct event *b)
{
	uint64_t alo, ahi, blo, bhi;
	if (!event_bytes(a, &alo, &ahi) || !event_bytes(b, &blo, &bhi) || alo > bhi || blo > ahi)
		return false;
	bool both_add = event_bytes_mode(a) == M_ADD && event_bytes_mode(b) == M_ADD; /* a carry leaves the narrower one */
	return modes_dependent(event_bytes_mode(a), 0, event_bytes_mode(b), 1) || (both_add && (alo != blo || ahi != bhi));
}

static bool objects_dependent(const struct event *a, unsigned i, const struct event *b, unsigned j)
{
	if (a->obj[i] == 0 || a->obj[i] != b->obj[j] || object_is_memory(a->obj[i]))
		return false;
	if (modes_dependent(a->mode[i], a->seq, b->mode[j], b->seq))
		return true;
	if (look_dependent(a, i, b, j) || look_dependent(b, j, a, i))
		return true;
	if (a->mode[i] == M_ENQ && b->mode[j] == M_ENQ)
		return waits_dependent(a, b);
	return a->mode[i] == M_SIG && b->mode[j] == M_SIG && wakes_dependent(a, b);
}

/* For two updates of one owner: returns whether the later store must wait for the earlier one. */
static bool updates_ordered(const struct event *a, const struct event *b)
{
	uint32_t ahead = (update_number(b) - update_number(a)) % UPDATE_NUMBERS; /* small if a was stored first */
	const struct event *second = ahead < UPDATE_NUMBERS / 2 ? b : a;
	return (second->flags & EVF_RELEASE) || update_epoch(a) != update_epoch(b) || bytes_dependent(a, b);
}

/* For an update and an event of the same owner. */
static bool family_dependent(const struct event *update, const struct event *e)
{
	return e->kind == EV_UPDATE ? updates_ordered(update, e) : event_drains(e);
}

/* For an event that waits for the buffers of all threads. */
static bool drained_by(const struct event *fence, const struct event *e)
{
	return event_drains_all(fence) && (e->kind == EV_UPDATE || event_buffered(e));
}

bool events_dependent(const struct event *a, const struct event *b)
{
	unsigned flags = event_kind_flags(a->kind) | event_kind_flags(b->kind);
	if (a->thread == b->thread || (flags & (K_END | K_ALL)) || event_late(a) || event_late(b))
		return true;
	if ((flags & K_DRAINS_ALL) && (drained_by(a, b) || drained_by(b, a)))
		return true;
	if (a->kind == EV_UPDATE && update_owner(a) == event_owner(b))
		return family_dependent(a, b);
	if (b->kind == EV_UPDATE && update_owner(b) == event_owner(a))
		return family_dependent(b, a);
	if (pokes(a, b) || pokes(b, a))
		return true;
	if (bytes_dependent(a, b))
		return true;
	if (object_is_memory(a->obj[0]) || object_is_memory(b->obj[0]))
		return false; /* one of them touches nothing else */
	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < 2; j++)
			if (objects_dependent(a, i, b, j))
				return true;
	return false;
}
