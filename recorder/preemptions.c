/*
 * Counts the preemptions of a recorded schedule, and finds the objects held at its end.
 *
 * The recording does not say which threads were enabled at each step, but this can be computed. An operation
 * that never waited (no EVF_WAITED) was enabled at every moment since its announcement. For one
 * that did, the state of its object at the moment of the switch decides.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/recording.h"

struct walk {
	const struct recording *r;
	size_t *next;      /* by step: the same thread's next step, n_steps when there is none; UPDATEs belong to no thread */
	thread_id *holder; /* by object - 1: thread that holds it exclusively, or NO_THREAD */
	thread_id *claim;  /* by object - 1: writer that waits for its readers and gets it next, or NO_THREAD */
	size_t *taken_at;  /* by object - 1: step that acquired it */
	unsigned *depth;   /* by object - 1: recursion depth of the mutex */
	long *count;       /* by object - 1: number of readers that hold it, or value of a semaphore */
	size_t *buffered;  /* by thread: number of stores in its buffer */
};

/* Returns what a step adds to the count of its object. */
static int counts(const struct rec_step *s)
{
	if (rec_step_failed(s))
		return 0;
	switch (event_kind_mode(s->kind, 0)) {
	case M_RDACQ:
	case M_SEND:
		return 1;
	case M_RDREL:
	case M_RECV:
		return -1;
	case M_NONE:
	case M_READ:
	case M_WRITE:
	case M_ACQ:
	case M_REL:
	case M_ARRIVE:
	case M_LAST:
	case M_PASS:
	case M_ENQ:
	case M_SIG:
	case M_TAKE:
	case M_DEQ:
	case M_POKE:
	case M_BUFFER:
	case M_MEET:
	case M_SECT:
	case M_CLAIM:
	case M_ADD:
	case M_COUNT:
		break;
	}
	return 0;
}

/* Chooses the initial values of semaphores so that each one's smallest value is 0. This is right where it matters: the value is used only
   for semaphores on which a thread blocked, and those reach 0. */
static void count_from(struct walk *w)
{
	long *now = xcalloc(w->r->n_objects, sizeof(*now));

	for (size_t i = 0; i < w->r->n_steps; i++) {
		const struct rec_step *s = &w->r->steps[i];
		size_t o = s->obj[0] - 1;
		if (!s->obj[0] || s->obj[0] > w->r->n_objects)
			continue;
		now[o] += counts(s);
		if (now[o] < -w->count[o])
			w->count[o] = -now[o];
	}
	free(now);
}

static void walk_begin(struct walk *w, const struct recording *r)
{
	w->r = r;
	w->next = xcalloc(r->n_steps, sizeof(*w->next));
	w->holder = xcalloc(r->n_objects, sizeof(*w->holder));
	w->claim = xcalloc(r->n_objects, sizeof(*w->claim));
	w->taken_at = xcalloc(r->n_objects, sizeof(*w->taken_at));
	w->depth = xcalloc(r->n_objects, sizeof(*w->depth));
	w->count = xcalloc(r->n_objects, sizeof(*w->count));
	w->buffered = xcalloc(r->n_threads, sizeof(*w->buffered));
	for (size_t i = 0; i < r->n_objects; i++)
		w->holder[i] = w->claim[i] = NO_THREAD;
	count_from(w);
}

static void walk_end(struct walk *w)
{
	free(w->next);
	free(w->holder);
	free(w->claim);
	free(w->taken_at);
	free(w->depth);
	free(w->count);
	free(w->buffered);
}

static void link_steps(struct walk *w)
{
	size_t *last = xcalloc(w->r->n_threads, sizeof(*last));

	for (size_t t = 0; t < w->r->n_threads; t++)
		last[t] = w->r->n_steps;
	for (size_t i = w->r->n_steps; i-- > 0;) {
		thread_id t = w->r->steps[i].thread;
		if (w->r->steps[i].kind == EV_UPDATE)
			continue;
		w->next[i] = last[t];
		last[t] = i;
	}
	free(last);
}

static void take(struct walk *w, object_id o, thread_id t, size_t step)
{
	if (o < 1 || o > w->r->n_objects)
		return;
	if (w->holder[o - 1] != t)
		w->taken_at[o - 1] = step;
	w->depth[o - 1] = w->holder[o - 1] == t ? w->depth[o - 1] + 1 : 1;
	w->holder[o - 1] = t;
	w->claim[o - 1] = NO_THREAD;
}

static void give(struct walk *w, object_id o)
{
	if (o < 1 || o > w->r->n_objects)
		return;
	if (w->depth[o - 1] > 0)
		w->depth[o - 1]--;
	if (w->depth[o - 1] == 0)
		w->holder[o - 1] = NO_THREAD;
}

static bool is_lock(unsigned object)
{
	return object == OBJ_MUTEX || object == OBJ_SPIN || object == OBJ_RWLOCK;
}

/* Updates the holder of object k of the step, which is a lock. */
static void follow_lock(struct walk *w, size_t i, unsigned k)
{
	const struct rec_step *s = &w->r->steps[i];

	if (event_kind_mode(s->kind, k) == M_ACQ)
		take(w, s->obj[k], s->thread, i);
	else if (event_kind_mode(s->kind, k) == M_REL)
		give(w, s->obj[k]);
	else if (event_kind_mode(s->kind, k) == M_CLAIM && s->obj[k] && s->obj[k] <= w->r->n_objects)
		w->claim[s->obj[k] - 1] = s->kind == EV_RW_WRWAIT ? s->thread : NO_THREAD;
}

