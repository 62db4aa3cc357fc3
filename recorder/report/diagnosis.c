#include "recorder/report/diagnosis.h"

#include <string.h>

#include "recorder/report/accesses.h"
#include "recorder/report/mistakes.h"

static bool blocked_for_ever(const struct report *p)
{
	return p->r->failure.kind == BUG_DEADLOCK;
}

/* ---- conditions ---- */

static bool is_signal(unsigned kind)
{
	return kind == EV_COND_SIGNAL || kind == EV_COND_BROADCAST;
}

static bool is_woken(unsigned kind)
{
	return kind == EV_COND_WAKE || kind == EV_COND_WOKEN;
}

static bool gives_up(unsigned kind)
{
	return kind == EV_COND_TIMEOUT || kind == EV_COND_SPURIOUS;
}

/* The state of a condition variable before a step: the number of waiting threads, and of those already signalled. */
struct waiters {
	unsigned waiting, called;
};

static struct waiters waiters_at(const struct recording *r, size_t end, object_id cond)
{
	struct waiters w = { 0, 0 };

	for (size_t i = 0; i < end; i++) {
		const struct rec_step *s = &r->steps[i];
		if (s->obj[0] != cond)
			continue;
		if (s->kind == EV_COND_WAIT) {
			w.waiting++;
		} else if (s->kind == EV_COND_SIGNAL) {
			w.called += w.called < w.waiting;
		} else if (s->kind == EV_COND_BROADCAST) {
			w.called = w.waiting;
		} else if (is_woken(s->kind) || gives_up(s->kind)) {
			w.waiting -= w.waiting > 0;
			w.called -= is_woken(s->kind) ? w.called > 0 : w.called > w.waiting;
		}
	}
	return w;
}

bool diagnosis_unheard(const struct recording *r, size_t step)
{
	struct waiters w;

	if (r->steps[step].kind == EV_FUTEX_WAKE)
		return r->steps[step].result == 0; /* the number of threads that it woke */
	w = waiters_at(r, step, r->steps[step].obj[0]);
	return w.called >= w.waiting;
}

/* Returns the last step in which thread t waited on cond, or NO_STEP. */
static size_t last_wait(const struct recording *r, thread_id t, object_id cond)
{
	for (size_t i = r->n_steps; i-- > 0;)
		if (r->steps[i].thread == t && r->steps[i].kind == EV_COND_WAIT && r->steps[i].obj[0] == cond)
			return i;
	return NO_STEP;
}

static size_t last_signal(const struct recording *r, object_id cond)
{
	for (size_t i = r->n_steps; i-- > 0;)
		if (is_signal(r->steps[i].kind) && r->steps[i].obj[0] == cond)
			return i;
	return NO_STEP;
}

/* Finds the thread that the signal woke: the one of the next wake-up, if no earlier signal was pending. Succeeds if that thread then waits
   again, which means the signal had no effect. */
static bool woke_in_vain(const struct report *p, size_t signal, struct diagnosis *d)
{
	const struct recording *r = p->r;
	object_id cond = r->steps[signal].obj[0];

	if (waiters_at(r, signal, cond).called)
		return false; /* an earlier signal may have caused the next wake-up */
	for (size_t i = signal + 1; i < r->n_steps; i++) {
		size_t again;
		if (r->steps[i].obj[0] != cond || !is_woken(r->steps[i].kind))
			continue;
		again = last_wait(r, r->steps[i].thread, cond);
		if (again == NO_STEP || again < i)
			return false;
		d->step[0] = signal;
		d->step[1] = i;
		d->step[2] = again;
		return true;
	}
	return false;
}

/* Diagnoses a thread that waits on a condition for ever, by the last signal of that condition. */
static void diagnose_wait(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;

	for (thread_id t = 0; t < r->n_threads; t++) {
		const struct rec_thread *th = &r->threads[t];
		size_t wait, signal;
		if (!is_woken(th->pending_kind) || th->waits_for != NO_THREAD)
			continue;
		wait = last_wait(r, t, th->pending_obj[0]);
		signal = last_signal(r, th->pending_obj[0]);
		if (wait == NO_STEP || signal == NO_STEP)
			continue;
		d->thread = t;
		d->likely = true;
		if (signal < wait && r->steps[signal].thread != t && diagnosis_unheard(r, signal)) {
			d->kind = DIAGNOSIS_LOST_WAKEUP;
			d->step[0] = signal;
			d->step[1] = wait;
			return;
		}
		if (signal > wait && r->steps[signal].kind == EV_COND_SIGNAL && woke_in_vain(p, signal, d)) {
			d->kind = DIAGNOSIS_WRONG_WAITER;
			return;
		}
	}
}

