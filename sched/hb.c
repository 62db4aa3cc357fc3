/* Happens-before: which event acquires from which; see hb.h. */
#include "sched/hb.h"

#include <string.h>

#include "sched/hb_internal.h"

/* ---- memory ---- */

/* Makes room for element `need` of an array. */
static void *grow(struct hb *h, void *array, uint32_t *cap, uint32_t need, uint64_t size)
{
	uint32_t n = *cap ? *cap : 8;
	while (n <= need)
		n *= 2;
	void *more = hb_take(h, n * size);
	if (array)
		memcpy(more, array, *cap * size);
	hb_give(h, array, *cap * size);
	*cap = n;
	return more;
}

static struct hb_thread *thread_of(struct hb *h, thread_id t)
{
	if (t >= h->threads)
		h->thread = grow(h, h->thread, &h->threads, t, sizeof *h->thread);
	if (!h->thread[t].epoch)
		h->thread[t].epoch = 1;
	return &h->thread[t];
}

static struct hb_object *object_of(struct hb *h, object_id o)
{
	if (o >= h->objects)
		h->object = grow(h, h->object, &h->objects, o, sizeof *h->object);
	return &h->object[o];
}

/* Sets *m to what t knows now. */
static void keep_mark(struct hb *h, struct mark *m, const struct mark *now)
{
	hb_keep(now->base);
	hb_forget(h, m);
	*m = *now;
}

void hb_fence(struct hb *h, thread_id t, bool acquire, bool release)
{
	struct hb_thread *me = thread_of(h, t);
	if (acquire) {
		hb_acquire(h, t, &me->heard);
		hb_forget(h, &me->heard);
	}
	if (release) {
		struct mark now = hb_knowledge(h, t);
		keep_mark(h, &me->fence, &now);
		keep_mark(h, &me->drained, &now);
		me->epoch++;
	}
}

uint32_t hb_new_epoch(struct hb *h, thread_id t)
{
	return ++thread_of(h, t)->epoch;
}

struct hb *hb_init(struct arena *a, unsigned model)
{
	struct hb *h = arena_ptr(a, arena_alloc(a, sizeof *h));
	if (!h)
		return NULL;
	h->arena = a;
	h->overtaking = model == MODEL_PSO;
	h->older = model == MODEL_RC11;
	return h;
}

/* ---- tokens and rounds ---- */

static struct ticket *new_ticket(struct hb *h, struct hb_object *o, uint32_t seq)
{
	struct ticket *x = hb_take(h, sizeof *x), **link = &o->tickets;
	while (*link)
		link = &(*link)->next;
	*link = x;
	x->seq = seq;
	return x;
}

static void drop_ticket(struct hb *h, struct ticket **link)
{
	struct ticket *x = *link;
	*link = x->next;
	hb_forget(h, &x->mark);
	hb_give(h, x, sizeof *x);
}

/* Takes token n: its post, and with it the earlier ones, happen before this. Tokens are taken in order. */
static void receive(struct hb *h, thread_id t, struct hb_object *o, uint32_t n)
{
	while (o->tickets && (int32_t)(o->tickets->seq - n) <= 0) {
		hb_acquire(h, t, &o->tickets->mark);
		drop_ticket(h, &o->tickets);
	}
}

/* Drops what was posted before a semaphore was initialised again. */
static void forget_tokens(struct hb *h, struct hb_object *o)
{
	while (o->tickets)
		drop_ticket(h, &o->tickets);
	hb_forget(h, &o->write);
}

static void pass(struct hb *h, thread_id t, struct hb_object *o, uint32_t round)
{
	for (struct ticket **link = &o->tickets; *link; link = &(*link)->next) {
		if ((*link)->seq != round)
			continue;
		hb_acquire(h, t, &(*link)->mark);
		if (--(*link)->left == 0)
			drop_ticket(h, link);
		return;
	}
}

static void complete(struct hb *h, thread_id t, struct hb_object *o, uint32_t round)
{
	if (o->arrivals) {
		struct ticket *x = new_ticket(h, o, round);
		x->left = o->arrivals;
		hb_publish(h, t, &x->mark);
	}
	o->arrivals = 0;
	hb_forget(h, &o->shares);
}

/* ---- events ---- */

/* Returns whether a WRITE of this kind synchronises. Initialising and destroying are WRITEs too, but publish nothing. */
static bool write_synchronises(unsigned kind)
{
	return kind == EV_THREAD_DETACH || kind == EV_FD_OTHER || kind == EV_FORK || kind == EV_FUTEX_REQUEUE ||
	       kind == EV_FUTEX_CMP_REQUEUE;
}

static bool read_synchronises(unsigned kind)
{
	return kind == EV_ONCE_ENTER || kind == EV_ONCE_LOOK || kind == EV_FD_POLL;
}

