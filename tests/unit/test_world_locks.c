/* Mutexes of every type, spin locks and reader-writer locks: the results of each call, as POSIX and glibc define them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_valid.h"
#include "tests/unit/lib_world.h"

#define M O(OBJ_MUTEX, 0)
#define RW O(OBJ_RWLOCK, 0)
#define ALT(a) (1u << ALT_##a)

static struct op mutex(unsigned kind, unsigned type)
{
	return TYPED(OP(kind, M), type);
}

static void normal(void **state)
{
	lock(0, 0);
	assert_int_equal(ST.event.mode[0], M_ACQ);
	say(1, mutex(EV_MUTEX_LOCK, 0));
	blocked(1);
	assert_int_equal(world_waits_for(W, 1), 0);
	assert_int_equal(run(2, mutex(EV_MUTEX_TRYLOCK, 0)), EBUSY);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_int_equal(ST.event.flags, EVF_FAILED);
	assert_int_equal(run(2, TIMED(mutex(EV_MUTEX_TRYLOCK, 0))), ETIMEDOUT);
	assert_int_equal(world_now(W, 2), 1000);
	assert_int_equal(run(0, mutex(EV_MUTEX_TRYLOCK, 0)), EBUSY);
	assert_int_equal(run(0, TIMED(mutex(EV_MUTEX_TRYLOCK, 0))), ETIMEDOUT);
	unlock(0, 0);
	assert_int_equal(ST.event.mode[0], M_REL);
	assert_int_equal(alts(1), ALT(NORMAL));
	assert_int_equal(go(1), 0);
	assert_true(ST.event.flags & EVF_WAITED);
	say(1, mutex(EV_MUTEX_LOCK, 0)); /* again: waits for itself */
	blocked(1);
	assert_int_equal(world_waits_for(W, 1), 1);
}

static void adaptive(void **state)
{
	assert_int_equal(run(0, mutex(EV_MUTEX_LOCK, MUTEX_ADAPTIVE)), 0);
	assert_int_equal(run(0, mutex(EV_MUTEX_TRYLOCK, MUTEX_ADAPTIVE)), EBUSY);
	say(0, mutex(EV_MUTEX_LOCK, MUTEX_ADAPTIVE));
	blocked(0);
	world_withdraw(W, 0);
	assert_int_equal(misuse(1, mutex(EV_MUTEX_UNLOCK, MUTEX_ADAPTIVE)), MISUSE_UNLOCK_NOT_OWNER);
}

static void recursive(void **state)
{
	struct op l = mutex(EV_MUTEX_LOCK, MUTEX_RECURSIVE), u = mutex(EV_MUTEX_UNLOCK, MUTEX_RECURSIVE);
	assert_int_equal(run(0, u), EPERM);
	assert_int_equal(run(0, l), 0);
	assert_int_equal(run(0, l), 0);
	assert_int_equal(ST.event.mode[0], M_NONE); /* no other thread can observe it */
	assert_int_equal(ST.event.obj[0], 0);
	assert_int_equal(run(0, mutex(EV_MUTEX_TRYLOCK, MUTEX_RECURSIVE)), 0);
	assert_int_equal(run(1, u), EPERM);
	assert_int_equal(run(0, u), 0);
	assert_int_equal(run(0, u), 0);
	say(1, l);
	blocked(1);
	assert_int_equal(run(0, u), 0);
	assert_int_equal(ST.event.mode[0], M_REL);
	assert_int_equal(go(1), 0);
}

static void errorcheck(void **state)
{
	struct op l = mutex(EV_MUTEX_LOCK, MUTEX_ERRORCHECK), t = mutex(EV_MUTEX_TRYLOCK, MUTEX_ERRORCHECK);
	assert_int_equal(run(0, mutex(EV_MUTEX_UNLOCK, MUTEX_ERRORCHECK)), EPERM);
	assert_int_equal(run(0, l), 0);
	assert_int_equal(run(0, l), EDEADLK);
	assert_int_equal(run(0, t), EBUSY);
	assert_int_equal(run(0, TIMED(t)), EDEADLK);
	assert_int_equal(run(1, t), EBUSY);
	assert_int_equal(run(1, mutex(EV_MUTEX_UNLOCK, MUTEX_ERRORCHECK)), EPERM);
	assert_int_equal(run(0, mutex(EV_MUTEX_UNLOCK, MUTEX_ERRORCHECK)), 0);
}

