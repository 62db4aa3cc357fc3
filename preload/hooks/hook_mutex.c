/*
 * Mutexes of every type. Within one process, priority inheritance, a priority ceiling or process sharing changes nothing.
 */
#include <errno.h>

#include "preload/control/ctl.h"
#include "preload/control/object_key.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"
#include "preload/memory/child_reads.h"

#include "preload/base/rules.h"

/* glibc's __kind: bits 0-1 the type, 0x10 robust, 0x20 and 0x40 the protocol, higher bits lock elision. */
#define KIND_TYPE 3
#define KIND_ROBUST 0x10
#define KIND_CEILING 0x40
#define KIND_SHARED 0x80
#define KIND_KNOWN 0x3ff /* all flags that glibc has */
#define KIND_DESTROYED (-1)

/* glibc keeps the priority ceiling of a mutex in the upper bits of __lock. */
#define CEILING_SHIFT 19
#define CEILING_MASK 0xfff80000

/* ---- memory ---- */

static bool reads_unlocked(const pthread_mutex_t *m)
{
	unsigned lock = (unsigned)m->__data.__lock;

	if (m->__data.__kind & KIND_CEILING)
		lock &= ~CEILING_MASK;
	return lock == 0 && m->__data.__owner == 0 && m->__data.__nusers == 0 &&
	       m->__data.__kind != KIND_DESTROYED;
}

static void set_lock(pthread_mutex_t *m, unsigned state)
{
	unsigned lock = (unsigned)m->__data.__lock;

	m->__data.__lock = (int)((m->__data.__kind & KIND_CEILING ? lock & CEILING_MASK : 0) | state);
}

static int owner_word(void)
{
	return ctl_self() + 1;
}

void sync_mutex_taken(pthread_mutex_t *m)
{
	bool recursive = (m->__data.__kind & KIND_TYPE) == MUTEX_RECURSIVE;

	if (recursive && m->__data.__owner == owner_word()) {
		m->__data.__count++;
		return;
	}
	set_lock(m, 1);
	m->__data.__owner = owner_word();
	m->__data.__nusers = 1;
	m->__data.__count = recursive;
}

void sync_mutex_given(pthread_mutex_t *m)
{
	if ((m->__data.__kind & KIND_TYPE) == MUTEX_RECURSIVE && m->__data.__count > 1) {
		m->__data.__count--;
		return;
	}
	set_lock(m, 0);
	m->__data.__owner = 0;
	m->__data.__nusers = 0;
	m->__data.__count = 0;
}

void sync_mutex_given_to_wait(pthread_mutex_t *m)
{
	sync_mutex_given(m);
	if (m->__data.__owner == 0)
		m->__data.__nusers = 1;
}

/* ---- object ---- */

object_id sync_object(enum object_kind kind, const void *addr, bool fresh)
{
	object_id o = ctl_object(kind, addr);
	struct object_info info;

	if (fresh && world_object_info(ctl_world, o, &info) && (info.held || info.destroyed || info.done)) {
		o = world_renew(ctl_world, kind, object_key(kind, addr));
		if (!o)
			o = ctl_object(kind, addr); /* no memory is left: this ends the session */
	}
	return o;
}

object_id sync_mutex_object(pthread_mutex_t *m)
{
	return sync_object(OBJ_MUTEX, m, reads_unlocked(m));
}

uint32_t sync_mutex_type(const pthread_mutex_t *m)
{
	int kind = m->__data.__kind;

	if (kind == KIND_DESTROYED)
		return MUTEX_NORMAL;
	return (uint32_t)(kind & (KIND_TYPE | KIND_ROBUST));
}

bool sync_mutex_mine(object_id o)
{
	struct object_info info;

	return world_object_info(ctl_world, o, &info) && info.owner == ctl_self();
}

/* Returns whether the memory of a mutex that the running thread holds is as sync_mutex_taken left it. */
static bool intact(const pthread_mutex_t *m)
{
	int kind = m->__data.__kind;
	unsigned lock = (unsigned)m->__data.__lock;

	if (kind & ~KIND_KNOWN)
		return false;
	if (kind & KIND_SHARED)
		return true; /* another process may have changed it */
	if (kind & KIND_CEILING)
		lock &= ~CEILING_MASK;
	if (lock == 0 && m->__data.__owner == 0)
		return true; /* a wait on a condition has released it, and a signal handler runs meanwhile */
	return lock == 1 && m->__data.__owner == owner_word() && m->__data.__nusers == 1;
}

/* Called when the running thread releases o, whose memory is *m. Ends the execution if the program has overwritten the memory. */
static void check_intact(const pthread_mutex_t *m, object_id o)
{
	if (!intact(m) && sync_mutex_mine(o))
		ctl_bug(BUG_MISUSE, "the program wrote over a mutex that it holds");
}

