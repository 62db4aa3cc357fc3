/* Enabledness and outcomes at another place of the trace: see feasible.h. */
#include "explore/trace/feasible.h"

#include <errno.h>

#include "explore/trace/barrier.h"
#include "explore/trace/chain.h"
#include "explore/trace/condition.h"
#include "explore/trace/value.h"
#include "explore/trace/vclock.h"
#include "explore/trace/waiting_outcome.h"

bool cut_removes(struct search *s, const struct cut *c, uint32_t k)
{
	if (k == c->self || (c->n && k == c->root[0]))
		return true;
	if (c->kept)
		return k >= c->from && !c->kept[k - c->from];
	if (c->upto)
		return k >= c->from && !clock_covers(s, c->upto, c->upto_w, k);
	for (uint32_t r = 0; r < c->n; r++)
		if (happens_before(s, c->root[r], k))
			return true;
	return false;
}

bool cut_add(struct cut *c, uint32_t root)
{
	if (c->n == MAX_ROOTS)
		return false;
	c->root[c->n++] = root;
	return true;
}

uint32_t cut_start(const struct cut *c)
{
	uint32_t least = c->upto || c->kept ? c->from : NO_INDEX;
	for (uint32_t r = 0; r < c->n; r++)
		if (c->root[r] < least)
			least = c->root[r];
	return least;
}

/* Where the walk back over the events on o starts (index + 1). Events on o after the reversed event depend on it and are taken out.
   Those that do not depend on it do not matter to the callers: shares taken and released, later tokens, other observers. (After a failed
   trywait the walk starts at the end, because later events show the number of the next token.) */
static uint32_t object_end(struct search *s, const struct cut *c, object_id o)
{
	unsigned m = c->self == NO_INDEX ? M_NONE : object_mode(s, c->self, o);
	bool observes = m == M_READ && event_kind_object(node_at(s, c->self)->ev.kind) != OBJ_SEM;
	bool hides = observes || m == M_ACQ || m == M_REL || m == M_WRITE || m == M_RDACQ || m == M_RECV || m == M_LAST ||
		m == M_SECT || m == M_CLAIM;
	return hides ? c->self + 1 : object_last(s, o);
}

/* Finds the latest event on object o that is left, before index + 1 = *at. *m is its mode. Returns false when there is none. */
static bool prev_left(struct search *s, const struct cut *c, object_id o, uint32_t *at, unsigned *m)
{
	while (*at) {
		uint32_t k = *at - 1;
		*at = object_prev(s, k, o);
		s->trace.walked++;
		if (!cut_removes(s, c, k)) {
			*m = object_mode(s, k, o);
			*at = k + 1;
			return true;
		}
	}
	return false;
}

/* The event (index + 1) by which a thread holds o exclusively at the end: its ACQ, or the claim by which it is the next to get it. 0: o is
   free. */
static uint32_t holder(struct search *s, const struct cut *c, object_id o)
{
	unsigned m;
	for (uint32_t at = object_end(s, c, o); prev_left(s, c, o, &at, &m); at = object_prev(s, at - 1, o)) {
		if (m == M_ACQ)
			return at;
		if (m == M_CLAIM)
			return node_at(s, at - 1)->ev.kind == EV_RW_WRWAIT ? at : 0;
		if (m == M_REL || (m == M_WRITE && node_at(s, at - 1)->ev.kind != EV_MUTEX_CONSISTENT))
			return 0;
	}
	return 0;
}

static bool exclusive_free(struct search *s, const struct event *e, const struct cut *c, object_id o)
{
	uint32_t h = holder(s, c, o);
	return h == 0 || node_at(s, h - 1)->ev.thread == e->thread;
}

/* Returns a reader (index) that still holds its share at the end of what is left, or NO_INDEX. */
static uint32_t active_reader(struct search *s, const struct cut *c, object_id o)
{
	uint32_t n = s->trace.slots.n, found = NO_INDEX;
	struct vec *v = &s->trace.scratch[SCRATCH_READERS];
	if (!vec_reserve(&s->core, v, n, sizeof(uint32_t)))
		return NO_INDEX;
	uint32_t *released = vec_data(&s->core, v);
	for (uint32_t k = 0; k < n; k++)
		released[k] = 0;
	unsigned m;
	for (uint32_t at = object_end(s, c, o); found == NO_INDEX && prev_left(s, c, o, &at, &m);
		at = object_prev(s, at - 1, o)) {
		uint32_t slot = node_at(s, at - 1)->slot;
		if (m == M_ACQ || m == M_REL || m == M_WRITE)
			break;
		if (m == M_RDREL)
			released[slot]++;
		else if (m == M_RDACQ && released[slot])
			released[slot]--;
		else if (m == M_RDACQ)
			found = at - 1;
	}
	return found;
}

