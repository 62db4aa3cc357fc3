/* Condition variables and futexes: tokens, timeouts, cancellation, requeueing. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_valid.h"
#include "tests/unit/lib_world.h"

#define C O(OBJ_COND, 0)
#define M O(OBJ_MUTEX, 0)
#define F O(OBJ_FUTEX, 0)
#define G O(OBJ_FUTEX, 1)
#define ALT(a) (1u << ALT_##a)

static struct op wait_op(void)
{
	return OP2(EV_COND_WAIT, C, M);
}

/* Thread t waits on the condition variable with mutex 0. */
static void start(unsigned t, struct op op)
{
	lock(t, 0);
	say(t, op);
	go(t);
	assert_int_equal(ST.outcome, STEP_MORE);
	assert_int_equal(ST.event.mode[0], M_ENQ);
	assert_int_equal(ST.event.mode[1], M_REL);
	assert_int_equal(ST.event.flags, EVF_RELEASES2);
}

static void signal_cond(void)
{
	assert_int_equal(run(0, OP(EV_COND_SIGNAL, C)), 0);
}

static void broadcast(void)
{
	assert_int_equal(run(0, OP(EV_COND_BROADCAST, C)), 0);
}

static void plain_wait(void **state)
{
	signal_cond(); /* lost */
	start(1, wait_op());
	blocked(1);
	lock(2, 0); /* the mutex is free during the wait */
	signal_cond();
	blocked(1);
	assert_int_equal(world_waits_for(W, 1), 2); /* woken: it only waits for the mutex */
	unlock(2, 0);
	assert_int_equal(go(1), 0);
	assert_int_equal(ST.event.kind, EV_COND_WAKE);
	assert_int_equal(ST.event.mode[0], M_TAKE);
	assert_int_equal(ST.event.mode[1], M_ACQ);
	assert_int_equal(ST.outcome, STEP_DONE);
	struct object_info i;
	world_object_info(W, M, &i);
	assert_int_equal(i.owner, 1);
}

static void one_of_many(void **state)
{
	for (unsigned t = 1; t < 4; t++)
		start(t, wait_op());
	signal_cond();
	for (unsigned t = 1; t < 4; t++)
		assert_int_equal(alts(t), ALT(NORMAL)); /* any one of them */
	go(2);
	blocked(1);
	blocked(3);
	unlock(2, 0);
	signal_cond();
	start(2, wait_op());
	blocked(2); /* the signal came before this wait */
	go(3);
	blocked(1);
	unlock(3, 0);
	signal_cond();
	signal_cond();
	signal_cond(); /* two threads wait, so the third signal is lost */
	go(1);
	unlock(1, 0);
	go(2);
	unlock(2, 0);
	start(3, wait_op());
	blocked(3);
}

static void broadcast_wakes_all(void **state)
{
	start(1, wait_op());
	signal_cond();
	start(2, wait_op());
	broadcast();
	start(3, wait_op());
	blocked(3);
	go(2);
	unlock(2, 0);
	go(1);
	unlock(1, 0);
	blocked(3);
}

static void nested_tokens(void **state)
{
	start(1, wait_op());
	signal_cond(); /* for T1 only */
	start(2, wait_op());
	blocked(2);
	signal_cond(); /* for T1 or T2; T1 takes the older token */
	go(1);
	unlock(1, 0);
	assert_int_equal(alts(2), ALT(NORMAL));
	go(2);
}

static void timed(void **state)
{
	start(1, TIMED(wait_op()));
	assert_int_equal(alts(1), ALT(TIMEOUT));
	lock(2, 0);
	go_alt(1, ALT_TIMEOUT);
	assert_int_equal(ST.event.kind, EV_COND_TIMEOUT);
	assert_int_equal(ST.event.mode[0], M_DEQ);
	assert_int_equal(ST.outcome, STEP_MORE);
	assert_int_equal(world_now(W, 1), 1000);
	signal_cond(); /* no thread waits */
	blocked(1);
	unlock(2, 0);
	assert_int_equal(go(1), ETIMEDOUT);
	assert_int_equal(ST.event.kind, EV_COND_RELOCK);
	unlock(1, 0);
	start(1, TIMED(wait_op()));
	signal_cond();
	assert_int_equal(alts(1), ALT(NORMAL) | ALT(TIMEOUT));
	go(1);
	assert_int_equal(ST.event.kind, EV_COND_WOKEN);
	assert_int_equal(go(1), 0);
}

