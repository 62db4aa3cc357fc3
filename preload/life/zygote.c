/*
 * The zygote: the process as it was at the checkpoint. It forks a child for each execution.
 *
 * The children are numbered. While one child runs, others stand by: they were forked and prepared on another core, and wait for their turn.
 * A child whose execution ended normally accounts for it, plans the next execution and passes the turn on before it exits. So neither fork
 * nor exit delays the next execution. If there is more to do (a new bug, a death, a larger pool of threads), the child just exits. The
 * zygote waits for each child, and does this work.
 */
#include <errno.h>
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/kernel/fd.h"
#include "preload/life/run.h"
#include "preload/life/zygote.h"
#include "preload/memory/heap.h"
#include "preload/life/fork.h"
#include "preload/life/warm_up.h"
#include "preload/life/rewind.h"
#include "preload/modules/sensors.h"
#include "preload/memory/shadow.h"
#include "preload/life/snapshot.h"
#include "preload/base/sys.h"
#include "preload/life/prefault.h"
#include "preload/life/rewind_policy.h"
#include "preload/base/rules.h"

#define MAX_AHEAD 8

static uint32_t my_turn; /* in a child: its number; 0 in the zygote */

static void pass_turn(uint32_t to)
{
	struct session_control *c = &ctl_session->ctl;
	__atomic_store_n(&c->execution.turn, to, __ATOMIC_RELEASE); /* pairs with await_turn */
	sys_futex_wake(&c->execution.turn, MAX_AHEAD + 1); /* wakes all children that stand by; each checks whether it is its turn */
}

static void await_turn(void)
{
	struct session_control *c = &ctl_session->ctl;
	uint32_t turn;
	/* The process that passes the turn on may be killed before it wakes the others. */
	const struct timespec a_while = { .tv_nsec = 50000000 };
	while ((turn = __atomic_load_n(&c->execution.turn, __ATOMIC_ACQUIRE)) != my_turn)
		sys_futex_wait(&c->execution.turn, turn, &a_while);
}

bool zygote_has_turn(void)
{
	return __atomic_load_n(&ctl_session->ctl.execution.turn, __ATOMIC_ACQUIRE) == my_turn;
}

uint32_t zygote_turn(void)
{
	return my_turn;
}

/* Forks the child for `turn`. Returns its pid; in the child, returns 0 when its turn has come. */
static pid_t stand_by(uint32_t turn)
{
	heap_prepare();
	sensors_catch_up();
	rewind_before_fork();
	uint64_t start = processor_ticks();
	long pid = execution_fork();
	if (sys_failed(pid))
		ctl_refuse("cannot fork a process for an execution: %s (is there a limit on processes or memory? "
			   "ulimit -u, -v)", strerrordesc_np((int)-pid));
	if (pid) {
		policy_forked(processor_ticks() - start);
		return (pid_t)pid;
	}
	my_turn = turn;
	fd_restore();
	if (!rewind_wanted()) /* a process that rewinds has the pages from its first execution on */
		prefault_up();
	await_turn();
	rewind_point();
	run_start();
	return 0;
}


static bool search_over(void)
{
	uint32_t state = __atomic_load_n(&ctl_session->ctl.handshake.state, __ATOMIC_ACQUIRE);
	return state == STATE_DONE || state == STATE_STOPPED || state == STATE_REFUSED;
}

/* Accounts for the execution of a child that ended and did not pass the turn on. */
static void take_over(uint32_t turn, int status)
{
	struct session *s = ctl_session;
	if (!snapshot_await_gone())
		ctl_refuse("a process of an execution was killed, and it cannot be known whether others of it still run; try again, or with "
			   "--no-snapshots");
	snapshot_status(turn, &status);
	run_mend();
	run_adopt_trace();
	if (s->ctl.execution.flight == FLIGHT_RUNNING)
		run_account_dead(status, true);
	if (s->ctl.execution.flight != FLIGHT_NONE)
		run_account();
}

