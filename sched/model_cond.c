/*
 * Conditions and futexes: queues of waiters, and wake-ups as tokens.
 *
 * A signal makes one token, valid for the threads that wait at that moment; a broadcast makes one for each of them. The first eligible
 * waiter to be scheduled takes the oldest token that it may take. So which waiter a signal wakes is a race between their TAKE events,
 * explored like any other. The sets of waiters of tokens are nested (each has a limit on the enqueue number), so taking the oldest first
 * never wastes a token. A signal that finds as many tokens as waiters is lost, as it should be.
 *
 * An untimed wait on a condition is two events: COND_WAIT (enqueue and unlock) and COND_WAKE (token and mutex in one step). A wait that may
 * end in another way (timeout, --spurious) takes its token without the mutex and then locks (COND_RELOCK), since the timeout can come long
 * before the mutex is free.
 *
 * Some futex wake-ups name their waiters: the oldest waiters that match. These are wake-ups with a bitset, and those that may meet waiters
 * with bitsets.
 */
#include <errno.h>

#include "sched/membuf.h"
#include "sched/rounds.h"
#include "sched/section.h"
#include "sched/world_internal.h"

#define ALL_BITS 0xffffffffu

/* ---- queues ---- */

static struct queue *queue_of(const struct world *w, object_id o)
{
	return &world_obj(w, o)->queue;
}

/* The link to the token that waiter x may take now; *link is NULL when there is none. */
static struct token **token_for(struct queue *q, const struct waiter *x)
{
	struct token **general = NULL, **link = &q->tokens;
	for (; *link; link = &(*link)->next) {
		if ((*link)->only == x->thread)
			return link;
		if (!general && (*link)->only == NO_THREAD && x->no <= (*link)->limit)
			general = link;
	}
	return general ? general : link;
}

bool waiter_has_token(const struct world *w, const struct waiter *x)
{
	return *token_for(queue_of(w, x->queue), x) != NULL;
}

static void drop_token(struct world *w, struct queue *q, struct token **link)
{
	struct token *k = *link;
	*link = k->next;
	q->n_tokens--;
	world_free(w, k, sizeof *k);
}

static void add_token(struct world *w, struct queue *q, thread_id only)
{
	struct token *k = world_alloc(w, sizeof *k), **link = &q->tokens;
	k->limit = q->enqueued;
	k->only = only;
	while (*link)
		link = &(*link)->next;
	*link = k;
	q->n_tokens++;
}

static bool has_token_by_name(const struct queue *q, thread_id t)
{
	for (const struct token *k = q->tokens; k; k = k->next)
		if (k->only == t)
			return true;
	return false;
}

/* Counts the waiters numbered up to `limit` that have no token by name. */
static uint32_t count_up_to(const struct queue *q, uint64_t limit)
{
	uint32_t n = 0;
	for (const struct waiter *x = q->first; x; x = x->next)
		n += x->no <= limit && !has_token_by_name(q, x->thread);
	return n;
}

/* A waiter left without taking a token: drops tokens that no waiter can take any more. */
static void prune(struct world *w, struct queue *q)
{
	uint32_t used = 0;
	for (struct token **link = &q->tokens; *link;) {
		bool by_name = (*link)->only != NO_THREAD;
		if (!by_name && count_up_to(q, (*link)->limit) <= used) {
			drop_token(w, q, link);
		} else {
			used += !by_name;
			link = &(*link)->next;
		}
	}
}

static void enqueue(struct queue *q, struct waiter *x)
{
	struct waiter **link = &q->first;
	while (*link)
		link = &(*link)->next;
	*link = x;
	x->next = NULL;
	x->no = ++q->enqueued;
	q->waiters++;
}

static void dequeue(struct queue *q, struct waiter *x)
{
	struct waiter **link = &q->first;
	while (*link != x)
		link = &(*link)->next;
	*link = x->next;
	q->waiters--;
}