static void robust(void **state)
{
	struct op l = mutex(EV_MUTEX_LOCK, MUTEX_ROBUST), u = mutex(EV_MUTEX_UNLOCK, MUTEX_ROBUST);
	struct op c = mutex(EV_MUTEX_CONSISTENT, MUTEX_ROBUST);
	assert_int_equal(run(0, u), EPERM);
	assert_int_equal(run(1, l), 0);
	assert_int_equal(run(1, c), EINVAL);
	say(2, l);
	blocked(2);
	run(1, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 1)));
	assert_int_equal(ST.outcome, STEP_ENDED);
	assert_int_equal(ST.event.obj[1], M);
	assert_int_equal(ST.event.mode[1], M_REL);
	assert_false(world_alive(W, 1));
	assert_int_equal(go(2), EOWNERDEAD);
	assert_int_equal(ST.event.mode[0], M_ACQ);
	assert_int_equal(run(0, c), EINVAL); /* not the owner */
	assert_int_equal(run(2, c), 0);
	assert_int_equal(run(2, u), 0);
	assert_int_equal(run(3, l), 0);
	run(3, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 3)));
	assert_int_equal(run(2, mutex(EV_MUTEX_TRYLOCK, MUTEX_ROBUST)), EOWNERDEAD);
	say(0, l);
	blocked(0);
	assert_int_equal(run(2, u), 0); /* without making it consistent */
	assert_int_equal(go(0), ENOTRECOVERABLE);
	assert_int_equal(ST.event.mode[0], M_READ);
	assert_int_equal(run(0, mutex(EV_MUTEX_TRYLOCK, MUTEX_ROBUST)), ENOTRECOVERABLE);
	assert_int_equal(run(0, mutex(EV_MUTEX_DESTROY, MUTEX_ROBUST)), 0);
	assert_int_equal(run(0, mutex(EV_MUTEX_INIT, MUTEX_ROBUST)), 0);
	assert_int_equal(run(0, l), 0);
	struct op e = mutex(EV_MUTEX_TRYLOCK, MUTEX_ROBUST | MUTEX_ERRORCHECK);
	assert_int_equal(run(0, e), EDEADLK);
}

static void several_robust(void **state)
{
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(run(1, TYPED(OP(EV_MUTEX_LOCK, O(OBJ_MUTEX, i)), MUTEX_ROBUST)), 0);
	say(1, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 1)));
	go(1); /* one event for each lock, so that each is a release on which the next owner depends */
	assert_int_equal(ST.outcome, STEP_MORE);
	assert_int_equal(ST.event.obj[0], O(OBJ_MUTEX, 0));
	assert_int_equal(ST.event.mode[0], M_REL);
	assert_int_equal(run(2, TYPED(OP(EV_MUTEX_LOCK, O(OBJ_MUTEX, 0)), MUTEX_ROBUST)), EOWNERDEAD);
	say(3, TYPED(OP(EV_MUTEX_LOCK, O(OBJ_MUTEX, 1)), MUTEX_ROBUST));
	blocked(3);
	go(1);
	assert_int_equal(ST.outcome, STEP_MORE);
	assert_int_equal(go(3), EOWNERDEAD);
	go(1);
	assert_int_equal(ST.outcome, STEP_ENDED);
	assert_int_equal(ST.event.obj[1], O(OBJ_MUTEX, 2));
	assert_int_equal(run(0, TYPED(OP(EV_MUTEX_LOCK, O(OBJ_MUTEX, 2)), MUTEX_ROBUST)), EOWNERDEAD);
}

static void mutex_misuse(void **state)
{
	assert_int_equal(misuse(0, mutex(EV_MUTEX_UNLOCK, 0)), MISUSE_UNLOCK_UNLOCKED);
	lock(1, 0);
	assert_int_equal(misuse(0, mutex(EV_MUTEX_UNLOCK, 0)), MISUSE_UNLOCK_NOT_OWNER);
	assert_int_equal(misuse(0, mutex(EV_MUTEX_DESTROY, 0)), MISUSE_DESTROY_IN_USE);
	assert_int_equal(ST.result, EBUSY);
	assert_int_equal(misuse(1, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 1))), MISUSE_EXIT_HOLDING);
	unlock(1, 0);
	assert_int_equal(run(0, mutex(EV_MUTEX_DESTROY, 0)), 0);
	assert_int_equal(misuse(0, mutex(EV_MUTEX_LOCK, 0)), MISUSE_USE_DESTROYED);
	assert_int_equal(misuse(0, mutex(EV_MUTEX_UNLOCK, 0)), MISUSE_USE_DESTROYED);
	assert_int_equal(misuse(0, mutex(EV_MUTEX_DESTROY, 0)), MISUSE_USE_DESTROYED);
	assert_int_equal(run(0, mutex(EV_MUTEX_INIT, 0)), 0);
	lock(0, 0);
}

