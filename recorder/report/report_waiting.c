/* Explains which thread waits for which: deadlocks and livelocks. */
#include <string.h>

#include "recorder/report/diagnosis.h"
#include "recorder/report/report_internal.h"
#include "recorder/symbols/std_lock.h"

/* Returns the thread that t waits for: from the recording, or the holder of the object that it needs according to the schedule. */
static thread_id waits_for(const struct report *p, thread_id t)
{
	const struct rec_thread *th = &p->r->threads[t];

	if (th->waits_for != NO_THREAD)
		return th->waits_for;
	/* only the first object: a condition's waiter may miss its wake-up, whichever thread holds the mutex */
	if (th->pending_obj[0] && p->locked_at[th->pending_obj[0] - 1] < p->r->n_steps)
		return p->r->steps[p->locked_at[th->pending_obj[0] - 1]].thread;
	if (th->pending_kind == EV_THREAD_JOIN)
		for (size_t i = 0; i < p->r->n_threads; i++)
			if (strcmp(p->r->threads[i].path, report_object(p, th->pending_obj[0])) == 0)
				return (thread_id)i;
	return NO_THREAD;
}

static bool blocked(const struct report *p, thread_id t)
{
	return p->r->threads[t].pending_kind != EV_NONE;
}

/* Returns a thread on a cycle of waiting threads that is reachable from `from`, or NO_THREAD when there is none. */
static thread_id on_cycle(const struct report *p, thread_id from)
{
	thread_id t = from;

	for (size_t i = 0; i <= p->r->n_threads; i++) {
		if (t == NO_THREAD || !blocked(p, t))
			return NO_THREAD;
		t = waits_for(p, t);
	}
	return t; /* after that many steps it is on a cycle */
}

static bool in_cycle(const struct report *p, thread_id member, thread_id t)
{
	thread_id at = member;

	do {
		if (at == t)
			return true;
		at = waits_for(p, at);
	} while (at != member);
	return false;
}

/* Returns whether the thread spins in a loop that waits for memory to change. */
static bool spins(const struct report *p, thread_id t)
{
	unsigned kind = p->r->threads[t].pending_kind;

	return event_kind_accesses(kind);
}

/* ---- sentences ---- */

/* Returns whether t is a writer that waits for the readers of lock o, which gives it precedence over other threads. */
static bool has_claimed(const struct report *p, thread_id t, object_id o)
{
	for (size_t i = p->r->n_steps; i-- > 0;)
		if (p->r->steps[i].thread == t)
			return p->r->steps[i].kind == EV_RW_WRWAIT && p->r->steps[i].obj[0] == o;
	return false;
}

/* Returns whether the step writes some of the bytes of object o to memory. */
static bool writes(const struct recording *r, const struct rec_step *s, object_id o)
{
	return ((s->kind == EV_STORE && !s->buffered) || s->kind == EV_UPDATE ||
		       (s->kind == EV_RMW && !rec_step_failed(s))) && recording_touches(r, s, o);
}

/* Returns the last step that wrote to the memory for which t waits; n_steps: none. */
static size_t last_write(const struct report *p, thread_id t)
{
	object_id o = p->r->threads[t].pending_obj[0];
	size_t last = p->r->n_steps;

	for (size_t i = 0; i < p->r->n_steps && o; i++)
		if (writes(p->r, &p->r->steps[i], o))
			last = i;
	return last;
}

/* ", held by T0.2 since step 7 (x.c:12)": the thread that has the object that blocks t. */
static void put_holder(const struct report *p, thread_id t)
{
	const struct rec_thread *th = &p->r->threads[t];
	thread_id holder = waits_for(p, t);
	object_id o = th->pending_kind == EV_COND_WAKE ? th->pending_obj[1] : th->pending_obj[0];
	size_t at = spins(p, t) ? last_write(p, t) : o ? p->locked_at[o - 1] : p->r->n_steps;
	char where[CELL_TEXT];

	if (holder == NO_THREAD)
		return;
	if (holder == t)
		fputs(", which it already holds itself", p->out);
	else if (has_claimed(p, holder, o)) {
		fputs(", which ", p->out);
		report_put_thread(p, holder);
		fputs(" waits for and gets first", p->out);
	} else {
		fputs(", held by ", p->out);
		report_put_thread(p, holder);
	}
	if (at < p->r->n_steps && p->r->steps[at].thread == holder) {
		report_where(&p->r->steps[at].stack, false, where, sizeof(where));
		fprintf(p->out, " since step %zu%s%s%s", at + 1, where[0] ? " (" : "", where, where[0] ? ")" : "");
	}
	if (holder != t && !blocked(p, holder))
		fputs(", which has ended without releasing it", p->out);
}

