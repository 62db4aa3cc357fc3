#include "preload/life/snapshot.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "explore/explore.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_restore.h"
#include "preload/life/fork.h"
#include "preload/kernel/shared_memory.h"
#include "preload/base/sys.h"
#include "preload/life/rewind.h"
#include "preload/life/rewind_policy.h"
#include "preload/life/run.h"
#include "preload/life/snapshot_trial.h"
#include "preload/life/zygote.h"
#include "preload/memory/window.h"
#include "preload/base/rules.h"

#define MAX_LEVELS ((uint32_t)SESSION_LEVELS) /* most snapshots that can be parked at a time */
/* The least duration of an execution that gets snapshots, and the least time between two snapshots, in units of a call of fork. A process
   costs several times the call: start, end, wait, pages copied. And the processes of snapshots do not stand by on another core. */
#define LONG 40
#define APART 6

/* Private memory: a process inherits these values. */
static uint32_t level;             /* snapshots between the checkpoint and here */
static uint32_t depth[MAX_LEVELS + 1]; /* by level: the number of events before the snapshot */
static uint64_t started;           /* the time at which the execution would have started if it had run without a break */
static uint64_t latest;            /* the time of the last snapshot, or of the execution's resumption from it */

/* The state of the session that belongs to the execution, at the latest snapshot. */
static struct kept {
	struct trace trace;
	uint32_t current;
	struct files_mark files;
	struct event *pending; /* MAX_IDS of them in a mapping, followed by alts */
} kept;

static void *search(void)
{
	return ctl_segment(ctl_session->layout.explore_off);
}

bool snapshot_inside(void)
{
	return level != 0;
}

/* Returns whether this search can use snapshots. */
static bool snapshot_possible(void)
{
	const struct session *s = ctl_session;
	return s->config.mode == MODE_EXPLORE && s->config.settings.threads == THREADS_FIBER && s->config.isolation != ISOLATION_EXEC &&
	       !s->config.pause_at_end && !s->config.no_snapshots && !s->ctl.warm_up.running && !shared_any() &&
	       explore_returns(search());
}

/* Returns whether a trial decides about snapshots. If tests want them at given places, they are made. */
static bool tries(void)
{
	const struct session_config *c = &ctl_session->config;
	return snapshot_possible() && (!c->snapshot_every || c->trial != TRIAL_MEASURED);
}

/* Returns whether a trial has not begun to use snapshots, or has ended them. */
static bool held_back(void)
{
	return tries() && !trial_allows(&ctl_session->ctl.rewind.trial);
}

void snapshot_begin(void)
{
	const struct session *s = ctl_session;
	/* what a fork costs, unless tests do not ask */
	bool known = s->ctl.rewind.fork_ticks || s->config.snapshot_every;
	snapshot_armed = known && snapshot_possible() && !held_back();
	started = latest = processor_ticks();
}

/* ---- saving and restoring ---- */

static void copy_ids(struct event *pending, uint8_t *alts, const struct event *from_pending, const uint8_t *from_alts)
{
	uint32_t threads = kept.trace.threads, agents = kept.trace.agents;
	memcpy(pending, from_pending, threads * sizeof *pending);
	memcpy(alts, from_alts, threads);
	memcpy(pending + MAX_THREADS, from_pending + MAX_THREADS, agents * sizeof *pending);
	memcpy(alts + MAX_THREADS, from_alts + MAX_THREADS, agents);
}

static uint8_t *kept_alts(void)
{
	return (uint8_t *)(kept.pending + MAX_IDS);
}

