/* Decides when a wait for a child of the program is enabled; see process.h. hook_process.c has the calls. */
#include <sys/wait.h>
#include <time.h>

#include "base/units.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/process.h"
#include "preload/base/rules.h"

bool process_has_children(void)
{
	siginfo_t si;

	return !sys_waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT, NULL);
}

/* The real time that a wait gives a child to end by itself. A child that ends in this time has ended at this point in all executions. Any
   other child is assumed to wait for the program's threads. */
#define PATIENCE_MS 1000
#define IMPATIENCE_MS 50 /* used instead of PATIENCE_MS after one wait of this session took too long */
#define REACTION_MS 10   /* real time for the child to end after a thread may have woken it */

unsigned process_wakeups;
bool process_started;

static bool child_ready(const struct child_wait *w)
{
	siginfo_t si = {.si_pid = 0};
	long r = sys_waitid(w->idtype, w->id, &si, w->options | WNOHANG | WNOWAIT, NULL);

	return r < 0 || si.si_pid != 0; /* an error also counts as ready: the call returns at once */
}

static bool ends_within(const struct child_wait *w, unsigned ms)
{
	unsigned nap_us = 50;

	for (unsigned us = 0; !child_ready(w); us += nap_us, nap_us = nap_us < 2000 ? 2 * nap_us : nap_us) {
		const struct timespec nap = {.tv_nsec = nap_us * 1000};

		if (us >= ms * 1000)
			return false;
		sys_call2(SYS_nanosleep, (long)&nap, 0);
	}
	return true;
}

uint64_t process_real_time(void)
{
	struct timespec now = {0};

	sys_call2(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

bool process_ready_in_time(struct child_wait *w)
{
	uint32_t *expired = &ctl_session->ctl.execution.wait_expired;
	bool again = w->patient;

	if (again && w->wakeups == process_wakeups)
		return child_ready(w);
	if (ends_within(w, again ? REACTION_MS : *expired ? IMPATIENCE_MS : PATIENCE_MS))
		return true;
	*expired = 1;
	w->patient = true;
	w->wakeups = process_wakeups;
	return false;
}

bool process_wait_ready(const struct op *op)
{
	return (op->flags & OPF_TIMED) || process_ready_in_time((struct child_wait *)(uintptr_t)op->arg[0]);
}