static bool late(unsigned t)
{
	struct choice c;
	return world_late(W, &c) && c.thread == t && c.alt == ALT_TIMEOUT;
}

/* Performs the late timeout with the earliest deadline. */
static void go_late(void)
{
	struct choice c;
	assert_int_equal(world_late(W, &c), 1);
	world_step(W, c, &ST);
	world_valid(W);
	assert_true(event_late(&ST.event));
}

static void timed_late(void **state)
{
	struct choice c;
	start(1, TIMED(wait_op()));
	blocked(1);
	assert_true(late(1));
	lock(2, 0);
	struct op soon = TIMED(OP(EV_MUTEX_TRYLOCK, M));
	soon.deadline = 499;
	assert_int_equal(run(3, soon), ETIMEDOUT);
	say(3, TIMED(OP(EV_MUTEX_TRYLOCK, M)));
	blocked(3);
	assert_true(late(1)); /* equal deadlines */
	world_suspend(W, 1);
	say(1, OP(EV_MUTEX_LOCK, M));
	assert_true(late(3)); /* the handler's operation has no timeout */
	unlock(2, 0);
	go(1);
	unlock(1, 0);
	world_resume(W, 1);
	assert_true(late(1));
	assert_int_equal(go(3), 0);
	assert_int_equal(world_late(W, &c), 1);
	world_step(W, c, &ST);
	world_valid(W);
	assert_true(event_late(&ST.event));
	assert_int_equal(ST.event.kind, EV_COND_TIMEOUT);
	blocked(1);
	assert_int_equal(world_late(W, &c), 0); /* it now waits for the mutex, without a timeout */
	unlock(3, 0);
	assert_int_equal(go(1), ETIMEDOUT);
}

/* Sleeps and waits for descriptors end in the order of their deadlines. A wait for a ready descriptor ends at once. */
static void discrete(void **state)
{
	struct choice c;
	struct op read = TIMED(OP(EV_FD_READ, O(OBJ_FD, 0))), nap = TIMED(OP(EV_SLEEP, 0));
	nap.deadline = 700;
	READY = false;
	say(1, read);
	say(2, nap);
	blocked(1);
	blocked(2);
	assert_int_equal(world_choices(W, &c, 1), 0);
	assert_true(late(2));
	READY = true;
	assert_int_equal(alts(1), ALT(NORMAL));
	READY = false;
	go_late();
	assert_int_equal(ST.event.kind, EV_SLEEP);
	assert_int_equal(world_now(W, 2), 700);
	go_late();
	assert_int_equal(ST.event.kind, EV_FD_READ);
	assert_true(ST.event.flags & EVF_FAILED);
	assert_int_equal(world_late(W, &c), 0);
	READY = true;
	nap.deadline = 0;
	run(2, nap); /* with a deadline in the past it does not wait */
}

/* A thread that never waits cannot keep time from passing. */
static void discrete_forced(void **state)
{
	struct choice c[4];
	unsigned events = 0;
	say(1, TIMED(OP(EV_SLEEP, 0)));
	say(2, OP(EV_YIELD, 0));
	while (world_choices(W, c, 4) == 1 && c[0].thread == 2 && events < 10000) {
		assert_false(world_time_forced(W));
		go(2);
		say(2, OP(EV_YIELD, 0));
		events++;
	}
	assert_in_range(events, 100, 9999);
	assert_true(world_time_forced(W));
	assert_int_equal(world_choices(W, c, 4), 1);
	assert_true(c[0].thread == 1 && c[0].alt == ALT_TIMEOUT);
	world_step(W, c[0], &ST);
	assert_int_equal(world_now(W, 1), 1000);
	assert_int_equal(alts(2), ALT(NORMAL));
}

