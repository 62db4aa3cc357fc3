/* Reader-writer locks of every kind. */
#include <errno.h>

#include "preload/control/ctl.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"
#include "preload/memory/child_reads.h"

#include "preload/base/rules.h"

/* glibc's __readers: bits 0-2 the phase, the higher bits count the readers that hold the lock. */
#define READER 8
#define PHASE_WRITE 3

/* The mark that destroy leaves and every initialiser overwrites. glibc does not use this field on x86-64. */
#define MARK_DESTROYED 0xdeadc0deu

/* ---- memory ---- */

static bool reads_unlocked(const pthread_rwlock_t *l)
{
	return l->__data.__readers / READER == 0 && l->__data.__cur_writer == 0 &&
	       l->__data.__pad4 != MARK_DESTROYED;
}

static void taken(pthread_rwlock_t *l, bool write)
{
	if (!write) {
		l->__data.__readers += READER;
		return;
	}
	l->__data.__readers = PHASE_WRITE;
	l->__data.__wrphase_futex = 1;
	l->__data.__writers_futex = 1;
	l->__data.__cur_writer = ctl_self() + 1;
}

static void given(pthread_rwlock_t *l, bool write)
{
	if (!write) {
		if (l->__data.__readers >= READER)
			l->__data.__readers -= READER;
		return;
	}
	l->__data.__readers = 0;
	l->__data.__wrphase_futex = 0;
	l->__data.__writers_futex = 0;
	l->__data.__cur_writer = 0;
}

/* ---- the operations ---- */

static struct op rw_op(enum event_kind kind, pthread_rwlock_t *l, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = sync_object(OBJ_RWLOCK, l, reads_unlocked(l));
	op.type = l->__data.__flags; /* PTHREAD_RWLOCK_PREFER_* */
	return op;
}

static int init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr, const void *pc)
{
	if (!ctl_enter())
		return real_pthread_rwlock_init(l, attr);
	struct op op = ctl_op(EV_RW_INIT, pc);

	op.obj[0] = ctl_object_new(OBJ_RWLOCK, l);
	int r = (int)ctl_perform(&op);

	if (!r)
		r = real_pthread_rwlock_init(l, attr);
	ctl_leave();
	return r;
}

static int destroy(pthread_rwlock_t *l, const void *pc)
{
	if (!ctl_enter())
		return real_pthread_rwlock_destroy(l);
	struct op op = rw_op(EV_RW_DESTROY, l, pc);
	int r = (int)ctl_perform(&op);

	if (!r)
		l->__data.__pad4 = MARK_DESTROYED;
	ctl_leave();
	return r;
}

/* Performs the operation. Call it after ctl_enter; it calls ctl_leave. */
static int perform_lock(struct op *op, pthread_rwlock_t *l, bool write)
{
	int r = (int)ctl_perform(op);

	if (!r)
		taken(l, write);
	ctl_leave();
	return r;
}

/*
 * glibc looks first whether a call fails at once: a try because of another thread, a call that waits because its own thread holds the lock for
 * writing. That is no fence. Returns 0 or the errno value with which the call fails.
 */
static int look(pthread_rwlock_t *l, bool write, bool try, const void *pc)
{
	struct object_info info;

	if (!ctl_has_stores())
		return 0;
	struct op op = rw_op(EV_RW_LOOK, l, pc);

	if (!try && (!world_object_info(ctl_world, op.obj[0], &info) || info.owner != ctl_self()))
		return 0;
	op.arg[1] = write;
	int err = (int)ctl_perform(&op);

	return err && try ? EBUSY : err;
}

/* Performs a call without a time limit. Call it after ctl_enter; it calls ctl_leave. */
static int lock(enum event_kind kind, pthread_rwlock_t *l, const void *pc)
{
	bool write = kind == EV_RW_WRLOCK || kind == EV_RW_TRYWRLOCK, try = kind == EV_RW_TRYRDLOCK || kind == EV_RW_TRYWRLOCK;
	int err = look(l, write, try, pc);

	if (err) {
		ctl_leave();
		return err;
	}
	struct op op = rw_op(kind, l, pc);

	return perform_lock(&op, l, write);
}