/* The waiter takes its token and leaves the queue. */
static void take(struct world *w, struct waiter *x)
{
	struct queue *q = queue_of(w, x->queue);
	drop_token(w, q, token_for(q, x));
	dequeue(q, x);
}

/* The waiter leaves without a token. */
static void leave(struct world *w, struct waiter *x)
{
	struct queue *q = queue_of(w, x->queue);
	struct token **link = token_for(q, x);
	if (*link && (*link)->only == x->thread)
		drop_token(w, q, link);
	dequeue(q, x);
	prune(w, q);
}

static void end_wait(struct world *w, struct wthread *t)
{
	world_free(w, t->waiter, sizeof *t->waiter);
	t->waiter = NULL;
}

/* As prune: if x left, a token that it may take would be left over. */
bool futex_is_woken(const struct world *w, const struct wthread *t)
{
	const struct waiter *x = t->waiter;
	const struct queue *q = queue_of(w, x->queue);
	if (has_token_by_name(q, x->thread))
		return true;
	uint32_t used = 0;
	for (const struct token *k = q->tokens; k; k = k->next)
		if (k->only == NO_THREAD && ++used > count_up_to(q, k->limit) - (x->no <= k->limit))
			return true;
	return false;
}

unsigned wait_alternatives(const struct world *w, const struct wthread *t)
{
	unsigned alts = 0;
	if (rwlock_claimed(&t->op))
		return (t->op.flags & OPF_TIMED) && !t->late ? 1u << ALT_TIMEOUT : 0;
	if (t->op.kind != EV_COND_WOKEN && t->op.kind != EV_FUTEX_WOKEN)
		return 0;
	if ((t->op.flags & OPF_TIMED) && !t->late && !rounds_no_timeout(w, t) && !endless_no_timeout(w, t))
		alts |= 1u << ALT_TIMEOUT;
	if (t->spurious_left)
		alts |= 1u << ALT_SPURIOUS;
	return alts;
}

/* ---- conditions ---- */

static void decide_wait(const struct world *w, const struct wthread *t, struct decision *d)
{
	const struct mutex_state *m = &world_obj(w, t->op.obj[1])->mutex;
	const struct queue *q = queue_of(w, t->op.obj[0]);
	d->outcome = STEP_MORE;
	if (m->owner != t->id) {
		d->outcome = STEP_DONE;
		d->mode[0] = M_NONE;
		d->mode[1] = M_READ;
		d->flags |= EVF_FAILED;
		if (mutex_checks_owner(t->op.type))
			d->result = EPERM;
		else
			d->misuse = MISUSE_WAIT_WITHOUT_MUTEX;
	} else if (m->depth > 1) {
		d->mode[1] = M_NONE; /* glibc unlocks a recursive mutex once: it stays held */
	} else {
		d->flags |= EVF_RELEASES2;
		if (w->config.sections && section_ends(w, t))
			d->mode[1] = M_NONE;
	}
	if (q->waiters > q->n_tokens && q->mutex != t->op.obj[1] && m->owner == t->id) {
		d->outcome = STEP_DONE;
		d->misuse = MISUSE_WAIT_OTHER_MUTEX;
	}
}

/* Decides how a wait takes the mutex at its end. `result`: the result of the wait apart from that. */
static void decide_retake(const struct world *w, const struct wthread *t, object_id o, int i, int result,
	struct decision *d)
{
	int got = mutex_retake_result(w, o, t->id);
	d->mode[i] = world_obj(w, o)->mutex.owner == t->id ? M_NONE : got == ENOTRECOVERABLE ? M_READ : M_ACQ;
	d->enabled &= mutex_takable(w, o, t->id);
	d->result = got ? got : result;
}