static bool thread_ended(struct search *s, const struct cut *c, object_id o)
{
	unsigned m;
	for (uint32_t at = object_end(s, c, o); prev_left(s, c, o, &at, &m); at = object_prev(s, at - 1, o))
		if (m == M_REL)
			return true;
	return false;
}

/* ---- semaphores ---- */

/* The number of the token that e would take. Numbers continue when the semaphore is initialised again. */
static uint32_t next_token(struct search *s, const struct event *e, const struct cut *c, object_id o)
{
	uint32_t first = e->mode[0] == M_RECV && event_token(e) ? event_token(e) : UINT32_MAX;
	for (uint32_t at = object_end(s, c, o); at; at = object_prev(s, at - 1, o)) {
		unsigned m = object_mode(s, at - 1, o);
		uint32_t seq = event_token(&node_at(s, at - 1)->ev);
		if (m == M_RECV && !cut_removes(s, c, at - 1))
			return seq + 1;
		if (m == M_RECV && seq < first)
			first = seq;
		if (m == M_WRITE && !cut_removes(s, c, at - 1))
			break;
	}
	return first == UINT32_MAX ? 1 : first;
}

/* Returns whether token n is available: its SEND is left, or it is one of the initial tokens. In the latter case it was received here,
   or the first token sent has a larger number. */
static bool token_there(struct search *s, const struct cut *c, object_id o, uint32_t n)
{
	bool received = false;
	uint32_t least_sent = UINT32_MAX;
	for (uint32_t at = object_end(s, c, o); at; at = object_prev(s, at - 1, o)) {
		const struct event *e = &node_at(s, at - 1)->ev;
		unsigned m = object_mode(s, at - 1, o);
		if (m == M_WRITE && !cut_removes(s, c, at - 1))
			break;
		if (m == M_SEND && event_token(e) == n)
			return !cut_removes(s, c, at - 1);
		if (m == M_SEND && event_token(e) < least_sent)
			least_sent = event_token(e);
		if (m == M_RECV && event_token(e) >= n)
			received = true;
	}
	return received || (least_sent != UINT32_MAX && n < least_sent);
}

/* ---- enabledness ---- */

/*
 * Descriptors, processes and signals: only the kernel knows. What is left has touched their object only as far as in the state of the first
 * root. If the operation was pending there already, the choices seen there show whether it was enabled; otherwise it is assumed to be
 * enabled.
 */
bool feasible_outside(struct search *s, const struct event *e, const struct cut *c)
{
	uint32_t start = cut_start(c);
	uint32_t before = c->self == NO_INDEX ? thread_last(s, e->thread) : node_at(s, c->self)->thread_prev;
	const struct node *n = node_at(s, start);
	const struct event *p = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at;
	if (before > start)
		return true;
	for (uint32_t k = 0; k < n->choice_n; k++)
		if (p[k].thread == e->thread && p[k].alt == e->alt)
			return true;
	return false;
}

/* Returns whether e, a write lock, is the end of a wait: its thread has claimed the lock. */
static bool has_claimed(struct search *s, const struct event *e, const struct cut *c)
{
	uint32_t h = holder(s, c, e->obj[0]);
	return h && node_at(s, h - 1)->ev.kind == EV_RW_WRWAIT && node_at(s, h - 1)->ev.thread == e->thread;
}

/* A write lock that claims the lock where readers hold it is blocked by other writers only. */
static bool feasible_claim(struct search *s, const struct event *e, const struct cut *c)
{
	return event_claims_timed(e) || holder(s, c, e->obj[0]) == 0;
}

static bool feasible_acq(struct search *s, const struct event *e, unsigned k, const struct cut *c, uint32_t *blocker)
{
	if (event_kind_object(e->kind) == OBJ_THREAD)
		return thread_ended(s, c, e->obj[k]);
	if (!exclusive_free(s, e, c, e->obj[k]))
		return false;
	if (event_kind_object(e->kind) != OBJ_RWLOCK)
		return true;
	if (event_claims(e) && !has_claimed(s, e, c))
		return feasible_claim(s, e, c);
	*blocker = active_reader(s, c, e->obj[k]);
	return *blocker == NO_INDEX;
}

/*
 * Returns whether the cut keeps the arrival that completes this round of a barrier. Rounds of one object are numbered in the order of the
 * trace, and the arrival comes before all threads that pass because of it. So the walk ends within a round or two of the passing event.
 */
