/*
 * Semaphores, unnamed and named.
 *
 * A named semaphore is a mapping of a file that outlives the process. Only the model changes its value. The file keeps the value that it
 * had at sem_open, so the next execution starts with the same value. sem_close keeps the mapping: a semaphore that is opened again under
 * the same name then has the same address, and so its value in the model.
 */
#include <errno.h>
#include <limits.h>

#include "base/named_semaphore.h"
#include "base/own_files.h"
#include "preload/control/ctl.h"
#include "preload/kernel/file_effects.h"
#include "preload/kernel/signals.h"
#include "preload/base/real.h"
#include "preload/life/worker.h"
#include "preload/hooks/sync.h"
#include "preload/memory/child_reads.h"

#include "preload/base/rules.h"

/* glibc keeps the value in the lower half of the first 64-bit word. */
static unsigned *value_word(sem_t *s)
{
	return (unsigned *)(void *)s;
}

/* ---- named semaphores ---- */

struct named {
	const sem_t *sem;
	struct named *next;
};
static struct named *named_first;

static bool is_named(const sem_t *s)
{
	for (const struct named *n = named_first; n; n = n->next)
		if (n->sem == s)
			return true;
	return false;
}

static void add_named(const sem_t *s)
{
	struct named *n = ctl_alloc(sizeof(*n));

	n->sem = s;
	n->next = named_first;
	named_first = n;
}

/* Updates the value in the memory of an unnamed semaphore. */
static void changed(sem_t *s, int by)
{
	if (!is_named(s))
		*value_word(s) += (unsigned)by;
}

/* ---- the operations ---- */

static struct op sem_op(enum event_kind kind, sem_t *s, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = kind == EV_SEM_INIT ? ctl_object_new(OBJ_SEM, s) : ctl_object(OBJ_SEM, s);
	/* The value in the memory plus 1. The model uses it for a semaphore without a SEM_INIT event: one from before control, one of
	   another process, or zeroed memory, which is a valid semaphore on Linux. */
	op.arg[1] = (uint64_t)*value_word(s) + 1;
	return op;
}

/* Converts 0, an errno value or CTL_EINTR to the return value of a semaphore function, and sets errno. */
static int as_result(int err)
{
	if (!err)
		return 0;
	errno = err == CTL_EINTR ? EINTR : err;
	return -1;
}

/* Returns the value, as an event. */
static int value_of(sem_t *s, const void *pc)
{
	struct op op = sem_op(EV_SEM_GETVALUE, s, pc);

	return (int)ctl_perform(&op);
}

static int init(sem_t *s, unsigned value, const void *pc)
{
	struct op op = sem_op(EV_SEM_INIT, s, pc);

	op.arg[0] = value;
	return (int)ctl_perform(&op);
}

int sem_init(sem_t *s, int shared, unsigned int value)
{
	if (value > SEM_VALUE_MAX)
		return as_result(EINVAL);
	if (!ctl_enter())
		return real_sem_init(s, shared, value);
	int r = init(s, value, HERE);

	if (!r)
		real_sem_init(s, shared, value);
	ctl_leave();
	return as_result(r);
}

int sem_destroy(sem_t *s)
{
	if (!ctl_enter())
		return real_sem_destroy(s);
	struct op op = sem_op(EV_SEM_DESTROY, s, HERE);
	int r = (int)ctl_perform(&op);

	ctl_leave();
	return as_result(r);
}

int sem_post(sem_t *s)
{
	if (!ctl_enter())
		return real_sem_post(s);
	struct op op = sem_op(EV_SEM_POST, s, HERE);
	int r = (int)ctl_perform(&op);

	if (!r)
		changed(s, 1);
	ctl_leave();
	return as_result(r);
}

/* Ends a wait with this result. It calls ctl_leave. */
static int waited(int r, sem_t *s)
{
	if (!r)
		changed(s, -1);
	ctl_leave();
	return as_result(r);
}

int sem_wait(sem_t *s)
{
	if (!ctl_enter()) {
		child_reads_object(s);
		return real_sem_wait(s);
	}
	struct op op = sem_op(EV_SEM_WAIT, s, HERE);

	op.flags |= OPF_CANCELPOINT;
	return waited((int)signals_perform(&op, true), s);
}