/* Updates the holders and the store buffers with step i. */
static void follow(struct walk *w, size_t i)
{
	const struct rec_step *s = &w->r->steps[i];

	if (rec_step_failed(s))
		return;
	w->buffered[s->thread] += s->buffered;
	if (s->obj[0] && s->obj[0] <= w->r->n_objects)
		w->count[s->obj[0] - 1] += counts(s);
	if (is_lock(event_kind_object(s->kind)))
		follow_lock(w, i, 0);
	if (event_kind_flags(s->kind) & K_MUTEX2)
		follow_lock(w, i, 1);
	if (s->kind == EV_UPDATE && w->buffered[s->thread])
		w->buffered[s->thread]--;
}

/* Returns whether the thread gave up the processor voluntarily with this event. */
static bool gave_way(const struct rec_step *s)
{
	if (s->kind == EV_FUTEX_WAIT || s->kind == EV_FD_POLL)
		return rec_step_failed(s) == (s->kind == EV_FD_POLL); /* the poll found nothing in its time */
	return event_kind_flags(s->kind) & K_GIVES_WAY || s->kind == EV_GIVE_WAY || s->kind == EV_THREAD_EXIT;
}

/* Returns whether the thread of `s` could have performed it at this point, after the steps that follow() has processed. */
static bool was_enabled(const struct walk *w, const struct rec_step *s)
{
	object_id o = s->obj[0];

	if (w->buffered[s->thread] && event_kind_drains(s->kind) && !s->buffered)
		return false; /* it waits until its buffer is empty */
	if (!(s->flags & EVF_WAITED))
		return true;
	if (o < 1 || o > w->r->n_objects)
		return false;
	switch (event_kind_waits(s->kind)) {
	case WAITS_LOCK: /* readers block only writers, and not the beginning of their wait; a mutex has no readers */
		return w->holder[o - 1] == NO_THREAD && (w->claim[o - 1] == NO_THREAD || w->claim[o - 1] == s->thread) &&
		       (event_kind_mode(s->kind, 0) != M_ACQ || !w->count[o - 1]);
	case WAITS_POST:
		return w->count[o - 1] > 0;
	case WAITS_NOTHING: /* once the awaited condition is true it stays true */
	case WAITS_CHANGE:
	case WAITS_TOKEN:
	case WAITS_END:
	case WAITS_ARRIVALS:
	case WAITS_ONCE:
	case WAITS_READY:
	case WAITS_CHILD:
	case WAITS_DELIVERY:
	case WAITS_ASSUMPTION:
		break;
	}
	return false;
}

/* Returns whether switching from step `last` to step i is a preemption. */
static bool preempted(const struct walk *w, size_t last, size_t i)
{
	const struct rec_step *s = &w->r->steps[last];

	return w->r->steps[i].thread != s->thread && w->next[last] < w->r->n_steps && !gave_way(s) &&
	       was_enabled(w, &w->r->steps[w->next[last]]);
}

unsigned recording_preemptions(const struct recording *r)
{
	return recording_mark_preemptions(r, NULL);
}

unsigned recording_mark_preemptions(const struct recording *r, bool *mark)
{
	struct walk w;
	size_t last = r->n_steps; /* the last step that a thread made */
	unsigned count = 0;

	walk_begin(&w, r);
	link_steps(&w);
	for (size_t i = 0; i < r->n_steps; i++) {
		bool update = r->steps[i].kind == EV_UPDATE;
		if (!update && last < r->n_steps && preempted(&w, last, i)) {
			count++;
			if (mark)
				mark[i] = true;
		}
		follow(&w, i);
		last = update ? last : i;
	}
	walk_end(&w);
	return count;
}

void recording_mark_holds(const struct recording *r, int64_t *change)
{
	struct walk w;

	walk_begin(&w, r);
	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		thread_id before[2] = { NO_THREAD, NO_THREAD };
		for (int k = 0; k < 2; k++)
			if (s->obj[k] && s->obj[k] <= r->n_objects)
				before[k] = w.holder[s->obj[k] - 1];
		follow(&w, i);
		change[i] = 0;
		for (int k = 0; k < 2; k++) {
			thread_id after = s->obj[k] && s->obj[k] <= r->n_objects ? w.holder[s->obj[k] - 1] : NO_THREAD;
			if (after != before[k])
				change[i] = after == NO_THREAD ? -(int64_t)s->obj[k] : (int64_t)s->obj[k];
		}
	}
	walk_end(&w);
}

unsigned recording_switches(const struct recording *r)
{
	thread_id last = NO_THREAD;
	unsigned count = 0;

	for (size_t i = 0; i < r->n_steps; i++) {
		if (r->steps[i].kind == EV_UPDATE)
			continue;
		count += last != NO_THREAD && last != r->steps[i].thread;
		last = r->steps[i].thread;
	}
	return count;
}

void recording_find_locked(const struct recording *r, size_t *locked_at)
{
	struct walk w;

	walk_begin(&w, r);
	for (size_t i = 0; i < r->n_steps; i++)
		follow(&w, i);
	for (size_t o = 0; o < r->n_objects; o++)
		locked_at[o] = w.holder[o] == NO_THREAD ? r->n_steps : w.taken_at[o];
	walk_end(&w);
}
