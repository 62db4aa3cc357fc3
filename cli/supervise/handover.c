#include "cli/supervise/handover.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "cli/base/child_processes.h"
#include "cli/base/interrupt.h"
#include "cli/supervise/workers.h"

/* Returns the index of the execution with the bug among the complete ones of all workers. It is not counted yet. */
static uint64_t number_of(const struct loop *l)
{
	struct explore_stats stats;

	workers_stats(l->ws, l->s->seg, &stats);
	return stats.executions + 1;
}

/* Restarts the grace period of a requested stop, since targets could not stop while the owner was working. */
static void forgive(struct loop *l)
{
	if (l->stop_ns)
		l->stop_ns = wall_clock_ns();
}

/* Hands the bug to the owner. Returns whether the owner waits for an explanation. */
static bool give(struct loop *l, struct worker *w, pid_t pid)
{
	struct supervision *s = l->s;
	uint32_t *wake = interrupt_wake(NULL);
	bool recorded;

	s->at = w->seg;
	s->at_capture = w->capture;
	s->number = number_of(l);
	recorded = s->on_bug(s->ctx, pid);
	interrupt_wake(wake);
	forgive(l);
	return recorded;
}

/* Reports the bug. `at` holds the explanation; NULL: there is none. */
static void finish_bug(struct loop *l, const struct segment *at)
{
	struct supervision *s = l->s;
	uint32_t *wake = interrupt_wake(NULL);
	bool go_on;

	l->explains = NULL;
	s->at = at;
	go_on = s->on_explained(s->ctx);
	interrupt_wake(wake);
	forgive(l);
	if (!go_on)
		loop_request_stop(l, STOP_BUG);
	s->pause_at_ns = 0;
}

/* Returns the process that runs the execution. */
static pid_t execution_of(const struct worker *w)
{
	pid_t pid = __atomic_load_n(&control(w)->execution.exec_pid, __ATOMIC_ACQUIRE);

	return children_is_descendant(pid, w->pid) ? pid : w->pid;
}

void handover_race(struct loop *l, struct worker *w)
{
	struct supervision *s = l->s;

	control(w)->requests.race_is_own = s->on_race && s->on_race(s->ctx, w->seg, execution_of(w));
	forgive(l);
	loop_release(w);
}

bool handover_bug(struct loop *l, struct worker *w)
{
	struct supervision *s = l->s;
	pid_t pid = execution_of(w);
	uint64_t signature = w->seg->session->bug.signature;
	bool known;

	if (l->explains && l->explains != w)
		return true; /* handled after that one */
	if (workers_handled(l->ws, signature) || (l->stop_ns && s->cause == STOP_BUG)) { /* another worker was faster */
		loop_release(w);
		return true;
	}
	if (give(l, w, pid))
		l->explains = w;
	if (s->seg->session->config.mode != MODE_EXPLORE)
		return loop_finish(l, SESSION_OVER);
	known = segment_knows_bug(w->seg, signature); /* otherwise the target hands it over again, and looks for no explanation */
	if (known)
		workers_handle(l->ws, signature);
	else if (l->explains)
		finish_bug(l, NULL);
	loop_release(w);
	return true;
}

void handover_explained(struct loop *l, struct worker *w)
{
	if (l->explains == w)
		finish_bug(l, w->seg);
	loop_release(w);
}

void handover_gone(struct loop *l, struct worker *w)
{
	if (l->explains == w)
		finish_bug(l, NULL);
}

void handover_left(struct loop *l, struct worker *w)
{
	const struct session *s = w->seg->session;
	uint64_t signature = s->bug.signature;

	if (s->config.mode != MODE_EXPLORE || s->bug.kind == BUG_NONE || shared_load(&s->ctl.execution.flight) == FLIGHT_RUNNING ||
		!__atomic_load_n(&s->ctl.execution.executions_started, __ATOMIC_ACQUIRE) || segment_knows_bug(w->seg, signature) ||
		workers_handled(l->ws, signature))
		return;
	workers_handle(l->ws, signature);
	if (give(l, w, 0))
		finish_bug(l, NULL);
}

void handover_kill(struct loop *l, struct worker *w)
{
	if (w->pid) {
		kill(w->pid, SIGKILL);
		while (waitpid(w->pid, &w->status, 0) < 0 && errno == EINTR)
			;
		w->pid = 0;
	}
	loop_end_orphans(l);
	handover_left(l, w);
	handover_gone(l, w);
}