static void decide_woken(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct waiter *x = t->waiter;
	if (t->op.kind == EV_COND_WAKE) {
		d->enabled = waiter_has_token(w, x);
		decide_retake(w, t, x->mutex, 1, 0, d);
		if (w->config.sections && d->mode[1] == M_ACQ && section_begins(w, t))
			d->mode[1] = M_SECT;
		return;
	}
	d->outcome = STEP_MORE;
	if (alt == ALT_NORMAL) {
		d->enabled = waiter_has_token(w, x);
		return;
	}
	decide_kind(d, alt == ALT_TIMEOUT ? event_kind_timeout(EV_COND_WOKEN) : EV_COND_SPURIOUS);
	d->result = alt == ALT_TIMEOUT ? ETIMEDOUT : 0;
}

static void cond_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct object *x = world_obj(w, t->op.obj[0]);
	switch (op_kind(&t->op)) {
	case EV_COND_INIT:
		if (x->queue.waiters > x->queue.n_tokens)
			d->misuse = MISUSE_DESTROY_IN_USE; /* the wake-ups of its waiters would never come */
		return;
	case EV_COND_DESTROY:
		if (x->queue.waiters > x->queue.n_tokens)
			d->misuse = MISUSE_DESTROY_IN_USE;
		break;
	case EV_COND_SIGNAL:
	case EV_COND_BROADCAST:
		break;
	case EV_COND_WAIT:
		decide_wait(w, t, d);
		break;
	case EV_COND_RELOCK:
		decide_retake(w, t, t->op.obj[0], 0, t->waiter->outcome, d);
		return;
	case EV_COND_WAKE:
	case EV_COND_WOKEN:
		decide_woken(w, t, alt, d);
		return; /* destroying a condition before a woken waiter has run is legal */
	case EV_COND_TIMEOUT:
	case EV_COND_SPURIOUS:
	case EVENTS_BUT(COND):
		break;
	}
	if (x->destroyed) {
		d->enabled = true;
		d->outcome = STEP_DONE;
		d->misuse = MISUSE_USE_DESTROYED;
	}
}

static void start_wait(struct world *w, struct wthread *t)
{
	struct waiter *x = world_alloc(w, sizeof *x);
	bool other_ways = (t->op.flags & OPF_TIMED) || t->spurious_left;
	x->thread = t->id;
	x->bits = ALL_BITS;
	x->mutex = t->op.obj[1];
	x->queue = t->op.obj[0];
	enqueue(queue_of(w, x->queue), x);
	queue_of(w, x->queue)->mutex = x->mutex;
	t->waiter = x;
	mutex_give(w, x->mutex, t);
	t->op.kind = other_ways ? EV_COND_WOKEN : EV_COND_WAKE;
	if (other_ways)
		t->op.obj[1] = 0;
}

/* Ends the wait except for taking the mutex. */
static void relock(struct wthread *t, int outcome)
{
	t->waiter->outcome = outcome;
	t->op.kind = EV_COND_RELOCK;
	t->op.obj[0] = t->waiter->mutex;
	t->op.obj[1] = 0;
	t->op.flags &= ~(OPF_TIMED | OPF_CANCELPOINT | OPF_INTERRUPTIBLE);
	t->late = false;
}

static void wake(struct world *w, struct queue *q, uint64_t n)
{
	for (; n && q->waiters > q->n_tokens; n--)
		add_token(w, q, NO_THREAD);
}