static void spin(void **state)
{
	object_id s = O(OBJ_SPIN, 0);
	assert_int_equal(run(0, OP(EV_SPIN_INIT, s)), 0);
	assert_int_equal(run(0, OP(EV_SPIN_LOCK, s)), 0);
	assert_int_equal(run(0, OP(EV_SPIN_TRYLOCK, s)), EBUSY);
	assert_int_equal(run(1, OP(EV_SPIN_TRYLOCK, s)), EBUSY);
	say(1, OP(EV_SPIN_LOCK, s));
	blocked(1);
	assert_int_equal(misuse(2, OP(EV_SPIN_UNLOCK, s)), MISUSE_UNLOCK_NOT_OWNER);
	assert_int_equal(misuse(2, OP(EV_SPIN_DESTROY, s)), MISUSE_DESTROY_IN_USE);
	assert_int_equal(run(0, OP(EV_SPIN_UNLOCK, s)), 0);
	assert_int_equal(go(1), 0);
	assert_int_equal(run(1, OP(EV_SPIN_UNLOCK, s)), 0);
	assert_int_equal(misuse(1, OP(EV_SPIN_UNLOCK, s)), MISUSE_UNLOCK_UNLOCKED);
	assert_int_equal(run(1, OP(EV_SPIN_DESTROY, s)), 0);
	assert_int_equal(misuse(1, OP(EV_SPIN_LOCK, s)), MISUSE_USE_DESTROYED);
}

static void rwlock(void **state)
{
	assert_int_equal(run(0, OP(EV_RW_RDLOCK, RW)), 0);
	assert_int_equal(ST.event.mode[0], M_RDACQ);
	assert_int_equal(run(0, OP(EV_RW_RDLOCK, RW)), 0); /* shares add up */
	assert_int_equal(run(1, OP(EV_RW_TRYRDLOCK, RW)), 0);
	assert_int_equal(run(2, OP(EV_RW_TRYWRLOCK, RW)), EBUSY);
	assert_int_equal(run(2, TIMED(OP(EV_RW_TRYWRLOCK, RW))), ETIMEDOUT);
	say(2, OP(EV_RW_WRLOCK, RW));
	blocked(2);
	assert_int_equal(world_waits_for(W, 2), NO_THREAD); /* two readers */
	assert_int_equal(run(3, OP(EV_RW_RDLOCK, RW)), 0); /* a waiting writer does not block readers */
	assert_int_equal(run(3, OP(EV_RW_RDUNLOCK, RW)), 0);
	assert_int_equal(run(1, OP(EV_RW_RDUNLOCK, RW)), 0);
	assert_int_equal(ST.event.mode[0], M_RDREL);
	assert_int_equal(world_waits_for(W, 2), 0);
	assert_int_equal(run(0, OP(EV_RW_RDUNLOCK, RW)), 0);
	blocked(2);
	assert_int_equal(run(0, OP(EV_RW_RDUNLOCK, RW)), 0);
	assert_int_equal(go(2), 0);
	assert_int_equal(run(2, OP(EV_RW_WRLOCK, RW)), EDEADLK);
	assert_int_equal(run(2, OP(EV_RW_RDLOCK, RW)), EDEADLK);
	assert_int_equal(run(2, OP(EV_RW_TRYRDLOCK, RW)), EBUSY);
	assert_int_equal(run(2, TIMED(OP(EV_RW_TRYWRLOCK, RW))), EDEADLK);
	assert_int_equal(run(1, OP(EV_RW_TRYRDLOCK, RW)), EBUSY);
	say(1, OP(EV_RW_RDLOCK, RW));
	blocked(1);
	assert_int_equal(world_waits_for(W, 1), 2);
	assert_int_equal(run(2, OP(EV_RW_WRUNLOCK, RW)), 0);
	assert_int_equal(go(1), 0);
	say(1, OP(EV_RW_WRLOCK, RW)); /* upgrading waits for the thread itself */
	blocked(1);
	assert_int_equal(world_waits_for(W, 1), 1);
}