/* Returns the kind of a call that locks (MUTEX_LOCK, MUTEX_TRYLOCK) or unlocks. A thread that locks a recursive mutex again, or unlocks an inner level,
   and one that gets an error because it holds the mutex, or does not, executes no locked instruction. errorcheck_tries: a mutex that checks for
   errors is tried by one even so (pthread_mutex_trylock). */
static enum event_kind kind_of_call(enum event_kind kind, const pthread_mutex_t *m, object_id o, bool errorcheck_tries)
{
	bool recursive = (sync_mutex_type(m) & KIND_TYPE) == MUTEX_RECURSIVE;
	bool checks = (sync_mutex_type(m) & KIND_TYPE) == MUTEX_ERRORCHECK;

	if (!(recursive || checks) || !ctl_has_stores())
		return kind;
	if (kind == EV_MUTEX_UNLOCK)
		return !sync_mutex_mine(o) || (recursive && m->__data.__count > 1) ? EV_MUTEX_UNNEST : kind;
	return sync_mutex_mine(o) && (recursive || !errorcheck_tries) ? EV_MUTEX_RELOCK : kind;
}

static struct op mutex_op(enum event_kind kind, pthread_mutex_t *m, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = sync_mutex_object(m);
	op.type = sync_mutex_type(m);
	return op;
}

/* Returns whether a lock operation with this result acquired the mutex. EOWNERDEAD is such a result: the mutex is robust, and its owner has
   ended. */
static bool took(int result)
{
	return result == 0 || result == EOWNERDEAD;
}

/* ---- the operations ---- */

int sync_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr, const void *pc)
{
	pthread_mutex_t fresh;
	int r = real_pthread_mutex_init(&fresh, attr);

	if (r)
		return r;
	if (!ctl_enter()) {
		*m = fresh;
		return 0;
	}
	struct op op = ctl_op(EV_MUTEX_INIT, pc);

	op.obj[0] = ctl_object_new(OBJ_MUTEX, m);
	op.type = sync_mutex_type(&fresh);
	r = (int)ctl_perform(&op);
	if (!r)
		*m = fresh;
	ctl_leave();
	return r;
}

int sync_mutex_destroy(pthread_mutex_t *m, const void *pc)
{
	if (!ctl_enter())
		return real_pthread_mutex_destroy(m);
	struct op op = mutex_op(EV_MUTEX_DESTROY, m, pc);
	int r = (int)ctl_perform(&op);

	if (!r)
		m->__data.__kind = KIND_DESTROYED;
	ctl_leave();
	return r;
}

int sync_mutex_lock(pthread_mutex_t *m, const void *pc)
{
	if (!ctl_enter_event()) {
		child_reads_object(m);
		return real_pthread_mutex_lock(m);
	}
	struct op op = mutex_op(EV_MUTEX_LOCK, m, pc);

	op.kind = kind_of_call(EV_MUTEX_LOCK, m, op.obj[0], false);
	int r = (int)ctl_perform(&op);

	if (took(r))
		sync_mutex_taken(m);
	ctl_leave();
	return r;
}

/* glibc looks first whether a trylock would fail, except for robust mutexes; that is no fence. Returns whether it fails. */
static bool looks_locked(pthread_mutex_t *m, const void *pc)
{
	if (!ctl_has_stores() || (m->__data.__kind & KIND_ROBUST))
		return false;
	struct op op = mutex_op(EV_MUTEX_LOOK, m, pc);

	return ctl_perform(&op) != 0;
}

int sync_mutex_trylock(pthread_mutex_t *m, const void *pc)
{
	if (!ctl_enter()) {
		child_reads_object(m);
		return real_pthread_mutex_trylock(m);
	}
	enum event_kind kind = kind_of_call(EV_MUTEX_TRYLOCK, m, sync_mutex_object(m), true);

	if (kind == EV_MUTEX_TRYLOCK && looks_locked(m, pc)) {
		ctl_leave();
		return EBUSY;
	}
	struct op op = mutex_op(kind, m, pc);
	int r = (int)ctl_perform(&op);

	if (took(r))
		sync_mutex_taken(m);
	ctl_leave();
	return r;
}