static bool is_signal(unsigned kind)
{
	return kind == EV_COND_SIGNAL || kind == EV_COND_BROADCAST || kind == EV_FUTEX_WAKE;
}

static bool is_wait(unsigned kind)
{
	return kind == EV_COND_WAIT || kind == EV_FUTEX_WAIT;
}

/* Explains why no wake-up reached the thread that waits on cond since step `since`. */
static void put_lost_wakeup(const struct report *p, object_id cond, size_t since)
{
	const struct recording *r = p->r;
	size_t before = r->n_steps, after = r->n_steps;

	for (size_t i = 0; i < r->n_steps; i++) {
		if (!is_signal(r->steps[i].kind) || r->steps[i].obj[0] != cond)
			continue;
		if (i < since)
			before = i;
		else
			after = i;
	}
	if (after < r->n_steps) {
		fprintf(p->out, "; the last %s, step %zu by ", event_kind_text(r->steps[after].kind), after + 1);
		report_put_thread(p, r->steps[after].thread);
		report_at(p, &r->steps[after].stack);
		fputs(", woke another thread", p->out);
	} else if (before < r->n_steps) {
		fprintf(p->out, "; the last %s was step %zu, by ", event_kind_text(r->steps[before].kind), before + 1);
		report_put_thread(p, r->steps[before].thread);
		report_at(p, &r->steps[before].stack);
		fprintf(p->out, ", before this wait began in step %zu%s", since + 1, diagnosis_unheard(r, before) ? ": a lost wake-up" : "");
	} else {
		fputs("; it was never signalled", p->out);
	}
}

static void put_condition(const struct report *p, thread_id t)
{
	const struct rec_thread *th = &p->r->threads[t];
	object_id cond = th->pending_obj[0];
	size_t since = p->r->n_steps;

	fprintf(p->out, " waits on %s", report_object(p, cond));
	report_at(p, &th->stack);
	for (size_t i = 0; i < p->r->n_steps; i++)
		if (p->r->steps[i].thread == t && is_wait(p->r->steps[i].kind) && p->r->steps[i].obj[0] == cond)
			since = i;
	if (waits_for(p, t) != NO_THREAD) {
		fprintf(p->out, " and needs %s", report_object(p, th->pending_obj[1]));
		put_holder(p, t);
	} else {
		fputs(", and no thread is left to signal it", p->out);
		if (since < p->r->n_steps)
			put_lost_wakeup(p, cond, since);
	}
	fputc('\n', p->out);
}

/* "T0.1 waits for the lock m at a.c:10, held by T0.2 since step 7 (a.c:22)": a lock of the program's own, or of Rust's std. */
static void put_own_lock(const struct report *p, thread_id t)
{
	const struct rec_thread *th = &p->r->threads[t];
	const char *object = report_object(p, th->pending_obj[0]);

	fprintf(p->out, " waits for %s%s", std_lock_is_held(object) ? "" : "the lock ", object);
	report_at(p, &th->stack);
	put_holder(p, t);
	fputc('\n', p->out);
}

/* "T0.1 spins at a.c:10 until turn changes; T0.2 wrote it last, in step 7 (a.c:22)" */
static void put_spin(const struct report *p, thread_id t)
{
	const struct recording *r = p->r;
	const struct rec_thread *th = &r->threads[t];
	const char *object = report_object(p, th->pending_obj[0]);
	size_t last = last_write(p, t);
	char where[CELL_TEXT];

	if (th->waits_for != NO_THREAD) {
		put_own_lock(p, t);
		return;
	}
	if (recording_is_parked(r, th)) {
		fputs(" is parked", p->out);
		report_at(p, &th->stack);
		fputs(", and no thread is left to unpark it\n", p->out);
		return;
	}
	fputs(" spins", p->out);
	report_at(p, &th->stack);
	fprintf(p->out, " until %s changes", object[0] ? object : "memory");
	if (last < r->n_steps) {
		fputs("; ", p->out);
		report_put_thread(p, r->steps[last].thread);
		report_where(&r->steps[last].stack, false, where, sizeof(where));
		fprintf(p->out, " wrote it last, in step %zu%s%s%s", last + 1, where[0] ? " (" : "", where,
			where[0] ? ")" : "");
	} else {
		fputs("; nothing in this schedule wrote it", p->out);
	}
	fputc('\n', p->out);
}

