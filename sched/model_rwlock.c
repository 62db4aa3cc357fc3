/*
 * Reader-writer locks. glibc's default prefers readers: a waiting writer does not block readers.
 *
 * If the lock prefers writers (RWLOCK_PREFERS_WRITERS), threads can observe that a writer waits for readers. So it is an event: the writer
 * *claims* the lock (RW_WRWAIT). From then on the lock is not given to any other thread, for reading or writing, until the writer has had it
 * or has given up (RW_WRTIMEOUT). A writer that waits for another writer makes no event, because no thread can observe it: it may as well
 * come when that writer has left.
 */
#include <errno.h>

#include "sched/world_internal.h"

static struct share *share_of(const struct rwlock_state *l, thread_id t)
{
	struct share *s = l->shares;
	while (s && s->thread != t)
		s = s->next;
	return s;
}

/* The end of the wait of a thread that has claimed the lock. */
static void decide_claimed(const struct rwlock_state *l, unsigned alt, struct decision *d)
{
	if (alt == ALT_TIMEOUT) {
		decide_kind(d, EV_RW_WRTIMEOUT);
		d->result = ETIMEDOUT;
		return;
	}
	d->seq = RW_CLAIMS;
	d->enabled = !l->readers;
}

static void decide_lock(const struct rwlock_state *l, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct op *op = &t->op;
	bool write = op->kind == EV_RW_WRLOCK || op->kind == EV_RW_TRYWRLOCK;
	bool try = op->kind == EV_RW_TRYRDLOCK || op->kind == EV_RW_TRYWRLOCK;
	bool timed = op->flags & OPF_TIMED;
	bool claims = write && op->type == RWLOCK_PREFERS_WRITERS && (!try || timed);
	if (rwlock_claimed(op)) {
		decide_claimed(l, alt, d);
		return;
	}
	if (claims)
		d->seq = try ? RW_CLAIMS | RW_CLAIMS_TIMED : RW_CLAIMS;
	if (l->writer == t->id) {
		d->mode[0] = M_NONE;
		d->result = try && !timed ? EBUSY : EDEADLK;
	} else if (claims && l->readers && l->claim == NO_THREAD) {
		decide_kind(d, EV_RW_WRWAIT);
		d->outcome = STEP_MORE;
	} else if (l->writer != NO_THREAD || l->claim != NO_THREAD || (write && l->readers)) {
		if (try) {
			d->mode[0] = M_READ;
			d->result = timed ? ETIMEDOUT : EBUSY;
		} else {
			d->enabled = false;
		}
	}
	if (d->result)
		d->flags |= EVF_FAILED;
}

static void decide_unlock(const struct rwlock_state *l, const struct wthread *t, struct decision *d)
{
	bool write = t->op.kind == EV_RW_WRUNLOCK;
	bool mine = write ? l->writer == t->id : share_of(l, t->id) != NULL;
	if (!mine)
		d->misuse = l->writer == NO_THREAD && !l->readers ? MISUSE_UNLOCK_UNLOCKED
								  : MISUSE_UNLOCK_NOT_OWNER;
}

static void decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct object *x = world_obj(w, t->op.obj[0]);
	const struct rwlock_state *l = &x->rwlock;
	switch (op_kind(&t->op)) {
	case EV_RW_INIT:
		return;
	case EV_RW_DESTROY:
		if (l->writer != NO_THREAD || l->readers || l->claim != NO_THREAD)
			d->misuse = MISUSE_DESTROY_IN_USE;
		break;
	case EV_RW_RDUNLOCK:
	case EV_RW_WRUNLOCK:
		decide_unlock(l, t, d);
		break;
	case EV_RW_RDLOCK:
	case EV_RW_TRYRDLOCK:
	case EV_RW_WRLOCK:
	case EV_RW_TRYWRLOCK:
		decide_lock(l, t, alt, d);
		break;
	case EVENTS_BUT(RWLOCK):
		break;
	}
	if (x->destroyed) {
		d->enabled = true;
		d->outcome = STEP_DONE;
		d->misuse = MISUSE_USE_DESTROYED;
	}
}

static void add_share(struct world *w, struct rwlock_state *l, struct wthread *t)
{
	struct share *s = share_of(l, t->id);
	if (!s) {
		s = world_alloc(w, sizeof *s);
		s->thread = t->id;
		s->next = l->shares;
		l->shares = s;
	}
	s->n++;
	l->readers++;
	t->held++;
}

static void drop_share(struct world *w, struct rwlock_state *l, struct wthread *t)
{
	struct share **link = &l->shares;
	while ((*link)->thread != t->id)
		link = &(*link)->next;
	struct share *s = *link;
	l->readers--;
	t->held--;
	if (--s->n == 0) {
		*link = s->next;
		world_free(w, s, sizeof *s);
	}
}

void rwlock_forget_holders(struct world *w, struct object *x)
{
	struct rwlock_state *l = &x->rwlock;
	if (l->writer != NO_THREAD)
		w->thread[l->writer]->held--;
	while (l->shares) {
		struct share *s = l->shares;
		w->thread[s->thread]->held -= s->n;
		l->shares = s->next;
		world_free(w, s, sizeof *s);
	}
	*l = (struct rwlock_state){ .writer = NO_THREAD, .claim = NO_THREAD };
}

/* The thread begins to wait for the readers, or gives up. Its operation is then the one that takes the lock. */
static void claim(struct rwlock_state *l, struct wthread *t, bool begins)
{
	l->claim = begins ? t->id : NO_THREAD;
	if (!begins)
		return;
	t->op.kind = EV_RW_WRLOCK;
	t->op.arg[0] = 1; /* rwlock_claimed */
}

static void apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct object *x = world_obj(w, t->op.obj[0]);
	struct rwlock_state *l = &x->rwlock;
	if (!d->misuse && (d->kind == EV_RW_WRWAIT || d->kind == EV_RW_WRTIMEOUT)) {
		claim(l, t, d->kind == EV_RW_WRWAIT);
		return;
	}
	if (d->misuse || d->result)
		return;
	switch (op_kind(&t->op)) {
	case EV_RW_INIT:
		rwlock_forget_holders(w, x);
		x->destroyed = false;
		break;
	case EV_RW_DESTROY:
		x->destroyed = true;
		break;
	case EV_RW_RDUNLOCK:
		drop_share(w, l, t);
		break;
	case EV_RW_WRUNLOCK:
		l->writer = NO_THREAD;
		t->held--;
		break;
	case EV_RW_RDLOCK:
	case EV_RW_TRYRDLOCK:
		add_share(w, l, t);
		break;
	case EV_RW_WRLOCK:
	case EV_RW_TRYWRLOCK:
		l->writer = t->id;
		l->claim = NO_THREAD;
		t->held++;
		break;
	case EVENTS_BUT(RWLOCK):
		break;
	}
}

const struct model model_rwlock = { decide, apply };
