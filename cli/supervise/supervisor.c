#include "cli/supervise/supervisor.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/supervise/handover.h"
#include "cli/base/interrupt.h"
#include "cli/supervise/loop.h"
#include "cli/base/say.h"
#include "cli/segment/segment_keep.h"
#include "explore/common.h"

#define TICK_NS 50000000
#define MAX_STRIKES 3 /* consecutive deaths without an execution between them */
#define STOP_GRACE_NS UINT64_C(5000000000) /* for the running execution to end, when the user stops the search */
#define TIME_GRACE_NS UINT64_C(1200000000) /* the same at the end of --time */
#define EXIT_GRACE_NS UINT64_C(1000000000)
#define EXEC_NS UINT64_C(100000000) /* how long to wait for an exec before looking after other workers */

static uint64_t executions_started(const struct worker *w)
{
	return __atomic_load_n(&control(w)->executions_started, __ATOMIC_ACQUIRE);
}

bool loop_finish(struct loop *l, enum session_end end)
{
	l->s->end = end;
	return false;
}

/* ---- targets ---- */

bool loop_start_target(struct loop *l, struct worker *w)
{
	struct supervision *s = l->s;

	w->started = executions_started(w);
	w->pid = target_spawn(s->target, w->seg, w->capture, s->text, sizeof(s->text));
	if (w->pid > 0) {
		watchdog_forgive(&w->dog);
		return true;
	}
	w->pid = 0;
	return loop_finish(l, SESSION_REFUSED);
}

/* Reaps the target if it has ended. If it is executing another program, places that program's memory. */
static bool target_ended(struct worker *w)
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
		else if (shared_load(&control(w)->exec_stops) && wall_clock_ns() < until)
			nanosleep(&moment, NULL);
		else
			break;
	}
	return false;
}

static void bound_output(struct loop *l)
{
	for (unsigned i = 0; i < l->ws->n; i++)
		l->s->output_cut |= capture_bound(l->ws->w[i]->capture);
}

/* Waits for the targets to exit. children_end kills those that remain. */
static void await_targets(struct loop *l, uint64_t ns)
{
	const struct timespec moment = {0, 500000};
	uint64_t until = wall_clock_ns() + ns;

	for (unsigned i = 0; i < l->ws->n; i++)
		while (l->ws->w[i]->pid && !target_ended(l->ws->w[i]) && wall_clock_ns() < until && interrupt_count() < 2) {
			bound_output(l);
			nanosleep(&moment, NULL);
		}
}

static size_t list_targets(const struct loop *l, pid_t *out)
{
	size_t n = 0;

	for (unsigned i = 0; i < l->ws->n; i++)
		if (l->ws->w[i]->pid)
			out[n++] = l->ws->w[i]->pid;
	return n;
}

/* Ends the processes that an ended target left: one that still runs an execution writes to the segment. */
static void end_orphans(struct loop *l)
{
	pid_t pids[WORKERS_MOST];

	children_end_strays(&l->children, pids, list_targets(l, pids));
}

void loop_kill(struct loop *l, struct worker *w)
{
	if (w->pid) {
		kill(w->pid, SIGKILL);
		while (waitpid(w->pid, &w->status, 0) < 0 && errno == EINTR)
			;
		w->pid = 0;
	}
	end_orphans(l);
	handover_left(l, w);
	handover_gone(l, w);
}

