/*
 * The zygote: the process as it was at the checkpoint, which forks a child for each execution.
 *
 * The children are numbered, and one of them stands by while another runs: it has been forked and made ready on
 * another core, and waits for its turn. A child whose execution ended in the ordinary way accounts for it, plans the
 * next one and passes the turn on before it dies, so that neither fork nor exit stand between two
 * executions. When there is more to do (a bug, a death, a larger pool of threads) it leaves that to the zygote,
 * which waits for each child anyway.
 */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/dispatch.h"
#include "preload/fd.h"
#include "preload/sys.h"
#include "preload/rules.h"

static uint32_t my_turn; /* in a child: its number */

static void pass_turn(uint32_t to)
{
	struct session_control *c = &ctl_session->ctl;
	__atomic_store_n(&c->turn, to, __ATOMIC_RELEASE); /* pairs with await_turn */
	sys_futex_wake(&c->turn, 1);
}

static void await_turn(void)
{
	struct session_control *c = &ctl_session->ctl;
	uint32_t turn;
	while ((turn = __atomic_load_n(&c->turn, __ATOMIC_ACQUIRE)) != my_turn)
		sys_futex_wait(&c->turn, turn, NULL);
}

/* The child that will run when it is `turn`. Returns 0 in the child, when it is. */
static pid_t stand_by(uint32_t turn)
{
	long pid = sys_fork();
	if (sys_failed(pid))
		ctl_refuse("cannot fork a process for an execution: %s (is there a limit on processes or memory? "
			   "ulimit -u, -v)", strerrordesc_np((int)-pid));
	if (pid)
		return (pid_t)pid;
	my_turn = turn;
	sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
	fiber_after_fork();
	dispatch_on(ctl_selector);
	fd_restore();
	await_turn();
	run_start();
	return 0;
}

static int await_end(pid_t pid)
{
	int status = 0;
	while (sys_wait4(pid, &status, 0, NULL) == -EINTR)
		;
	return status;
}

static void discard(pid_t pid)
{
	if (!pid)
		return;
	sys_kill(pid, SIGKILL);
	await_end(pid);
}

static bool search_over(void)
{
	uint32_t state = __atomic_load_n(&ctl_session->ctl.state, __ATOMIC_ACQUIRE);
	return state == STATE_DONE || state == STATE_STOPPED || state == STATE_REFUSED;
}

/* The child that had the turn is gone and did not pass it on. */
static void take_over(int status)
{
	struct session *s = ctl_session;
	if (s->ctl.accounting)
		ctl_refuse("the process of an execution died while it accounted for it: the program may have "
			   "overwritten simul's memory; try --isolation exec");
	ctl_trace.n = s->ctl.trace_n;
	ctl_trace.threads = s->ctl.trace_threads;
	if (s->ctl.flight == FLIGHT_RUNNING)
		run_account_dead(status, true);
	if (s->ctl.flight != FLIGHT_NONE)
		run_account();
}

/* Runs executions from child to child, as long as they pass the turn on. Returns the status of the one that did not,
   true in *child in a child. */
static int relay(uint32_t *turn, pid_t running, bool *child)
{
	struct session_control *c = &ctl_session->ctl;
	*child = false;
	for (;;) {
		pid_t next = stand_by(*turn + 1);
		if (!next) {
			*child = true;
			return 0;
		}
		int status = await_end(running);
		if (search_over()) {
			discard(next);
			sys_exit_group(0);
		}
		if (__atomic_load_n(&c->turn, __ATOMIC_ACQUIRE) != *turn + 1) {
			discard(next);
			return status;
		}
		running = next;
		++*turn;
	}
}

void zygote(void)
{
	struct session *s = ctl_session;
	for (uint32_t turn = s->ctl.turn + 1;; turn++) {
		bool child;
		run_plan();
		fiber_pool_fill();
		s->ctl.pool_parked = s->pool.n;
		pid_t first = stand_by(turn);
		if (!first)
			return;
		pass_turn(turn);
		int status = relay(&turn, first, &child);
		if (child)
			return;
		take_over(status);
	}
}

/* What only the zygote can do: bugs are handed over, and then files brought back, by the process whose descriptors
   are those of the checkpoint; new threads for the pool have to be made there. */
static bool zygote_needed(void)
{
	const struct session *s = ctl_session;
	return s->bug.kind != BUG_NONE || s->config.pause_at_end || s->config.mode != MODE_EXPLORE ||
	       s->pool.n != s->ctl.pool_parked;
}

void zygote_pass_on(void)
{
	if (zygote_needed())
		return;
	run_account();
	run_plan();
	/* Ports and locks that this execution holds are free before the next one starts. */
	sys_call3(SYS_close_range, 0, ~0u, 0);
	pass_turn(my_turn + 1);
}
