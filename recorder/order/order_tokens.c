/*
 * Finds the signal, post or arrival that allowed a step to proceed. Wake-ups are tokens as in sched/model_cond.c: a signal makes one for
 * the threads that wait at that moment, and a waiter takes the oldest token that is valid for it.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/order/order.h"

struct token {
	size_t step;
	uint64_t limit; /* valid for waiters with numbers up to this */
};

struct waiter {
	thread_id thread;
	uint64_t no;
};

/* A condition variable or futex. */
struct queue {
	uint64_t enqueued;
	size_t n_waiters, n_tokens;
	struct waiter *waiter; /* oldest first */
	struct token *token;
};

/* A semaphore: its posts, the number of waits that took one, and what is known of its initial value. */
struct channel {
	size_t n_posts, received;
	size_t *post;
	int64_t low, high; /* bounds of the initial value */
	int64_t out;       /* waits minus posts so far */
	bool used, reset;  /* used: a step was seen; reset: initialized again after that, so that nothing is known */
};

/* A barrier: the steps that completed its rounds. */
struct rounds {
	size_t n;
	uint32_t met; /* arrivals without a last one */
	size_t *last;
};

struct walk {
	const struct recording *r;
	struct queue *queue;      /* by object - 1, as are the next two */
	struct channel *channel;
	struct rounds *rounds;
	size_t *arrived;          /* by thread: the barrier round that it waits for, from 0 */
};

static void enqueue(struct queue *q, thread_id t)
{
	q->waiter = xgrow(q->waiter, q->n_waiters, sizeof(*q->waiter));
	q->waiter[q->n_waiters++] = (struct waiter){ t, ++q->enqueued };
}

/* Removes the thread from the queue. Returns its number, or 0 when it is not in it. */
static uint64_t dequeue(struct queue *q, thread_id t)
{
	for (size_t i = 0; i < q->n_waiters; i++) {
		uint64_t no = q->waiter[i].no;
		if (q->waiter[i].thread != t)
			continue;
		memmove(q->waiter + i, q->waiter + i + 1, (--q->n_waiters - i) * sizeof(*q->waiter));
		return no;
	}
	return 0;
}

static void drop_token(struct queue *q, size_t i)
{
	memmove(q->token + i, q->token + i + 1, (--q->n_tokens - i) * sizeof(*q->token));
}

static size_t take(struct queue *q, thread_id t)
{
	uint64_t no = dequeue(q, t);

	for (size_t i = 0; no && i < q->n_tokens; i++) {
		size_t step = q->token[i].step;
		if (q->token[i].limit < no)
			continue;
		drop_token(q, i);
		return step;
	}
	return NO_STEP;
}

/* Drops the tokens that no waiter can take any more, after a waiter has left without one. */
static void prune(struct queue *q)
{
	for (size_t i = 0; i < q->n_tokens;) {
		size_t able = 0;
		for (size_t k = 0; k < q->n_waiters; k++)
			able += q->waiter[k].no <= q->token[i].limit;
		if (able <= i)
			drop_token(q, i);
		else
			i++;
	}
}

static void wake(struct queue *q, size_t step, size_t n, bool all)
{
	for (; n && q->n_waiters > q->n_tokens; n--) {
		q->token = xgrow(q->token, q->n_tokens, sizeof(*q->token));
		q->token[q->n_tokens++] = (struct token){ step, q->enqueued };
	}
	for (size_t i = 0; all && i < q->n_tokens; i++)
		q->token[i].limit = q->enqueued;
}

static bool in_range(const struct walk *w, object_id o)
{
	return o >= 1 && o <= w->r->n_objects;
}

/* Updates the queue with step i, which wakes waiting threads. */
static void signal_queue(struct queue *q, size_t i, const struct rec_step *s)
{
	bool all = s->kind == EV_COND_BROADCAST;

	if (event_kind_result(s->kind) == RESULT_COUNT) /* futexes count the threads that they wake */
		wake(q, i, s->result > 0 ? (size_t)s->result : 0, false);
	else
		wake(q, i, all ? SIZE_MAX : 1, all);
}

/* Updates the queue with a wait, signal or wake-up. Returns the step that woke it, or NO_STEP. */
static size_t follow_queue(struct walk *w, size_t i)
{
	const struct rec_step *s = &w->r->steps[i];
	struct queue *q = &w->queue[s->obj[0] - 1];

	if (rec_step_failed(s))
		return NO_STEP;
	switch ((enum access_mode)order_mode(w->r, s, 0)) {
	case M_ENQ:
		enqueue(q, s->thread);
		break;
	case M_SIG:
		signal_queue(q, i, s);
		break;
	case M_TAKE:
		return take(q, s->thread);
	case M_DEQ:
		if (dequeue(q, s->thread))
			prune(q);
		break;
	case M_NONE:
	case M_READ:
	case M_WRITE:
	case M_ACQ:
	case M_REL:
	case M_RDACQ:
	case M_RDREL:
	case M_SEND:
	case M_RECV:
	case M_ARRIVE:
	case M_LAST:
	case M_PASS:
	case M_POKE:
	case M_BUFFER:
	case M_MEET:
	case M_SECT:
	case M_CLAIM:
	case M_ADD:
	case M_COUNT:
		break;
	}
	return NO_STEP;
}

/* ---- semaphores ---- */