static void acquire(struct hb *h, const struct event *e, int i)
{
	struct hb_object *o = object_of(h, e->obj[i]);
	thread_id t = e->thread;
	switch ((enum access_mode)e->mode[i]) {
	case M_ACQ:
		hb_acquire(h, t, &o->write);
		hb_acquire(h, t, &o->shares);
		break;
	case M_RDACQ:
	case M_TAKE:
	case M_SECT:
		hb_acquire(h, t, &o->write);
		break;
	case M_LAST:
		hb_acquire(h, t, &o->shares);
		break;
	case M_PASS:
		pass(h, t, o, event_round(e));
		break;
	case M_RECV:
		receive(h, t, o, event_token(e));
		break;
	case M_READ:
		if (read_synchronises(e->kind))
			hb_acquire(h, t, &o->write);
		break;
	case M_WRITE: /* FD_POLL: it publishes nothing */
		if (write_synchronises(e->kind) || e->kind == EV_FD_POLL)
			hb_acquire(h, t, &o->write);
		break;
	case M_NONE:
	case M_REL:
	case M_RDREL:
	case M_SEND:
	case M_ARRIVE:
	case M_MEET:
	case M_ENQ:
	case M_SIG:
	case M_DEQ:
	case M_POKE:
	case M_CLAIM:
	case M_BUFFER:
	case M_ADD:
	case M_COUNT:
		break;
	}
}

/* A thread arrives at a barrier whose arrivals commute (MEET). */
static void meet(struct hb *h, thread_id t, struct hb_object *o, const struct event *e)
{
	hb_publish(h, t, &o->shares);
	if (++o->arrivals != (uint32_t)e->result)
		return;
	struct ticket *x = new_ticket(h, o, e->seq);
	x->left = o->arrivals;
	x->mark = o->shares;
	hb_keep(x->mark.base);
	o->arrivals = 0;
	hb_forget(h, &o->shares);
}

/* Returns true when something was published. */
static bool release(struct hb *h, const struct event *e, int i)
{
	struct hb_object *o = object_of(h, e->obj[i]);
	thread_id t = e->thread;
	switch ((enum access_mode)e->mode[i]) {
	case M_REL:
	case M_SIG:
		hb_publish(h, t, &o->write);
		return true;
	case M_RDREL:
	case M_SECT: /* open sections come after the lock of a step, other steps do not */
		hb_publish(h, t, &o->shares);
		return true;
	case M_SEND: {
		struct ticket *x = new_ticket(h, o, event_token(e));
		hb_publish(h, t, &o->write);
		x->mark = o->write;
		hb_keep(x->mark.base);
		return true;
	}
	case M_ARRIVE:
		hb_publish(h, t, &o->shares);
		o->arrivals++;
		return true;
	case M_MEET:
		meet(h, t, o, e);
		return true;
	case M_LAST:
		complete(h, t, o, event_round(e));
		return true;
	case M_WRITE:
		if (e->kind == EV_SEM_INIT)
			forget_tokens(h, o);
		if (!write_synchronises(e->kind))
			return false;
		hb_publish(h, t, &o->write);
		return true;
	case M_POKE:
		if (e->kind != EV_SIGNAL_SEND && e->kind != EV_THREAD_CANCEL)
			return false;
		thread_of(h, event_poked(e));
		hb_publish(h, t, &h->thread[event_poked(e)].poke);
		return true;
	case M_NONE:
	case M_READ:
	case M_ACQ:
	case M_RDACQ:
	case M_RECV:
	case M_PASS:
	case M_ENQ:
	case M_TAKE:
	case M_DEQ:
	case M_CLAIM:
	case M_BUFFER:
	case M_ADD:
	case M_COUNT:
		break;
	}
	return false;
}

static bool create(struct hb *h, thread_id parent, uint32_t child)
{
	struct mark m = { .base = NULL };
	if (child >= NO_THREAD)
		return false;
	thread_of(h, (thread_id)child);
	hb_publish(h, parent, &m);
	hb_acquire(h, (thread_id)child, &m);
	hb_forget(h, &m);
	return true;
}

void hb_event(struct hb *h, const struct event *e)
{
	thread_id t = e->thread;
	bool memory = event_kind_object(e->kind) == OBJ_MEMORY, published = e->kind == EV_FENCE || e->kind == EV_FENCE_ALL;
	h->events++;
	if (e->kind == EV_UPDATE) {
		hb_memory_event(h, e);
		return;
	}
	thread_of(h, t);
	if (e->kind == EV_SIGNAL_HANDLER || e->kind == EV_THREAD_CANCELLED || e->kind == EV_SIGNAL_WAIT)
		hb_acquire(h, t, &h->thread[t].poke);
	if (event_failed(e) && !memory)
		return;
	for (int i = 0; i < 2 && !memory; i++)
		if (e->obj[i] && !object_is_memory(e->obj[i]))
			acquire(h, e, i);
	published |= hb_memory_event(h, e);
	for (int i = 0; i < 2 && !memory; i++)
		if (e->obj[i] && !object_is_memory(e->obj[i]))
			published |= release(h, e, i);
	if (e->kind == EV_THREAD_CREATE)
		published |= create(h, t, event_child(e));
	if (!published)
		return;
	if (h->overtaking && event_drains(e)) {
		struct mark now = hb_knowledge(h, t);
		keep_mark(h, &h->thread[t].drained, &now);
	}
	h->thread[t].epoch++;
}