static void token_of_a_timed_out_waiter(void **state)
{
	start(1, TIMED(wait_op()));
	start(2, wait_op());
	signal_cond();
	go_alt(1, ALT_TIMEOUT);
	assert_int_equal(go(1), ETIMEDOUT);
	unlock(1, 0);
	assert_int_equal(go(2), 0); /* the signal was not lost */
	unlock(2, 0);
	start(1, TIMED(wait_op()));
	signal_cond();
	go_alt(1, ALT_TIMEOUT); /* it was the only waiter, so the signal is lost */
	go(1);
	unlock(1, 0);
	start(2, wait_op());
	blocked(2);
}

static void spurious(void **state)
{
	start(1, wait_op());
	assert_int_equal(alts(1), ALT(SPURIOUS));
	go_alt(1, ALT_SPURIOUS);
	assert_int_equal(ST.event.kind, EV_COND_SPURIOUS);
	assert_int_equal(go(1), 0);
	unlock(1, 0);
	start(1, wait_op());
	blocked(1); /* each thread has had its one spurious wake-up */
	start(2, wait_op());
	assert_int_equal(alts(2), ALT(SPURIOUS));
}

static void cancelled(void **state)
{
	struct op cancel = OP(EV_THREAD_CANCEL, O(OBJ_THREAD, 1));
	world_set_cancelable(W, 1, true);
	start(1, CANCELPOINT(wait_op()));
	start(2, wait_op());
	signal_cond();
	run(3, cancel);
	assert_int_equal(ST.event.mode[0], M_POKE);
	assert_int_equal(ST.event.seq, 1);
	assert_true(world_cancel_requested(W, 1));
	assert_int_equal(alts(1), ALT(CANCEL)); /* although it was woken */
	go_alt(1, ALT_CANCEL);
	assert_int_equal(ST.event.kind, EV_THREAD_CANCELLED);
	assert_int_equal(ST.event.mode[0], M_DEQ);
	assert_int_equal(ST.outcome, STEP_MORE);
	assert_int_equal(go(1), ECANCELED);
	assert_int_equal(ST.event.kind, EV_COND_RELOCK);
	unlock(1, 0);
	assert_int_equal(go(2), 0);
	unlock(2, 0);
	lock(1, 0);
	say(1, CANCELPOINT(wait_op())); /* before the wait begins */
	assert_int_equal(alts(1), ALT(CANCEL));
	assert_int_equal(go_alt(1, ALT_CANCEL), ECANCELED);
	assert_int_equal(ST.outcome, STEP_DONE);
	unlock(1, 0);
}

static void mutex_types(void **state)
{
	struct op l = TYPED(OP(EV_MUTEX_LOCK, M), MUTEX_RECURSIVE), u = TYPED(OP(EV_MUTEX_UNLOCK, M), MUTEX_RECURSIVE);
	assert_int_equal(misuse(1, wait_op()), MISUSE_WAIT_WITHOUT_MUTEX);
	assert_int_equal(run(1, TYPED(wait_op(), MUTEX_ERRORCHECK)), EPERM);
	assert_int_equal(run(1, TYPED(wait_op(), MUTEX_RECURSIVE)), EPERM);
	assert_int_equal(run(1, TYPED(wait_op(), MUTEX_ROBUST)), EPERM);
	run(1, l);
	run(1, l);
	say(1, TYPED(wait_op(), MUTEX_RECURSIVE));
	go(1); /* unlocks one level: the mutex is still held */
	assert_int_equal(ST.event.mode[1], M_NONE);
	assert_int_equal(ST.event.flags, 0);
	say(2, l);
	blocked(2);
	signal_cond();
	assert_int_equal(go(1), 0);
	run(1, u);
	run(1, u);
	go(2);
}

static void robust_mutex(void **state)
{
	struct op l = TYPED(OP(EV_MUTEX_LOCK, M), MUTEX_ROBUST), u = TYPED(OP(EV_MUTEX_UNLOCK, M), MUTEX_ROBUST);
	for (unsigned t = 1; t < 3; t++) {
		run(t, l);
		say(t, TYPED(wait_op(), MUTEX_ROBUST));
		go(t);
	}
	run(3, l);
	run(3, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 3)));
	broadcast();
	assert_int_equal(go(1), EOWNERDEAD);
	blocked(2);
	run(1, u);
	assert_int_equal(go(2), ENOTRECOVERABLE); /* and T2 does not hold the mutex */
	assert_int_equal(run(2, u), EPERM);
}