/* Like glibc, this ignores an invalid time when the mutex is free. */
int sync_mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *ts, const void *pc)
{
	if (!sync_clock_ok(clock))
		return EINVAL;
	if (!ctl_enter()) {
		child_reads_object(m);
		return real_pthread_mutex_clocklock(m, clock, ts);
	}
	struct op op = mutex_op(EV_MUTEX_TRYLOCK, m, pc);

	op.kind = kind_of_call(EV_MUTEX_TRYLOCK, m, op.obj[0], false);
	if (op.kind == EV_MUTEX_TRYLOCK)
		op.flags |= OPF_TIMED;
	if (sync_nanoseconds_ok(ts))
		op.deadline = ctl_deadline_abs(clock, ts);
	int r = (int)ctl_perform(&op);

	if (took(r))
		sync_mutex_taken(m);
	else if (r == ETIMEDOUT && !sync_nanoseconds_ok(ts))
		r = EINVAL;
	ctl_leave();
	return r;
}

int sync_mutex_unlock(pthread_mutex_t *m, const void *pc)
{
	if (!ctl_enter_event())
		return real_pthread_mutex_unlock(m);
	struct op op = mutex_op(EV_MUTEX_UNLOCK, m, pc);

	check_intact(m, op.obj[0]);
	op.kind = kind_of_call(EV_MUTEX_UNLOCK, m, op.obj[0], false);
	int r = (int)ctl_perform(&op);

	if (!r)
		sync_mutex_given(m);
	ctl_leave();
	return r;
}

static int consistent(pthread_mutex_t *m, const void *pc)
{
	if (!ctl_enter())
		return real_pthread_mutex_consistent(m);
	struct op op = mutex_op(EV_MUTEX_CONSISTENT, m, pc);
	int r = (int)ctl_perform(&op);

	ctl_leave();
	return r;
}

/* Like glibc, this locks the mutex to change its ceiling, and waits for the thread that holds it. */
static int set_ceiling(pthread_mutex_t *m, int ceiling, int *old, const void *pc)
{
	int kind = m->__data.__kind, r;

	if (kind == KIND_DESTROYED || !(kind & KIND_CEILING))
		return EINVAL;
	if (ceiling < sched_get_priority_min(SCHED_FIFO) || ceiling > sched_get_priority_max(SCHED_FIFO))
		return EINVAL;
	bool mine = m->__data.__owner == owner_word();

	if (mine && (kind & KIND_TYPE) == MUTEX_ERRORCHECK)
		return EDEADLK;
	if (!(mine && (kind & KIND_TYPE) == MUTEX_RECURSIVE)) {
		r = sync_mutex_lock(m, pc);
		if (r)
			return r;
	}
	unsigned lock = (unsigned)m->__data.__lock;

	if (old)
		*old = (int)((lock & CEILING_MASK) >> CEILING_SHIFT);
	m->__data.__lock = (int)((lock & ~CEILING_MASK) | (unsigned)ceiling << CEILING_SHIFT);
	if (!(mine && (kind & KIND_TYPE) == MUTEX_RECURSIVE))
		sync_mutex_unlock(m, pc);
	return 0;
}

/* ---- the names ---- */

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	return sync_mutex_init(m, attr, HERE);
}

int pthread_mutex_destroy(pthread_mutex_t *m)
{
	return sync_mutex_destroy(m, HERE);
}

int pthread_mutex_lock(pthread_mutex_t *m)
{
	return sync_mutex_lock(m, HERE);
}

int pthread_mutex_trylock(pthread_mutex_t *m)
{
	return sync_mutex_trylock(m, HERE);
}

int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *ts)
{
	return sync_mutex_timedlock(m, CLOCK_REALTIME, ts, HERE);
}

int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *ts)
{
	return sync_mutex_timedlock(m, clock, ts, HERE);
}

int pthread_mutex_unlock(pthread_mutex_t *m)
{
	return sync_mutex_unlock(m, HERE);
}

int pthread_mutex_consistent(pthread_mutex_t *m)
{
	return consistent(m, HERE);
}

int pthread_mutex_setprioceiling(pthread_mutex_t *m, int ceiling, int *old)
{
	if (ctl_state != CTL_ON || ctl_inside)
		return real_pthread_mutex_setprioceiling(m, ceiling, old);
	return set_ceiling(m, ceiling, old, HERE);
}

int pthread_mutex_consistent_np(pthread_mutex_t *m)
{
	return consistent(m, HERE);
}

int __pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	return sync_mutex_init(m, attr, HERE);
}

int __pthread_mutex_destroy(pthread_mutex_t *m)
{
	return sync_mutex_destroy(m, HERE);
}

int __pthread_mutex_lock(pthread_mutex_t *m)
{
	return sync_mutex_lock(m, HERE);
}

int __pthread_mutex_trylock(pthread_mutex_t *m)
{
	return sync_mutex_trylock(m, HERE);
}

int __pthread_mutex_unlock(pthread_mutex_t *m)
{
	return sync_mutex_unlock(m, HERE);
}
