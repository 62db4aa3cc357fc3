/* Semaphores, barriers, one-time initialisation, threads, signals, descriptors, virtual time. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_valid.h"
#include "tests/unit/lib_world.h"

#define S O(OBJ_SEM, 0)
#define B O(OBJ_BARRIER, 0)
#define ONCE O(OBJ_ONCE, 0)
#define T(n) O(OBJ_THREAD, n)
#define ALT(a) (1u << ALT_##a)

static void init_sem(uint64_t value)
{
	assert_int_equal(run(0, ARG(OP(EV_SEM_INIT, S), value, 0)), 0);
}

static void semaphore(void **state)
{
	init_sem(1);
	assert_int_equal(run(1, OP(EV_SEM_WAIT, S)), 0);
	assert_int_equal(ST.event.mode[0], M_RECV);
	uint32_t first = ST.event.seq;
	assert_int_equal(run(1, OP(EV_SEM_TRYWAIT, S)), EAGAIN);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_int_equal(run(1, TIMED(OP(EV_SEM_TRYWAIT, S))), ETIMEDOUT);
	assert_int_equal(run(1, OP(EV_SEM_GETVALUE, S)), 0);
	say(1, OP(EV_SEM_WAIT, S));
	say(2, OP(EV_SEM_WAIT, S));
	blocked(1);
	blocked(2);
	assert_int_equal(run(0, OP(EV_SEM_POST, S)), 0);
	assert_int_equal(ST.event.mode[0], M_SEND);
	assert_int_equal(ST.event.seq, first + 1);
	assert_int_equal(go(2), 0);
	assert_int_equal(ST.event.seq, first + 1); /* the token that was sent */
	blocked(1);
	run(0, OP(EV_SEM_POST, S));
	assert_int_equal(go(1), 0);
	run(0, OP(EV_SEM_POST, S));
	run(0, OP(EV_SEM_POST, S));
	assert_int_equal(run(0, OP(EV_SEM_GETVALUE, S)), 2);
	assert_int_equal(run(0, TIMED(OP(EV_SEM_TRYWAIT, S))), 0);
	init_sem(5);
	assert_int_equal(run(0, OP(EV_SEM_GETVALUE, S)), 5);
	assert_int_equal(run(0, OP(EV_SEM_WAIT, S)), 0);
	assert_true(ST.event.seq > first + 4); /* the numbers continue */
}

static void semaphore_limits(void **state)
{
	init_sem(SEM_VALUE_MAX);
	assert_int_equal(run(0, OP(EV_SEM_POST, S)), EOVERFLOW);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_int_equal(run(0, OP(EV_SEM_WAIT, S)), 0);
	assert_int_equal(run(0, OP(EV_SEM_POST, S)), 0);
	assert_int_equal(run(0, OP(EV_SEM_GETVALUE, S)), SEM_VALUE_MAX);
}

static void semaphore_from_memory(void **state)
{
	object_id x = O(OBJ_SEM, 1);
	assert_int_equal(misuse(0, OP(EV_SEM_WAIT, x)), MISUSE_UNINITIALISED);
	assert_int_equal(run(0, ARG(OP(EV_SEM_GETVALUE, x), 0, 3)), 2);
	assert_int_equal(run(0, ARG(OP(EV_SEM_WAIT, x), 0, 99)), 0); /* it is known by now */
	assert_int_equal(run(0, OP(EV_SEM_GETVALUE, x)), 1);
	x = O(OBJ_SEM, 2);
	assert_int_equal(run(0, ARG(OP(EV_SEM_POST, x), 0, 1)), 0);
	assert_int_equal(run(0, OP(EV_SEM_GETVALUE, x)), 1);
	run(0, OP(EV_SEM_DESTROY, x));
	assert_int_equal(misuse(0, OP(EV_SEM_POST, x)), MISUSE_USE_DESTROYED);
	assert_int_equal(run(0, ARG(OP(EV_SEM_INIT, x), 0, 0)), 0);
	say(1, OP(EV_SEM_WAIT, x));
	blocked(1);
}

static void arrive(unsigned t)
{
	say(t, OP(EV_BARRIER_ARRIVE, B));
	go(t);
}