static void cond_misuse(void **state)
{
	start(1, wait_op());
	lock(2, 1);
	assert_int_equal(misuse(2, OP2(EV_COND_WAIT, C, O(OBJ_MUTEX, 1))), MISUSE_WAIT_OTHER_MUTEX);
	assert_int_equal(misuse(0, OP(EV_COND_DESTROY, C)), MISUSE_DESTROY_IN_USE);
	assert_int_equal(misuse(0, OP(EV_COND_INIT, C)), MISUSE_DESTROY_IN_USE);
	broadcast();
	run(0, OP(EV_COND_DESTROY, C)); /* all waiters were woken, so this is legal */
	assert_int_equal(misuse(0, OP(EV_COND_SIGNAL, C)), MISUSE_USE_DESTROYED);
	run(0, OP(EV_COND_INIT, C));
	assert_int_equal(alts(1), ALT(NORMAL));
	say(2, OP2(EV_COND_WAIT, C, O(OBJ_MUTEX, 1))); /* no thread waits any more, so another mutex is allowed */
	go(2);
	assert_int_equal(ST.misuse, MISUSE_NONE);
	assert_int_equal(go(1), 0);
	blocked(2);
}

/* A handler runs in the middle of a wait, and the wake-up comes during the handler. */
static void handler_in_a_wait(void **state)
{
	start(1, wait_op());
	world_set_signal_pending(W, 1, true);
	assert_int_equal(alts(1), ALT(SIGNAL));
	go_alt(1, ALT_SIGNAL);
	assert_int_equal(ST.outcome, STEP_HANDLER);
	assert_int_equal(ST.event.kind, EV_SIGNAL_HANDLER);
	world_set_signal_pending(W, 1, false);
	world_suspend(W, 1);
	world_valid(W);
	assert_null(world_pending(W, 1));
	assert_int_equal(TRACE.pending[1].kind, EV_NONE);
	signal_cond();
	lock(1, 1);
	unlock(1, 1);
	world_resume(W, 1);
	world_valid(W);
	assert_int_equal(world_pending(W, 1)->kind, EV_COND_WAKE);
	assert_int_equal(TRACE.pending[1].kind, EV_COND_WAKE);
	assert_int_equal(go(1), 0);
}

/* ---- futexes ---- */

static void fwait(unsigned t, object_id f, uint64_t bits, bool with_deadline)
{
	struct op op = ARG(OP(EV_FUTEX_WAIT, f), 1, bits);
	say(t, with_deadline ? TIMED(op) : op);
	go(t);
	assert_int_equal(ST.outcome, STEP_MORE);
	assert_int_equal(ST.event.mode[0], M_ENQ);
}

static int64_t fwake(object_id f, uint64_t n, uint64_t bits)
{
	return run(0, ARG(OP(EV_FUTEX_WAKE, f), n, bits));
}

static void futex(void **state)
{
	assert_int_equal(fwake(F, 1, 0), 0);
	assert_int_equal(run(1, ARG(OP(EV_FUTEX_WAIT, F), 0, 0)), EAGAIN);
	assert_int_equal(ST.event.mode[0], M_READ);
	for (unsigned t = 1; t < 4; t++)
		fwait(t, F, 0, false);
	assert_int_equal(fwake(F, 2, 0), 2);
	assert_int_equal(fwake(F, 2, 0), 1);
	assert_int_equal(fwake(F, 2, 0), 0);
	for (unsigned t = 1; t < 4; t++)
		assert_int_equal(go(t), 0);
	fwait(1, F, 0, true);
	assert_int_equal(alts(1), ALT(TIMEOUT));
	assert_int_equal(go_alt(1, ALT_TIMEOUT), ETIMEDOUT);
	assert_int_equal(world_now(W, 1), 1000);
	fwait(1, F, 0, false);
	fwait(2, F, 0, false);
	assert_int_equal(fwake(F, 1, 0), 1);
	go(2); /* any one of the waiters */
	blocked(1);
}

