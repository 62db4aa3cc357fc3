/* Threads: creation, end, join, detach, cancellation. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "preload/accesses/landing.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/control/fiber.h"
#include "preload/control/step_loop.h"
#include "preload/failure/imports.h"
#include "preload/hooks/cancel.h"
#include "preload/hooks/children.h"
#include "preload/hooks/keys.h"
#include "preload/hooks/sync.h"
#include "preload/hooks/threads.h"
#include "preload/hooks/wrappers.h"
#include "preload/base/real.h"
#include "preload/life/run.h"
#include "preload/modules/sensors.h"
#include "preload/kernel/signals.h"
#include "preload/kernel/task_order.h"
#include "preload/kernel/thread_state.h"
#include "preload/memory/interrupt.h"
#include "preload/memory/replaced_frame.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* ---- creation ---- */

/* Frees the stacks of detached threads that have ended, except for the stack on which this call runs. */
static void sweep(void)
{
	for (struct fiber *f = fiber_first, *next; f; f = next) {
		next = f->next;
		if (f->ended && f->detached && f != fiber_cur && !world_alive(ctl_world, f->id))
			fiber_release(f);
	}
}

/* Notes that the attributes give the new thread settings of its own. The threads of the pool do not have them. */
static void look_at_settings(const pthread_attr_t *attr)
{
	int inherit = PTHREAD_INHERIT_SCHED;
	cpu_set_t set, all;

	memset(&set, 0xff, sizeof(set));
	memset(&all, 0xff, sizeof(all));
	pthread_attr_getinheritsched(attr, &inherit);
	pthread_attr_getaffinity_np(attr, sizeof(set), &set);
	if (inherit == PTHREAD_EXPLICIT_SCHED)
		thread_state_set(SETTING_PRIORITY);
	if (memcmp(&set, &all, sizeof(set)) != 0)
		thread_state_set(SETTING_PROCESSORS);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	if (!ctl_enter()) {
		pthread_create_fn wrapped = wrapped_pthread_create(__builtin_return_address(0));
		if (wrapped)
			return wrapped(thread, attr, start, arg);
		children_note_native_thread();
		return real_pthread_create(thread, attr, start, arg);
	}
	int detach = PTHREAD_CREATE_JOINABLE;
	struct fiber *f;
	run_checkpoint();
	sensors_again();
	sweep();
	int err = fiber_create(world_next_child(ctl_world, ctl_self()), attr, start, arg, &f);
	if (err) {
		ctl_leave();
		return err;
	}
	replaced_frame_created(f);
	*thread = f->handle; /* written before the new thread can run, as glibc does */
	struct op op = ctl_op(EV_THREAD_CREATE, HERE);
	if (attr)
		pthread_attr_getdetachstate(attr, &detach);
	if (detach == PTHREAD_CREATE_DETACHED) {
		op.flags |= OPF_CREATE_DETACHED;
		f->detached = true;
	}
	int64_t id = ctl_perform(&op);
	if (id == NO_THREAD)
		ctl_refuse("the program creates more than %d threads in one execution", MAX_THREADS);
	fiber_name(f, (thread_id)id);
	except_thread_created();
	if (attr)
		look_at_settings(attr);
	strcpy(f->name, fiber_cur->name);
	signals_thread_created(f->id, ctl_self());
	ctl_leave();
	task_order_after(HERE);
	return 0;
}

/* ---- end ---- */

/* Returns whether this process has more than one kernel thread. */
static bool has_other_threads(void)
{
	struct stat st; /* the directory has two links plus one for each thread */
	return !sys_call4(SYS_newfstatat, AT_FDCWD, (long)"/proc/self/task", (long)&st, 0) && st.st_nlink > 3;
}

void threads_refuse_earlier(void)
{
	if (has_other_threads())
		ctl_refuse("a constructor of a library starts a thread, before simul can control it. Instead: keep the "
			   "library from doing so (OPENBLAS_NUM_THREADS=1 for OpenBLAS), or load it with dlopen");
}

/* Ends the thread that remains in the native child of a fork. Like libc, ends the process with its last thread: waits until the other
   threads have ended. */
static void __attribute__((noreturn)) native_thread_end(struct fiber *f)
{
	const struct timespec moment = { 0, 1000000 };
	tls_dtors_run(f->id);
	keys_run_destructors(f->id);
	while (has_other_threads())
		sys_call2(SYS_nanosleep, (long)&moment, 0);
	real_exit(0);
	__builtin_unreachable();
}

