/* Diagnoses of hand-made schedules: the text is right, and there is none where it could be false. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/report/calls.h"
#include "recorder/report/diagnosis.h"
#include "tests/unit/lib_recording.h"

#define X 1 /* a variable; the first object of variables() */
#define Y 2

static void set_text(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
}

/* A failed assertion in `thread`. T0 has created T0.1 and T0.2; x and y are variables, 3 is a lock, 4 a condition variable. */
static struct recording *program(void)
{
	struct recording *r = sample_new();

	sample_thread(r, "T0.1", "one");
	sample_thread(r, "T0.2", "two");
	sample_range(r, 1, "x", 0x1000, 8);
	sample_range(r, 2, "y", 0x1008, 8);
	sample_object(r, OBJ_MUTEX, 1, "lock", "a.c:1");
	sample_object(r, OBJ_COND, 1, "changed", "a.c:2");
	r->failure.kind = BUG_ASSERT;
	set_text(&r->failure.message, "a.c:9: Assertion failed");
	return r;
}

#define LOCK 3
#define COND 4

static struct rec_step *step(struct recording *r, thread_id t, unsigned kind, object_id o)
{
	return sample_step(r, t, kind, o, 0, "work", "a.c", 10 + (int)r->n_steps);
}

static void fails(struct recording *r, thread_id t)
{
	step(r, t, EV_DEATH, 0);
	r->failure.thread = t;
}

/* Takes ownership of r. Its diagnosis must be of this kind and contain `words` (NULL: any text). */
static void expect(struct recording *r, enum diagnosis_kind kind, const char *words, size_t a, size_t b, size_t c)
{
	struct report p;
	struct diagnosis d;
	char *text;

	r->preemptions = recording_preemptions(r);
	report_begin(&p, stdout, r, NULL);
	diagnose(&p, &d);
	text = diagnosis_text(&p, &d);
	if (d.kind != kind || (words && (!text || !strstr(text, words))))
		fail_msg("kind %d: %s", d.kind, text ? text : "(nothing)");
	assert_int_equal(d.step[0], a - 1);
	assert_int_equal(d.step[1], b - 1);
	assert_int_equal(d.step[2], c - 1);
	assert_true((text != NULL) == (kind != DIAGNOSIS_NONE));
	assert_true(!d.likely || !text || strncmp(text, "Likely ", 7) == 0);
	free(text);
	report_finish(&p);
	recording_free(r);
}

/* Takes ownership of r. Its diagnosis must be another one, or none. */
static void expect_other(struct recording *r, enum diagnosis_kind kind)
{
	struct report p;
	struct diagnosis d;

	report_begin(&p, stdout, r, NULL);
	diagnose(&p, &d);
	assert_int_not_equal(d.kind, kind);
	report_finish(&p);
	recording_free(r);
}

static void nothing(struct recording *r)
{
	expect(r, DIAGNOSIS_NONE, NULL, 0, 0, 0);
}

static void circle(void **state)
{
	expect(sample_deadlock(), DIAGNOSIS_CYCLE, "T0.3 waits for account[0].lock at bank.c:32, held by T0.1 since step 4", 0, 0, 0);
}

static void late_stores(void **state)
{
	expect(sample_tso(), DIAGNOSIS_LATE_STORE, "in T0.1 between its store to x (weak.c:10, step 3) and its load of y", 3, 4, 7);
	expect(sample_pso(0), DIAGNOSIS_LATE_STORE, "its store to data (weak.c:10, step 3) and its store to ready", 3, 4, 7);
}

static void lost_wakeup(void **state)
{
	expect(sample_lost_wakeup(), DIAGNOSIS_LOST_WAKEUP, "no thread was waiting when T0 did the last signal of q.nonempty", 4, 6, 0);
}

/* T0.1 waits; T0 signals `signals` times; T0.1 wakes and waits again. */
static struct recording *heard(unsigned signals)
{
	struct recording *r = program();

	r->failure.kind = BUG_DEADLOCK;
	step(r, 1, EV_COND_WAIT, COND)->obj[1] = LOCK;
	while (signals-- > 0)
		step(r, 0, EV_COND_SIGNAL, COND);
	step(r, 1, EV_COND_WAKE, COND)->obj[1] = LOCK;
	step(r, 1, EV_COND_WAIT, COND)->obj[1] = LOCK;
	sample_pending(r, 1, EV_COND_WAKE, COND, LOCK, NO_THREAD, "work", "a.c", 30);
	return r;
}