/* One sentence: why thread t cannot continue. */
static void put_blocked(const struct report *p, thread_id t)
{
	const struct rec_thread *th = &p->r->threads[t];
	const char *object = report_object(p, th->pending_obj[0]), *rest = "";

	fputs("  ", p->out);
	report_put_thread(p, t);
	switch (event_kind_waits(th->pending_kind)) {
	case WAITS_CHANGE:
		put_spin(p, t);
		return;
	case WAITS_TOKEN:
		put_condition(p, t);
		return;
	case WAITS_END:
		fprintf(p->out, " waits for %s to end (join", object);
		report_at(p, &th->stack);
		fputs(")\n", p->out);
		return;
	case WAITS_ASSUMPTION:
		fputs(" cannot continue: an assumption (simul_assume) does not hold", p->out);
		report_at(p, &th->stack);
		fputc('\n', p->out);
		return;
	case WAITS_POST:
		rest = ", which is 0, and no thread is left to post it";
		break;
	case WAITS_ARRIVALS:
		rest = ", and not enough threads are left to arrive";
		break;
	case WAITS_READY:
		rest = ", and no thread is left to make it ready";
		break;
	case WAITS_NOTHING:
	case WAITS_LOCK:
	case WAITS_ONCE:
	case WAITS_CHILD:
	case WAITS_DELIVERY:
		break;
	}
	fprintf(p->out, " waits for %s", object[0] ? object : event_kind_text(th->pending_kind));
	report_at(p, &th->stack);
	fputs(rest, p->out);
	if (!rest[0])
		put_holder(p, t);
	fputc('\n', p->out);
}

/* Returns the thread with the smallest id on the cycle, so that the output does not depend on where the search began. */
static thread_id smallest_in_cycle(const struct report *p, thread_id member)
{
	thread_id first = member;

	for (thread_id t = waits_for(p, member); t != member; t = waits_for(p, t))
		first = t < first ? t : first;
	return first;
}

static void explain_deadlock(const struct report *p)
{
	const struct recording *r = p->r;
	thread_id member = NO_THREAD, t;

	for (size_t i = 0; i < r->n_threads && member == NO_THREAD; i++)
		member = on_cycle(p, (thread_id)i);
	if (member != NO_THREAD) {
		if (waits_for(p, member) == member)
			fputs("  A thread waits for itself:\n", p->out);
		else
			fputs("  The threads wait for each other in a cycle:\n", p->out);
		member = t = smallest_in_cycle(p, member);
		do {
			put_blocked(p, t);
			t = waits_for(p, t);
		} while (t != member);
	}
	for (t = 0; t < r->n_threads; t++)
		if (blocked(p, t) && (member == NO_THREAD || !in_cycle(p, member, t)))
			put_blocked(p, t);
}

/* "T0.1 and T0.2 spin on a condition that no thread can change:", then each of them, and the threads that wait for them. */
static void explain_livelock(const struct report *p)
{
	const struct recording *r = p->r;
	unsigned n = 0, k = 0;

	for (thread_id t = 0; t < r->n_threads; t++)
		n += spins(p, t);
	fputs("  ", p->out);
	for (thread_id t = 0; t < r->n_threads; t++) {
		if (!spins(p, t))
			continue;
		if (k++)
			fputs(k == n ? " and " : ", ", p->out);
		report_put_thread(p, t);
	}
	fprintf(p->out, "%s on a condition that no thread can change:\n", n == 1 ? " spins" : n ? " spin" : "The threads wait");
	for (int pass = 0; pass < 2; pass++)
		for (thread_id t = 0; t < r->n_threads; t++)
			if (blocked(p, t) && spins(p, t) == !pass)
				put_blocked(p, t);
}

void report_waiting(const struct report *p)
{
	if (p->r->failure.kind == BUG_DEADLOCK)
		explain_deadlock(p);
	else
		explain_livelock(p);
}
