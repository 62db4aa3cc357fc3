/* Reconstructs the queue of a condition: see condition.h. */
#include "explore/trace/condition.h"

#include "explore/trace/chain.h"

struct waiter {
	uint32_t no;
	thread_id thread;
	uint16_t pad_;
};

struct queue {
	struct waiter *waiter; /* [waiters] in order of arrival */
	uint32_t *limit;       /* [tokens], oldest first: a token is valid for waiters with numbers up to `limit` */
	uint32_t waiters, tokens, enqueued;
	bool unknown;          /* requeued: these events do not show which threads wait here */
};

static uint32_t find(const struct queue *q, thread_id t)
{
	for (uint32_t k = 0; k < q->waiters; k++)
		if (q->waiter[k].thread == t)
			return k;
	return NO_INDEX;
}

static uint32_t token_for(const struct queue *q, uint32_t w)
{
	for (uint32_t k = 0; k < q->tokens; k++)
		if (q->waiter[w].no <= q->limit[k])
			return k;
	return NO_INDEX;
}

static void drop_token(struct queue *q, uint32_t k)
{
	for (q->tokens--; k < q->tokens; k++)
		q->limit[k] = q->limit[k + 1];
}

static void drop_waiter(struct queue *q, uint32_t k)
{
	for (q->waiters--; k < q->waiters; k++)
		q->waiter[k] = q->waiter[k + 1];
}

/* Drops tokens that no waiter can take any more. */
static void prune_queue(struct queue *q)
{
	for (uint32_t k = 0; k < q->tokens;) {
		uint32_t n = 0;
		for (uint32_t w = 0; w < q->waiters; w++)
			n += q->waiter[w].no <= q->limit[k];
		if (n <= k)
			drop_token(q, k);
		else
			k++;
	}
}

static void wake_waiters(struct queue *q, uint32_t n)
{
	for (; n && q->tokens < q->waiters; n--)
		q->limit[q->tokens++] = q->enqueued;
}

static void leave(struct queue *q, thread_id t, bool takes)
{
	uint32_t w = find(q, t);
	if (w == NO_INDEX)
		return;
	uint32_t k = token_for(q, w);
	drop_waiter(q, w);
	if (takes && k != NO_INDEX)
		drop_token(q, k);
	if (!takes)
		prune_queue(q);
}

static void replay(struct queue *q, const struct event *e, unsigned mode)
{
	switch (mode) {
	case M_ENQ:
		q->waiter[q->waiters].thread = e->thread;
		q->waiter[q->waiters++].no = ++q->enqueued;
		break;
	case M_SIG:
		wake_waiters(q, e->kind == EV_COND_SIGNAL ? 1 : e->kind == EV_COND_BROADCAST ? UINT32_MAX : (uint32_t)e->result);
		for (uint32_t k = 0; e->kind == EV_COND_BROADCAST && k < q->tokens; k++)
			q->limit[k] = q->enqueued;
		break;
	case M_TAKE:
	case M_DEQ:
		leave(q, e->thread, mode == M_TAKE);
		break;
	case M_WRITE:
		q->unknown = e->kind == EV_FUTEX_REQUEUE || e->kind == EV_FUTEX_CMP_REQUEUE;
		q->waiters = q->tokens = 0;
		break;
	default:
		break;
	}
}

#define MANY (UINT32_MAX / 2) /* the number is not known */

void condition_link(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	const struct node *before = n->obj_prev[0] ? node_at(s, n->obj_prev[0] - 1) : NULL;
	unsigned m = n->ev.mode[0];
	if (m == M_WRITE || !before)
		n->waiters = 0;
	else
		n->waiters = before->ev.obj[0] == n->ev.obj[0] ? before->waiters : MANY;
	n->waiters += m == M_ENQ;
	n->waiters -= n->waiters && (m == M_TAKE || m == M_DEQ);
}

bool condition_eligible(struct search *s, const struct cut *c, object_id o, thread_id t)
{
	struct vec *events = &s->trace.scratch[SCRATCH_EVENTS];
	uint32_t n = 0, enqueues = 0, start = cut_start(c);
	bool futex = false; /* the waiters of a futex may be requeued; then events on another futex matter, too */
	/* The reversed event is a wake-up on o. The events after it in the trace need not be visited: they depend on it and are taken
	   out too, or start to wait, which makes no difference. */
	bool wakes = c->self != NO_INDEX && object_mode(s, c->self, o) == M_TAKE;
	for (uint32_t at = wakes ? c->self + 1 : object_last(s, o); at; at = object_prev(s, at - 1, o)) {
		futex |= event_kind_object(node_at(s, at - 1)->ev.kind) != OBJ_COND;
		if (at <= start && !futex && node_at(s, at - 1)->waiters == 0)
			break; /* no thread waited then, and everything before is left */
		if (cut_removes(s, c, at - 1))
			continue;
		if (!vec_reserve(&s->core, events, n + 1, sizeof(uint32_t)))
			return false;
		events->n = n + 1;
		((uint32_t *)vec_data(&s->core, events))[n++] = at - 1;
		enqueues += object_mode(s, at - 1, o) == M_ENQ;
	}
	struct queue q = {0};
	if (!vec_reserve(&s->core, &s->trace.scratch[SCRATCH_WAITERS], enqueues, sizeof(struct waiter)) ||
		!vec_reserve(&s->core, &s->trace.scratch[SCRATCH_TOKENS], enqueues, sizeof(uint32_t)))
		return false;
	q.waiter = vec_data(&s->core, &s->trace.scratch[SCRATCH_WAITERS]);
	q.limit = vec_data(&s->core, &s->trace.scratch[SCRATCH_TOKENS]);
	const uint32_t *k = vec_data(&s->core, events);
	while (n--)
		replay(&q, &node_at(s, k[n])->ev, object_mode(s, k[n], o));
	uint32_t w = find(&q, t);
	return q.unknown || (w != NO_INDEX && token_for(&q, w) != NO_INDEX);
}