/* Ends the running thread, which has returned from its start routine, called pthread_exit or acted on a cancellation. Called outside simul. */
void thread_end(struct fiber *f)
{
	if (ctl_state != CTL_ON)
		native_thread_end(f);
	f->cancel_state = PTHREAD_CANCEL_DISABLE;
	world_set_cancelable(ctl_world, f->id, false);
	tls_dtors_run(f->id);
	keys_run_destructors(f->id);
	ctl_force_enter();
	f->ended = true;
	struct op op = ctl_op(EV_THREAD_EXIT, NULL);
	op.obj[0] = world_thread_object(ctl_world, f->id);
	ctl_gone(&op);
}

void pthread_exit(void *value)
{
	if (ctl_enter()) {
		if (interrupt_of(ctl_self()))
			ctl_note_handler(HANDLER_EXITS, __builtin_return_address(0));
		fiber_cur->value = value;
		fiber_cur->cancel_state = PTHREAD_CANCEL_DISABLE;
		world_set_cancelable(ctl_world, fiber_cur->id, false);
		ctl_leave();
	}
	real_pthread_exit(value); /* unwinds to the frame in fiber.c or init.c */
	__builtin_unreachable();
}

/* ---- join and detach ---- */

static int join(pthread_t handle, void **value, struct op *op)
{
	thread_id t = fiber_thread_or_crash(handle);
	if (t == NO_THREAD)
		return ESRCH;
	op->obj[0] = world_thread_object(ctl_world, t);
	int err = (int)ctl_perform(op);
	if (!err) {
		struct fiber *f = fiber_by_id(t);
		if (value)
			*value = f->value;
		f->joined = true;
		if (f != fiber_first)
			fiber_release(f);
	}
	return err;
}

/* Ends a join whose join() has returned err: leaves simul, and reports the write of the value, which must come after the wait. Returns err. */
static int joined(int err, struct landing *l, const void *pc)
{
	ctl_leave();
	landing_end(l, err ? 0 : sizeof(void *), (uintptr_t)pc);
	task_order_after(pc);
	return err;
}

/* Returns where join() has to write the value. Called outside simul. */
static void **value_begin(struct landing *l, void **value, const void *pc)
{
	return landing_begin(l, value, value ? sizeof(*value) : 0, (uintptr_t)pc);
}

int pthread_join(pthread_t handle, void **value)
{
	struct landing l;
	void **at = value_begin(&l, value, HERE);
	if (!ctl_enter())
		return real_pthread_join(handle, value);
	struct op op = ctl_op(EV_THREAD_JOIN, HERE);
	op.flags = OPF_CANCELPOINT;
	return joined(join(handle, at, &op), &l, HERE);
}

int pthread_tryjoin_np(pthread_t handle, void **value)
{
	struct landing l;
	void **at = value_begin(&l, value, HERE);
	if (!ctl_enter())
		return real_pthread_tryjoin_np(handle, value);
	struct op op = ctl_op(EV_THREAD_TRYJOIN, HERE);
	return joined(join(handle, at, &op), &l, HERE);
}

static int timed_join(pthread_t handle, void **value, clockid_t clock, const struct timespec *ts, const void *pc)
{
	struct op op = ctl_op(ts ? EV_THREAD_TRYJOIN : EV_THREAD_JOIN, pc);
	op.flags = OPF_CANCELPOINT;
	if (ts) {
		if (!sync_nanoseconds_ok(ts))
			return EINVAL;
		op.flags |= OPF_TIMED;
		op.deadline = ctl_deadline_abs(clock, ts);
	}
	return join(handle, value, &op);
}

int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *ts)
{
	struct landing l;
	void **at = value_begin(&l, value, HERE);
	if (!ctl_enter())
		return real_pthread_timedjoin_np(handle, value, ts);
	return joined(timed_join(handle, at, CLOCK_REALTIME, ts, HERE), &l, HERE);
}

int pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock, const struct timespec *ts)
{
	struct landing l;
	void **at = value_begin(&l, value, HERE);
	if (!ctl_enter())
		return real_pthread_clockjoin_np(handle, value, clock, ts);
	return joined(timed_join(handle, at, clock, ts, HERE), &l, HERE);
}

int pthread_detach(pthread_t handle)
{
	if (!ctl_enter())
		return real_pthread_detach(handle);
	thread_id t = fiber_thread_or_crash(handle);
	int err = ESRCH;
	if (t != NO_THREAD) {
		struct op op = ctl_op(EV_THREAD_DETACH, HERE);
		op.obj[0] = world_thread_object(ctl_world, t);
		err = (int)ctl_perform(&op);
		struct fiber *f = fiber_by_handle(handle);
		if (!f)
			err = ESRCH;
		else if (!err)
			f->detached = true;
	}
	ctl_leave();
	return err;
}

/* ---- cancellation ---- */