static bool round_over(struct search *s, const struct cut *c, object_id o, uint32_t round)
{
	for (uint32_t at = barrier_end(s, c, o); at; at = object_prev(s, at - 1, o)) {
		s->trace.walked++;
		if (object_mode(s, at - 1, o) == M_MEET)
			return false; /* this barrier has no LAST */
		if (object_mode(s, at - 1, o) != M_LAST || event_round(&node_at(s, at - 1)->ev) > round)
			continue;
		return event_round(&node_at(s, at - 1)->ev) == round && !cut_removes(s, c, at - 1);
	}
	return false;
}

static bool feasible_object(struct search *s, const struct event *e, unsigned k, const struct cut *c, uint32_t *blocker)
{
	object_id o = e->obj[k];
	switch (e->mode[k]) {
	case M_ACQ:
		return feasible_acq(s, e, k, c, blocker);
	case M_CLAIM:
		return feasible_claim(s, e, c);
	case M_RDACQ:
	case M_SECT:
		return exclusive_free(s, e, c, o);
	case M_RECV:
		return token_there(s, c, o, next_token(s, e, c, o));
	case M_TAKE:
		return condition_eligible(s, c, o, e->thread);
	case M_PASS:
		return round_over(s, c, o, event_round(e)) || barrier_met(s, c, o, event_round(e));
	case M_READ:
		return e->kind != EV_ONCE_ENTER || holder(s, c, o) == 0;
	default:
		return true;
	}
}

static bool feasible_waiting(struct search *s, const struct event *e, const struct cut *c, bool *sure)
{
	uint32_t found, exit = waiting_exit(s, e, c, &found);
	*sure = exit != EXIT_UNKNOWN;
	return exit != EXIT_NONE;
}

/* Returns whether the cut keeps an UPDATE for each STORE into a buffer that it keeps. */
static bool buffers_empty(struct search *s, const struct cut *c)
{
	uint32_t stored = 0;
	if (!s->trace.buffered)
		return true;
	for (uint32_t i = 0; i < s->trace.analysed; i++) {
		const struct event *d = &node_at(s, i)->ev;
		if ((event_buffered(d) || d->kind == EV_UPDATE) && !cut_removes(s, c, i))
			stored += event_buffered(d) ? 1 : -1u;
	}
	return stored == 0;
}

bool feasible(struct search *s, const struct event *e, const struct cut *c, bool latest, uint32_t *blocker, bool *sure)
{
	*blocker = NO_INDEX;
	*sure = true;
	if (is_waiting(e))
		return feasible_waiting(s, e, c, sure);
	if (event_drains_all(e))
		return buffers_empty(s, c);
	if (!(event_kind_flags(e->kind) & K_BLOCK) || e->alt != ALT_NORMAL)
		return true;
	if (e->kind == EV_ASSUME || e->kind == EV_WAITING)
		return false; /* never enabled */
	unsigned kind = event_kind_object(e->kind);
	if (c->blocked && e->mode[0] == M_NONE && (kind == OBJ_MUTEX || kind == OBJ_SPIN))
		return false; /* it waits for its own thread */
	if (kind == OBJ_FD || kind == OBJ_PROCESS || e->kind == EV_SIGNAL_WAIT)
		return feasible_outside(s, e, c);
	return feasible_object(s, e, 0, c, blocker) && feasible_object(s, e, 1, c, blocker);
}

/* ---- outcomes ---- */

static void set_try(struct event *e, bool gets_it, int failure)
{
	if (e->mode[0] == M_NONE || (e->result != 0 && e->result != EBUSY && e->result != ETIMEDOUT &&
		e->result != EAGAIN && e->result != EOWNERDEAD))
		return; /* an error that does not depend on the holder */
	e->mode[0] = (uint8_t)(gets_it ? event_kind_mode(e->kind, 0) : M_READ);
	e->result = gets_it ? 0 : failure;
	e->flags = (uint8_t)(gets_it ? e->flags & ~EVF_FAILED : e->flags | EVF_FAILED);
}

/* A write lock takes the lock where it is free, and claims it where readers hold it. */
static void outcome_claim(struct search *s, struct event *e, const struct cut *c)
{
	if (!event_claims(e) || e->mode[0] == M_NONE || has_claimed(s, e, c))
		return;
	bool timed = event_claims_timed(e), waits = holder(s, c, e->obj[0]) == 0 && active_reader(s, c, e->obj[0]) != NO_INDEX;
	e->kind = waits ? EV_RW_WRWAIT : timed ? EV_RW_TRYWRLOCK : EV_RW_WRLOCK;
	if (waits || !timed) {
		e->mode[0] = (uint8_t)event_kind_mode(e->kind, 0);
		e->result = 0;
		e->flags &= (uint8_t)~EVF_FAILED;
	} else {
		e->mode[0] = M_ACQ;
		set_try(e, exclusive_free(s, e, c, e->obj[0]), ETIMEDOUT);
	}
}