/* Returns the last step of thread t before step i, or NO_STEP. */
static size_t own_before(const struct recording *r, thread_id t, size_t i)
{
	while (i-- > 0)
		if (r->steps[i].thread == t && r->steps[i].kind != EV_UPDATE)
			return i;
	return NO_STEP;
}

/* Returns whether the step acquires that mutex, by a lock or by a wake-up. */
static bool takes_mutex(const struct rec_step *s, object_id mutex)
{
	unsigned k = event_kind_flags(s->kind) & K_MUTEX2 ? 1 : 0;

	return !rec_step_failed(s) && event_kind_mode(s->kind, k) == M_ACQ && s->obj[k] == mutex;
}

/* Diagnoses a failure right after a wake-up, when another thread held the mutex between the signal and that wake-up. */
static void diagnose_stolen(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;
	size_t i = r->n_steps && r->steps[r->n_steps - 1].kind == EV_DEATH ? r->n_steps - 1 : r->n_steps, wake, wait;
	object_id mutex;

	if (r->failure.thread == NO_THREAD || (wake = own_before(r, r->failure.thread, i)) == NO_STEP)
		return;
	mutex = r->steps[wake].obj[r->steps[wake].kind == EV_COND_WAKE];
	wait = own_before(r, r->failure.thread, wake);
	if (wait != NO_STEP && r->steps[wake].kind == EV_COND_RELOCK && r->steps[wait].kind == EV_COND_WOKEN)
		wait = own_before(r, r->failure.thread, wait);
	else if (r->steps[wake].kind != EV_COND_WAKE)
		return;
	if (wait == NO_STEP || r->steps[wait].kind != EV_COND_WAIT)
		return;
	for (i = wake; i-- > wait;) {
		if (takes_mutex(&r->steps[i], mutex) && r->steps[i].thread != r->failure.thread)
			d->step[1] = i;
		if (!is_signal(r->steps[i].kind) || r->steps[i].obj[0] != r->steps[wait].obj[0])
			continue;
		if (d->step[1] != NO_STEP) {
			d->kind = DIAGNOSIS_STOLEN_WAKEUP;
			d->likely = true;
			d->thread = r->failure.thread;
			d->step[0] = i;
			d->step[2] = wake;
		}
		return;
	}
}

/* ---- relations between steps ---- */

/* The thread writes a value computed from a read, although the memory was written in between. */
static bool outdated(const struct recording *r, const struct rec_step *a, const struct rec_step *b, const struct rec_step *c)
{
	return step_reads(a) && !step_writes(a) && step_writes(b) && step_writes(c) && same_memory(r, a, b) &&
	       same_memory(r, c, b);
}

/* Three accesses of the same bytes. The second is a write by another thread that the first thread does not notice, although its own
   accesses depend on each other. (A failed compare-and-swap has noticed it.) */
static bool overwritten(const struct recording *r, const struct rec_step *a, const struct rec_step *b, const struct rec_step *c)
{
	return step_writes(b) && same_memory(r, a, b) && same_memory(r, c, b) && !rec_step_failed(c) &&
	       (step_reads(a) || step_reads(c));
}

/* The second step reads between two writes. */
static bool half_written(const struct recording *r, const struct rec_step *a, const struct rec_step *b, const struct rec_step *c)
{
	return step_reads(b) && step_writes(a) && step_writes(c) && same_memory(r, a, b) && same_memory(r, c, b);
}

/* ---- a destroyed object ---- */

static void diagnose_destroyed(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;
	size_t use = r->n_steps;

	if (r->failure.kind != BUG_MISUSE)
		return;
	while (use-- > 0 && (r->steps[use].kind == EV_DEATH || r->steps[use].thread != r->failure.thread))
		;
	if (use == NO_STEP)
		return;
	for (size_t i = use; i-- > 0;) {
		const struct rec_step *s = &r->steps[i];
		if (!r->steps[use].obj[0] || s->obj[0] != r->steps[use].obj[0])
			continue;
		if (event_kind_flags(s->kind) & K_INIT)
			return;
		if (!(event_kind_flags(s->kind) & K_DESTROY))
			continue;
		d->kind = DIAGNOSIS_DESTROYED;
		d->step[0] = i;
		d->step[1] = use;
		return;
	}
}