static void cond_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct object *x = world_obj(w, t->op.obj[0]);
	if (d->misuse)
		return;
	switch (op_kind(&t->op)) {
	case EV_COND_INIT:
		/* a waiter that was woken before and has not run yet still finds its token */
		x->destroyed = false;
		break;
	case EV_COND_DESTROY:
		x->destroyed = true;
		break;
	case EV_COND_SIGNAL:
		wake(w, &x->queue, 1);
		break;
	case EV_COND_BROADCAST:
		wake(w, &x->queue, UINT64_MAX);
		for (struct token *k = x->queue.tokens; k; k = k->next)
			k->limit = x->queue.enqueued; /* one for each waiter, the earlier tokens included */
		break;
	case EV_COND_WAIT:
		if (!d->result)
			start_wait(w, t);
		break;
	case EV_COND_WAKE:
		take(w, t->waiter);
		if (d->result != ENOTRECOVERABLE)
			mutex_take(w, t->waiter->mutex, t);
		end_wait(w, t);
		break;
	case EV_COND_RELOCK:
		if (d->result != ENOTRECOVERABLE)
			mutex_take(w, t->op.obj[0], t);
		end_wait(w, t);
		break;
	case EV_COND_WOKEN:
		if (alt == ALT_NORMAL) {
			take(w, t->waiter);
		} else {
			t->spurious_left -= alt == ALT_SPURIOUS;
			leave(w, t->waiter);
		}
		relock(t, d->result);
		break;
	case EV_COND_TIMEOUT:
	case EV_COND_SPURIOUS:
	case EVENTS_BUT(COND):
		break;
	}
}

/* Handles ALT_CANCEL in the middle of a wait, and ALT_SIGNAL in that of a futex wait. */
void cond_cancel(struct world *w, struct wthread *t)
{
	leave(w, t->waiter);
	if (t->op.kind == EV_FUTEX_WOKEN)
		end_wait(w, t);
	else
		relock(t, ECANCELED);
}

const struct model model_cond = { cond_decide, cond_apply };

/* ---- futexes ---- */

static bool value_matches(const struct world *w, const struct op *op)
{
	return w->config.futex_matches ? w->config.futex_matches(w->config.ready_ctx, op) : op->arg[0] != 0;
}

/* Returns the oldest waiter after x (NULL: from the first) that no wake-up has reached and that has one of the bits; NULL: none. *spare:
   tokens that name no waiter and are not assigned yet; the oldest waiters get them. */
static struct waiter *next_unreached(const struct queue *q, struct waiter *x, uint32_t bits, uint32_t *spare)
{
	for (x = x ? x->next : q->first; x; x = x->next) {
		if (has_token_by_name(q, x->thread))
			continue;
		if (*spare)
			--*spare;
		else if (x->bits & bits)
			return x;
	}
	return NULL;
}

static uint32_t nameless_tokens(const struct queue *q)
{
	uint32_t n = 0;
	for (const struct token *k = q->tokens; k; k = k->next)
		n += k->only == NO_THREAD;
	return n;
}

/* Counts the waiters that a wake-up with these bits could still reach. */
static uint32_t unreached(const struct queue *q, uint32_t bits)
{
	uint32_t n = 0, spare = nameless_tokens(q);
	for (struct waiter *x = NULL; (x = next_unreached(q, x, bits, &spare));)
		n++;
	return n;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void futex_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct op *op = &t->op;
	const struct queue *q = queue_of(w, op->obj[0]);
	switch (op_kind(op)) {
	case EV_FUTEX_WAIT:
		if (d->obj[1])
			d->seq = membuf_value(w, t, futex_word(world_obj(w, op->obj[0])->addr), 4);
		d->outcome = STEP_MORE;
		if (!value_matches(w, op)) {
			d->mode[0] = M_READ;
			d->result = EAGAIN;
			d->flags |= EVF_FAILED;
			d->outcome = STEP_DONE;
		}
		break;
	case EV_FUTEX_WAKE:
		d->result = (int32_t)least(op->arg[0], unreached(q, (uint32_t)op->arg[1] ? (uint32_t)op->arg[1] : ALL_BITS));
		break;
	case EV_FUTEX_REQUEUE:
	case EV_FUTEX_CMP_REQUEUE: {
		uint32_t woken = (uint32_t)least(op->arg[0], unreached(q, ALL_BITS));
		d->result = (int32_t)(woken + least(op->arg[1], unreached(q, ALL_BITS) - woken));
		if (op->kind == EV_FUTEX_CMP_REQUEUE && !value_matches(w, op)) {
			d->result = -EAGAIN;
			d->flags |= EVF_FAILED;
			d->mode[0] = M_READ;
			d->mode[1] = d->obj[1] ? M_READ : M_NONE;
		}
		break;
	}
	case EV_FUTEX_WOKEN:
		if (alt == ALT_NORMAL) {
			d->enabled = waiter_has_token(w, t->waiter);
		} else {
			decide_kind(d, event_kind_timeout(EV_FUTEX_WOKEN));
			d->result = alt == ALT_TIMEOUT ? ETIMEDOUT : 0;
		}
		break;
	case EV_FUTEX_TIMEOUT:
	case EVENTS_BUT(FUTEX):
		break;
	}
}

