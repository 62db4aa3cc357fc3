/* Epochs of threads that signal handlers interrupt; see interrupt.h. */
#include "preload/memory/interrupt.h"

#include "preload/base/access.h"
#include "preload/base/running.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/memory/full_order.h"
#include "preload/memory/shadow.h"
#include "sched/hb.h"
#include "preload/base/rules.h"

#define WINDOWS 8 /* this many of the latest handlers are kept exactly */
#define MASKS 8 /* this many of the latest masks are kept; accesses from before count as made while no signal was blocked */

/* Private memory, so each execution begins with zeroes. */
static struct thread {
	struct interrupt *running;
	uint32_t since;  /* the first epoch after the thread's latest publishing event; events of handlers that have returned do not count */
	uint32_t latest; /* the latest epoch that begin_epoch began */
	uint32_t masks;  /* number of changes of the mask */
	struct mask_change {
		uint32_t epoch; /* the first epoch with this mask */
		uint64_t mask;
	} mask[MASKS]; /* the i-th change is at i % MASKS */
	uint32_t windows;
	struct window {
		uint32_t since, until; /* the handler could also have run before accesses in [since, until) */
		uint32_t begin, end;   /* the epochs of the handler itself */
		uint64_t bit;
		bool timer;
	} window[WINDOWS]; /* handlers that have returned, the oldest first */
} threads[MAX_THREADS];

bool interrupt_any;

static bool timer_missed; /* the handler of a timer's signal could have run before an access with which it conflicts */

/* Begins an epoch of the running thread. */
static uint32_t begin_epoch(void)
{
	thread_id t = fiber_cur->id;
	struct thread *me = &threads[t];
	uint32_t now = hb_epoch(ctl_hb, t);
	if (now != me->latest)
		me->since = now;
	me->latest = full_order_new_epoch(t);
	shadow_fence();
	return me->latest;
}

/* Joins the two oldest windows into one that stands for both. */
static void join_oldest(struct thread *me)
{
	struct window *a = &me->window[0], *b = &me->window[1];
	a->since = a->since < b->since ? a->since : b->since;
	a->until = a->until > b->until ? a->until : b->until;
	a->end = b->end > a->end ? b->end : a->end;
	a->begin = a->begin < b->begin ? a->begin : b->begin;
	a->bit = 0; /* the signal counts as never blocked */
	a->timer |= b->timer;
	for (uint32_t k = 1; k + 1 < me->windows; k++)
		me->window[k] = me->window[k + 1];
	me->windows--;
}

/* Records handler i, which ran on the thread and is over. */
static void keep_window(struct thread *me, const struct interrupt *i, uint32_t end)
{
	if (me->windows == WINDOWS)
		join_oldest(me);
	me->window[me->windows++] = (struct window){ .since = i->since, .until = i->begin, .begin = i->begin, .end = end, .bit = i->bit,
		.timer = i->timer };
}

void interrupt_begin(struct interrupt *i, uint64_t bit, uint32_t from, bool timer)
{
	struct thread *me = &threads[fiber_cur->id];
	uint32_t begin = begin_epoch();
	*i = (struct interrupt){ .outer = me->running, .bit = bit, .stack = (uintptr_t)i, .begin = begin, .timer = timer,
		.since = timer || from > me->since ? from : me->since, .before = me->since };
	me->running = i;
	interrupt_any = true;
	ctl_session->ctl.facts.trust_misses |= TRUST_HANDLERS;
}

void interrupt_over(void)
{
	if (timer_missed)
		ctl_uncontrolled("the signal of a timer, whose handler uses memory that the interrupted thread uses too: it is run only where time passes");
	timer_missed = false;
}

void interrupt_end(struct interrupt *i)
{
	struct thread *me = &threads[fiber_cur->id];
	me->running = i->outer;
	keep_window(me, i, begin_epoch() - 1);
	me->since = i->before;
	interrupt_over();
}

void interrupt_unwind(uintptr_t sp)
{
	struct thread *me = &threads[fiber_cur->id];
	if (!me->running || (uintptr_t)me->running >= sp)
		return;
	uint32_t end = begin_epoch() - 1;
	for (; me->running && (uintptr_t)me->running < sp; me->running = me->running->outer) {
		keep_window(me, me->running, end);
		me->since = me->running->before;
	}
}

void interrupt_mask(uint64_t mask)
{
	struct thread *me = &threads[fiber_cur->id];
	uint32_t n = me->masks;
	if (n && me->mask[(n - 1) % MASKS].mask == mask)
		return;
	me->mask[n % MASKS] = (struct mask_change){ begin_epoch(), mask };
	me->masks++;
}

void interrupt_created(thread_id t, uint64_t mask)
{
	threads[t].mask[0].mask = mask;
	threads[t].masks = 1;
}

uint32_t interrupt_sent(void)
{
	const struct interrupt *running = threads[fiber_cur->id].running;
	uint32_t now = begin_epoch();
	return running ? interrupt_since(running) : now; /* in a handler: as early as this handler could have run */
}

const struct interrupt *interrupt_of(thread_id t)
{
	return threads[t].running;
}

/* Returns the signals that t blocked in this epoch. */
static uint64_t mask_in(const struct thread *t, uint32_t epoch)
{
	for (uint32_t k = t->masks; k && t->masks - k < MASKS; k--)
		if (t->mask[(k - 1) % MASKS].epoch <= epoch)
			return t->mask[(k - 1) % MASKS].mask;
	return 0;
}

uint32_t interrupt_since(const struct interrupt *i)
{
	uint32_t since = i->since;
	for (; i; i = i->outer)
		since = i->since < since ? i->since : since;
	return since;
}

bool interrupt_precedes(const struct interrupt *i, thread_id t, uint32_t epoch, uint64_t addr)
{
	bool own_stack = mem_on_own_stack(addr);
	for (; i; i = i->outer)
		if (epoch >= i->since && epoch < i->begin && !(own_stack && addr < i->stack) &&
			!(mask_in(&threads[t], epoch) & i->bit)) {
			timer_missed |= i->timer;
			return true;
		}
	return false;
}

bool interrupt_hides(thread_id t, uint32_t epoch, uint32_t seen)
{
	const struct thread *x = &threads[t];
	for (const struct interrupt *i = x->running; i; i = i->outer)
		if (seen >= i->begin && epoch >= i->since && epoch < i->begin && !(mask_in(x, epoch) & i->bit)) {
			timer_missed |= i->timer;
			return true;
		}
	for (uint32_t k = 0; k < x->windows; k++) {
		const struct window *w = &x->window[k];
		if (seen >= w->begin && seen <= w->end && epoch >= w->since && epoch < w->until && !(mask_in(x, epoch) & w->bit)) {
			timer_missed |= w->timer;
			return true;
		}
	}
	return false;
}
