#include "preload/life/snapshot.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "explore/explore.h"
#include "preload/control/core.h"
#include "preload/control/ctl.h"
#include "preload/base/dispatch.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_restore.h"
#include "preload/life/rewind.h"
#include "preload/kernel/shared_memory.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MAX_LEVELS ((uint32_t)SESSION_LEVELS) /* parked at a time */
/* In calls of fork: what an execution must take so that it is worth a thought, and what lies between two snapshots. A process costs several times
   what the call does: start, end, wait, pages copied; and those of snapshots do not stand by on another core. */
#define LONG 40
#define APART 6

/* Private: a process has what its ancestors had. */
static uint32_t level;             /* snapshots between the checkpoint and here */
static uint32_t depth[MAX_LEVELS + 1]; /* events before each, by level */
static uint64_t started;           /* when the execution would have started, had it run in one go */
static uint64_t latest;            /* and when the last snapshot was made, or it was resumed */

/* The state of the session at the latest snapshot, as far as it belongs to the execution. */
static struct kept {
	struct trace trace;
	uint32_t current;
	struct files_mark files;
	struct event *pending; /* MAX_IDS of them, in a mapping; behind them alts */
} kept;

static void *search(void)
{
	return ctl_segment(ctl_session->layout.explore_off);
}

bool snapshot_inside(void)
{
	return level != 0;
}

/* Can this search make use of snapshots, as far as is known? */
static bool snapshot_possible(void)
{
	const struct session *s = ctl_session;
	return s->config.mode == MODE_EXPLORE && s->config.threads == THREADS_FIBER && s->config.isolation != ISOLATION_EXEC &&
	       !s->config.pause_at_end && !s->config.no_snapshots && s->ctl.learning == LEARNING_NONE && explore_backtracks(search()) &&
	       !snapshot_tainted && !shared_any();
}

void snapshot_begin(void)
{
	snapshot_tainted = false;
	snapshot_armed = !rewind_wanted() && snapshot_possible() && (ctl_session->ctl.fork_ticks || ctl_session->config.snapshot_every);
	started = latest = sys_ticks();
}

/* ---- what is kept ---- */

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

/* false: something cannot be brought back here. */
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
	kept.current = ctl_session->ctl.current;
	if (!files_mark(&kept.files) || !fd_mark())
		return false;
	copy_ids(kept.pending, kept_alts(), ctl_trace.pending, ctl_trace.alts);
	return true;
}

/* In a new process of an execution that begins as the last one did. */
static void bring_back(void)
{
	ctl_trace = kept.trace;
	copy_ids(ctl_trace.pending, ctl_trace.alts, kept.pending, kept_alts());
	files_resume(&kept.files);
	run_resume(kept.current);
}

/* ---- forking ---- */

static void enter_process(long parent, bool again)
{
	sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
	if (sys_call0(SYS_getppid) != parent) /* it died before it could take us along */
		sys_exit_group(0);
	ctl_session->ctl.from_snapshot[level] = sys_getpid(); /* by itself: its parent may be late, and write over what came after */
	fiber_after_fork();
	dispatch_on(ctl_selector);
	fd_restore();
	uint64_t spent = latest - started;
	latest = sys_ticks();
	started = latest - spent;
	if (again)
		bring_back();
	else
		ctl_session->ctl.exec_pid = fiber_first->tid;
}

/* The child has ended. Returns when the next execution starts here. Its own children may still run for a moment, and even end the execution:
   what is read before it is seen to be this turn is about this turn, and what is noted carries its number. */
static void await_turn(long child)
{
	struct session_control *c = &ctl_session->ctl;
	int status = 0;
	while (sys_wait4((pid_t)child, &status, 0, NULL) == -EINTR)
		;
	uint32_t flight = __atomic_load_n(&c->flight, __ATOMIC_ACQUIRE);
	bool here = flight == FLIGHT_NONE && c->begun && c->resume_level == level;
	if (!zygote_has_turn()) /* whatever the session says is about others */
		sys_exit_group(0);
	if (here && !WIFSIGNALED(status) && c->death_turn != zygote_turn())
		return;
	if (c->death_turn != zygote_turn() && (flight == FLIGHT_RUNNING || WIFSIGNALED(status))) {
		c->death_status = status;
		__atomic_store_n(&c->death_turn, zygote_turn(), __ATOMIC_RELEASE);
	}
	sys_exit_group(0);
}

static void note_cost(uint64_t took)
{
	uint64_t *least = &ctl_session->ctl.snapshot_ticks;
	if (!*least || took < *least)
		*least = took;
}

/* Returns in each process of an execution that goes on from here. */
static void park(void)
{
	depth[++level] = ctl_trace.n;
	latest = sys_ticks();
	for (bool again = false;; again = true) {
		uint64_t before = sys_ticks();
		ctl_session->ctl.from_snapshot[level] = -1;
		long me = sys_getpid(), child = sys_fork();
		if (sys_failed(child)) { /* it was possible before: no more of that, this process goes on itself */
			ctl_session->ctl.from_snapshot[level] = 0;
			ctl_session->ctl.snapshots_off = 1;
			depth[level--] = 0;
			snapshot_armed = false;
			if (again)
				bring_back();
			return;
		}
		if (!child) {
			enter_process(me, again);
			return;
		}
		note_cost(sys_ticks() - before);
		await_turn(child);
		ctl_session->ctl.resumed++;
	}
}

/* ---- when ---- */

static uint64_t fork_cost(void)
{
	const struct session_control *c = &ctl_session->ctl;
	return c->snapshot_ticks > c->fork_ticks ? c->snapshot_ticks : c->fork_ticks;
}

bool snapshot_pays(uint64_t ticks)
{
	return snapshot_possible() && fork_cost() && ticks > fork_cost() * LONG;
}

/* What has been done since the last snapshot costs more than a process. And they should last for all of an execution. */
static bool worth(void)
{
	uint64_t whole = ctl_session->ctl.execution_ticks, since = sys_ticks() - latest;
	return whole > fork_cost() * LONG && since > fork_cost() * APART && since > whole / (MAX_LEVELS - 1);
}

void snapshot_look(void)
{
	uint32_t every = ctl_session->config.snapshot_every, n = ctl_trace.n;
	if (!n || !(every ? n % every == 0 && depth[level] != n : worth()))
		return;
	if (level == MAX_LEVELS || snapshot_tainted || ctl_session->ctl.snapshots_off || !keep()) {
		snapshot_armed = false;
		return;
	}
	park();
}

bool snapshot_takes_over(void)
{
	struct session_control *c = &ctl_session->ctl;
	c->execution_ticks = sys_ticks() - started;
	c->resume_level = 0;
	if (!level)
		return false;
	uint32_t same = explore_repeats(search(), &ctl_trace), l = level;
	while (l && depth[l] > same)
		l--;
	c->resume_level = l;
	return l != 0;
}

void snapshot_status(uint32_t turn, int *status)
{
	const struct session_control *c = &ctl_session->ctl;
	if (c->death_turn == turn)
		*status = c->death_status;
}

/* A process that is gone may have given its number to another, which is waited for in vain. */
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
	int32_t *pid = ctl_session->ctl.from_snapshot;
	bool gone = true;
	for (unsigned l = 1; l <= MAX_LEVELS; l++) {
		/* It sees that its parent is gone before it does anything, or the signal that kills it was sent before the parent was gone. */
		if (pid[l] < 0)
			sys_call4(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&moment, 0);
		gone = gone && (__atomic_load_n(&pid[l], __ATOMIC_ACQUIRE) <= 0 || await_gone(pid[l]));
		pid[l] = 0;
	}
	return gone;
}
