/*
 * Condition variables. The model decides which thread a signal wakes. The hooks update the memory of the mutex: they mark it as released
 * before other threads run, and as held when the wait returns.
 */
#include <errno.h>

#include "preload/control/ctl.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"
#include "preload/memory/child_reads.h"

#include "preload/base/rules.h"

/* glibc's __wrefs: bit 0 process-shared, bit 1 the monotonic clock, the higher bits count waiters. Under simul threads wait in the model,
   so there are none. */
#define WREFS_MONOTONIC 2

/*
 * glibc's pthread_cond_destroy leaves the memory as it was. The hook leaves a mark there, which an initialiser overwrites. So a use after
 * destroy differs from a new condition in the same memory (the constructor of std::condition_variable makes no call).
 */
#define MARK_DESTROYED 0xdeadc0deu

static bool marked(const pthread_cond_t *c)
{
	return c->__data.__g1_orig_size == MARK_DESTROYED;
}

static object_id cond_object(pthread_cond_t *c)
{
	return sync_object(OBJ_COND, c, !marked(c));
}

static struct op cond_op(enum event_kind kind, pthread_cond_t *c, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = cond_object(c);
	return op;
}

static clockid_t cond_clock(const pthread_cond_t *c)
{
	return c->__data.__wrefs & WREFS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int sync_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr, const void *pc)
{
	if (!ctl_enter())
		return real_pthread_cond_init(c, attr);
	struct op op = ctl_op(EV_COND_INIT, pc);

	op.obj[0] = ctl_object_new(OBJ_COND, c);
	int r = (int)ctl_perform(&op);

	if (!r)
		r = real_pthread_cond_init(c, attr);
	ctl_leave();
	return r;
}

/* Never calls the real function, which would wait for waiters that only the model knows. */
int sync_cond_destroy(pthread_cond_t *c, const void *pc)
{
	if (!ctl_enter())
		return real_pthread_cond_destroy(c);
	struct op op = cond_op(EV_COND_DESTROY, c, pc);
	int r = (int)ctl_perform(&op);

	if (!r)
		c->__data.__g1_orig_size = MARK_DESTROYED;
	ctl_leave();
	return r;
}

int sync_cond_wake(pthread_cond_t *c, enum event_kind kind, const void *pc)
{
	if (!ctl_enter_event())
		return kind == EV_COND_SIGNAL ? real_pthread_cond_signal(c) : real_pthread_cond_broadcast(c);
	if (ctl_has_stores()) { /* glibc looks first whether threads wait; that is no fence */
		struct op look = cond_op(EV_COND_LOOK, c, pc);

		if (ctl_perform(&look) == 0) {
			ctl_leave();
			return 0;
		}
	}
	struct op op = cond_op(kind, c, pc);
	int r = (int)ctl_perform(&op);

	ctl_leave();
	return r;
}

/* Returns whether the thread holds the mutex again after a wait with this result. */
static bool holds_again(int result)
{
	return result == 0 || result == ETIMEDOUT || result == EOWNERDEAD || result == ECANCELED;
}

/* Performs the wait. Call it after ctl_enter; it calls ctl_leave. */
static int wait_on(struct op *op, pthread_cond_t *c, pthread_mutex_t *m)
{
	op->obj[0] = cond_object(c);
	op->obj[1] = sync_mutex_object(m);
	op->type = sync_mutex_type(m);
	op->flags |= OPF_CANCELPOINT;
	bool mine = sync_mutex_mine(op->obj[1]);

	if (mine)
		sync_mutex_given_to_wait(m);
	int r = (int)ctl_perform(op);

	if (mine && holds_again(r))
		sync_mutex_taken(m);
	ctl_leave();
	if (r == ECANCELED)
		ctl_act_cancel();
	return r;
}

int sync_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const void *pc)
{
	if (!ctl_enter_event()) {
		child_reads_object(c);
		return real_pthread_cond_wait(c, m);
	}
	struct op op = ctl_op(EV_COND_WAIT, pc);

	return wait_on(&op, c, m);
}

static int wait_until(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *ts,
	const void *pc)
{
	struct op op = ctl_op(EV_COND_WAIT, pc);

	op.flags |= OPF_TIMED;
	op.deadline = ctl_deadline_abs(clock, ts);
	return wait_on(&op, c, m);
}

int sync_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *ts, const void *pc)
{
	if (!sync_nanoseconds_ok(ts))
		return EINVAL;
	if (!ctl_enter()) {
		child_reads_object(c);
		return real_pthread_cond_timedwait(c, m, ts);
	}
	return wait_until(c, m, cond_clock(c), ts, pc);
}

/* ---- the names ---- */

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	return sync_cond_init(c, attr, HERE);
}

int pthread_cond_destroy(pthread_cond_t *c)
{
	return sync_cond_destroy(c, HERE);
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	return sync_cond_wait(c, m, HERE);
}

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *ts)
{
	return sync_cond_timedwait(c, m, ts, HERE);
}

int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *ts)
{
	if (!sync_nanoseconds_ok(ts) || !sync_clock_ok(clock))
		return EINVAL;
	if (!ctl_enter()) {
		child_reads_object(c);
		return real_pthread_cond_clockwait(c, m, clock, ts);
	}
	return wait_until(c, m, clock, ts, HERE);
}

int pthread_cond_signal(pthread_cond_t *c)
{
	return sync_cond_wake(c, EV_COND_SIGNAL, HERE);
}

int pthread_cond_broadcast(pthread_cond_t *c)
{
	return sync_cond_wake(c, EV_COND_BROADCAST, HERE);
}
