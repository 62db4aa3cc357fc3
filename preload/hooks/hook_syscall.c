/*
 * syscall(), by which programs avoid libc's functions. System calls by an instruction of the program come here too (dispatch.c).
 * kernel/syscalls.def says how each is handled.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "base/check.h"
#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/hooks/children.h"
#include "preload/hooks/futex.h"
#include "preload/base/outside.h"
#include "preload/base/guard.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/effects.h"
#include "preload/kernel/own_files.h"
#include "preload/kernel/process.h"
#include "preload/base/real.h"
#include "preload/life/rewind.h"
#include "preload/life/worker.h"
#include "preload/kernel/signals.h"
#include "preload/kernel/task_order.h"
#include "preload/hooks/sync.h"
#include "preload/base/sys.h"
#include "preload/kernel/syscalls.h"
#include "preload/kernel/thread_state.h"

#include "preload/base/rules.h"

/* The arguments as types of the kernel, for syscalls.def. */
#define P(i) ((void *)a[i])
#define I(i) ((int)a[i])
#define Z(i) ((size_t)a[i])

/* Converts a raw result to the result of syscall(), and sets errno. */
static long as_result(long raw)
{
	if (!sys_failed(raw))
		return raw;
	errno = (int)-raw;
	return -1;
}

/* Converts an errno value to the result of syscall(), and sets errno. */
static long of_error(int err)
{
	return as_result(-(long)err);
}

static void __attribute__((noreturn)) refuse_thread(const char *call)
{
	ctl_refuse("the program makes a thread with %s, behind the back of libc: simul can only run threads that "
		   "pthread_create or thrd_create made",
		call);
}

/* Starts a process with a system call that shares no memory. The child runs without simul. */
static long fork_raw(long n, const long a[6])
{
	children_forking(HERE);
	long r = sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]);

	if (r == 0)
		ctl_become_native();
	if (r > 0)
		child_signals_started((pid_t)r);
	return as_result(r);
}

/* The child must not share the program's memory. A child may do the same between fork and exec as between vfork and exec. */
#define AS_FORK(flags) ((flags) & ~(uint64_t)(CLONE_VM | CLONE_VFORK | CLONE_SIGHAND))

static void check_clone(uint64_t flags, uint64_t stack, const char *call)
{
	if (flags & CLONE_VM && !(flags & CLONE_VFORK))
		refuse_thread(call);
	if (stack)
		ctl_refuse("the program starts a process on another stack with %s, behind the back of libc", call);
}

static long make_process(long n, const long a[6])
{
	struct clone_args args = { .flags = 0 };
	long b[6];

	ctl_force_enter();
	memcpy(b, a, sizeof(b));
	if (n == SYS_clone) {
		check_clone((uint64_t)a[0], (uint64_t)a[1], "syscall(SYS_clone)");
		b[0] = (long)AS_FORK((uint64_t)a[0]);
	} else if (n == SYS_clone3 && a[0] && Z(1) >= CLONE_ARGS_SIZE_VER0 && Z(1) <= sizeof(args)) {
		memcpy(&args, P(0), Z(1));
		check_clone(args.flags, args.stack, "syscall(SYS_clone3)");
		args.flags = AS_FORK(args.flags);
		b[0] = (long)&args;
	} else if (n == SYS_clone3) {
		ctl_refuse("the program calls clone3 with arguments of a size that simul does not know");
	}
	long r = fork_raw(n == SYS_vfork ? SYS_fork : n, b);

	ctl_leave();
	return r;
}

/* ---- calls whose arguments differ between the kernel and libc ---- */

#define KERNEL_SET 8 /* bytes of a signal set */

/* Converts the kernel's set at `from` to libc's type. Returns `to`, or NULL when `from` is NULL. */
static sigset_t *full_set(const void *from, sigset_t *to)
{
	if (!from)
		return NULL;
	memset(to, 0, sizeof(*to));
	memcpy(to, from, KERNEL_SET);
	return to;
}