/* A signal that woke a thread is not lost, even if the thread waits again later. The second of two signals for one waiter is lost. */
static void heard_wakeup(void **state)
{
	nothing(heard(1));
	expect(heard(2), DIAGNOSIS_LOST_WAKEUP, NULL, 3, 5, 0);
}

/* T0.2 waits too, and T0.1 is woken without effect. */
static struct recording *two_waiters(unsigned kind)
{
	struct recording *r = program();

	r->failure.kind = BUG_DEADLOCK;
	step(r, 1, EV_COND_WAIT, COND)->obj[1] = LOCK;
	step(r, 2, EV_COND_WAIT, COND)->obj[1] = LOCK;
	step(r, 0, kind, COND);
	step(r, 1, EV_COND_WAKE, COND)->obj[1] = LOCK;
	step(r, 1, EV_COND_WAIT, COND)->obj[1] = LOCK;
	sample_pending(r, 1, EV_COND_WAKE, COND, LOCK, NO_THREAD, "work", "a.c", 30);
	sample_pending(r, 2, EV_COND_WAKE, COND, LOCK, NO_THREAD, "work", "a.c", 30);
	return r;
}

static void wrong_waiter(void **state)
{
	struct recording *r = two_waiters(EV_COND_SIGNAL);

	expect(r, DIAGNOSIS_WRONG_WAITER, 
		"woke T0.1 (step 4), which waited again (a.c:14, step 5), while T0.2 was waiting as well (a.c:30)",
		3, 4, 5);
	nothing(two_waiters(EV_COND_BROADCAST));
}

/* T0.1 is signalled and fails after its wake-up; T0.2 may lock first. */
static struct recording *called(bool stolen, unsigned after)
{
	struct recording *r = program();

	step(r, 1, EV_COND_WAIT, COND)->obj[1] = LOCK;
	step(r, 0, EV_COND_SIGNAL, COND);
	if (stolen)
		step(r, 2, EV_MUTEX_LOCK, LOCK);
	if (stolen)
		step(r, 2, EV_MUTEX_UNLOCK, LOCK);
	step(r, 1, EV_COND_WAKE, COND)->obj[1] = LOCK;
	if (after)
		step(r, 1, after, LOCK);
	fails(r, 1);
	return r;
}

/* No diagnosis when no thread took the mutex in between, or when the thread did something else before it failed. */
static void stolen_wakeup(void **state)
{
	expect(called(true, 0), DIAGNOSIS_STOLEN_WAKEUP, "woke T0.1, but T0.2 acquired lock (a.c:12, step 3) before T0.1 did", 2, 3, 5);
	nothing(called(false, 0));
	nothing(called(true, EV_MUTEX_UNLOCK));
}

static struct recording *destroyed(unsigned again)
{
	struct recording *r = program();

	r->failure.kind = BUG_MISUSE;
	step(r, 1, EV_MUTEX_DESTROY, LOCK);
	if (again)
		step(r, 1, again, LOCK);
	step(r, 2, EV_MUTEX_LOCK, LOCK);
	fails(r, 2);
	return r;
}

static void used_after_destruction(void **state)
{
	expect(destroyed(0), DIAGNOSIS_DESTROYED, "T0.2 used lock (a.c:11, step 2) after T0.1 had destroyed it (a.c:10, step 1)", 1, 2, 0);
	nothing(destroyed(EV_MUTEX_INIT));
}

/* T0.1 does `a` and `c` to x; T0.2 does `b` in between. */
static struct recording *between(unsigned a, unsigned b, unsigned c, bool failed)
{
	struct recording *r = program();

	step(r, 1, a, X);
	step(r, 2, b, X);
	if (failed)
		step(r, 1, EV_RMW, X)->flags |= EVF_FAILED;
	step(r, 1, c, X);
	fails(r, 1);
	return r;
}