/* ---- an interrupted thread ---- */

#define LOOK 200 /* limit on the steps examined before, in and after a gap */

struct gap {
	size_t before, after; /* steps of the interrupted thread */
	thread_id thread;
};

/* Finds the gap in which the thread that was preempted before step i does not run. */
static bool find_gap(const struct report *p, size_t i, struct gap *g)
{
	const struct recording *r = p->r;

	g->before = i;
	while (g->before-- > 0 && r->steps[g->before].kind == EV_UPDATE)
		;
	if (g->before == NO_STEP)
		return false;
	g->thread = r->steps[g->before].thread;
	for (g->after = i; g->after < r->n_steps; g->after++)
		if (r->steps[g->after].thread == g->thread && r->steps[g->after].kind != EV_UPDATE)
			return true;
	return false;
}

struct pattern {
	bool (*fits)(const struct recording *r, const struct rec_step *a, const struct rec_step *b, const struct rec_step *c);
	bool near; /* the first and the last step must be the ones next to the gap */
};

static bool same_object(const struct recording *r, const struct rec_step *a, const struct rec_step *b)
{
	return (a->obj[0] && a->obj[0] == b->obj[0]) || same_memory(r, a, b);
}

/* Returns the first step of the thread after the gap that completes the pattern with steps `a` and `b`, or NO_STEP. The search stops when
   the thread accesses the object in another way before, for instance with a failed compare-and-swap. */
static size_t after_gap(const struct report *p, const struct gap *g, size_t a, size_t b, const struct pattern *pattern)
{
	const struct recording *r = p->r;

	for (size_t k = g->after; k < p->end && k - g->after < (pattern->near ? 1 : LOOK); k++) {
		if (r->steps[k].thread != g->thread || r->steps[k].kind == EV_UPDATE)
			continue;
		if (pattern->fits(r, &r->steps[a], &r->steps[b], &r->steps[k]))
			return k;
		if (same_object(r, &r->steps[k], &r->steps[b]))
			break;
	}
	return NO_STEP;
}

/* Finds the steps of the thread nearest to the gap that complete the pattern with step b. In every pattern the first step accesses the object of
   step b, or it does not matter which step it is; so of the others only the one next to the gap is examined. */
static bool around(const struct report *p, const struct gap *g, size_t b, const struct pattern *pattern, struct diagnosis *d)
{
	const struct recording *r = p->r;

	for (size_t i = g->before + 1; i-- > 0 && g->before - i < (pattern->near ? 1 : LOOK);) {
		size_t k;
		if (r->steps[i].thread != g->thread || r->steps[i].kind == EV_UPDATE)
			continue;
		if (i != g->before && !same_object(r, &r->steps[i], &r->steps[b]))
			continue;
		k = after_gap(p, g, i, b, pattern);
		if (k != NO_STEP) {
			d->step[0] = i;
			d->step[1] = b;
			d->step[2] = k;
			return true;
		}
		if (same_object(r, &r->steps[i], &r->steps[b]) &&
			(step_writes(&r->steps[i]) || step_reads(&r->steps[i])))
			break;
	}
	return false;
}

/* Three acquisitions of one lock: by the thread, by another thread in between, and by the thread again. */
static bool split(const struct recording *r, const struct rec_step *a, const struct rec_step *b, const struct rec_step *c)
{
	return step_locks(a) && step_locks(b) && step_locks(c) && a->obj[0] == b->obj[0] && b->obj[0] == c->obj[0];
}

/* The second step changes bytes that the thread read before or reads after. */
static bool touched(const struct recording *r, const struct rec_step *a, const struct rec_step *b, const struct rec_step *c)
{
	return step_writes(b) && ((step_reads(a) && same_memory(r, a, b)) || (step_reads(c) && same_memory(r, c, b)));
}

/* Returns whether the step can be the start of a sequence that should be atomic. Creating or joining a thread cannot: there the other
   thread's step came too early. */
static bool in_the_middle(const struct rec_step *s)
{
	return event_kind_object(s->kind) != OBJ_NONE && event_kind_object(s->kind) != OBJ_THREAD;
}

