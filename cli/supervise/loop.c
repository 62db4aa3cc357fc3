#include "cli/supervise/loop.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/interrupt.h"

#define EXEC_NS UINT64_C(100000000) /* how long to wait for an exec before looking after other workers */

bool loop_finish(struct loop *l, enum session_end end)
{
	l->s->end = end;
	return false;
}

bool loop_obey(struct loop *l, enum machines_says says)
{
	switch (says) {
	case MACHINES_GO_ON:
		return true;
	case MACHINES_STOP:
		loop_request_stop(l, STOP_BUG);
		return true;
	case MACHINES_BUDGET:
		loop_request_stop(l, STOP_EXECUTIONS);
		return true;
	case MACHINES_AGAIN:
		return loop_finish(l, SESSION_AGAIN);
	case MACHINES_REFUSE:
		return loop_finish(l, SESSION_REFUSED);
	}
	return true;
}

/* ---- targets ---- */

bool loop_start_target(struct loop *l, struct worker *w)
{
	struct supervision *s = l->s;

	w->started = loop_executions_started(w);
	w->pid = target_spawn(s->target, w->seg, w->capture, s->text, sizeof(s->text));
	if (w->pid > 0) {
		watchdog_forgive(&w->dog);
		return true;
	}
	w->pid = 0;
	return loop_finish(l, SESSION_REFUSED);
}

bool loop_target_ended(struct worker *w)
{
	const struct timespec moment = {0, 50000};
	uint64_t until = wall_clock_ns() + EXEC_NS;

	while (w->pid) {
		pid_t pid = waitpid(w->pid, &w->status, WNOHANG);

		if (pid == w->pid && !WIFSTOPPED(w->status)) {
			w->pid = 0;
			return true;
		}
		if (pid == w->pid)
			target_stopped(w->seg, pid, w->status);
		else if (shared_load(&control(w)->handshake.exec_stops) && wall_clock_ns() < until)
			nanosleep(&moment, NULL);
		else
			break;
	}
	return false;
}

void loop_bound_output(struct loop *l)
{
	for (unsigned i = 0; i < l->ws->n; i++)
		l->s->output_cut |= capture_bound(l->ws->w[i]->capture);
}

void loop_await_targets(struct loop *l, uint64_t ns)
{
	const struct timespec moment = {0, 500000};
	uint64_t until = wall_clock_ns() + ns;

	for (unsigned i = 0; i < l->ws->n; i++)
		while (l->ws->w[i]->pid && !loop_target_ended(l->ws->w[i]) && wall_clock_ns() < until && interrupt_count() < 2) {
			loop_bound_output(l);
			nanosleep(&moment, NULL);
		}
}

size_t loop_list_targets(const struct loop *l, pid_t *out)
{
	size_t n = 0;

	for (unsigned i = 0; i < l->ws->n; i++)
		if (l->ws->w[i]->pid)
			out[n++] = l->ws->w[i]->pid;
	return n;
}

void loop_end_orphans(struct loop *l)
{
	pid_t pids[WORKERS_MOST];

	children_end_strays(&l->children, pids, loop_list_targets(l, pids));
}

void loop_release(struct worker *w)
{
	struct session_control *ctl = control(w);

	watchdog_forgive(&w->dog);
	shared_store(&ctl->handshake.state, STATE_RUNNING); /* otherwise the next look at it would see the old report again */
	__atomic_add_fetch(&ctl->requests.release, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, &ctl->requests.release, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void loop_request_stop(struct loop *l, enum stop_cause cause)
{
	bool failed = l->s->cause == STOP_LENGTHY && cause == STOP_BUG; /* the execution that seemed endless did */

	if (l->stop_ns && !failed)
		return;
	l->s->cause = cause;
	l->stop_ns = wall_clock_ns();
	for (unsigned i = 0; i < l->ws->n; i++)
		shared_store(&control(l->ws->w[i])->requests.stop_request, 1);
}

uint32_t *loop_doorbell(const struct loop *l)
{
	struct session_common *common = segment_common(l->s->seg);

	return common ? &common->doorbell : &l->s->seg->session->ctl.handshake.doorbell;
}