void loop_release(struct worker *w)
{
	struct session_control *ctl = control(w);

	watchdog_forgive(&w->dog);
	shared_store(&ctl->state, STATE_RUNNING); /* otherwise the next look at it would see the old report again */
	__atomic_add_fetch(&ctl->release, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, &ctl->release, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* ---- stopping ---- */

void loop_request_stop(struct loop *l, enum stop_cause cause)
{
	if (l->stop_ns)
		return;
	l->s->cause = cause;
	l->stop_ns = wall_clock_ns();
	for (unsigned i = 0; i < l->ws->n; i++)
		shared_store(&control(l->ws->w[i])->stop_request, 1);
}

static void check_budgets(struct loop *l)
{
	struct supervision *s = l->s;
	struct explore_stats stats;

	if (interrupt_count())
		loop_request_stop(l, STOP_USER);
	if (s->time_ns && wall_clock_ns() - s->start_ns >= s->time_ns)
		loop_request_stop(l, STOP_TIME);
	/* Warm-up executions do not count. */
	if (s->max_executions && shared_load(&control(l->ws->w[0])->learning) == LEARNING_NONE) {
		workers_stats(l->ws, s->seg, &stats);
		if (stats.executions >= s->max_executions)
			loop_request_stop(l, STOP_EXECUTIONS);
	}
}

static uint64_t stop_grace_ns(const struct supervision *s)
{
	return s->cause == STOP_TIME ? TIME_GRACE_NS : STOP_GRACE_NS;
}

/* Returns whether to kill the targets: at a second Ctrl-C, if they ignore the request to stop, or if nothing is worth waiting for. */
static bool must_kill(const struct loop *l)
{
	bool forced = l->s->seg->session->config.mode != MODE_EXPLORE;
	bool setting_up = shared_load(&control(l->ws->w[0])->state) == STATE_STARTING;

	if (interrupt_count() > 1 || (l->stop_ns && (forced || setting_up)))
		return true;
	return l->stop_ns && wall_clock_ns() - l->stop_ns > stop_grace_ns(l->s);
}

/* ---- reports of a target; false: the session has ended ---- */

/* Wakes workers without work, which sleep on this word. */
static void wake_idle(const struct loop *l)
{
	uint32_t *door;

	if (!control(l->ws->w[0])->shared_search)
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

		asked |= !ctl->pause_request;
		shared_store(&ctl->pause_request, 1);
	}
	if (!asked)
		return;
	l->s->pause_asked_ns = now;
	wake_idle(l);
}

static bool is_paused(const struct worker *w)
{
	return shared_load(&control(w)->state) == STATE_PAUSED;
}

static bool all_have_come(const struct loop *l)
{
	for (unsigned i = 0; i < l->ws->n; i++) {
		const struct worker *w = l->ws->w[i];

		if (!w->over && (w->fresh ? l->gathering : !is_paused(w)))
			return false;
	}
	return true;
}

static void release_all(struct loop *l)
{
	l->gathering = false;
	for (unsigned i = 0; i < l->ws->n; i++) {
		struct worker *w = l->ws->w[i];

		if (w->over || w->fresh || !is_paused(w))
			continue;
		shared_store(&control(w)->pause_request, 0);
		loop_release(w);
	}
}

static bool handle_pause(struct loop *l, struct worker *w)
{
	struct supervision *s = l->s;

	if (w->fresh) {
		share_welcome(l, w);
		return true;
	}
	if (l->stop_ns) {
		release_all(l);
		return true;
	}
	if (l->wants_share) {
		shared_store(&control(w)->pause_request, 0);
		share_begin(l);
		return true;
	}
	if (!all_have_come(l))
		return true;
	if (s->on_pause && !s->on_pause(s->ctx))
		return loop_finish(l, SESSION_REFUSED);
	release_all(l);
	if (s->after_pause)
		s->after_pause(s->ctx);
	return true;
}

static bool refused(struct loop *l, struct worker *w)
{
	char text[SESSION_MESSAGE];

	segment_text(control(w)->refusal, text);
	if (!text[0])
		text_set(text, sizeof(text), "the program cannot be controlled (no reason was given)");
	if (w->fresh && l->ws->n > 1) {
		share_drop(l, w, text);
		return true;
	}
	memcpy(l->s->text, text, sizeof(text));
	return loop_finish(l, SESSION_REFUSED);
}

/* Returns whether the text has the form that check_failed writes: printable ASCII with a file and a line. */
static bool is_failed_check(const char *text)
{
	const char *file = strstr(text, ".c:");

	for (const char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
			return false;
	return file && file[3] >= '0' && file[3] <= '9';
}

static bool internal_error(struct loop *l, struct worker *w)
{
	segment_text(control(w)->internal_error, l->s->text);
	if (is_failed_check(l->s->text))
		return loop_finish(l, SESSION_INTERNAL);
	text_set(l->s->text, sizeof(l->s->text), "the program wrote into simul's memory: the state of the session is damaged");
	return loop_finish(l, SESSION_REFUSED);
}

/* One of several workers has no executions left. */
static bool is_over(struct loop *l, struct worker *w, bool stopped)
{
	struct explore_stats stats;

	w->over = true;
	l->stopped |= stopped;
	segment_stats(w->seg, &stats);
	if (stats.bound_all) /* a bounded search covered everything, so the others need not continue */
		loop_request_stop(l, STOP_NONE);
	if (!stopped && !explore_common_over(segment_common_search(w->seg))) {
		l->failed = true; /* its part of the search is missing */
		loop_request_stop(l, STOP_NONE);
	}
	for (unsigned i = 0; i < l->ws->n; i++)
		if (!l->ws->w[i]->over && !l->ws->w[i]->fresh)
			return true;
	await_targets(l, EXIT_GRACE_NS);
	if (l->failed || !l->stopped || explore_common_over(segment_common_search(l->s->seg)))
		return loop_finish(l, SESSION_OVER);
	if (l->s->cause == STOP_NONE)
		l->s->cause = STOP_EXECUTIONS;
	return loop_finish(l, SESSION_STOPPED);
}

/* Returns whether the constant part of the segment is unchanged. */
static bool intact(const struct worker *w)
{
	const struct session *s = w->seg->session;

	return s->magic == SESSION_MAGIC && s->version == SESSION_VERSION && !memcmp(&s->layout, &w->seg->layout, sizeof(s->layout));
}

static bool look_at_state(struct loop *l, struct worker *w)
{
	bool several = control(w)->shared_search;

	if (!intact(w)) {
		text_set(l->s->text, sizeof(l->s->text), "the program wrote into simul's memory: the description of the session is damaged");
		return loop_finish(l, SESSION_REFUSED);
	}

	if (__atomic_load_n(&control(w)->internal_error[0], __ATOMIC_ACQUIRE))
		return internal_error(l, w);
	switch (shared_load(&control(w)->state)) {
	case STATE_BUG_WAIT:
		return handover_bug(l, w);
	case STATE_BUG_EXPLAINED:
		handover_explained(l, w);
		return true;
	case STATE_PAUSED:
		return handle_pause(l, w);
	case STATE_DONE:
		if (several)
			return is_over(l, w, false);
		await_targets(l, EXIT_GRACE_NS);
		if (l->s->cause == STOP_NONE) /* a search by samples ends only at its limit; if a search is finished, the cause is not used */
			l->s->cause = STOP_EXECUTIONS;
		return loop_finish(l, SESSION_OVER);
	case STATE_STOPPED:
		if (several)
			return is_over(l, w, true);
		await_targets(l, EXIT_GRACE_NS);
		if (l->s->cause == STOP_NONE)
			l->s->cause = STOP_EXECUTIONS;
		return loop_finish(l, SESSION_STOPPED);
	case STATE_RESTARTED:
	case STATE_ALONE:
		if (!several)
			return true; /* the program overwrote the word */
		if (l->stop_ns) {
			loop_kill(l, w);
			l->s->killed = true;
			return is_over(l, w, true);
		}
		if (shared_load(&control(w)->state) == STATE_ALONE)
			return share_alone(l, w);
		share_restart(l, w);
		return true;
	case STATE_NO_THREADS:
		if (w->fresh) {
			share_drop(l, w, "the program ended before it created a thread when it was started again");
			return true;
		}
		await_targets(l, EXIT_GRACE_NS);
		return loop_finish(l, SESSION_NO_THREADS);
	case STATE_DESCRIBED:
		l->s->on_bug(l->s->ctx, w->pid);
		return loop_finish(l, SESSION_OVER);
	case STATE_AT_STEP:
		if (l->s->on_step)
			l->s->on_step(l->s->ctx, w->pid);
		loop_release(w);
		return true;
	case STATE_REFUSED:
		return refused(l, w);
	default:
		return true; /* starting or running. Any other number was written by the program */
	}
}

/* The target has ended without reporting the end of the session. */
static bool look_at_death(struct loop *l, struct worker *w)
{
	struct supervision *s = l->s;
	uint32_t state = shared_load(&control(w)->state);

	if (state != STATE_RUNNING && state != STATE_STARTING && state != STATE_BUG_WAIT && state != STATE_BUG_EXPLAINED &&
		state != STATE_PAUSED && state != STATE_RESTARTED && state != STATE_ALONE && state != STATE_AT_STEP)
		return look_at_state(l, w);
	if (w->fresh) {
		share_drop(l, w, "the program died when it was started again");
		return true;
	}
	s->wait_status = w->status;
	if (state == STATE_STARTING && !executions_started(w)) {
		bool killed = w->dog.asked_ns && WIFSIGNALED(w->status) && WTERMSIG(w->status) == SIGKILL;

		return loop_finish(l, killed ? SESSION_SLOW_START : SESSION_DIED);
	}
	end_orphans(l);
	handover_gone(l, w);
	if (l->stop_ns) {
		if (control(w)->shared_search)
			return is_over(l, w, true);
		return loop_finish(l, SESSION_STOPPED);
	}
	if (executions_started(w) > w->started)
		w->strikes = 0;
	else if (++w->strikes >= MAX_STRIKES)
		return loop_finish(l, SESSION_STUCK);
	s->restarts++;
	/* Killing the target from outside ends all its processes, including the running execution. */
	control(w)->ended = s->seg->session->config.isolation == ISOLATION_EXEC || (WIFSIGNALED(w->status) && WTERMSIG(w->status) == SIGKILL);
	control(w)->ended_status = w->status;
	return loop_start_target(l, w);
}

/* ---- the loop ---- */

uint32_t *loop_doorbell(const struct loop *l)
{
	struct session_common *common = segment_common(l->s->seg);

	return common ? &common->doorbell : &l->s->seg->session->ctl.doorbell;
}

static void wait_for_news(struct loop *l, uint32_t door)
{
	const struct timespec tick = {0, TICK_NS};

	syscall(SYS_futex, loop_doorbell(l), FUTEX_WAIT, door, &tick, NULL, 0);
}

static void note_addresses(struct supervision *s, const struct session_control *ctl)
{
	if (s->randomised || shared_load(&ctl->randomised) != 1)
		return;
	s->randomised = true;
	segment_text(ctl->unplaced, s->unplaced);
}

/* Looks at each worker. Workers may be removed and added meanwhile: one that is skipped rings again, or the next turn looks at it. */
static bool look_at_all(struct loop *l)
{
	for (unsigned i = 0; i < l->ws->n; i++) {
		struct worker *w = l->ws->w[i];

		if (w->over)
			continue;
		note_addresses(l->s, control(w));
		if (target_ended(w) ? !look_at_death(l, w) : !look_at_state(l, w))
			return false;
	}
	return true;
}

static void look_after_processes(struct loop *l)
{
	pid_t pids[WORKERS_MOST];

	for (unsigned i = 0; i < l->ws->n; i++) {
		struct worker *w = l->ws->w[i];

		if (is_paused(w))
			watchdog_forgive(&w->dog);
		else if (!w->over)
			watchdog_look(&w->dog, w->seg, w->pid);
	}
	children_reap_strays(&l->children, pids, list_targets(l, pids));
}

/* Runs one turn of the loop. False: the session has ended. */
static bool turn(struct loop *l)
{
	uint32_t door = shared_load(loop_doorbell(l));

	if (!look_at_all(l))
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
	if (l->s->on_tick)
		l->s->on_tick(l->s->ctx);
	look_after_processes(l);
	bound_output(l);
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
		uint64_t at = segment_written(l->ws->w[i]->seg);

		if (!at)
			continue;
		text_set(s->text, sizeof(s->text), "the program wrote into simul's memory, from code whose accesses are not seen: at offset 0x%llx of the session, "
			"where nothing is", (unsigned long long)at);
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
	shared_store(&control(l.ws->w[0])->state, STATE_STARTING); /* a stopped session may be continued */
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
		s->on_end(s->ctx);
	for (unsigned i = 0; i < l.ws->n; i++)
		if (getenv("SIMUL_TEST_LEAVE_FILES")) /* tests compare what the last execution wrote */
			segment_leave_files(l.ws->w[i]->seg);
		else
			segment_put_files_back(l.ws->w[i]->seg);
	workers_end(l.ws);
}