int sem_trywait(sem_t *s)
{
	if (!ctl_enter()) {
		child_reads_object(s);
		return real_sem_trywait(s);
	}
	if (ctl_has_stores() && !value_of(s, HERE)) { /* glibc reads the value first; that is no fence */
		ctl_leave();
		return as_result(EAGAIN);
	}
	struct op op = sem_op(EV_SEM_TRYWAIT, s, HERE);

	return waited((int)ctl_perform(&op), s);
}

/* Waits for the semaphore, or fails at the deadline. The kernel does not restart a futex call that has a timeout. */
static int take_until(sem_t *s, clockid_t clock, const struct timespec *ts, const void *pc)
{
	struct op op = sem_op(EV_SEM_TRYWAIT, s, pc);

	op.flags |= OPF_TIMED | OPF_CANCELPOINT;
	op.deadline = ctl_deadline_abs(clock, ts);
	return waited((int)signals_perform(&op, false), s);
}

int sem_timedwait(sem_t *s, const struct timespec *ts)
{
	if (!sync_nanoseconds_ok(ts))
		return as_result(EINVAL);
	if (!ctl_enter()) {
		child_reads_object(s);
		return real_sem_timedwait(s, ts);
	}
	return take_until(s, CLOCK_REALTIME, ts, HERE);
}

int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *ts)
{
	if (!sync_clock_ok(clock) || !sync_nanoseconds_ok(ts))
		return as_result(EINVAL);
	if (!ctl_enter()) {
		child_reads_object(s);
		return real_sem_clockwait(s, clock, ts);
	}
	return take_until(s, clock, ts, HERE);
}

int sem_getvalue(sem_t *s, int *value)
{
	if (!ctl_enter()) {
		child_reads_object(s);
		return real_sem_getvalue(s, value);
	}
	struct op op = sem_op(EV_SEM_GETVALUE, s, HERE);

	*value = (int)ctl_perform(&op);
	ctl_leave();
	return 0;
}

/* ---- names ---- */

/* sem_open and sem_unlink change the name space of semaphores. It is one object, so all these calls depend on each other. */
static void name_space_event(const void *pc)
{
	struct op op = ctl_op(EV_FD_OTHER, pc);

	op.obj[0] = ctl_object(OBJ_FD, (const void *)own_file_address(OWN_FILE_NAMES, 0));
	ctl_perform(&op);
}

static void existed(const void *pc)
{
	struct session_sensors *sensors = ctl_segment(ctl_session->layout.sensors_off);

	ctl_uncontrolled("sem_open of an existing semaphore: other processes may use it");
	if (!sensors->shared_names)
		sensors->shared_names = (uint64_t)pc;
}

sem_t *sem_open(const char *name, int flags, ...)
{
	const void *pc = HERE;
	struct named_semaphore a;
	bool ours;
	va_list ap;

	va_start(ap, flags);
	a = named_semaphore_arguments(name, flags, ap);
	va_end(ap);
	if (!ctl_enter())
		return real_sem_open(name, flags, a.mode, a.value);
	name_space_event(pc);
	outside_note("opens the named semaphore %.200s", name);
	struct effect e = effect_shm("sem.", name, EFFECT_NEW);
	sem_t *s = named_semaphore_open_by(real_sem_open, &a, &ours);

	effect_made(&e, s == SEM_FAILED ? NULL : s);

	if (s != SEM_FAILED && !is_named(s)) {
		if (!ours)
			existed(pc);
		add_named(s);
		ctl_object_new(OBJ_SEM, s); /* no event of its own: another thread that opens it meanwhile could use it before */
	}
	ctl_leave();
	return s;
}

int sem_close(sem_t *s)
{
	if (!ctl_enter())
		return real_sem_close(s);
	bool known = is_named(s);

	ctl_leave();
	return as_result(known ? 0 : EINVAL);
}

int sem_unlink(const char *name)
{
	if (!ctl_enter())
		return real_sem_unlink(name);
	name_space_event(HERE);
	struct effect e = effect_shm("sem.", name, 0);
	int r = effect_done(&e, real_sem_unlink(name));

	ctl_leave();
	return r;
}