static bool all_alike(const struct queue *q)
{
	for (const struct waiter *x = q->first; x; x = x->next)
		if (x->bits != ALL_BITS)
			return false;
	return true;
}

static void wake_bits(struct world *w, struct queue *q, uint64_t n, uint32_t bits)
{
	if (bits == ALL_BITS && all_alike(q)) {
		wake(w, q, n);
		return;
	}
	uint32_t spare = nameless_tokens(q);
	for (struct waiter *x = NULL; n && (x = next_unreached(q, x, bits, &spare)); n--)
		add_token(w, q, x->thread);
}

/* Moves the operation that waits as x, pending or set aside by a signal handler, to another futex. */
static void move_op(struct world *w, const struct waiter *x)
{
	struct wthread *t = w->thread[x->thread];
	if (t->waiter == x) {
		t->op.obj[0] = x->queue;
		world_note_pending(w, t);
	}
	for (struct suspended *s = t->suspended; s; s = s->next)
		if (s->waiter == x)
			s->op.obj[0] = x->queue;
}

/* Moves the oldest waiters that have no token. The remaining ones keep theirs. */
static void requeue(struct world *w, struct queue *from, object_id to, uint64_t n)
{
	uint32_t spare = nameless_tokens(from);
	struct waiter *x = next_unreached(from, NULL, ALL_BITS, &spare), *next;
	for (; x && n; x = next, n--) {
		next = next_unreached(from, x, ALL_BITS, &spare);
		dequeue(from, x);
		x->queue = to;
		enqueue(queue_of(w, to), x);
		move_op(w, x);
	}
}

static void futex_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	const struct op *op = &t->op;
	struct queue *q = queue_of(w, op->obj[0]);
	switch (op_kind(op)) {
	case EV_FUTEX_WAIT:
		if (!d->result) {
			struct waiter *x = world_alloc(w, sizeof *x);
			x->thread = t->id;
			x->bits = (uint32_t)op->arg[1] ? (uint32_t)op->arg[1] : ALL_BITS;
			x->queue = op->obj[0];
			enqueue(q, x);
			t->waiter = x;
			t->op.kind = EV_FUTEX_WOKEN;
		}
		break;
	case EV_FUTEX_WAKE:
		wake_bits(w, q, op->arg[0], (uint32_t)op->arg[1] ? (uint32_t)op->arg[1] : ALL_BITS);
		break;
	case EV_FUTEX_REQUEUE:
	case EV_FUTEX_CMP_REQUEUE:
		if (d->result >= 0) {
			wake_bits(w, q, op->arg[0], ALL_BITS);
			if (op->obj[1])
				requeue(w, q, op->obj[1], op->arg[1]);
		}
		break;
	case EV_FUTEX_WOKEN:
		if (alt == ALT_NORMAL) {
			take(w, t->waiter);
		} else {
			t->spurious_left -= alt == ALT_SPURIOUS;
			leave(w, t->waiter);
		}
		end_wait(w, t);
		break;
	case EV_FUTEX_TIMEOUT:
	case EVENTS_BUT(FUTEX):
		break;
	}
}

const struct model model_futex = { futex_decide, futex_apply };