/* A waiting writer comes before other threads, but only if the lock prefers writers. */
static void rwlock_writers(void **state)
{
	struct op rd = TYPED(OP(EV_RW_RDLOCK, RW), RWLOCK_PREFERS_WRITERS), wr = TYPED(OP(EV_RW_WRLOCK, RW), RWLOCK_PREFERS_WRITERS);
	struct op tryrd = TYPED(OP(EV_RW_TRYRDLOCK, RW), RWLOCK_PREFERS_WRITERS), trywr = TYPED(OP(EV_RW_TRYWRLOCK, RW), RWLOCK_PREFERS_WRITERS);
	assert_int_equal(run(1, wr), 0); /* free: no other event */
	assert_int_equal(ST.event.kind, EV_RW_WRLOCK);
	say(2, wr);
	blocked(2); /* no thread can see that it waits for a writer */
	assert_int_equal(run(1, OP(EV_RW_WRUNLOCK, RW)), 0);
	assert_int_equal(run(0, rd), 0);
	assert_int_equal(run(1, trywr), EBUSY);
	assert_int_equal(run(1, tryrd), 0); /* writer 2 does not wait yet */
	assert_int_equal(alts(2), ALT(NORMAL));
	go(2);
	assert_int_equal(ST.event.kind, EV_RW_WRWAIT);
	assert_int_equal(ST.event.mode[0], M_CLAIM);
	blocked(2);
	assert_int_equal(run(1, OP(EV_RW_RDUNLOCK, RW)), 0);
	assert_int_equal(run(1, tryrd), EBUSY);
	assert_int_equal(run(1, TIMED(tryrd)), ETIMEDOUT);
	assert_int_equal(run(1, TIMED(trywr)), ETIMEDOUT);
	say(1, rd);
	blocked(1);
	assert_int_equal(world_waits_for(W, 1), 2);
	assert_int_equal(world_waits_for(W, 2), 0);
	say(3, wr);
	blocked(3); /* behind writer 2 */
	assert_int_equal(run(0, OP(EV_RW_RDUNLOCK, RW)), 0);
	blocked(1);
	blocked(3);
	assert_int_equal(run(0, trywr), EBUSY);
	assert_int_equal(go(2), 0);
	assert_int_equal(ST.event.kind, EV_RW_WRLOCK);
	assert_int_equal(run(2, OP(EV_RW_WRUNLOCK, RW)), 0);
	assert_int_equal(alts(1), ALT(NORMAL));
	assert_int_equal(alts(3), ALT(NORMAL));
}

/* A writer that gives up lets readers in again. */
static void rwlock_writer_gives_up(void **state)
{
	struct op rd = TYPED(OP(EV_RW_RDLOCK, RW), RWLOCK_PREFERS_WRITERS), timed = TIMED(TYPED(OP(EV_RW_TRYWRLOCK, RW), RWLOCK_PREFERS_WRITERS));
	run(0, rd);
	say(1, timed);
	go(1);
	assert_int_equal(ST.event.kind, EV_RW_WRWAIT);
	assert_int_equal(alts(1), ALT(TIMEOUT));
	say(2, rd);
	blocked(2);
	assert_int_equal(go_alt(1, ALT_TIMEOUT), ETIMEDOUT);
	assert_int_equal(ST.event.kind, EV_RW_WRTIMEOUT);
	assert_int_equal(world_now(W, 1), 1000);
	assert_int_equal(go(2), 0);
	run(2, OP(EV_RW_RDUNLOCK, RW));
	say(1, timed);
	go(1);
	run(0, OP(EV_RW_RDUNLOCK, RW));
	assert_int_equal(alts(1), ALT(NORMAL) | ALT(TIMEOUT));
	assert_int_equal(go(1), 0);
	assert_int_equal(run(2, timed), ETIMEDOUT); /* a writer holds it */
	assert_int_equal(ST.event.kind, EV_RW_TRYWRLOCK);
}

static void rwlock_misuse(void **state)
{
	assert_int_equal(misuse(0, OP(EV_RW_RDUNLOCK, RW)), MISUSE_UNLOCK_UNLOCKED);
	run(1, OP(EV_RW_RDLOCK, RW));
	assert_int_equal(misuse(0, OP(EV_RW_RDUNLOCK, RW)), MISUSE_UNLOCK_NOT_OWNER);
	assert_int_equal(misuse(0, OP(EV_RW_DESTROY, RW)), MISUSE_DESTROY_IN_USE);
	assert_int_equal(misuse(1, OP(EV_THREAD_EXIT, O(OBJ_THREAD, 1))), MISUSE_EXIT_HOLDING);
	run(1, OP(EV_RW_RDUNLOCK, RW));
	run(1, OP(EV_RW_WRLOCK, RW));
	assert_int_equal(misuse(0, OP(EV_RW_DESTROY, RW)), MISUSE_DESTROY_IN_USE);
	run(1, OP(EV_RW_WRUNLOCK, RW));
	run(0, OP(EV_RW_DESTROY, RW));
	assert_int_equal(misuse(1, OP(EV_RW_RDLOCK, RW)), MISUSE_USE_DESTROYED);
	run(0, OP(EV_RW_INIT, RW));
	run(1, OP(EV_RW_WRLOCK, RW));
}