static void interrupted(void **state)
{
	expect(between(EV_LOAD, EV_STORE, EV_STORE, false), DIAGNOSIS_ATOMICITY,
		"T0.1 was interrupted between \"load x\" (a.c:10, step 1) and \"store x\" (a.c:12, step 3); in between T0.2 did \"store x\" (a.c:11, step 2)",
		1, 2, 3);
	expect(between(EV_LOAD, EV_STORE, EV_LOAD, false), DIAGNOSIS_ATOMICITY, NULL, 1, 2, 3);
	expect(between(EV_STORE, EV_STORE, EV_LOAD, false), DIAGNOSIS_ATOMICITY, NULL, 1, 2, 3);
	expect(between(EV_STORE, EV_LOAD, EV_STORE, false), DIAGNOSIS_ATOMICITY, NULL, 1, 2, 3);
	expect(between(EV_RMW, EV_RMW, EV_LOAD, false), DIAGNOSIS_ATOMICITY, NULL, 1, 2, 3);
}

static void harmless(void **state)
{
	nothing(between(EV_LOAD, EV_LOAD, EV_LOAD, false));
	nothing(between(EV_STORE, EV_LOAD, EV_LOAD, false));
}

/* A failed compare-and-swap has detected the change, so what follows it is not an atomicity violation. */
static void noticed(void **state)
{
	struct recording *r = between(EV_LOAD, EV_STORE, EV_RMW, true);
	struct report p;
	struct diagnosis d;

	report_begin(&p, stdout, r, NULL);
	diagnose(&p, &d);
	assert_true(d.kind == DIAGNOSIS_NONE || d.step[2] != 3);
	report_finish(&p);
	recording_free(r);
}

/* Sets the bytes that a step found and left. */
static void values(struct rec_step *s, uint8_t before, uint8_t after)
{
	s->value = (struct rec_value){.size = 8, .has_before = true, .has_after = s->kind != EV_LOAD};
	s->value.before[0] = before;
	s->value.after[0] = after;
}

static void swap(struct recording *r, thread_id t, uint8_t before, uint8_t after)
{
	struct rec_step *s = step(r, t, EV_RMW, X);

	s->result = 1;
	values(s, before, after);
}

/* T0.1 reads x = 1, and y if `besides`. T0.2 changes x to 2 and then to `back`, and y to `y`. T0.1 exchanges the value
   of x for 3. */
static struct recording *aba(bool besides, uint8_t back, uint8_t y)
{
	struct recording *r = program();

	values(step(r, 1, EV_LOAD, X), 1, 0);
	if (besides)
		values(step(r, 1, EV_LOAD, Y), 5, 0);
	swap(r, 2, 1, 2);
	values(step(r, 2, EV_STORE, Y), 5, y);
	swap(r, 2, 2, back);
	swap(r, 1, back, 3);
	fails(r, 1);
	return r;
}

/* It is ABA only when the word has the value of the read again, and something else that was read has another one. */
static void aba_problem(void **state)
{
	static const struct {
		bool besides;
		uint8_t back, y;
	} others[] = {{false, 1, 6}, {true, 4, 6}, {true, 1, 5}};

	expect(aba(true, 1, 6), DIAGNOSIS_ABA,
		"T0.1 succeeded (a.c:15, step 6), since x was 1 again, as T0.1 had read it (a.c:10, step 1)", 1, 3, 6);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		expect_other(aba(others[i].besides, others[i].back, others[i].y), DIAGNOSIS_ABA);
}

/* No thread was interrupted: T0.1 had ended its turn by waiting. */
static void gave_way(void **state)
{
	struct recording *r = program();

	step(r, 1, EV_LOAD, X);
	step(r, 1, EV_SLEEP, 0);
	step(r, 2, EV_STORE, X);
	step(r, 1, EV_STORE, X);
	fails(r, 1);
	nothing(r);
}

static void two_sections(void **state)
{
	struct recording *r = program();
	static const thread_id who[] = { 1, 2, 1 };

	for (int i = 0; i < 3; i++) {
		step(r, who[i], EV_MUTEX_LOCK, LOCK);
		step(r, who[i], EV_MUTEX_UNLOCK, LOCK);
	}
	fails(r, 1);
	expect(r, DIAGNOSIS_ATOMICITY, "between two critical sections of lock: it acquired it (a.c:10, step 1), released it", 1, 3, 5);
}