static long sigaction_call(const long a[6])
{
	const struct sys_sigaction *from = P(1);
	struct sys_sigaction *to = P(2);
	struct sigaction new = {.sa_flags = 0}, old;

	if (a[3] != KERNEL_SET)
		return as_result(-EINVAL);
	if (from) {
		new.sa_handler = (void (*)(int))from->handler;
		new.sa_flags = (int)(from->flags & ~(unsigned long)SYS_SA_RESTORER);
		memcpy(&new.sa_mask, &from->mask, KERNEL_SET);
	}
	if (sigaction(I(0), from ? &new : NULL, &old))
		return -1;
	if (to) {
		memset(to, 0, sizeof(*to));
		to->handler = (void *)old.sa_handler;
		to->flags = (unsigned long)old.sa_flags;
		memcpy(&to->mask, &old.sa_mask, KERNEL_SET);
	}
	return 0;
}

static long sigprocmask_call(const long a[6])
{
	sigset_t new, old;

	if (a[3] != KERNEL_SET)
		return as_result(-EINVAL);
	if (sigprocmask(I(0), full_set(P(1), &new), &old))
		return -1;
	if (a[2])
		memcpy(P(2), &old, KERNEL_SET);
	return 0;
}

static long ppoll_call(const long a[6])
{
	sigset_t set;

	return ppoll(P(0), (nfds_t)a[1], P(2), full_set(P(3), &set));
}

static long pselect_call(const long a[6])
{
	const struct {
		const void *set;
		size_t size;
	} *mask = P(5);
	sigset_t set;

	return pselect(I(0), P(1), P(2), P(3), P(4), full_set(mask ? mask->set : NULL, &set));
}

static long epoll_pwait_call(const long a[6])
{
	sigset_t set;

	return epoll_pwait(I(0), P(1), I(2), I(3), full_set(P(4), &set));
}

/* The raw system call returns 20 minus the priority, which is never negative. libc's function returns the priority itself. */
/* Makes all threads of the process execute a full fence. */
static long membarrier_call(const long a[6])
{
	const unsigned fences = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED | MEMBARRIER_CMD_PRIVATE_EXPEDITED |
				MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE | MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ;
	long r = as_result(sys_call3(SYS_membarrier, a[0], a[1], a[2]));

	if (r == 0 && (unsigned)a[0] & fences)
		mem_drain_all(__builtin_return_address(0));
	return r;
}

static long getpriority_call(const long a[6])
{
	errno = 0;
	int r = getpriority(I(0), (id_t)a[1]);

	return errno ? -1 : 20 - r;
}

static long futex_enter(const long a[6], const void *pc)
{
	ctl_force_enter();
	long r = as_result(futex_call(a, pc));

	ctl_leave();
	task_order_after(pc);
	return r;
}

static long tkill_call(const long a[6])
{
	ctl_force_enter();
	long r = as_result(signals_tgkill(-1, I(0), I(1), HERE));

	ctl_leave();
	return r;
}

static long __attribute__((noreturn)) exit_call(const long a[6])
{
	_exit(I(0));
}

/* ---- the call ---- */

/* Calls the hook that handles this system call. */
static long hooked(long n, const long a[6])
{
	switch (n) {
#define HOOK(number, label, call)                                                                  \
	case number:                                                                               \
		return call;
#define ASKS(number, label, thread)
#define INSIDE(number, label, thread)
#define THREAD(number, label)
#define SETS_THREAD(number, label, thread)
#define ASKS_THREAD(number, label, thread)
#define OUTSIDE(number, label)
#define NOTED(number, label, reason)
#define REFUSE(number, label, reason)
#include "preload/kernel/syscalls.def"
	default:
		INVARIANT(0, "system call %ld has no hook", n);
		__builtin_unreachable();
	}
}

static void note_uncontrolled(const struct syscall_rule *rule, long n)
{
	char what[256];

	if (rule->name)
		snprintf(what, sizeof(what), "system call %s, which %s", rule->name, rule->why);
	else
		snprintf(what, sizeof(what), "system call %ld, which simul does not know", n);
	ctl_uncontrolled(what);
}

#define JOIN_SESSION 1     /* KEYCTL_* and KEY_SPEC_* of <linux/keyctl.h> */
#define SET_REQUEST 14
#define THREAD_KEYRING (-1)

