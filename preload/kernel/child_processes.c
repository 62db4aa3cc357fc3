/* Decides when a wait for a child of the program is enabled; see process.h. hook_process.c has the calls. */
#include <sys/wait.h>
#include <time.h>

#include "base/units.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/kernel/process.h"
#include "preload/kernel/stuck_processes.h"
#include "preload/base/rules.h"

bool process_has_children(void)
{
	static bool none; /* there were none when the program had not started any */
	siginfo_t si;

	if (none && !process_started)
		return false; /* the usual case must cost no system call */
	bool some = !sys_waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT, NULL);
	none = !some && !process_started;
	return some;
}

/* The real time that a wait gives a child to end by itself. A child that ends in this time has ended at this point in all executions. Any
   other child is assumed to wait for the program's threads. */
#define PATIENCE_MS 1000
#define IMPATIENCE_MS 50 /* used instead of PATIENCE_MS after one wait of this session took too long */
#define REACTION_MS 10   /* real time for the child to end after a thread may have woken it */

#define BUSY_US 1000     /* real time for a child to become idle, after one of this execution was at work too long */
#define SETTLE_NAP_US 100

unsigned process_wakeups, process_reads;
bool process_started;

static bool child_ready(const struct child_wait *w)
{
	siginfo_t si = {.si_pid = 0};
	long r = sys_waitid(w->idtype, w->id, &si, w->options | WNOHANG | WNOWAIT, NULL);

	return r < 0 || si.si_pid != 0; /* an error also counts as ready: the call returns at once */
}

static bool ends_within(const void *what, unsigned ms)
{
	const struct child_wait *w = what;
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

/* The operation became ready although no thread has done anything for it: it was only slow. */
static void note_slow(const struct process_patience *p, uint64_t pc)
{
	if (p->wakeups == process_wakeups && p->reads == process_reads && p->events != ctl_trace.n)
		except_for_past(EXCEPT_SLOW_PROCESS, pc);
}

bool process_patient(struct process_patience *p, bool (*ready_within)(const void *what, unsigned ms), const void *what,
	uint64_t pc)
{
	uint32_t *expired = &ctl_session->ctl.execution.wait_expired;
	bool woken = p->over && p->wakeups != process_wakeups;
	unsigned ms = *expired ? IMPATIENCE_MS : PATIENCE_MS;

	if (p->over)
		ms = woken ? REACTION_MS : 0;
	if (ready_within(what, ms)) {
		if (p->over)
			note_slow(p, pc);
		return true;
	}
	if (!p->over || woken)
		*p = (struct process_patience){true, process_wakeups, process_reads, ctl_trace.n};
	*expired = 1;
	return false;
}

void process_settle(void)
{
	static bool busy;
	const struct timespec nap = {.tv_nsec = SETTLE_NAP_US * 1000};
	uint32_t *expired = &ctl_session->ctl.execution.wait_expired;
	unsigned limit = busy ? BUSY_US : 1000u * (*expired ? IMPATIENCE_MS : PATIENCE_MS), asleep = 0;

	if (!process_started || !process_has_children())
		return;
	for (unsigned us = 0; asleep < 2; us += SETTLE_NAP_US) { /* it may sleep for a moment only */
		asleep = stuck_processes_asleep() ? asleep + 1 : 0;
		if (us >= limit) {
			busy = true;
			*expired = 1;
			return;
		}
		sys_call2(SYS_nanosleep, (long)&nap, 0);
	}
}

bool process_ready_in_time(struct child_wait *w, uint64_t pc)
{
	return process_patient(&w->patience, ends_within, w, pc);
}

bool process_wait_ready(const struct op *op)
{
	return (op->flags & OPF_TIMED) || process_ready_in_time((struct child_wait *)(uintptr_t)op->arg[0], op->pc);
}