/* Saves the state. Returns false if some of it could not be restored later. */
static bool keep(void)
{
	if (!kept.pending) {
		void *p = sys_mmap(SYS_AWAY(4), MAX_IDS * (sizeof(struct event) + 1), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (sys_failed((long)p))
			return false;
		kept.pending = p;
	}
	kept.trace = ctl_trace;
	kept.current = ctl_session->ctl.execution.current;
	if (!files_mark(&kept.files) || !fd_mark())
		return false;
	copy_ids(kept.pending, kept_alts(), ctl_trace.pending, ctl_trace.alts);
	return true;
}

/* Restores the saved state, in the new process of an execution that begins with the same events as the last one. */
static void bring_back(void)
{
	ctl_trace = kept.trace;
	copy_ids(ctl_trace.pending, ctl_trace.alts, kept.pending, kept_alts());
	files_resume(&kept.files);
	window_resume();
	run_resume(kept.current);
}

/* ---- forking ---- */

static void enter_process(bool again)
{
	ctl_session->ctl.rewind.from_snapshot[level] = sys_getpid(); /* the child writes this, because the parent might write it too late */
	fd_restore();
	if (window_used() && rewind_at_window()) {
		ctl_session->ctl.rewind.resumed++;
		again = true;
	}
	uint64_t spent = latest - started;
	latest = processor_ticks();
	started = latest - spent;
	if (again)
		bring_back();
	else
		ctl_session->ctl.execution.exec_pid = fiber_first->kernel.tid;
}

/* Waits for the child's end. Returns when the next execution starts here; else the process ends. The child's own children may run a moment
   longer, and even end the execution. So the session is read before the turn is checked, which makes sure that the values belong to this
   turn. And a death is recorded with the number of its turn. */
static void await_turn(long child)
{
	struct session_control *c = &ctl_session->ctl;
	int status = execution_await((pid_t)child);
	uint32_t flight = __atomic_load_n(&c->execution.flight, __ATOMIC_ACQUIRE);
	bool here = flight == FLIGHT_NONE && c->execution.begun && c->rewind.resume_level == level;
	if (!zygote_has_turn()) /* the values read from the session may belong to another turn */
		sys_exit_group(0);
	if (here && !WIFSIGNALED(status) && c->rewind.death_turn != zygote_turn())
		return;
	if (c->rewind.death_turn != zygote_turn() && (flight == FLIGHT_RUNNING || WIFSIGNALED(status))) {
		c->rewind.death_status = status;
		__atomic_store_n(&c->rewind.death_turn, zygote_turn(), __ATOMIC_RELEASE);
	}
	sys_exit_group(0);
}

static void note_cost(uint64_t took)
{
	uint64_t *least = &ctl_session->ctl.rewind.snapshot_ticks;
	if (!*least || took < *least)
		*least = took;
}

/* Makes this process a snapshot. Returns in each process of an execution that continues from here. */
static void park(void)
{
	depth[++level] = ctl_trace.n;
	latest = processor_ticks();
	for (bool again = false;; again = true) {
		uint64_t before = processor_ticks();
		ctl_session->ctl.rewind.from_snapshot[level] = -1;
		long child = execution_fork();
		if (sys_failed(child)) { /* no more snapshots: this process continues the execution itself */
			ctl_session->ctl.rewind.from_snapshot[level] = 0;
			ctl_session->ctl.rewind.snapshots_off = 1;
			depth[level--] = 0;
			snapshot_armed = false;
			if (again)
				bring_back();
			return;
		}
		if (!child) {
			enter_process(again);
			return;
		}
		note_cost(processor_ticks() - before);
		await_turn(child);
		ctl_session->ctl.rewind.resumed++;
	}
}

/* ---- when ---- */

static uint64_t fork_cost(void)
{
	const struct session_control *c = &ctl_session->ctl;
	return c->rewind.snapshot_ticks > c->rewind.fork_ticks ? c->rewind.snapshot_ticks : c->rewind.fork_ticks;
}

/* Returns whether a snapshot pays here: the part since the last one costs more than a process. Snapshots are spread over the whole
   execution, so that MAX_LEVELS suffice. */
static bool pays_here(void)
{
	uint64_t whole = ctl_session->ctl.rewind.execution_ticks, since = processor_ticks() - latest;
	if (window_used())
		return rewind_possible_at_windows() || since > fork_cost() * APART;
	return whole > fork_cost() * LONG && since > fork_cost() * APART && since > whole / (MAX_LEVELS - 1);
}

/* ---- whether ---- */

void snapshot_planned(void)
{
	struct session_trial *t = &ctl_session->ctl.rewind.trial;
	t->planned = trial_open(t) && tries() ? processor_ticks() : 0;
}

/* Returns whether snapshots might shorten executions that take as long as the one that has ended. */
static bool takes_long(uint64_t ticks)
{
	const struct session_config *c = &ctl_session->config;
	if (rewind_wanted() && (c->isolation != ISOLATION_AUTO || snapshot_tainted))
		return false;
	return c->trial != TRIAL_MEASURED || (fork_cost() && ticks > fork_cost() * LONG);
}

/* Returns what the trial finds. Executions that are rewound to a window cost less than any other way, but few of
   the first ones are: the trial may also have one in slices, or one that makes the snapshot. */
static enum trial_verdict trial_finding(void)
{
	enum trial_verdict given = ctl_session->config.trial;
	bool rewinds = window_used() && rewind_possible_at_windows();
	return given == TRIAL_MEASURED && rewinds ? TRIAL_KEEPS : given;
}

bool snapshot_measured(void)
{
	struct session_rewind *r = &ctl_session->ctl.rewind;
	uint64_t now = processor_ticks(), planned = r->trial.planned;
	r->trial.planned = 0;
	if (!planned || now < planned || !tries())
		return false;
	struct trial_execution e = { .ticks = now - planned,
		.takes_long = takes_long(now - planned),
		.rewinds = rewind_wanted(),
		.shared = ctl_session->ctl.requests.shared_search };
	enum trial_change change = trial_add(&r->trial, &e, trial_finding());
	if (change == TRIAL_SAME || !r->trial.rewinds)
		return false;
	if (change == TRIAL_BEGINS) {
		r->execution_ticks = e.ticks;
		policy_stop("take long: they start in the middle, from snapshots");
	} else {
		policy_go_on();
	}
	return true;
}

/* Returns whether to make a snapshot before event n. Tests make them at any cost, before each event of some number.
   Executions with a window start there, or at the checkpoint. */
static bool wanted_here(uint32_t n)
{
	uint32_t every = ctl_session->config.snapshot_every;
	if (!n || (window_used() && !window_comes(n)))
		return false;
	if (!every)
		return pays_here();
	return depth[level] != n && (window_used() || n % every == 0);
}

void snapshot_look(void)
{
	if (!wanted_here(ctl_trace.n))
		return;
	if (level == MAX_LEVELS || snapshot_tainted || ctl_session->ctl.rewind.snapshots_off || !keep()) {
		snapshot_armed = false;
		return;
	}
	park();
}

bool snapshot_takes_over(void)
{
	struct session_control *c = &ctl_session->ctl;
	c->rewind.execution_ticks = processor_ticks() - started;
	c->rewind.resume_level = 0;
	if (!level || held_back())
		return false;
	uint32_t same = explore_repeats(search(), &ctl_trace), l = level;
	while (l && depth[l] > same)
		l--;
	c->rewind.resume_level = l;
	if (l && l == level)
		rewind_to_window();
	return l != 0;
}

void snapshot_status(uint32_t turn, int *status)
{
	const struct session_control *c = &ctl_session->ctl;
	if (c->rewind.death_turn == turn)
		*status = c->rewind.death_status;
}

/* Waits until the process is gone. Returns false after two seconds, because the pid may belong to another process by then. */
static bool await_gone(int32_t pid)
{
	const struct timespec patience = { .tv_sec = 2 };
	long fd = sys_call2(SYS_pidfd_open, pid, 0);
	if (sys_failed(fd))
		return fd == -ESRCH;
	struct pollfd p = { .fd = (int)fd, .events = POLLIN };
	long n = sys_call5(SYS_ppoll, (long)&p, 1, (long)&patience, 0, 8);
	sys_close((int)fd);
	return n == 1;
}

bool snapshot_await_gone(void)
{
	const struct timespec moment = { .tv_nsec = 20000000 };
	int32_t *pid = ctl_session->ctl.rewind.from_snapshot;
	bool gone = true;
	for (unsigned l = 1; l <= MAX_LEVELS; l++) {
		/* A fork is under way. The new process ends: it notices that its parent is gone, or gets the signal that kills it. */
		if (pid[l] < 0)
			sys_call4(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&moment, 0);
		gone = gone && (__atomic_load_n(&pid[l], __ATOMIC_ACQUIRE) <= 0 || await_gone(pid[l]));
		pid[l] = 0;
	}
	return gone;
}