static void barrier(void **state)
{
	assert_int_equal(misuse(0, OP(EV_BARRIER_ARRIVE, B)), MISUSE_UNINITIALISED);
	run(0, ARG(OP(EV_BARRIER_INIT, B), 2, 0));
	for (uint32_t round = 1; round < 4; round++) {
		arrive(1);
		assert_int_equal(ST.outcome, STEP_MORE);
		assert_int_equal(ST.event.mode[0], M_ARRIVE);
		blocked(1);
		assert_int_equal(misuse(0, OP(EV_BARRIER_DESTROY, B)), MISUSE_DESTROY_IN_USE);
		assert_int_equal(misuse(0, ARG(OP(EV_BARRIER_INIT, B), 2, 0)), MISUSE_DESTROY_IN_USE);
		arrive(2);
		assert_int_equal(ST.event.mode[0], M_LAST);
		assert_int_equal(ST.event.seq, round);
		assert_int_equal(ST.outcome, STEP_DONE);
		assert_int_equal(ST.result, PTHREAD_BARRIER_SERIAL_THREAD);
		assert_int_equal(go(1), 0);
		assert_int_equal(ST.event.mode[0], M_PASS);
		assert_int_equal(ST.event.seq, round);
	}
	run(0, OP(EV_BARRIER_DESTROY, B));
	assert_int_equal(misuse(0, OP(EV_BARRIER_ARRIVE, B)), MISUSE_USE_DESTROYED);
}

/* A thread that has not passed yet does not delay the next round. */
static void barrier_overtaken(void **state)
{
	run(0, ARG(OP(EV_BARRIER_INIT, B), 2, 0));
	arrive(1);
	arrive(2);
	arrive(3);
	blocked(3);
	assert_int_equal(alts(1), ALT(NORMAL));
	arrive(2);
	assert_int_equal(ST.event.seq, 2);
	assert_int_equal(go(1), 0);
	assert_int_equal(ST.event.seq, 1);
	assert_int_equal(go(3), 0);
	assert_int_equal(ST.event.seq, 2);
}

/* The round is completed while a waiter runs a signal handler. */
static void barrier_under_handler(void **state)
{
	run(0, ARG(OP(EV_BARRIER_INIT, B), 2, 0));
	arrive(1);
	world_suspend(W, 1);
	world_advance(W, 2, 500);
	arrive(2);
	world_resume(W, 1);
	assert_int_equal(alts(1), ALT(NORMAL));
	assert_int_equal(go(1), 0);
	assert_int_equal(world_now(W, 1), 500);
}

/* The serial result goes to the thread with the smallest id, which is not the last to arrive. All arrivals of a round are MEETs, and each
   thread has a PASS. */
static void barrier_first(void **state)
{
	run(0, ARG(OP(EV_BARRIER_INIT, B), 2, 0));
	world_advance(W, 1, 500);
	for (uint32_t round = 1; round < 3; round++) {
		for (unsigned t = 2; t > 0; t--) {
			arrive(t);
			assert_int_equal(ST.outcome, STEP_MORE);
			assert_int_equal(ST.event.mode[0], M_MEET);
			assert_int_equal(ST.event.seq, round);
			assert_int_equal(ST.event.result, 2);
			if (t == 2)
				blocked(2);
		}
		assert_int_equal(go(2), 0);
		assert_int_equal(ST.event.mode[0], M_PASS);
		assert_int_equal(world_now(W, 2), 500); /* not before the last arrival */
		assert_int_equal(go(1), PTHREAD_BARRIER_SERIAL_THREAD);
		assert_int_equal(ST.event.seq, round);
	}
}

/* The round is complete when the last thread has arrived. A handler that a waiting thread runs in that time is not ordered with this arrival,
   so its time does not count. */
static void barrier_first_under_handler(void **state)
{
	run(0, ARG(OP(EV_BARRIER_INIT, B), 2, 0));
	arrive(1);
	world_suspend(W, 1);
	world_advance(W, 1, 700);
	world_advance(W, 2, 500);
	arrive(2);
	assert_int_equal(go(2), 0);
	assert_int_equal(world_now(W, 2), 500);
	world_resume(W, 1);
	go(1);
	assert_int_equal(world_now(W, 1), 700);
}

