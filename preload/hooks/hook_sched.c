/*
 * Scheduling policies, priorities and CPU affinities of threads. These calls name threads by the ids that the program sees, which are not
 * the kernel's. The hooks replace the id of each thread of the program by the kernel's id of the caller, because all fibers run on one
 * kernel thread. So the calls succeed and fail as they do natively. Only one thread runs at a time, so a setting changes no schedule. When the
 * program asks for settings that differ between threads, the search continues with kernel threads (thread_state.h).
 */
#include "preload/base/real.h"
#include "preload/base/sys.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "preload/control/fiber.h"
#include "preload/hooks/changes_process.h"
#include "preload/kernel/process.h"
#include "preload/kernel/thread_state.h"
#include "preload/life/rewind.h"

#include "preload/base/rules.h"

#define ASKS(name, setting, params, args)                                                                   \
	int name params                                                                            \
	{                                                                                          \
		thread_state_asked(setting, #name);                                                \
		pid = process_kernel_id(pid);                                                      \
		return real_##name args;                                                           \
	}

static unsigned kept_of(enum thread_setting setting)
{
	return setting == SETTING_PROCESSORS ? KEPT_PROCESSORS : KEPT_SCHEDULING;
}

#define SETS(name, setting, params, args)                                                                   \
	int name params                                                                            \
	{                                                                                          \
		struct thread_value before;                                                        \
		pid = process_kernel_id(pid);                                                      \
		changes_process(kept_of(setting), !pid);                                           \
		thread_state_before(setting, &before);                                             \
		int r = process_may_change(pid, #name) ? real_##name args : -1;                    \
		thread_state_after(setting, &before);                                              \
		return r;                                                                          \
	}

ASKS(sched_getaffinity, SETTING_PROCESSORS, (pid_t pid, size_t n, cpu_set_t *set), (pid, n, set))
ASKS(sched_getparam, SETTING_PRIORITY, (pid_t pid, struct sched_param *param), (pid, param))
ASKS(__sched_getparam, SETTING_PRIORITY, (pid_t pid, struct sched_param *param), (pid, param))
ASKS(sched_getscheduler, SETTING_PRIORITY, (pid_t pid), (pid))
ASKS(__sched_getscheduler, SETTING_PRIORITY, (pid_t pid), (pid))
ASKS(sched_rr_get_interval, SETTING_PRIORITY, (pid_t pid, struct timespec *ts), (pid, ts))
SETS(sched_setaffinity, SETTING_PROCESSORS, (pid_t pid, size_t n, const cpu_set_t *set), (pid, n, set))
SETS(sched_setparam, SETTING_PRIORITY, (pid_t pid, const struct sched_param *param), (pid, param))
SETS(sched_setscheduler, SETTING_PRIORITY, (pid_t pid, int policy, const struct sched_param *param), (pid, policy, param))
SETS(__sched_setscheduler, SETTING_PRIORITY, (pid_t pid, int policy, const struct sched_param *param), (pid, policy, param))

static id_t nice_id(__priority_which_t which, id_t who)
{
	return which == PRIO_PROCESS ? (id_t)process_kernel_id((pid_t)who) : who;
}

int getpriority(__priority_which_t which, id_t who)
{
	if (which == PRIO_PROCESS)
		thread_state_asked(SETTING_PRIORITY, "getpriority");
	return real_getpriority(which, nice_id(which, who));
}

int setpriority(__priority_which_t which, id_t who, int value)
{
	id_t id = nice_id(which, who);
	struct thread_value before;

	changes_process(KEPT_SCHEDULING, which == PRIO_PROCESS && !id);
	if (which == PRIO_PROCESS && !process_may_change((pid_t)id, "setpriority"))
		return -1;
	thread_state_before(SETTING_PRIORITY, &before);
	int r = real_setpriority(which, id, value);

	if (which == PRIO_PROCESS)
		thread_state_after(SETTING_PRIORITY, &before);
	return r;
}

int nice(int by)
{
	struct thread_value before;

	changes_process(KEPT_SCHEDULING, true);
	thread_state_before(SETTING_PRIORITY, &before);
	int r = real_nice(by);

	thread_state_after(SETTING_PRIORITY, &before);
	return r;
}

/* The lowest processor on which the caller may run. The one on which it does run depends on the kernel, so executions
   would differ. */
static int processor(void)
{
	uint64_t set[128];
	long n = sys_call3(SYS_sched_getaffinity, 0, sizeof set, (long)set);
	for (long i = 0; i < n / 8; i++)
		if (set[i])
			return (int)(64 * i + __builtin_ctzll(set[i]));
	return 0;
}

int sched_getcpu(void)
{
	thread_state_asked(SETTING_PROCESSORS, "sched_getcpu");
	return ctl_state == CTL_ON ? processor() : real_sched_getcpu();
}

/* The kernel numbers the nodes of its memory from 0, with the lowest processors. */
int getcpu(unsigned *cpu, unsigned *node)
{
	thread_state_asked(SETTING_PROCESSORS, "getcpu");
	if (ctl_state != CTL_ON)
		return real_getcpu(cpu, node);
	if (cpu)
		*cpu = (unsigned)processor();
	if (node)
		*node = 0;
	return 0;
}

/* ---- by handle: a fiber's own kernel thread is parked, and stays as it is for later executions ---- */

static bool by_caller(pthread_t handle, int *err)
{
	if (ctl_state != CTL_ON || ctl_inside || ctl_session->config.settings.threads == THREADS_KERNEL)
		return false;
	*err = fiber_by_handle(handle) ? 0 : ESRCH;
	return true;
}

#define BY_HANDLE(name, about, params, args, result)                                               \
	int name params                                                                            \
	{                                                                                          \
		int err;                                                                           \
		about;                                                                             \
		if (!by_caller(handle, &err))                                                      \
			return real_##name args;                                                   \
		if (!err && (result) < 0)                                                          \
			err = errno;                                                               \
		return err;                                                                        \
	}

#define SETS_BY_HANDLE(name, setting, params, args, result)                                        \
	int name params                                                                            \
	{                                                                                          \
		struct thread_value before;                                                        \
		int err;                                                                           \
		changes_process(kept_of(setting), true);                                           \
		if (!by_caller(handle, &err))                                                      \
			return real_##name args;                                                   \
		thread_state_before(setting, &before);                                             \
		if (!err && (result) < 0)                                                          \
			err = errno;                                                               \
		thread_state_after(setting, &before);                                              \
		return err;                                                                        \
	}

BY_HANDLE(pthread_getaffinity_np, thread_state_asked(SETTING_PROCESSORS, "pthread_getaffinity_np"), (pthread_t handle, size_t n, cpu_set_t *set), (handle, n, set),
	real_sched_getaffinity(0, n, set))
BY_HANDLE(pthread_getschedparam, thread_state_asked(SETTING_PRIORITY, "pthread_getschedparam"), (pthread_t handle, int *policy, struct sched_param *param),
	(handle, policy, param), (*policy = real_sched_getscheduler(0)) < 0 ? -1 : real_sched_getparam(0, param))
SETS_BY_HANDLE(pthread_setaffinity_np, SETTING_PROCESSORS, (pthread_t handle, size_t n, const cpu_set_t *set),
	(handle, n, set), real_sched_setaffinity(0, n, set))
SETS_BY_HANDLE(pthread_setschedparam, SETTING_PRIORITY, (pthread_t handle, int policy, const struct sched_param *param),
	(handle, policy, param), real_sched_setscheduler(0, policy, param))
SETS_BY_HANDLE(pthread_setschedprio, SETTING_PRIORITY, (pthread_t handle, int priority), (handle, priority),
	real_sched_setparam(0, &(struct sched_param){ .sched_priority = priority }))