/* T0.2 reads x and fails; T0.1's pending operation accesses `o`. */
static struct recording *early(unsigned kind, object_id o)
{
	struct recording *r = program();

	step(r, 1, EV_STORE, Y);
	step(r, 2, EV_LOAD, Y);
	step(r, 2, EV_LOAD, X);
	fails(r, 2);
	sample_pending(r, 1, kind, o, 0, NO_THREAD, "one", "a.c", 40);
	return r;
}

static void too_early(void **state)
{
	struct recording *r = program();

	step(r, 2, EV_LOAD, X);
	fails(r, 2);
	sample_pending(r, 1, EV_STORE, X, 0, NO_THREAD, "one", "a.c", 40);
	expect(r, DIAGNOSIS_ORDER, "T0.2 did \"load x\" (a.c:10, step 1) before T0.1 did \"store x\" (a.c:40)", 1, 0,
		0);
	expect(early(EV_LOAD, X), DIAGNOSIS_ORDER, "after T0.1 had done \"store y\" (a.c:10, step 1), but before T0.1 continued with", 2, 1, 0);
	nothing(early(EV_MUTEX_LOCK, LOCK)); /* T0.1 may be blocked, so the schedule need not have delayed it */
}

/* T0.1 writes y, the flag, before x. T0.2 reads both in between. `before`: T0.1 wrote x already; `again`: it writes y
   again. */
static struct recording *flag_first(bool before, bool again)
{
	struct recording *r = program();

	if (before)
		step(r, 1, EV_STORE, X);
	step(r, 1, EV_STORE, Y);
	step(r, 2, EV_LOAD, Y);
	step(r, 2, EV_LOAD, X);
	step(r, 1, EV_STORE, X);
	if (again)
		step(r, 1, EV_STORE, Y);
	fails(r, 2);
	return r;
}

static void published_early(void **state)
{
	expect(early(EV_STORE, X), DIAGNOSIS_EARLY,
		"T0.1 stored y (a.c:10, step 1) before it wrote x (a.c:40, its next operation)", 1, 2, 3);
	expect(flag_first(false, false), DIAGNOSIS_EARLY,
		"T0.2 saw the new value of y (a.c:11, step 2) and read x (a.c:12, step 3), which was not written yet",
		1, 2, 3);
	expect_other(flag_first(true, false), DIAGNOSIS_EARLY);
	expect_other(flag_first(false, true), DIAGNOSIS_EARLY);
}

/* A step of T0.1 or T0.2 in that function; equal offsets are the same instruction. */
static struct rec_step *step_in(struct recording *r, thread_id t, unsigned kind, const char *function, uint64_t offset)
{
	struct rec_step *s = sample_step(r, t, kind, LOCK, 0, function, "a.c", 10 + (int)r->n_steps);

	set_text(&s->stack.frame[0].module, "a");
	s->stack.frame[0].offset = offset;
	s->stack.frame[0].flags |= REC_FRAME_USER;
	return s;
}

static struct recording *rounds(const char *function, uint64_t offset)
{
	struct recording *r = program();

	step_in(r, 1, EV_MUTEX_LOCK, "look", 8);
	step_in(r, 1, EV_MUTEX_UNLOCK, "look", 16);
	step_in(r, 2, EV_MUTEX_LOCK, function, 24);
	step_in(r, 2, EV_MUTEX_UNLOCK, function, 32);
	step_in(r, 1, EV_MUTEX_LOCK, "look", offset);
	fails(r, 1);
	return r;
}

/* It is a loop if the same instruction acquires the lock twice, and a function that removes something had it between
   them. */
static void unlocked_loop(void **state)
{
	expect(rounds("list_remove", 8), DIAGNOSIS_LOOP,
		"T0.1 acquired lock in each round (a.c:14, step 5). Since the last round, in step 1, "
		"T0.2 had it in list_remove",
		1, 3, 5);
	expect(rounds("list_remove", 40), DIAGNOSIS_ATOMICITY, NULL, 1, 3, 5);
	expect(rounds("list_look", 8), DIAGNOSIS_ATOMICITY, NULL, 1, 3, 5);
}

static void after_end(void **state)
{
	expect(rounds("queue_close", 40), DIAGNOSIS_ENDED,
		"T0.2 was in queue_close (a.c:12, step 3) without waiting for T0.1, which was in look after that",
		3, 5, 0);
	expect_other(rounds("queue_push", 40), DIAGNOSIS_ENDED);
}