static void diagnose_interruption(const struct report *p, const struct pattern *patterns, size_t n, struct diagnosis *d)
{
	const struct recording *r = p->r;
	unsigned gaps = 0;

	for (size_t f = 0; f < n; f++)
		for (size_t i = p->end; i-- > 0;) {
			struct gap g;
			if (!p->preempted[i] || !find_gap(p, i, &g) || gaps++ >= LOOK)
				continue;
			for (size_t b = i; b < g.after && b - i < LOOK; b++) {
				if (r->steps[b].thread == g.thread || !around(p, &g, b, &patterns[f], d))
					continue;
				d->likely = true;
				if (in_the_middle(&r->steps[d->step[0]])) {
					d->kind = DIAGNOSIS_ATOMICITY;
					d->thread = g.thread;
					return;
				}
				d->kind = DIAGNOSIS_ORDER;
				d->step[0] = d->step[2];
				d->step[1] = b;
				d->step[2] = NO_STEP;
				return;
			}
		}
}

/* ---- steps that came too early ---- */

/* Returns whether the thread could have continued at the end but did not run again. */
static bool left(const struct report *p, thread_id t)
{
	const struct rec_thread *th = &p->r->threads[t];

	return t != p->r->failure.thread && th->pending_kind != EV_NONE && !(event_kind_flags(th->pending_kind) & K_BLOCK);
}

/* Finds a thread whose pending operation writes the bytes that the failing thread read. */
static bool read_too_early(const struct report *p, size_t i, struct diagnosis *d)
{
	const struct recording *r = p->r;

	for (thread_id t = 0; t < r->n_threads; t++) {
		const struct rec_thread *th = &r->threads[t];
		if (!left(p, t) || (th->pending_kind != EV_STORE && th->pending_kind != EV_RMW) || !th->pending_obj[0] ||
			!recording_touches(r, &r->steps[i], th->pending_obj[0]))
			continue;
		d->step[0] = i;
		d->thread = t;
		return true;
	}
	return false;
}

/* Finds the write that the failing thread read, if its thread had not finished. */
static bool written_too_early(const struct report *p, size_t i, struct diagnosis *d)
{
	const struct recording *r = p->r;

	for (size_t w = i; w-- > 0;) {
		const struct rec_step *s = &r->steps[w];
		if (!step_writes(s) || !same_memory(r, s, &r->steps[i]))
			continue;
		if (!left(p, s->thread) || s->buffered)
			return false;
		d->step[0] = i;
		d->step[1] = w;
		d->thread = s->thread;
		return true;
	}
	return false;
}

static void diagnose_order(const struct report *p, struct diagnosis *d)
{
	static bool (*const too_early[])(const struct report *, size_t, struct diagnosis *) = { read_too_early, written_too_early };
	const struct recording *r = p->r;

	for (size_t k = 0; k < 2 && r->failure.thread != NO_THREAD; k++)
		for (size_t i = p->end; i-- > 0 && p->end - i < LOOK;) {
			if (r->steps[i].thread != r->failure.thread || !step_reads(&r->steps[i]) ||
				!too_early[k](p, i, d))
				continue;
			d->kind = DIAGNOSIS_ORDER;
			d->likely = true;
			return;
		}
}

/* ---- choices of the program's own scheduler ---- */

static void diagnose_choices(const struct report *p, struct diagnosis *d)
{
	unsigned n;
	bool more;

	if (p->r->failure.kind == BUG_NONE || !report_other_choices(p->r, &n, &more))
		return;
	d->kind = DIAGNOSIS_CHOICE;
	for (size_t i = p->end; i-- > 0 && d->step[0] == NO_STEP;)
		if (report_is_other_choice(p->r, i))
			d->step[0] = i;
}

/* ---- mistakes with a name of their own ---- */

static void forget(struct diagnosis *d)
{
	*d = (struct diagnosis){.thread = NO_THREAD};
	for (size_t k = 0; k < DIAGNOSIS_STEPS; k++)
		d->step[k] = NO_STEP;
}

struct mistake {
	enum diagnosis_kind kind;
	bool (*find)(const struct report *p, struct diagnosis *d);
};

static void diagnose_mistakes(const struct report *p, const struct mistake *m, size_t n, struct diagnosis *d)
{
	for (size_t k = 0; k < n && !d->kind; k++) {
		forget(d);
		if (!m[k].find(p, d))
			continue;
		d->kind = m[k].kind;
		d->likely = true;
		return;
	}
	if (!d->kind)
		forget(d);
}

