/* Sending signals. The model is in kernel/signal_send.c. */
#include "preload/base/real.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/hooks/hook_fail.h"
#include "preload/hooks/signal_sets.h"
#include "preload/kernel/process.h"
#include "preload/kernel/signal_disposition.h"
#include "preload/kernel/signals.h"
#include "preload/life/worker.h"

#include "preload/base/rules.h"

static siginfo_t make_info(int sig, int code)
{
	siginfo_t info = {.si_signo = sig, .si_code = code};

	info.si_pid = process_pid();
	info.si_uid = (uid_t)sys_call0(SYS_getuid);
	return info;
}

/* Returns whether this is a signal that an instruction or abort causes. Its default action ends in crash.c. */
static bool is_fatal(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGTRAP ||
		sig == SIGABRT || sig == SIGSYS;
}

static void send_to_self(const siginfo_t *info, const void *pc)
{
	int sig = info->si_signo;

	if (is_fatal(sig))
		disposition_reads(sig, pc);
	bool blocked = signals_mask(ctl_self()) & SIG_BIT(sig);

	if (is_fatal(sig) && !blocked && !signals_has_handler(sig) && !signals_is_ignored(sig)) {
		ctl_leave();
		*ctl_selector = 0; /* or the dispatcher would take this for a system call past libc, and call raise() again */
		sys_tgkill(sys_getpid(), sys_gettid(), sig);
		ctl_force_enter();
	} else {
		signals_send_self(info);
	}
}

/* Call it between ctl_enter and ctl_leave. A thread that has ended ignores the signal. Sending it is an event all the same, because the
   signal could have come before the end. Signal 0 is an event too: its result says whether the thread still exists. */
static void send_to_thread(thread_id t, const siginfo_t *info, const void *pc)
{
	if (t != ctl_self())
		signals_send(t, false, info, pc);
	else if (info->si_signo)
		send_to_self(info, pc);
}

/* Returns 0 or an errno value. A thread can be signalled until it is joined. */
static int send_by_handle(pthread_t handle, const siginfo_t *info, const void *pc)
{
	thread_id t = fiber_thread_or_crash(handle);

	if (t == NO_THREAD)
		return ESRCH;
	send_to_thread(t, info, pc);
	return fiber_by_handle(handle) ? 0 : ESRCH;
}

static int send_to_process(const siginfo_t *info, const void *pc)
{
	if (info->si_signo == 0)
		return 0;
	if (signals_choose_target(info->si_signo) == ctl_self())
		send_to_self(info, pc);
	else
		signals_send(NO_THREAD, true, info, pc);
	return 0;
}

int raise(int sig)
{
	if (!ctl_enter())
		return real_raise(sig);
	if (sig && !signal_usable(sig))
		return hook_fail(EINVAL);
	siginfo_t info = make_info(sig, SI_TKILL);

	if (sig)
		send_to_self(&info, __builtin_return_address(0));
	ctl_leave();
	return 0;
}

int gsignal(int sig)
{
	return raise(sig);
}

int pthread_kill(pthread_t handle, int sig)
{
	if (!ctl_enter())
		return real_pthread_kill(handle, sig);
	siginfo_t info = make_info(sig, SI_TKILL);
	int err = sig && !signal_usable(sig) ? EINVAL : send_by_handle(handle, &info, __builtin_return_address(0));

	ctl_leave();
	return err;
}

int pthread_sigqueue(pthread_t handle, int sig, const union sigval value)
{
	if (!ctl_enter())
		return real_pthread_sigqueue(handle, sig, value);
	siginfo_t info = make_info(sig, SI_QUEUE);

	info.si_value = value;
	int err = sig && !signal_usable(sig) ? EINVAL : send_by_handle(handle, &info, __builtin_return_address(0));

	ctl_leave();
	return err;
}

/* Call it before `call` sends a signal to another process with the real call. */
static void about_to_signal(pid_t pid, int sig, const char *call)
{
	if (sig) {
		process_refuse_keeper(pid, call);
		if (process_standing(pid) == PROCESS_STRANGER)
			ctl_uncontrolled("a signal to a process that the program did not start");
	}
	outside_note("sends signals to other processes");
	process_wakeups++;
}

static int kill_other(pid_t pid, int sig)
{
	about_to_signal(pid, sig, "kill");
	long r = sys_kill(pid, sig);

	return sys_failed(r) ? hook_fail((int)-r) : (ctl_leave(), 0);
}

int kill(pid_t pid, int sig)
{
	if (!ctl_enter())
		return process_may_signal(pid, sig) ? real_kill(pid, sig) : -1;
	if (sig && !signal_usable(sig) && sig != 32 && sig != 33)
		return hook_fail(EINVAL);
	if (pid == 0 || pid == -process_pid())
		ctl_uncontrolled("kill of the process group (only the program itself was signalled)");
	else if (!process_is_self(pid))
		return kill_other(pid, sig);
	siginfo_t info = make_info(sig, SI_USER);

	send_to_process(&info, __builtin_return_address(0));
	ctl_leave();
	return 0;
}

int killpg(pid_t group, int sig)
{
	if (group < 0) {
		errno = EINVAL;
		return -1;
	}
	return kill(-group, sig);
}

int sigqueue(pid_t pid, int sig, const union sigval value)
{
	if (!ctl_enter())
		return process_may_signal(pid, sig) ? real_sigqueue(pid, sig, value) : -1;
	if (!process_is_self(pid)) {
		about_to_signal(pid, sig, "sigqueue");
		ctl_leave();
		return real_sigqueue(pid, sig, value);
	}
	if (sig && !signal_usable(sig))
		return hook_fail(EINVAL);
	siginfo_t info = make_info(sig, SI_QUEUE);

	info.si_value = value;
	send_to_process(&info, __builtin_return_address(0));
	ctl_leave();
	return 0;
}

long signals_tgkill(int tgid, int tid, int sig, const void *pc)
{
	thread_id t = process_any_thread_of_tid(tid);

	if (tgid != -1 && !process_is_self(tgid)) {
		about_to_signal(tgid, sig, "tgkill");
		return sys_tgkill(tgid, tid, sig);
	}
	if (sig && !signal_usable(sig))
		return -EINVAL;
	siginfo_t info = make_info(sig, SI_TKILL);

	if (t == NO_THREAD)
		return -ESRCH;
	send_to_thread(t, &info, pc);
	return world_alive(ctl_world, t) ? 0 : -ESRCH;
}

int tgkill(pid_t tgid, pid_t tid, int sig)
{
	if (!ctl_enter())
		return process_may_signal(tgid, sig) ? real_tgkill(tgid, tid, sig) : -1;
	long r = signals_tgkill(tgid, tid, sig, __builtin_return_address(0));

	return r < 0 ? hook_fail((int)-r) : (ctl_leave(), 0);
}