static void once(void **state)
{
	struct object_info i;
	assert_int_equal(run(1, OP(EV_ONCE_ENTER, ONCE)), 1);
	assert_int_equal(ST.event.mode[0], M_ACQ);
	say(2, OP(EV_ONCE_ENTER, ONCE));
	blocked(2);
	assert_int_equal(world_waits_for(W, 2), 1);
	run(1, OP(EV_ONCE_ABORT, ONCE));
	assert_int_equal(ST.event.mode[0], M_REL);
	assert_int_equal(go(2), 1); /* it tries again */
	say(1, OP(EV_ONCE_ENTER, ONCE));
	blocked(1);
	run(2, OP(EV_ONCE_DONE, ONCE));
	assert_int_equal(go(1), 0);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_true(world_object_info(W, ONCE, &i) && i.done && i.owner == NO_THREAD);
	assert_int_equal(run(0, ARG(OP(EV_ONCE_ENTER, O(OBJ_ONCE, 1)), 1, 0)), 0); /* memory shows that it is done */
}

/* ---- threads ---- */

static void create(void **state)
{
	assert_int_equal(world_live_threads(W), 4);
	say(1, OP(EV_THREAD_CREATE, 0));
	const struct event *e = &TRACE.pending[1];
	assert_int_equal(e->kind, EV_THREAD_CREATE);
	assert_int_equal(e->mode[0], M_WRITE);
	go(1);
	assert_int_equal(ST.created, 4);
	assert_int_equal(ST.event.seq, 4);
	assert_int_equal(ST.event.obj[0], T(4));
	assert_null(world_pending(W, 4));
	assert_true(world_alive(W, 4));
	run(4, OP(EV_THREAD_START, 0));
	world_suspend(W, 1); /* a handler creates a thread while the interrupted code was about to create one */
	world_resume(W, 1);
	say(1, OP(EV_THREAD_CREATE, 0));
	world_suspend(W, 1);
	run(1, OP(EV_THREAD_CREATE, 0));
	thread_id first = ST.created;
	world_resume(W, 1);
	go(1);
	assert_int_not_equal(ST.created, first);
	assert_int_equal(world_live_threads(W), 7);
}

static void join(void **state)
{
	say(0, OP(EV_THREAD_JOIN, T(1)));
	blocked(0);
	assert_int_equal(world_waits_for(W, 0), 1);
	assert_int_equal(run(2, OP(EV_THREAD_TRYJOIN, T(1))), EBUSY);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_int_equal(run(2, TIMED(OP(EV_THREAD_TRYJOIN, T(1)))), ETIMEDOUT);
	assert_int_equal(run(2, OP(EV_THREAD_JOIN, T(2))), EDEADLK);
	assert_int_equal(run(2, TIMED(OP(EV_THREAD_TRYJOIN, T(2)))), EDEADLK);
	assert_int_equal(run(2, OP(EV_THREAD_TRYJOIN, T(2))), EBUSY);
	run(1, OP(EV_THREAD_EXIT, T(1)));
	assert_int_equal(ST.event.mode[0], M_REL);
	assert_int_equal(world_live_threads(W), 3);
	assert_int_equal(go(0), 0);
	assert_int_equal(ST.event.mode[0], M_ACQ);
	assert_int_equal(misuse(0, OP(EV_THREAD_JOIN, T(1))), MISUSE_JOIN_TWICE);
	run(2, OP(EV_THREAD_DETACH, T(2)));
	assert_int_equal(run(0, OP(EV_THREAD_DETACH, T(2))), EINVAL);
	assert_int_equal(misuse(0, OP(EV_THREAD_JOIN, T(2))), MISUSE_JOIN_DETACHED);
	run(3, OP(EV_THREAD_EXIT, T(3)));
	assert_int_equal(run(0, OP(EV_THREAD_TRYJOIN, T(3))), 0);
}

static void join_each_other(void **state)
{
	say(1, OP(EV_THREAD_JOIN, T(2)));
	blocked(1);
	say(2, OP(EV_THREAD_JOIN, T(1)));
	assert_int_equal(alts(1), ALT(NORMAL));
	assert_int_equal(go(2), EDEADLK);
	assert_int_equal(ST.event.mode[0], M_POKE); /* the result depends on the other thread's operation */
	assert_int_equal(ST.event.seq, 1);
	blocked(1);
	run(2, OP(EV_THREAD_EXIT, T(2)));
	assert_int_equal(go(1), 0);
}

static void two_join_one(void **state)
{
	say(1, OP(EV_THREAD_JOIN, T(3)));
	say(2, OP(EV_THREAD_JOIN, T(3)));
	run(3, OP(EV_THREAD_EXIT, T(3)));
	assert_int_equal(go(2), 0);
	go(1);
	assert_int_equal(ST.misuse, MISUSE_JOIN_TWICE);
}