/* Diagnoses a failure that ended the execution. What fits fewer schedules comes first. */
static void diagnose_end(const struct report *p, struct diagnosis *d)
{
	static const struct mistake rare[] = {{DIAGNOSIS_ABA, aba_find}, {DIAGNOSIS_CONTAINER, container_find},
		{DIAGNOSIS_EARLY, early_find}};
	static const struct mistake common[] = {{DIAGNOSIS_ENDED, ended_find}, {DIAGNOSIS_LOOP, loop_find}};
	static const struct pattern same_bytes[] = {{outdated, false}, {overwritten, false}, {half_written, false}};
	static const struct pattern others[] = {{split, false}, {touched, true}, {touched, false}};

	diagnose_stolen(p, d);
	if (!d->kind)
		diagnose_mistakes(p, rare, sizeof(rare) / sizeof(rare[0]), d);
	if (!d->kind)
		diagnose_interruption(p, same_bytes, sizeof(same_bytes) / sizeof(same_bytes[0]), d);
	if (!d->kind)
		diagnose_mistakes(p, common, sizeof(common) / sizeof(common[0]), d);
	if (!d->kind)
		diagnose_interruption(p, others, sizeof(others) / sizeof(others[0]), d);
	if (!d->kind)
		diagnose_order(p, d);
}

/* ---- entry point ---- */

static bool in_circle(const struct report *p)
{
	const struct recording *r = p->r;

	for (thread_id from = 0; from < r->n_threads; from++) {
		thread_id t = from;
		for (size_t k = 0; k < r->n_threads && t != NO_THREAD && t < r->n_threads; k++) {
			t = r->threads[t].pending_kind == EV_NONE ? NO_THREAD : r->threads[t].waits_for;
			if (t == from)
				return true;
		}
	}
	return false;
}

static void find(const struct report *p, struct diagnosis *d)
{
	forget(d);
	if (blocked_for_ever(p)) {
		if (in_circle(p))
			d->kind = DIAGNOSIS_CYCLE;
		else
			diagnose_wait(p, d);
		return;
	}
	if (p->r->failure.kind == BUG_LIVELOCK || p->r->failure.kind == BUG_RACE) {
		d->kind = p->r->failure.kind == BUG_RACE ? DIAGNOSIS_RACE : DIAGNOSIS_SPIN;
		return;
	}
	if (p->r->failure.kind == BUG_NONE || p->r->failure.kind == BUG_HANG)
		return;
	diagnose_destroyed(p, d);
	if (!d->kind && report_late_store(p, &d->step[0], &d->step[1], &d->step[2])) {
		d->kind = DIAGNOSIS_LATE_STORE;
		d->likely = true;
		d->thread = p->r->steps[d->step[0]].thread;
	}
	if (!d->kind && p->r->failure.kind != BUG_ROBUSTNESS)
		diagnose_end(p, d);
}

void diagnose(const struct report *p, struct diagnosis *d)
{
	if (p->diagnosis->kind == DIAGNOSIS_KINDS) {
		find(p, p->diagnosis);
		if (p->diagnosis->kind == DIAGNOSIS_NONE)
			diagnose_choices(p, p->diagnosis);
	}
	*d = *p->diagnosis;
}

const char *diagnosis_kind_text(enum diagnosis_kind kind)
{
	static const char *const texts[DIAGNOSIS_KINDS] = {
		[DIAGNOSIS_CYCLE] = "cycle",
		[DIAGNOSIS_SPIN] = "livelock",
		[DIAGNOSIS_RACE] = "race",
		[DIAGNOSIS_LOST_WAKEUP] = "lost-wakeup",
		[DIAGNOSIS_WRONG_WAITER] = "wrong-waiter",
		[DIAGNOSIS_STOLEN_WAKEUP] = "stolen-wakeup",
		[DIAGNOSIS_DESTROYED] = "destroyed",
		[DIAGNOSIS_LATE_STORE] = "late-store",
		[DIAGNOSIS_ATOMICITY] = "atomicity",
		[DIAGNOSIS_ORDER] = "order",
		[DIAGNOSIS_CHOICE] = "choice",
		[DIAGNOSIS_ABA] = "aba",
		[DIAGNOSIS_EARLY] = "published-early",
		[DIAGNOSIS_CONTAINER] = "container",
		[DIAGNOSIS_LOOP] = "unlocked-loop",
		[DIAGNOSIS_ENDED] = "after-end",
	};

	return texts[kind];
}