static bool receives(const struct rec_step *s)
{
	return (s->kind == EV_SEM_WAIT || s->kind == EV_SEM_TRYWAIT) && !rec_step_failed(s) && !s->result;
}

static bool posts(const struct rec_step *s)
{
	return s->kind == EV_SEM_POST && !rec_step_failed(s);
}

static size_t step_before(const struct recording *r, size_t i)
{
	for (size_t k = i; k-- > 0;)
		if (r->steps[k].thread == r->steps[i].thread && r->steps[k].kind != EV_UPDATE)
			return k;
	return 0;
}

/* Returns an upper bound of the initial value, from a wait at step `to` that blocked: the value was 0 at some moment since step `from`, the
   thread's previous step. `out` is the number of waits minus posts before `to`. */
static int64_t most_between(const struct recording *r, object_id o, size_t from, size_t to, int64_t out)
{
	int64_t most = out; /* waits minus posts, at `to` */

	for (size_t i = to; i-- > from;) {
		if (r->steps[i].obj[0] != o)
			continue;
		out += posts(&r->steps[i]) - receives(&r->steps[i]);
		most = out > most ? out : most;
	}
	return most;
}

/* Bounds the initial values of semaphores. Ignores the steps of a semaphore after it is initialized again. */
static void bound(struct walk *w)
{
	const struct recording *r = w->r;

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		struct channel *c = &w->channel[s->obj[0] ? s->obj[0] - 1 : 0];
		int64_t most;
		if (!s->obj[0] || r->objects[s->obj[0] - 1].kind != OBJ_SEM || c->reset)
			continue;
		if (!c->used)
			c->high = INT64_MAX;
		c->reset = s->kind == EV_SEM_INIT && c->used;
		c->used = true;
		if (event_kind_result(s->kind) == RESULT_TOKENS && s->result >= 0) {
			c->low = c->low > c->out + s->result ? c->low : c->out + s->result;
			c->high = c->high < c->low ? c->high : c->low;
		}
		if (receives(s) && (s->flags & EVF_WAITED)) {
			most = most_between(r, s->obj[0], step_before(r, i), i, c->out);
			c->high = c->high < most ? c->high : most;
		}
		c->out += receives(s) - posts(s);
		c->low = c->low > c->out ? c->low : c->out;
	}
}

static size_t follow_channel(struct walk *w, size_t i)
{
	const struct rec_step *s = &w->r->steps[i];
	struct channel *c = &w->channel[s->obj[0] - 1];

	if (posts(s)) {
		c->post = xgrow(c->post, c->n_posts, sizeof(*c->post));
		c->post[c->n_posts++] = i;
	} else if (receives(s)) {
		int64_t token = (int64_t)c->received++ - c->low;
		if (!c->reset && c->low == c->high && token >= 0 && token < (int64_t)c->n_posts)
			return c->post[token];
	}
	return NO_STEP;
}

/* ---- barriers ---- */

static size_t follow_barrier(struct walk *w, size_t i)
{
	const struct rec_step *s = &w->r->steps[i];
	struct rounds *b = &w->rounds[s->obj[0] - 1];

	bool last = s->kind == EV_BARRIER_ARRIVE && s->result == -1; /* PTHREAD_BARRIER_SERIAL_THREAD */

	if (s->kind == EV_BARRIER_ARRIVE && s->result > 0) { /* MEET: the last one of this many */
		last = ++b->met % (uint32_t)s->result == 0;
		w->arrived[s->thread] = b->n;
	}
	if (last) {
		b->last = xgrow(b->last, b->n, sizeof(*b->last));
		b->last[b->n++] = i;
	} else if (s->kind == EV_BARRIER_ARRIVE) {
		w->arrived[s->thread] = b->n;
	} else if (s->kind == EV_BARRIER_PASS && w->arrived[s->thread] < b->n) {
		return b->last[w->arrived[s->thread]];
	}
	return NO_STEP;
}

/* ---- entry point ---- */

static unsigned object_kind(const struct walk *w, const struct rec_step *s)
{
	return in_range(w, s->obj[0]) ? w->r->objects[s->obj[0] - 1].kind : OBJ_NONE;
}

void order_tokens(const struct recording *r, size_t *giver)
{
	struct walk w = { .r = r };

	w.queue = xcalloc(r->n_objects, sizeof(*w.queue));
	w.channel = xcalloc(r->n_objects, sizeof(*w.channel));
	w.rounds = xcalloc(r->n_objects, sizeof(*w.rounds));
	w.arrived = xcalloc(r->n_threads, sizeof(*w.arrived));
	bound(&w);
	for (size_t i = 0; i < r->n_steps; i++) {
		switch (object_kind(&w, &r->steps[i])) {
		case OBJ_COND:
		case OBJ_FUTEX:
			giver[i] = follow_queue(&w, i);
			break;
		case OBJ_SEM:
			giver[i] = follow_channel(&w, i);
			break;
		case OBJ_BARRIER:
			giver[i] = follow_barrier(&w, i);
			break;
		default:
			giver[i] = NO_STEP;
		}
	}
	for (size_t o = 0; o < r->n_objects; o++) {
		free(w.queue[o].waiter);
		free(w.queue[o].token);
		free(w.channel[o].post);
		free(w.rounds[o].last);
	}
	free(w.queue);
	free(w.channel);
	free(w.rounds);
	free(w.arrived);
}