/* Whether a compare-and-swap succeeds depends on the value that it finds. */
static void outcome_cas(struct search *s, struct event *e, const struct cut *c)
{
	uint32_t found = value_left(s, e, c);
	bool fails = event_expected(e) && found && found != event_expected(e);
	if (!event_expected(e))
		return; /* it always writes */
	e->mode[0] = fails ? M_READ : M_WRITE;
	e->flags = (uint8_t)(fails ? e->flags | EVF_FAILED : e->flags & ~EVF_FAILED);
	e->seq = found;
}

/* A futex wait sleeps when it finds the value that it expects. That is the value it found when it slept. */
static void outcome_futex_wait(struct search *s, struct event *e, const struct cut *c)
{
	uint32_t found = e->obj[1] ? value_left(s, e, c) : event_found(e);
	bool slept = e->result == 0;
	if (!found || (found != event_found(e) && !slept))
		e->mode[0] = M_WRITE; /* unknown */
	else
		e->mode[0] = found == event_found(e) && slept ? M_ENQ : M_READ;
	e->seq = found;
}

/* Counts the arrivals of the current round in what is left. */
static uint32_t arrivals(struct search *s, const struct cut *c, object_id o)
{
	uint32_t n = 0;
	unsigned m;
	for (uint32_t at = object_end(s, c, o); prev_left(s, c, o, &at, &m); at = object_prev(s, at - 1, o)) {
		if (m == M_LAST || m == M_WRITE)
			break;
		n += m == M_ARRIVE;
	}
	return n;
}

static bool once_done(struct search *s, const struct cut *c, object_id o)
{
	unsigned m;
	for (uint32_t at = object_end(s, c, o); prev_left(s, c, o, &at, &m); at = object_prev(s, at - 1, o))
		if (m == M_REL)
			return node_at(s, at - 1)->ev.kind == EV_ONCE_DONE;
	return false;
}

static void outcome_sem(struct search *s, struct event *e, const struct cut *c)
{
	uint32_t n = next_token(s, e, c, e->obj[0]);
	if (e->kind == EV_SEM_TRYWAIT)
		set_try(e, token_there(s, c, e->obj[0], n), EAGAIN);
	e->seq = n;
}

void outcome(struct search *s, struct event *e, const struct cut *c)
{
	object_id o = e->obj[0];
	if (is_waiting(e)) {
		waiting_outcome(s, e, c);
		return;
	}
	switch (event_kind_outcome(e->kind)) {
	case OUTCOME_EXCLUSIVE:
	case OUTCOME_SHARED:
		set_try(e, exclusive_free(s, e, c, o), EBUSY);
		break;
	case OUTCOME_CLAIM:
		outcome_claim(s, e, c);
		break;
	case OUTCOME_UNSHARED:
		if (event_claims(e))
			outcome_claim(s, e, c);
		else
			set_try(e, exclusive_free(s, e, c, o) && active_reader(s, c, o) == NO_INDEX, EBUSY);
		break;
	case OUTCOME_ENDED:
		set_try(e, thread_ended(s, c, o), EBUSY);
		break;
	case OUTCOME_TOKEN:
		outcome_sem(s, e, c);
		break;
	case OUTCOME_ONCE:
		e->mode[0] = once_done(s, c, o) ? M_READ : M_ACQ;
		break;
	case OUTCOME_ARRIVAL:
		if (e->mode[0] == M_MEET)
			e->seq = barrier_round_left(s, c, o, e);
		else if (e->mode[0] == M_ARRIVE || e->mode[0] == M_LAST)
			e->mode[0] = arrivals(s, c, o) + 1 >= barrier_size(s, o) ? M_LAST : M_ARRIVE;
		break;
	case OUTCOME_SWAP:
		outcome_cas(s, e, c);
		break;
	case OUTCOME_SLEEP:
		outcome_futex_wait(s, e, c);
		break;
	case OUTCOME_WOKEN:
		e->result = 1;
		break;
	case OUTCOME_SAME:
	case OUTCOME_FOUND:
	case OUTCOME_POST: /* see foretell */
	case OUTCOME_REQUEUED:
	case OUTCOME_READY:
		break;
	}
}