static void cancel(void **state)
{
	object_id s = S;
	init_sem(0);
	say(1, CANCELPOINT(OP(EV_SEM_WAIT, s)));
	run(0, OP(EV_THREAD_CANCEL, T(1)));
	blocked(1); /* cancellation is off */
	world_set_cancelable(W, 1, true);
	assert_int_equal(alts(1), ALT(CANCEL));
	go_alt(1, ALT_CANCEL);
	assert_int_equal(ST.outcome, STEP_CANCEL);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_null(world_pending(W, 1));
	world_set_cancelable(W, 1, false);
	run(1, OP(EV_THREAD_EXIT, T(1)));
	run(0, OP(EV_THREAD_CANCEL, T(1))); /* too late, and harmless */
	assert_int_equal(run(0, OP(EV_THREAD_JOIN, T(1))), 0);
}

static void handlers(void **state)
{
	init_sem(0);
	say(1, OP(EV_SEM_WAIT, S));
	run(0, OP(EV_SIGNAL_SEND, T(1)));
	assert_int_equal(ST.event.mode[0], M_POKE);
	assert_int_equal(ST.event.seq, 1);
	world_set_signal_pending(W, 1, true);
	assert_int_equal(alts(1), ALT(SIGNAL));
	run(0, OP(EV_SEM_POST, S));
	assert_int_equal(alts(1), ALT(SIGNAL) | ALT(NORMAL));
	go_alt(1, ALT_SIGNAL);
	assert_int_equal(ST.outcome, STEP_HANDLER);
	world_set_signal_pending(W, 1, false);
	world_suspend(W, 1);
	say(1, OP(EV_YIELD, 0));
	world_suspend(W, 1); /* they nest */
	run(1, OP(EV_SEM_WAIT, S));
	world_resume(W, 1);
	assert_int_equal(world_pending(W, 1)->kind, EV_YIELD);
	go(1);
	world_resume(W, 1);
	world_valid(W);
	blocked(1);
	world_withdraw(W, 1); /* EINTR */
	assert_null(world_pending(W, 1));
	assert_int_equal(alts(1), 0);
	READY = false;
	say(1, OP(EV_SIGNAL_WAIT, T(1)));
	blocked(1);
	READY = true;
	go(1);
	assert_int_equal(ST.event.mode[0], M_READ);
}

static void descriptors(void **state)
{
	object_id f = O(OBJ_FD, 1), set = O(OBJ_FD, 2);
	READY = false;
	say(1, OP2(EV_FD_READ, f, set));
	blocked(1);
	assert_int_equal(run(2, TIMED(OP(EV_FD_POLL, f))), ETIMEDOUT);
	say(2, OP(EV_FD_WRITE, f));
	blocked(2);
	assert_int_equal(run(3, OP(EV_FD_OTHER, f)), 0);
	assert_int_equal(ST.event.mode[0], M_WRITE);
	say(3, OP(EV_PROCESS_WAIT, O(OBJ_PROCESS, 1)));
	blocked(3);
	READY = true;
	go(1);
	assert_int_equal(ST.event.mode[0], M_ACQ);
	assert_int_equal(ST.event.mode[1], M_ACQ);
	go(2);
	assert_int_equal(ST.event.mode[0], M_REL);
	go(3);
}

static void the_end(void **state)
{
	run(1, OP(EV_EXIT, 0));
	assert_int_equal(ST.outcome, STEP_OVER);
	run(2, OP(EV_DEATH, 0));
	assert_int_equal(ST.outcome, STEP_OVER);
}

/* ---- the pending event that the strategy sees ---- */

static void pending_follows(void **state)
{
	struct choice c[8];
	lock(0, 0);
	say(1, OP(EV_MUTEX_TRYLOCK, O(OBJ_MUTEX, 0)));
	assert_int_equal(TRACE.pending[1].mode[0], M_ACQ); /* as if it succeeded */
	assert_int_equal(TRACE.pending[1].flags, 0);
	init_sem(2);
	say(2, OP(EV_SEM_WAIT, S));
	uint32_t seq = TRACE.pending[2].seq;
	run(3, OP(EV_SEM_WAIT, S));
	assert_int_equal(world_choices(W, c, 8), 2);
	assert_int_equal(c[0].thread, 1);
	assert_int_equal(c[1].thread, 2);
	assert_int_equal(TRACE.pending[2].seq, seq + 1);
	assert_int_equal(TRACE.alts[2], ALT(NORMAL));
	assert_int_equal(TRACE.alts[3], 0);
	assert_int_equal(world_choices(W, c, 1), 1);
	run(3, OP(EV_SEM_WAIT, S));
	assert_int_equal(world_choices(W, c, 8), 1);
	assert_int_equal(TRACE.alts[2], 0);
	assert_int_equal(TRACE.pending[2].flags, EVF_BLOCKING | EVF_WAITED);
	go(1);
	assert_int_equal(TRACE.pending[1].kind, EV_NONE);
}

