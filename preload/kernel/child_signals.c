/*
 * When SIGCHLD is sent; see child_signals.h.
 *
 * The kernel sends it when a child ends. The time of that is the child's own. So simul sends it where the schedule
 * decides: when the child is reaped, when a thread lets time pass, and when no thread is enabled.
 */
#include "preload/kernel/child_signals.h"

#include <sys/wait.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/process.h"
#include "preload/kernel/signals.h"
#include "preload/base/rules.h"

#define MAX_CHILDREN 256 /* for further ones, SIGCHLD is sent when they are reaped */
#define NAP_MS 1

/* The children that were started and not reaped, oldest first. Private memory: they belong to the execution. */
static struct child {
	pid_t pid;
	bool reported; /* SIGCHLD was sent */
} children[MAX_CHILDREN];
static unsigned n_children;
static unsigned unknown; /* children of popen whose pids are not known yet */

static struct process_patience patience; /* with all children that were started until now */

/* Returns whether a SIGCHLD for a child that ends would do something. */
static bool awaited(void)
{
	return !signals_is_dropped(SIGCHLD);
}

void child_signals_started(pid_t pid)
{
	patience = (struct process_patience){0};
	if (n_children < MAX_CHILDREN)
		children[n_children++] = (struct child){pid, false};
}

void child_signals_started_some(void)
{
	unknown++;
}

static void forget(unsigned i)
{
	n_children--;
	for (; i < n_children; i++)
		children[i] = children[i + 1];
}

/* Returns the first child that has ended and for which SIGCHLD was not sent; NULL: there is none. Forgets children that
   are gone. */
static struct child *ended(siginfo_t *info)
{
	for (unsigned i = 0; i < n_children;) {
		*info = (siginfo_t){.si_pid = 0};
		if (children[i].reported)
			i++;
		else if (sys_waitid(P_PID, (id_t)children[i].pid, info, WEXITED | WNOHANG | WNOWAIT, NULL))
			forget(i);
		else if (info->si_pid)
			return &children[i];
		else
			i++;
	}
	return NULL;
}

static void send(const siginfo_t *info, const void *pc)
{
	if (awaited())
		signals_arrive(info, pc);
}

/* Notes that the child was reaped. Returns whether SIGCHLD was sent for it. */
static bool was_reported(pid_t pid)
{
	for (unsigned i = 0; i < n_children; i++)
		if (children[i].pid == pid) {
			bool reported = children[i].reported;

			forget(i);
			return reported;
		}
	return false;
}

void child_signals_reaped(const siginfo_t *info, const void *pc)
{
	bool exited = info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;

	if (exited && !was_reported(info->si_pid))
		send(info, pc);
}

void child_signals_reaped_some(const void *pc)
{
	siginfo_t info;
	bool reported = false, known = false;

	for (unsigned i = 0; i < n_children; i++)
		if (sys_waitid(P_PID, (id_t)children[i].pid, &info, WEXITED | WNOHANG | WNOWAIT, NULL)) {
			reported = children[i].reported;
			known = true;
			forget(i);
			break;
		}
	unknown -= !known && unknown;
	if (!reported)
		send(&(siginfo_t){.si_signo = SIGCHLD, .si_code = CLD_EXITED}, pc);
}

/* Returns whether a child is left whose SIGCHLD was not sent. */
static bool some_unreported(void)
{
	for (unsigned i = 0; i < n_children; i++)
		if (!children[i].reported)
			return true;
	return false;
}

static bool still_runs(const struct child *c)
{
	siginfo_t info = {.si_pid = 0};

	return !c->reported && !sys_waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT, NULL) &&
	       !info.si_pid;
}

/* Whether they have ended: all of them, so that their order does not matter; or one, after these have not ended in
   time. */
static bool have_ended(const void *all, unsigned ms)
{
	const struct timespec nap = {.tv_nsec = NAP_MS * 1000000L};
	siginfo_t info;

	/* at least one nap: a loop of sleeps must give a slow child time to end */
	for (unsigned passed = 0;; passed += NAP_MS) {
		unsigned run = 0;

		for (unsigned i = 0; i < n_children; i++)
			run += still_runs(&children[i]);
		if (!run || (!all && ended(&info)))
			return true;
		if (passed && passed >= ms)
			return false;
		sys_call2(SYS_nanosleep, (long)&nap, 0);
	}
}

/* Gives the children time to end, as process_patient does. */
static void await_ends(const void *pc)
{
	process_patient(&patience, have_ended, patience.over ? NULL : &patience, (uintptr_t)pc);
}

void child_signals_at_rest(const void *pc)
{
	siginfo_t info;

	if (!some_unreported() || !awaited())
		return;
	await_ends(pc);
	for (struct child *c; (c = ended(&info));) {
		c->reported = true;
		signals_arrive(&info, pc);
	}
}

/* Adds a child of popen that has ended. */
static void find_unknown(void)
{
	siginfo_t info = {.si_pid = 0};

	if (!unknown || sys_waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, NULL) || !info.si_pid)
		return;
	for (unsigned i = 0; i < n_children; i++)
		if (children[i].pid == info.si_pid)
			return;
	unknown--;
	child_signals_started(info.si_pid);
}

bool child_signals_to_come(void)
{
	return awaited() && (unknown || some_unreported());
}

bool child_signals_idle(void)
{
	siginfo_t info;
	bool some = false;

	if (!child_signals_to_come())
		return false;
	find_unknown();
	if (!patience.over)
		await_ends(NULL);
	for (struct child *c; (c = ended(&info));) {
		c->reported = some = true;
		signals_post(NO_THREAD, &info);
	}
	return some;
}