/* A block that T0.2 freed in `container`, if there is one, and T0.1 used. */
static struct recording *freed(const char *container)
{
	struct recording *r = program();
	struct rec_stack *at = &r->failure.block.stack[1];

	r->failure.kind = BUG_MEMORY;
	r->failure.block.error = MEMORY_FREED;
	r->failure.block.owner[0] = 0;
	r->failure.block.owner[1] = 2;
	step_in(r, 1, EV_MUTEX_LOCK, "sum", 8);
	step_in(r, 1, EV_MUTEX_UNLOCK, "sum", 16);
	step_in(r, 2, EV_MUTEX_LOCK, "add", 24);
	rec_stack_free(at);
	*at = rec_stack_copy(&r->steps[r->n_steps - 1].stack);
	if (container)
		set_text(&at->frame[0].function, container);
	rec_stack_free(&r->failure.stack);
	r->failure.stack = rec_stack_copy(&r->steps[r->n_steps - 2].stack);
	fails(r, 1);
	return r;
}

static void container(void **state)
{
	expect(freed("std::vector<...>::push_back"), DIAGNOSIS_CONTAINER,
		"T0.2's push_back (a.c:12) freed memory of the std::vector that T0.1 was using", 1, 0, 2);
	expect(freed("std::vector<...>::~vector"), DIAGNOSIS_ENDED, "T0.2 freed the block (a.c:12)", 0, 2, 0);
	expect(freed(NULL), DIAGNOSIS_ENDED,
		"T0.2 freed the block (a.c:12) without waiting for T0.1, which used it after that (a.c:11, step 2)",
		3, 2, 0);
}

static void race(void **state)
{
	struct recording *r = program();

	r->failure.kind = BUG_RACE;
	set_text(&r->failure.message, "data race on x: written at a.c:1 by T0.1, read at a.c:2 by T0.2");
	fails(r, 1);
	expect(r, DIAGNOSIS_RACE, "data race on x: written at a.c:1 by T0.1, read at a.c:2 by T0.2; no synchronisation orders", 0, 0, 0);
}

static void nothing_known(void **state)
{
	struct recording *r = program();

	fails(r, 1);
	nothing(r);
	r = program();
	r->failure.kind = BUG_HANG;
	nothing(r);
}

/* Any valid file gives a diagnosis or none, without a fault. */
static void anything(void **state)
{
	uint64_t seed = 7;

	for (int i = 0; i < 300; i++) {
		struct recording *r = sample_random(&seed);
		struct report p;
		struct diagnosis d;

		report_begin(&p, stdout, r, NULL);
		diagnose(&p, &d);
		free(diagnosis_text(&p, &d));
		report_finish(&p);
		recording_free(r);
	}
}

static void names(void **state)
{
	static const char *const words[] = {"add", "close"};
	static const char *const named[] = {"add", "addItem", "Queue::close_all", "a::b::doClose", "x_add", "CLOSE"};
	static const char *const not_named[] = {NULL, "", "disclose", "padding", "Queue::enclosed", "add::run"};

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		assert_true(call_is_named(named[i], words, 2));
	for (size_t i = 0; i < sizeof(not_named) / sizeof(not_named[0]); i++)
		assert_false(call_is_named(not_named[i], words, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(circle),
		cmocka_unit_test(late_stores),
		cmocka_unit_test(lost_wakeup),
		cmocka_unit_test(heard_wakeup),
		cmocka_unit_test(wrong_waiter),
		cmocka_unit_test(stolen_wakeup),
		cmocka_unit_test(used_after_destruction),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(harmless),
		cmocka_unit_test(noticed),
		cmocka_unit_test(aba_problem),
		cmocka_unit_test(gave_way),
		cmocka_unit_test(names),
		cmocka_unit_test(two_sections),
		cmocka_unit_test(too_early),
		cmocka_unit_test(published_early),
		cmocka_unit_test(unlocked_loop),
		cmocka_unit_test(after_end),
		cmocka_unit_test(container),
		cmocka_unit_test(race),
		cmocka_unit_test(nothing_known),
		cmocka_unit_test(anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