static void futex_bits(void **state)
{
	fwait(1, F, 1, false);
	fwait(2, F, 2, true);
	fwait(3, F, 3, false);
	assert_int_equal(fwake(F, 9, 4), 0);
	assert_int_equal(fwake(F, 1, 2), 1); /* the oldest waiter that matches */
	blocked(1);
	blocked(3);
	assert_int_equal(alts(2), ALT(NORMAL) | ALT(TIMEOUT));
	assert_int_equal(fwake(F, 9, 2), 1);
	assert_int_equal(fwake(F, 9, 0), 1);
	assert_int_equal(go_alt(2, ALT_TIMEOUT), ETIMEDOUT); /* its wake-up is lost with it */
	assert_int_equal(go(3), 0);
	assert_int_equal(go(1), 0);
}

/* Wake-ups of a particular waiter and of any waiter are kept apart. */
static void futex_mixed(void **state)
{
	fwait(1, F, 0, false);
	assert_int_equal(fwake(F, 1, 0), 1); /* any waiter: T1 */
	fwait(2, F, 1, false);
	fwait(3, F, 0, false);
	assert_int_equal(fwake(F, 1, 0), 1); /* one particular waiter: T2 */
	assert_int_equal(alts(2), ALT(NORMAL));
	blocked(3);
	go(1);
	assert_int_equal(alts(2), ALT(NORMAL));
	assert_int_equal(fwake(F, 9, 0), 1);
	go(3);
	go(2);
	fwait(1, F, 0, false);
	blocked(1);
}

static void futex_requeue(void **state)
{
	struct op q = ARG(OP2(EV_FUTEX_REQUEUE, F, G), 1, 1);
	for (unsigned t = 1; t < 4; t++)
		fwait(t, F, 0, false);
	struct op cmp = ARG(OP2(EV_FUTEX_CMP_REQUEUE, F, G), 0, 1);
	assert_int_equal(run(0, cmp), -EAGAIN);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_int_equal(ST.event.mode[1], M_READ);
	assert_int_equal(run(0, q), 2); /* one woken, one moved */
	assert_int_equal(ST.event.mode[0], M_WRITE);
	assert_int_equal(ST.event.mode[1], M_WRITE);
	assert_int_equal(fwake(G, 9, 0), 1);
	assert_int_equal(fwake(F, 9, 0), 1);
	for (unsigned t = 1; t < 4; t++)
		assert_int_equal(go(t), 0);
}

static void futex_requeue_under_handler(void **state)
{
	fwait(1, F, 0, false);
	world_suspend(W, 1);
	say(1, OP(EV_YIELD, 0));
	assert_int_equal(run(0, ARG(OP2(EV_FUTEX_REQUEUE, F, G), 0, 9)), 1);
	assert_int_equal(world_pending(W, 1)->kind, EV_YIELD);
	go(1);
	world_resume(W, 1);
	world_valid(W);
	assert_int_equal(world_pending(W, 1)->obj[0], G);
	blocked(1);
	assert_int_equal(fwake(F, 1, 0), 0);
	assert_int_equal(fwake(G, 1, 0), 1);
	assert_int_equal(go(1), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, world_setup)
	const struct CMUnitTest tests[] = { TEST(plain_wait), TEST(one_of_many), TEST(broadcast_wakes_all),
		TEST(nested_tokens), TEST(timed), cmocka_unit_test_setup(timed_late, world_setup_patient),
		cmocka_unit_test_setup(discrete, world_setup_discrete), cmocka_unit_test_setup(discrete_forced, world_setup_discrete), TEST(token_of_a_timed_out_waiter),
		cmocka_unit_test_setup(spurious, world_setup_spurious), TEST(cancelled), TEST(mutex_types),
		TEST(robust_mutex), TEST(cond_misuse), TEST(handler_in_a_wait), TEST(futex), TEST(futex_bits),
		TEST(futex_mixed), TEST(futex_requeue), TEST(futex_requeue_under_handler) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