/* Returns whether the call, which has succeeded, has changed state of the calling thread alone. */
static bool changes_thread(const struct syscall_rule *rule, long n, const long a[6])
{
	switch (n) {
	case SYS_keyctl:
		return a[0] == JOIN_SESSION || a[0] == SET_REQUEST || I(1) == THREAD_KEYRING || I(2) == THREAD_KEYRING;
	case SYS_add_key:
		return I(4) == THREAD_KEYRING;
	case SYS_request_key:
		return I(3) == THREAD_KEYRING;
	case SYS_landlock_restrict_self:
		return true;
	default:
		return rule->way == SYSCALL_THREAD;
	}
}

static enum thread_setting setting_of(long n)
{
	switch (n) {
	case SYS_sched_getaffinity:
		return SETTING_PROCESSORS;
	case SYS_get_mempolicy:
	case SYS_set_mempolicy:
		return SETTING_MEMORY;
	case SYS_ioprio_get:
	case SYS_ioprio_set:
		return SETTING_IO;
	default:
		return SETTING_PRIORITY;
	}
}

static bool only_asks(const struct syscall_rule *rule)
{
	return rule->way == SYSCALL_ASKS || rule->way == SYSCALL_ASKS_THREAD;
}

static bool stays_inside(const struct syscall_rule *rule)
{
	return rule->way == SYSCALL_INSIDE || rule->way == SYSCALL_THREAD || rule->way == SYSCALL_SETS_THREAD;
}

/* Handles a system call without a hook. Call it between ctl_enter and ctl_leave. */
static long pass(const struct syscall_rule *rule, long n, long a[6])
{
	bool sets = rule->way == SYSCALL_SETS_THREAD;
	struct thread_value before;

	if (rule->way == SYSCALL_REFUSED)
		ctl_refuse("the program makes system call %s, which %s", rule->name, rule->why);
	if (rule->way == SYSCALL_NOTED || rule->way == SYSCALL_UNKNOWN)
		note_uncontrolled(rule, n);
	if (rule->way == SYSCALL_ASKS_THREAD)
		thread_state_asked(setting_of(n), rule->name);
	if (sets)
		thread_state_before(setting_of(n), &before);
	if (!only_asks(rule) && !stays_inside(rule))
		outside_note("makes system call %ld past libc", n);
	if (rule->names_thread)
		a[0] = process_kernel_id(I(0));
	if (rule->names_thread && stays_inside(rule) && a[0] > 0)
		process_refuse_keeper(I(0), rule->name);
	long r = sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]);
	bool same = sets && thread_state_after(setting_of(n), &before);

	if (!only_asks(rule) && !same)
		rewind_taint("make system calls past libc");
	if (!sys_failed(r) && changes_thread(rule, n, a))
		thread_state_changed(rule->name);
	return as_result(r);
}

/* enforce/lib/ orders libc's functions for these calls, but not the calls themselves. */
static void note_descriptor(long n, int fd, const void *pc)
{
	switch (n) {
	case SYS_read:
	case SYS_readv:
	case SYS_preadv2:
	case SYS_recvfrom:
	case SYS_write:
	case SYS_writev:
	case SYS_pwritev2:
	case SYS_sendto:
	case SYS_close:
	case SYS_shutdown:
	case SYS_bind:
	case SYS_listen:
	case SYS_connect:
	case SYS_accept:
	case SYS_accept4:
		own_files_unknown(fd, pc);
		break;
	case SYS_poll:
	case SYS_ppoll:
	case SYS_select:
	case SYS_pselect6:
		own_files_unknown_many(pc);
		break;
	default:
		break;
	}
}

long syscall(long n, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, n); /* may read more arguments than were passed; that is harmless here, and glibc does so too */
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	const struct syscall_rule *rule = syscall_rule(n);

	if (rule->effects)
		effects_before(rule->effects, (const uint64_t *)a, __builtin_return_address(0));
	if (ctl_state == CTL_ON && !ctl_inside && rule->way == SYSCALL_HOOK) {
		note_descriptor(n, (int)a[0], __builtin_return_address(0));
		return hooked(n, a);
	}
	if (!ctl_enter())
		return process_call_allowed(n, a) ? as_result(sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5])) : -1;
	long r = pass(rule, n, a);

	ctl_leave();
	return r;
}