static int rdlock(pthread_rwlock_t *l, const void *pc)
{
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_rdlock(l);
	}
	return lock(EV_RW_RDLOCK, l, pc);
}

static int wrlock(pthread_rwlock_t *l, const void *pc)
{
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_wrlock(l);
	}
	return lock(EV_RW_WRLOCK, l, pc);
}

static int tryrdlock(pthread_rwlock_t *l, const void *pc)
{
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_tryrdlock(l);
	}
	return lock(EV_RW_TRYRDLOCK, l, pc);
}

static int trywrlock(pthread_rwlock_t *l, const void *pc)
{
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_trywrlock(l);
	}
	return lock(EV_RW_TRYWRLOCK, l, pc);
}

/* Takes the lock, or fails at the deadline. */
static int take_until(pthread_rwlock_t *l, bool write, clockid_t clock, const struct timespec *ts, const void *pc)
{
	struct op op = rw_op(write ? EV_RW_TRYWRLOCK : EV_RW_TRYRDLOCK, l, pc);

	op.flags |= OPF_TIMED;
	op.deadline = ctl_deadline_abs(clock, ts);
	return perform_lock(&op, l, write);
}

static int unlock(pthread_rwlock_t *l, const void *pc)
{
	struct object_info info;

	if (!ctl_enter())
		return real_pthread_rwlock_unlock(l);
	struct op op = rw_op(EV_RW_RDUNLOCK, l, pc);
	bool write = world_object_info(ctl_world, op.obj[0], &info) && info.owner != NO_THREAD;

	if (write && info.owner == ctl_self() && l->__data.__shared != 1 /* with other processes */ &&
		(l->__data.__cur_writer != ctl_self() + 1 || l->__data.__readers != PHASE_WRITE || l->__data.__wrphase_futex != 1))
		ctl_bug(BUG_MISUSE, "the program wrote over a read-write lock that it holds");
	if (write)
		op.kind = EV_RW_WRUNLOCK;
	int r = (int)ctl_perform(&op);

	if (!r)
		given(l, write);
	ctl_leave();
	return r;
}

/* ---- the names ---- */

int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	return init(l, attr, HERE);
}

int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	return destroy(l, HERE);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	return rdlock(l, HERE);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return tryrdlock(l, HERE);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	return wrlock(l, HERE);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return trywrlock(l, HERE);
}

int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	return unlock(l, HERE);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *ts)
{
	if (!sync_nanoseconds_ok(ts))
		return EINVAL;
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_timedrdlock(l, ts);
	}
	return take_until(l, false, CLOCK_REALTIME, ts, HERE);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *ts)
{
	if (!sync_nanoseconds_ok(ts))
		return EINVAL;
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_timedwrlock(l, ts);
	}
	return take_until(l, true, CLOCK_REALTIME, ts, HERE);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *ts)
{
	if (!sync_clock_ok(clock) || !sync_nanoseconds_ok(ts))
		return EINVAL;
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_clockrdlock(l, clock, ts);
	}
	return take_until(l, false, clock, ts, HERE);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *ts)
{
	if (!sync_clock_ok(clock) || !sync_nanoseconds_ok(ts))
		return EINVAL;
	if (!ctl_enter()) {
		child_reads_object(l);
		return real_pthread_rwlock_clockwrlock(l, clock, ts);
	}
	return take_until(l, true, clock, ts, HERE);
}

int __pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	return init(l, attr, HERE);
}

int __pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	return destroy(l, HERE);
}

int __pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	return rdlock(l, HERE);
}

int __pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return tryrdlock(l, HERE);
}

int __pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	return wrlock(l, HERE);
}

int __pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return trywrlock(l, HERE);
}

int __pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	return unlock(l, HERE);
}
