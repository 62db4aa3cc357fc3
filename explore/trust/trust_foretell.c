/*
 * Predicts an operation at another place of the trace, for TruSt: see trust.h. The knowledge about objects is in feasible.c. This file adds
 * the rest, and determines what is not known.
 */
#include "explore/trust/trust.h"

#include "explore/trace/barrier.h"
#include "explore/trace/chain.h"
#include "explore/trace/feasible.h"
#include "explore/trace/waiting_outcome.h"

static bool share_object(const struct event *a, const struct event *b)
{
	uint64_t alo, ahi, blo, bhi;
	if (event_bytes(a, &alo, &ahi) && event_bytes(b, &blo, &bhi) && alo <= bhi && blo <= ahi)
		return true;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < 2; k++)
			if (a->obj[i] && a->obj[i] == b->obj[k] && !object_is_memory(a->obj[i]))
				return true;
	return false;
}

bool changeable(const struct event *e)
{
	if (object_is_memory(e->obj[0]) && (e->flags & EVF_AWAIT))
		return true;
	switch (event_kind_outcome(e->kind)) {
	case OUTCOME_SAME:
	case OUTCOME_FOUND:
		return false;
	case OUTCOME_SWAP:
		return event_expected(e) != 0;
	case OUTCOME_CLAIM:
		return event_claims(e);
	case OUTCOME_EXCLUSIVE:
	case OUTCOME_SHARED:
	case OUTCOME_UNSHARED:
	case OUTCOME_ENDED:
	case OUTCOME_POST:
	case OUTCOME_TOKEN:
	case OUTCOME_ONCE:
	case OUTCOME_ARRIVAL:
	case OUTCOME_SLEEP:
	case OUTCOME_WOKEN:
	case OUTCOME_REQUEUED:
	case OUTCOME_READY:
		break;
	}
	return true;
}

bool may_conflict(const struct event *f, const struct event *x)
{
	return (changeable(f) && share_object(f, x)) || events_dependent(f, x);
}

/* Counts the arrivals of the barrier's current round among the remaining events. *most: the largest thread among those from l->from on. */
static uint32_t arrived(struct search *s, object_id o, const struct left *l, uint32_t *most)
{
	uint32_t n = 0;
	*most = 0;
	for (uint32_t at = object_last(s, o); at; at = object_prev(s, at - 1, o)) {
		unsigned m = object_mode(s, at - 1, o);
		if (!is_left(s, l, at - 1))
			continue;
		if (m == M_LAST || m == M_WRITE)
			break;
		n += m == M_ARRIVE;
		if (m == M_ARRIVE && at > l->from && *most < node_at(s, at - 1)->ev.thread)
			*most = node_at(s, at - 1)->ev.thread;
	}
	return n;
}

static struct barrier_known *barrier_known(struct search *s, uint64_t name)
{
	struct barrier_known *b = vec_data(&s->core, &s->trust.barriers);
	for (uint32_t k = 0; k < s->trust.barriers.n; k++)
		if (b[k].name == name)
			return &b[k];
	return NULL;
}

bool barrier_record(struct search *s)
{
	const struct event *e = &node_at(s, s->trace.nodes.n - 1)->ev;
	uint64_t name = mark_at(s, s->trace.nodes.n - 1)->name[0];
	if (e->kind != EV_BARRIER_ARRIVE || e->mode[0] != M_LAST)
		return true;
	struct barrier_known *b = barrier_known(s, name);
	if (!b)
		b = vec_push(&s->core, &s->trust.barriers, sizeof *b);
	if (b)
		*b = (struct barrier_known){name, barrier_size(s, e->obj[0])};
	return b != NULL;
}

bool completes_together(struct search *s, const struct event *f, uint32_t a, const struct left *l)
{
	const struct event *e = &node_at(s, a)->ev;
	if (e->mode[0] != M_ARRIVE || f->mode[0] != M_ARRIVE || e->obj[0] != f->obj[0])
		return false;
	const struct barrier_known *b = barrier_known(s, mark_at(s, a)->name[0]);
	uint32_t most, n = arrived(s, f->obj[0], l, &most);
	return most < f->thread && (!b || n + 2 == b->size);
}

/* SENDs are numbered in their order. */
static void outcome_post(struct search *s, struct event *e, const struct cut *c)
{
	uint32_t least = 0;
	for (uint32_t at = object_last(s, e->obj[0]); at; at = object_prev(s, at - 1, e->obj[0]))
		if (object_mode(s, at - 1, e->obj[0]) == M_SEND && cut_removes(s, c, at - 1))
			least = event_token(&node_at(s, at - 1)->ev);
	if (least)
		e->seq = least;
}

bool may_be_enabled(struct search *s, const struct event *f, const struct event *a, const struct cut *c)
{
	uint32_t blocker;
	bool sure;
	if (f->kind == EV_BARRIER_PASS)
		return a->mode[0] != M_LAST; /* otherwise the execution decides */
	return feasible(s, f, c, false, &blocker, &sure) || !sure;
}

/* Counts the threads that wait on o and are still in its queue. */
static uint32_t waiting(struct search *s, object_id o, const struct cut *c)
{
	uint32_t n = 0;
	for (uint32_t at = object_last(s, o); at; at = object_prev(s, at - 1, o)) {
		unsigned m = object_mode(s, at - 1, o);
		if (cut_removes(s, c, at - 1))
			continue;
		n += m == M_ENQ;
		n -= m == M_TAKE || m == M_DEQ;
	}
	return n;
}

/* Returns whether the event that `outcome` produced is only the one with the most conflicts. */
static bool unsure(struct search *s, const struct event *f, const struct cut *c)
{
	if (f->kind == EV_FUTEX_WAKE)
		return waiting(s, f->obj[0], c) != 0;
	if (f->kind == EV_FUTEX_WAIT)
		return event_found(f) == 0;
	if (object_is_memory(f->obj[0]) && (f->flags & EVF_AWAIT)) {
		uint32_t found;
		return waiting_exit(s, f, c, &found) == EXIT_UNKNOWN;
	}
	return object_is_memory(f->obj[0]) && changeable(f) && event_found(f) == 0;
}

void foretell(struct search *s, struct event *f, const struct cut *c, bool *doubt)
{
	struct event raw = *f;
	bool spins = object_is_memory(f->obj[0]) && (f->flags & EVF_AWAIT);
	if (f->alt == ALT_NORMAL)
		outcome(s, f, c);
	if (f->kind == EV_SEM_POST)
		outcome_post(s, f, c);
	if (f->kind == EV_FUTEX_WAIT && c->self == NO_INDEX) { /* the value it found is known only after it was executed */
		f->mode[0] = M_WRITE;
		f->seq = 0;
	}
	if (f->kind == EV_FUTEX_WAKE)
		f->result = waiting(s, f->obj[0], c) != 0;
	*doubt = unsure(s, spins ? &raw : f, c);
}
