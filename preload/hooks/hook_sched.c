/*
 * Scheduling policies, priorities and CPU affinities of threads. These calls name threads by the ids that the program sees, which are not
 * the kernel's. The hooks replace the id of each thread of the program by the kernel's id of the caller, because all fibers run on one
 * kernel thread. So the calls succeed and fail as they do natively, and the program reads back what it has set. Only one thread runs at a
 * time, so a setting changes no schedule.
 */
#include "preload/base/real.h"

#include <sched.h>
#include <sys/resource.h>

#include "preload/kernel/process.h"
#include "preload/life/rewind.h"

#include "preload/base/rules.h"

#define ASKS(name, params, args)                                                                   \
	int name params                                                                            \
	{                                                                                          \
		pid = process_kernel_id(pid);                                                      \
		return real_##name args;                                                           \
	}

#define SETS(name, params, args)                                                                   \
	int name params                                                                            \
	{                                                                                          \
		pid = process_kernel_id(pid);                                                      \
		rewind_taint("change the process itself");                                         \
		return process_may_change(pid, #name) ? real_##name args : -1;                     \
	}

ASKS(sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *set), (pid, n, set))
ASKS(sched_getparam, (pid_t pid, struct sched_param *param), (pid, param))
ASKS(__sched_getparam, (pid_t pid, struct sched_param *param), (pid, param))
ASKS(sched_getscheduler, (pid_t pid), (pid))
ASKS(__sched_getscheduler, (pid_t pid), (pid))
ASKS(sched_rr_get_interval, (pid_t pid, struct timespec *ts), (pid, ts))
SETS(sched_setaffinity, (pid_t pid, size_t n, const cpu_set_t *set), (pid, n, set))
SETS(sched_setparam, (pid_t pid, const struct sched_param *param), (pid, param))
SETS(sched_setscheduler, (pid_t pid, int policy, const struct sched_param *param), (pid, policy, param))
SETS(__sched_setscheduler, (pid_t pid, int policy, const struct sched_param *param), (pid, policy, param))

static id_t nice_id(__priority_which_t which, id_t who)
{
	return which == PRIO_PROCESS ? (id_t)process_kernel_id((pid_t)who) : who;
}

int getpriority(__priority_which_t which, id_t who)
{
	return real_getpriority(which, nice_id(which, who));
}

int setpriority(__priority_which_t which, id_t who, int value)
{
	id_t id = nice_id(which, who);

	rewind_taint("change the process itself");
	if (which == PRIO_PROCESS && !process_may_change((pid_t)id, "setpriority"))
		return -1;
	return real_setpriority(which, id, value);
}