static void holding(void **state)
{
	object_id held[4];
	lock(1, 2);
	lock(1, 0);
	run(1, OP(EV_RW_RDLOCK, RW));
	assert_int_equal(world_held(W, 1, held, 4), 3);
	assert_int_equal(held[0], O(OBJ_MUTEX, 2));
	assert_int_equal(held[1], M);
	assert_int_equal(held[2], RW);
	assert_int_equal(world_held(W, 1, held, 1), 3);
	assert_int_equal(world_held(W, 0, held, 4), 0);
	unlock(1, 2);
	assert_int_equal(world_held(W, 1, held, 4), 2);
}

static void renewed(void **state)
{
	struct object_info info;
	object_id held[1], old = M, old_rw = RW;
	lock(1, 0);
	run(1, OP(EV_RW_RDLOCK, RW));
	run(2, OP(EV_RW_RDLOCK, RW));
	object_id m = world_renew(W, OBJ_MUTEX, 0x1000), rw = world_renew(W, OBJ_RWLOCK, 0x1000);
	world_valid(W);
	assert_int_not_equal(m, old);
	assert_int_not_equal(rw, old_rw);
	assert_int_equal(world_find(W, OBJ_MUTEX, 0x1000), m);
	assert_int_equal(M, m);
	assert_int_equal(world_held(W, 1, held, 1), 0);
	lock(2, 0);
	assert_int_equal(run(0, OP(EV_RW_WRLOCK, RW)), 0);
	assert_true(world_object_info(W, m, &info));
	assert_int_equal(info.number, 2);
	object_id made = world_renew(W, OBJ_MUTEX, 0x7777); /* never used before */
	assert_int_equal(world_find(W, OBJ_MUTEX, 0x7777), made);
	run(2, TYPED(OP(EV_MUTEX_INIT, M), 0)); /* by call, while it is held */
	assert_int_equal(world_held(W, 2, held, 1), 0);
	lock(1, 0);
}

static void info(void **state)
{
	struct object_info i;
	struct op l = OP(EV_MUTEX_LOCK, M);
	l.pc = 0x1234;
	run(1, l);
	lock(2, 1);
	assert_true(world_object_info(W, M, &i));
	assert_int_equal(i.kind, OBJ_MUTEX);
	assert_int_equal(i.number, 1);
	assert_int_equal(i.addr, 0x1000);
	assert_int_equal(i.pc, 0x1234);
	assert_int_equal(i.owner, 1);
	assert_true(i.held && !i.destroyed);
	assert_true(world_object_info(W, O(OBJ_MUTEX, 1), &i));
	assert_int_equal(i.number, 2);
	unlock(1, 0);
	run(1, OP(EV_MUTEX_DESTROY, M));
	assert_true(world_object_info(W, M, &i));
	assert_true(!i.held && i.destroyed && i.owner == NO_THREAD);
	run(1, OP(EV_RW_RDLOCK, RW));
	assert_true(world_object_info(W, RW, &i));
	assert_true(i.held && i.owner == NO_THREAD);
	assert_false(world_object_info(W, 0, &i));
	assert_false(world_object_info(W, world_object_count(W) + 1, &i));
	assert_int_equal(world_find(W, OBJ_SEM, 0x1000), 0);
}

static void many_objects(void **state)
{
	for (unsigned n = 0; n < 2000; n++)
		lock(n % 4, n);
	for (unsigned n = 0; n < 2000; n++)
		assert_int_equal(run((n + 1) % 4, OP(EV_MUTEX_TRYLOCK, O(OBJ_MUTEX, n))), EBUSY);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, world_setup)
	const struct CMUnitTest tests[] = { TEST(normal), TEST(adaptive), TEST(recursive), TEST(errorcheck), TEST(robust),
		TEST(several_robust), TEST(mutex_misuse), TEST(spin), TEST(rwlock), TEST(rwlock_writers), TEST(rwlock_writer_gives_up), TEST(rwlock_misuse), TEST(holding),
		TEST(renewed), TEST(info), TEST(many_objects) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