/* ---- virtual time ---- */

static void time_flows(void **state)
{
	struct op sleep = OP(EV_SLEEP, 0);
	sleep.deadline = 5000;
	run(1, sleep);
	assert_int_equal(world_now(W, 1), 5000);
	assert_int_equal(world_now(W, 2), 0);
	lock(1, 0);
	unlock(1, 0);
	lock(2, 0);
	assert_int_equal(world_now(W, 2), 5000); /* the time came with the lock */
	unlock(2, 0);
	assert_int_equal(world_now(W, 3), 0);
	init_sem(1);
	run(1, OP(EV_SEM_POST, S));
	run(3, OP(EV_SEM_WAIT, S));
	assert_int_equal(world_now(W, 3), 0); /* the initial token carries no time */
	run(3, OP(EV_SEM_WAIT, S));
	assert_int_equal(world_now(W, 3), 5000);
	world_advance(W, 3, 100);
	assert_int_equal(world_now(W, 3), 5000);
	sleep.deadline = 9000;
	run(3, sleep);
	run(3, OP(EV_THREAD_EXIT, T(3)));
	run(0, OP(EV_THREAD_JOIN, T(3)));
	assert_int_equal(world_now(W, 0), 9000);
	run(0, OP(EV_THREAD_CREATE, 0));
	assert_int_equal(world_now(W, ST.created), 9000);
	uint64_t a = world_read_clock(W, 2), b = world_read_clock(W, 2), c = world_read_clock(W, 2);
	assert_true(a > 5000 && b > a && c - b == b - a);
	for (int i = 0; i < 40; i++) /* a thread that polls the clock reaches any time */
		a = world_read_clock(W, 2);
	assert_true(a > c + 1000000000);
}

/* A thread that signals after a timeout learns the time of that timeout. */
static void time_of_a_timeout(void **state)
{
	lock(1, 0);
	say(1, TIMED(OP2(EV_COND_WAIT, O(OBJ_COND, 0), O(OBJ_MUTEX, 0))));
	go(1);
	go_alt(1, ALT_TIMEOUT);
	run(2, OP(EV_COND_SIGNAL, O(OBJ_COND, 0)));
	assert_int_equal(world_now(W, 2), 1000);
}

static void many_tokens_keep_their_times(void **state)
{
	init_sem(0);
	for (unsigned i = 1; i <= 100; i++) {
		world_advance(W, 0, i * 10);
		run(0, OP(EV_SEM_POST, S));
		if (i == 37)
			run(1, OP(EV_SEM_WAIT, S));
	}
	for (unsigned i = 2; i <= 100; i++) {
		run(1, OP(EV_SEM_WAIT, S));
		assert_int_equal(world_now(W, 1), i * 10);
	}
}

static void words(void **state)
{
	for (unsigned m = MISUSE_NONE + 1; m < MISUSE_COUNT; m++)
		assert_true(misuse_text(m) && misuse_text(m)[0]);
	assert_string_equal(misuse_text(MISUSE_COUNT), "?");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, world_setup)
	const struct CMUnitTest tests[] = { TEST(semaphore), TEST(semaphore_limits), TEST(semaphore_from_memory), TEST(barrier),
		TEST(barrier_overtaken), TEST(barrier_under_handler),
		cmocka_unit_test_setup(barrier_first, world_setup_first),
		cmocka_unit_test_setup(barrier_first_under_handler, world_setup_first), TEST(once), TEST(create), TEST(join),
		TEST(join_each_other), TEST(two_join_one), TEST(cancel), TEST(handlers), TEST(descriptors),
		TEST(the_end), TEST(pending_follows), TEST(time_flows), TEST(time_of_a_timeout),
		TEST(many_tokens_keep_their_times), TEST(words) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
