#include "cli/supervise/supervisor.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/handover.h"
#include "cli/supervise/reports.h"
#include "cli/supervise/sharing.h"
#include "explore/shared/common.h"

#define TICK_NS 50000000
#define STOP_GRACE_NS UINT64_C(5000000000) /* for the running execution to end, when the user stops the search */
#define TIME_GRACE_NS UINT64_C(1200000000) /* the same at the end of --time */

/* ---- stopping ---- */

static void check_budgets(struct loop *l)
{
	struct supervision *s = l->s;
	struct explore_stats stats;

	if (interrupt_count())
		loop_request_stop(l, STOP_USER);
	if (s->time_ns && wall_clock_ns() - s->start_ns >= s->time_ns)
		loop_request_stop(l, STOP_TIME);
	/* Warm-up executions do not count. */
	if (s->max_executions && !shared_load(&control(l->ws->w[0])->warm_up.running)) {
		workers_stats(l->ws, s->seg, &stats);
		if (stats.executions >= s->max_executions)
			loop_request_stop(l, STOP_EXECUTIONS);
	}
}

static uint64_t stop_grace_ns(const struct supervision *s)
{
	if (s->cause == STOP_LENGTHY)
		return 0;
	return s->cause == STOP_TIME ? TIME_GRACE_NS : STOP_GRACE_NS;
}

/* Returns whether to kill the targets: at a second Ctrl-C, if they ignore the request to stop, or if nothing is worth waiting for. */
static bool must_kill(const struct loop *l)
{
	bool forced = l->s->seg->session->config.mode != MODE_EXPLORE;
	bool setting_up = shared_load(&control(l->ws->w[0])->handshake.state) == STATE_STARTING;

	if (interrupt_count() > 1 || (l->stop_ns && (forced || setting_up)))
		return true;
	return l->stop_ns && wall_clock_ns() - l->stop_ns > stop_grace_ns(l->s);
}

/* ---- pausing ---- */

/* Wakes workers without work, which sleep on this word. */
static void wake_idle(const struct loop *l)
{
	uint32_t *door;

	if (!control(l->ws->w[0])->requests.shared_search)
		return;
	door = explore_wakeup(segment_common_search(l->s->seg));
	__atomic_add_fetch(door, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, door, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void ask_for_pause(struct loop *l)
{
	uint64_t now = wall_clock_ns();
	bool asked = false;

	if (!l->s->on_pause || l->stop_ns || now < l->s->pause_at_ns || share_some_fresh(l))
		return;
	for (unsigned i = 0; i < l->ws->n; i++) {
		struct session_control *ctl = control(l->ws->w[i]);

		asked |= !ctl->requests.pause_request;
		shared_store(&ctl->requests.pause_request, 1);
	}
	if (!asked)
		return;
	l->s->pause_asked_ns = now;
	wake_idle(l);
}

/* ---- the loop ---- */

static void wait_for_news(struct loop *l, uint32_t door)
{
	const struct timespec tick = {0, TICK_NS};

	syscall(SYS_futex, loop_doorbell(l), FUTEX_WAIT, door, &tick, NULL, 0);
}

/* Looks at each worker. Workers may be removed and added meanwhile: one that is skipped rings again, or the next turn looks at it. */
static bool look_at_all(struct loop *l)
{
	for (unsigned i = 0; i < l->ws->n; i++) {
		struct worker *w = l->ws->w[i];

		if (w->over)
			continue;
		if (!reports_look(l, w))
			return false;
	}
	return true;
}

static void look_after_processes(struct loop *l)
{
	pid_t pids[WORKERS_MOST];

	for (unsigned i = 0; i < l->ws->n; i++) {
		struct worker *w = l->ws->w[i];

		if (loop_is_paused(w))
			watchdog_forgive(&w->dog);
		else if (!w->over)
			watchdog_look(&w->dog, w->seg, w->pid);
	}
	children_reap_strays(&l->children, pids, loop_list_targets(l, pids));
}

/* Runs one turn of the loop. False: the session has ended. */
static bool turn(struct loop *l)
{
	uint32_t door = shared_load(loop_doorbell(l));

	if (!look_at_all(l))
		return false;
	if (l->s->machines && !loop_obey(l, l->s->machines->turn(l->s->keep_ctx)))
		return false;
	check_budgets(l);
	if (must_kill(l)) {
		l->s->killed = true;
		return loop_finish(l, SESSION_STOPPED);
	}
	if (l->stop_ns)
		share_stop(l);
	ask_for_pause(l);
	share_look(l);
	if (l->s->on_tick && l->s->on_tick(l->s->tick_ctx) == STOP_LENGTHY)
		loop_request_stop(l, STOP_LENGTHY);
	look_after_processes(l);
	loop_bound_output(l);
	wait_for_news(l, door);
	return true;
}

/* Fails the session if the program wrote into the memory of the search, since the search then proves nothing. */
static void judge_memory(struct loop *l)
{
	struct supervision *s = l->s;

	if (s->end != SESSION_OVER && s->end != SESSION_STOPPED && s->end != SESSION_INTERNAL)
		return;
	for (unsigned i = 0; i < l->ws->n; i++) {
		const struct segment *seg = l->ws->w[i]->seg;
		uint64_t at = segment_written(seg);

		if (!at && !seg->session->ctl.facts.arena_written)
			continue;
		text_set(s->text, sizeof(s->text), "the program wrote into simul's memory, from code whose accesses are not seen: ");
		if (at)
			text_add(s->text, sizeof(s->text), "at offset 0x%llx of the session, which simul does not use", (unsigned long long)at);
		else
			text_add(s->text, sizeof(s->text), "after the model of its threads");
		s->end = SESSION_REFUSED;
		return;
	}
}

void supervise(struct supervision *s)
{
	struct workers one = {.jobs = 1};
	struct loop l = {.s = s, .ws = s->workers ? s->workers : &one};
	uint32_t *wake;

	children_begin(&l.children);
	if (!l.ws->n)
		workers_begin(l.ws, s->seg, s->capture);
	watchdog_start(&l.ws->w[0]->dog, s->hang_ns);
	wake = interrupt_wake(loop_doorbell(&l));
	shared_store(&control(l.ws->w[0])->handshake.state, STATE_STARTING); /* a stopped session may be continued */
	share_continue(&l);
	ask_for_pause(&l);
	share_look(&l);
	if (loop_start_target(&l, l.ws->w[0]))
		while (turn(&l))
			;
	interrupt_wake(wake);
	children_end(&l.children);
	for (unsigned i = 0; i < l.ws->n; i++) {
		handover_gone(&l, l.ws->w[i]);
		if (s->end != SESSION_NO_THREADS)
			handover_left(&l, l.ws->w[i]);
	}
	judge_memory(&l);
	s->wait_status = l.ws->w[0]->status;
	for (unsigned i = 0; i < l.ws->n; i++)
		s->hangs += l.ws->w[i]->dog.hangs;
	if (s->on_end)
		s->on_end(s->keep_ctx);
	for (unsigned i = 0; i < l.ws->n; i++)
		if (getenv("SIMUL_TEST_LEAVE_FILES")) /* tests compare what the last execution wrote */
			segment_leave_files(l.ws->w[i]->seg);
		else
			segment_put_files_back(l.ws->w[i]->seg);
	workers_end(l.ws);
}
