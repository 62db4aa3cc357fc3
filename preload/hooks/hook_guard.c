/*
 * Calls that could reach simul itself: the supervisor, the processes that started it, or what simul has set up in the process of the
 * program.
 */
#include "preload/base/guard.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/hooks/changes_process.h"
#include "preload/kernel/effects.h"
#include "preload/kernel/process.h"
#include "preload/kernel/resources.h"
#include "preload/kernel/thread_state.h"
#include "preload/base/real.h"
#include "preload/life/rewind.h"
#include "preload/life/worker.h"

#include "preload/base/rules.h"

#define SELF "change the process itself"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

/* ---- prctl: most of its settings are the calling thread's ---- */

#ifndef PR_SET_IO_FLUSHER
#define PR_SET_IO_FLUSHER 57
#define PR_GET_IO_FLUSHER 58
#endif

/* Other calls depend on these settings. */
static bool changes_thread(int option)
{
	return option == PR_SET_KEEPCAPS || option == PR_SET_SECUREBITS || option == PR_CAPBSET_DROP || option == PR_CAP_AMBIENT ||
	       option == PR_SET_NO_NEW_PRIVS || option == PR_SET_TSC;
}

static bool sets_thread(int option)
{
	return option == PR_SET_PDEATHSIG || option == PR_SET_TIMERSLACK || option == PR_MCE_KILL || option == PR_SET_SPECULATION_CTRL ||
	       option == PR_SET_IO_FLUSHER;
}

static bool asks_thread(int option)
{
	return option == PR_GET_PDEATHSIG || option == PR_GET_TIMERSLACK || option == PR_MCE_KILL_GET || option == PR_GET_SPECULATION_CTRL ||
	       option == PR_GET_IO_FLUSHER;
}

/* simul keeps the names of threads (pthread_setname_np). The kernel knows that of the first one. */
static int name_of_thread(int option, char *name)
{
	if (!ctl_enter())
		return real_prctl(option, (unsigned long)name, 0, 0, 0);
	struct fiber *f = fiber_cur;
	const char *shown = f->name[0] ? f->name : program_invocation_short_name;
	int r = 0;

	if (option == PR_GET_NAME) {
		size_t length = strnlen(shown, sizeof(f->name) - 1);

		memset(name, 0, sizeof(f->name));
		memcpy(name, shown, length);
	} else {
		snprintf(f->name, sizeof(f->name), "%.15s", name);
		if (f == fiber_first)
			r = real_prctl(option, (unsigned long)name, 0, 0, 0);
	}
	ctl_leave();
	return r;
}

/* Performs the event of an option that belongs to the whole process. */
static void option_of_process(int option, const void *pc)
{
	bool sets = option == PR_SET_DUMPABLE || option == PR_SET_CHILD_SUBREAPER || option == PR_SET_THP_DISABLE;
	bool asks = option == PR_GET_DUMPABLE || option == PR_GET_CHILD_SUBREAPER || option == PR_GET_THP_DISABLE;
	struct resources r = {.pc = pc};

	if ((!sets && !asks) || !ctl_enter_unnoticed())
		return;
	resources_add(&r, RESOURCE_options, sets ? RESOURCE_ADD : RESOURCE_READ, NULL);
	resources_perform(&r);
	ctl_leave();
}

int prctl(int option, ...)
{
	unsigned long a[4];
	va_list ap;

	va_start(ap, option); /* may read more arguments than were passed; that is harmless here, and glibc does so too */
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (option == PR_SET_NAME)
		changes_process(KEPT_NAME, true);
	else if (option != PR_GET_NAME)
		rewind_taint(SELF);
	if (option == PR_SET_SECCOMP && ctl_state == CTL_ON && !ctl_inside)
		return (int)guard_seccomp();
	if (option == PR_SET_SYSCALL_USER_DISPATCH && ctl_enter()) {
		ctl_uncontrolled("prctl(PR_SET_SYSCALL_USER_DISPATCH), which is simul's own: it was not done");
		ctl_leave();
		return 0;
	}
	if (option == PR_SET_TSC && a[0] == PR_TSC_SIGSEGV && ctl_enter()) {
		ctl_uncontrolled("prctl(PR_SET_TSC): it was not done, since simul reads the clock itself");
		ctl_leave();
		return 0;
	}
	if (option == PR_SET_NAME || option == PR_GET_NAME) {
		const uint64_t self[6] = {pthread_self()};
		bool set = option == PR_SET_NAME;

		effects_before(set ? effects_of_pthread_setname_np : effects_of_pthread_getname_np, self,
			__builtin_return_address(0));
		return name_of_thread(option, (char *)a[0]);
	}
	option_of_process(option, __builtin_return_address(0));
	if (asks_thread(option))
		thread_state_asked(SETTING_PRCTL, "prctl");
	if (sets_thread(option))
		thread_state_set(SETTING_PRCTL);
	int r = real_prctl(option, a[0], a[1], a[2], a[3]);

	if (r != -1 && changes_thread(option))
		thread_state_changed("prctl");
	return r;
}

/* The program must not become the debugger of simul. */
long ptrace(enum __ptrace_request request, ...)
{
	va_list ap;

	va_start(ap, request);
	pid_t pid = va_arg(ap, pid_t);
	void *addr = va_arg(ap, void *), *data = va_arg(ap, void *);

	va_end(ap);
	if (!ctl_enter())
		return process_standing(pid) == PROCESS_KEEPER && request != PTRACE_TRACEME ? (errno = EPERM, -1)
											     : real_ptrace(request, pid, addr, data);
	rewind_taint(SELF);
	outside_note("traces processes");
	if (request != PTRACE_TRACEME)
		process_refuse_keeper(pid, "ptrace");
	ctl_uncontrolled("ptrace: simul cannot follow a process that is traced");
	ctl_leave();
	return real_ptrace(request, pid, addr, data);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *local, unsigned long locals, const struct iovec *remote,
	unsigned long remotes, unsigned long flags)
{
	if (ctl_enter()) {
		rewind_taint("write to other processes");
		outside_note("writes to other processes");
		process_refuse_keeper(pid, "process_vm_writev");
		for (unsigned long i = 0; i < remotes && process_is_self(pid); i++)
			if (guard_overlaps((uintptr_t)remote[i].iov_base, remote[i].iov_len))
				guard_written((uintptr_t)remote[i].iov_base);
		if (process_is_self(pid)) {
			pid = process_kernel_pid();
			ctl_uncontrolled("process_vm_writev to the program's own memory: no access is seen");
		}
		ctl_leave();
	} else if (!process_may_change(pid, "process_vm_writev")) {
		return -1;
	}
	return real_process_vm_writev(pid, local, locals, remote, remotes, flags);
}

/* The hook checks the pid now, because later uses of the descriptor (signals, descriptors of the other process) are not seen. */
int pidfd_open(pid_t pid, unsigned int flags)
{
	if (ctl_enter()) {
		rewind_taint("leave files open");
		process_refuse_keeper(pid, "pidfd_open");
		if (process_is_self(pid)) {
			pid = process_kernel_pid();
			ctl_uncontrolled("pidfd_open of the program itself: signals sent that way are the kernel's");
		}
		ctl_leave();
	} else if (!process_may_change(pid, "pidfd_open")) {
		return -1;
	}
	return real_pidfd_open(pid, flags);
}