/* The children that were forked and not yet waited for, oldest first. Their numbers are first .. first + n - 1. */
static struct {
	pid_t pid[MAX_AHEAD + 1];
	uint32_t first, n;
} children;

static void discard_all(void)
{
	for (uint32_t i = 0; i < children.n; i++)
		sys_kill(children.pid[i], SIGKILL);
	for (uint32_t i = 0; i < children.n; i++)
		execution_await(children.pid[i]);
	children.n = 0;
}

/* Forks children until `ahead` of them stand by after the running one. Returns true in a child whose turn has come. */
static bool fill(uint32_t ahead)
{
	while (children.n <= ahead) {
		pid_t pid = stand_by(children.first + children.n);
		if (!pid)
			return true;
		children.pid[children.n++] = pid;
	}
	return false;
}

/* Waits for the oldest child. Returns whether it passed the turn on. */
static bool reap(int *status)
{
	*status = execution_await(children.pid[0]);
	uint32_t turn = __atomic_load_n(&ctl_session->ctl.execution.turn, __ATOMIC_ACQUIRE);
	bool passed = (int32_t)(turn - children.first) > 0;
	memmove(&children.pid[0], &children.pid[1], --children.n * sizeof children.pid[0]);
	children.first++;
	return passed;
}

/* Returns how many children are to stand by. One more than the number of processors keeps all processors busy. Measured: with fewer, one
   processor is idle; more gain nothing. */
static uint32_t how_many_ahead(void)
{
	uint64_t mask[16] = { 0 };
	long bytes = sys_call3(SYS_sched_getaffinity, 0, sizeof mask, (long)mask);
	uint32_t n = 0;
	for (long i = 0; i < bytes / 8; i++)
		n += (uint32_t)__builtin_popcountll(mask[i]);
	return n < 2 ? 1 : n < MAX_AHEAD ? n + 1 : MAX_AHEAD;
}

void zygote(void)
{
	struct session *s = ctl_session;
	uint32_t ahead = how_many_ahead();
	int status;
	prefault_init();
	rewind_init();
	children.first = s->ctl.execution.turn + 1;
	for (;;) {
		s->ctl.rewind.trial.planned = 0; /* a process that died may have left it */
		run_plan();
		fiber_pool_fill();
		shadow_prepare();
		shadow_apply();
		s->ctl.execution.pool_parked = s->pool.n;
		if (fill(0))
			return;
		pass_turn(children.first);
		do {
			/* During the warm-up no child stands by: the next one must be forked after the discoveries of this one. */
			if (fill(s->ctl.warm_up.running || rewind_wanted() ? 0 : s->ctl.requests.shared_search ? 1 : ahead))
				return;
		} while (reap(&status));
		discard_all(); /* the children that stand by have an outdated state, or are not needed any more */
		if (search_over())
			sys_exit_group(0);
		take_over(children.first - 1, status);
	}
}

/* Returns whether the zygote must account for the execution. The zygote hands over new bugs, since restoring the files needs the
   descriptors of the checkpoint. It creates new threads of the pool. And it must know the discoveries of the warm-up before it forks the
   next children. */
static bool zygote_needed(void)
{
	const struct session *s = ctl_session;
	return (s->bug.kind != BUG_NONE && !run_known_bug()) || s->config.pause_at_end || s->config.mode != MODE_EXPLORE ||
	       s->pool.n != s->ctl.execution.pool_parked || warm_up_news();
}

void zygote_pass_on(void)
{
	if (zygote_needed())
		return;
	if (ctl_session->ctl.execution.executions_started > 1 && !rewind_wanted() && !snapshot_inside())
		prefault_record();
	run_account();
	if (snapshot_measured())
		return;
	run_plan();
	snapshot_planned();
	sensors_again();
	rewind_again();
	if (snapshot_takes_over())
		return;
	/* Closing all descriptors frees ports and locks of this execution before the next one starts. */
	sys_call3(SYS_close_range, 0, ~0u, 0);
	pass_turn(my_turn + 1);
}