static bool program_cancels; /* the program can cancel threads */

void cancel_init(void)
{
	program_cancels = imports_any((const char *const[]){"pthread_cancel", NULL});
}

static void test_cancel(enum event_kind kind, const void *pc)
{
	struct op op = ctl_op(kind, pc);
	op.flags = OPF_CANCELPOINT;
	ctl_perform(&op); /* does not return when a request is acted upon */
}

void cancel_point(const void *pc)
{
	if (program_cancels && ctl_past_checkpoint)
		test_cancel(EV_YIELD, pc);
}

bool cancel_possible(void)
{
	return program_cancels;
}

void cancel_before(const void *pc)
{
	if (!program_cancels || !ctl_past_checkpoint || !ctl_enter_event())
		return;
	test_cancel(EV_YIELD, pc);
	ctl_leave();
}

int pthread_cancel(pthread_t handle)
{
	if (!ctl_enter())
		return real_pthread_cancel(handle);
	program_cancels = true; /* dlsym may have found this function */
	thread_id t = fiber_thread_or_crash(handle);
	int err = ESRCH;
	if (t != NO_THREAD) {
		struct op op = ctl_op(EV_THREAD_CANCEL, HERE);
		op.obj[0] = world_thread_object(ctl_world, t);
		err = (int)ctl_perform(&op);
		struct fiber *f = fiber_by_handle(handle);
		if (!f)
			err = ESRCH;
		else if (f == fiber_cur && f->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS &&
			f->cancel_state == PTHREAD_CANCEL_ENABLE)
			ctl_act_cancel();
	}
	ctl_leave();
	return err;
}

void pthread_testcancel(void)
{
	if (!ctl_enter())
		return;
	test_cancel(ctl_has_stores() ? EV_TESTCANCEL : EV_YIELD, HERE);
	ctl_leave();
}

static void act_if_asynchronous(void)
{
	struct fiber *f = fiber_cur;
	if (f->cancel_state == PTHREAD_CANCEL_ENABLE && f->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS &&
		world_cancel_requested(ctl_world, f->id))
		ctl_act_cancel();
}

int pthread_setcancelstate(int state, int *old)
{
	if (!ctl_enter())
		return real_pthread_setcancelstate(state, old);
	int err = EINVAL;
	if (state == PTHREAD_CANCEL_ENABLE || state == PTHREAD_CANCEL_DISABLE) {
		if (old)
			*old = fiber_cur->cancel_state;
		fiber_cur->cancel_state = state;
		world_set_cancelable(ctl_world, fiber_cur->id, state == PTHREAD_CANCEL_ENABLE);
		act_if_asynchronous();
		err = 0;
	}
	ctl_leave();
	return err;
}

int pthread_setcanceltype(int type, int *old)
{
	if (!ctl_enter())
		return real_pthread_setcanceltype(type, old);
	int err = EINVAL;
	if (type == PTHREAD_CANCEL_DEFERRED || type == PTHREAD_CANCEL_ASYNCHRONOUS) {
		if (old)
			*old = fiber_cur->cancel_type;
		fiber_cur->cancel_type = type;
		act_if_asynchronous();
		err = 0;
	}
	ctl_leave();
	return err;
}

/* ---- names: simul keeps them, because the kernel thread is parked, or in another process ---- */

int pthread_setname_np(pthread_t handle, const char *name)
{
	if (!ctl_enter())
		return real_pthread_setname_np(handle, name);
	struct fiber *f = fiber_by_handle(handle);
	int err = strlen(name) >= sizeof f->name ? ERANGE : f ? 0 : ESRCH;
	if (!err)
		strcpy(f->name, name);
	ctl_leave();
	return err;
}

int pthread_getname_np(pthread_t handle, char *buf, size_t size)
{
	if (!ctl_enter())
		return real_pthread_getname_np(handle, buf, size);
	struct fiber *f = fiber_by_handle(handle);
	int err = !f ? ESRCH : size < sizeof f->name ? ERANGE : 0;
	if (!err)
		snprintf(buf, size, "%.15s", f->name[0] ? f->name : program_invocation_short_name);
	ctl_leave();
	return err;
}

/* Adds the size of the guard below a stack that simul allocated, which libc does not know. Rust's standard library panics without a guard.
   */
int pthread_getattr_np(pthread_t handle, pthread_attr_t *attr)
{
	int err = real_pthread_getattr_np(handle, attr);

	if (err || !ctl_enter())
		return err;
	struct fiber *f = fiber_by_handle(handle);
	if (f && f->stack.guard_size)
		pthread_attr_setguardsize(attr, f->stack.guard_size);
	ctl_leave();
	return 0;
}
