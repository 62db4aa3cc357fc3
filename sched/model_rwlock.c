/* Reader-writer locks. Readers are preferred, as by glibc's default: a waiting writer holds nobody up. */
#include <errno.h>

#include "sched/world_internal.h"

static struct share *share_of(const struct rwlock_state *l, thread_id t)
{
	struct share *s = l->shares;
	while (s && s->thread != t)
		s = s->next;
	return s;
}

static void decide_lock(const struct rwlock_state *l, const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	bool write = op->kind == EV_RW_WRLOCK || op->kind == EV_RW_TRYWRLOCK;
	bool try = op->kind == EV_RW_TRYRDLOCK || op->kind == EV_RW_TRYWRLOCK;
	bool timed = op->flags & OPF_TIMED;
	if (l->writer == t->id) {
		d->mode[0] = M_NONE;
		d->result = try && !timed ? EBUSY : EDEADLK;
	} else if (l->writer != NO_THREAD || (write && l->readers)) {
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
		if (l->writer != NO_THREAD || l->readers)
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
		decide_lock(l, t, d);
		break;
	case EVENTS_BUT(RWLOCK):
		break;
	}
	if (x->destroyed) {
		d->enabled = true;
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
	*l = (struct rwlock_state){ .writer = NO_THREAD };
}

static void apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct object *x = world_obj(w, t->op.obj[0]);
	struct rwlock_state *l = &x->rwlock;
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
		t->held++;
		break;
	case EVENTS_BUT(RWLOCK):
		break;
	}
}

const struct model model_rwlock = { decide, apply };
