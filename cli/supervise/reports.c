#include "cli/supervise/reports.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/units.h"
#include "cli/base/say.h"
#include "cli/supervise/handover.h"
#include "cli/supervise/sharing.h"
#include "explore/shared/common.h"

#define MAX_STRIKES 3 /* consecutive deaths without an execution between them */
#define EXIT_GRACE_NS NS_PER_S

/* Functions return false if the session has ended. */

/* ---- pauses ---- */

static bool all_have_come(const struct loop *l)
{
	for (unsigned i = 0; i < l->ws->n; i++) {
		const struct worker *w = l->ws->w[i];

		if (!w->over && (w->fresh ? l->gathering : !loop_is_paused(w)))
			return false;
	}
	return true;
}

static void release_all(struct loop *l)
{
	l->gathering = false;
	for (unsigned i = 0; i < l->ws->n; i++) {
		struct worker *w = l->ws->w[i];

		if (w->over || w->fresh || !loop_is_paused(w))
			continue;
		shared_store(&control(w)->requests.pause_request, 0);
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
		shared_store(&control(w)->requests.pause_request, 0);
		return share_begin(l);
	}
	if (s->machines && control(w)->requests.shared_search) {
		bool go_on = loop_obey(l, s->machines->paused(s->keep_ctx));

		release_all(l);
		return go_on;
	}
	if (!all_have_come(l))
		return true;
	if (s->on_pause && !s->on_pause(s->keep_ctx))
		return loop_finish(l, SESSION_REFUSED);
	release_all(l);
	if (s->after_pause)
		s->after_pause(s->keep_ctx);
	return true;
}

/* ---- ends ---- */

static bool refused(struct loop *l, struct worker *w)
{
	char text[SESSION_MESSAGE];

	segment_text(control(w)->failure.refusal, text);
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
	segment_text(control(w)->failure.internal_error, l->s->text);
	if (is_failed_check(l->s->text))
		return loop_finish(l, SESSION_INTERNAL);
	text_set(l->s->text, sizeof(l->s->text), "the program wrote into simul's memory: the state of the session is damaged");
	return loop_finish(l, SESSION_REFUSED);
}

/* Ends the search of all workers, although something is left to explore. */
static void stop_early(struct loop *l, enum stop_cause cause)
{
	l->stopped = true;
	loop_request_stop(l, cause);
}

/* One of several workers has no executions left. */
static bool is_over(struct loop *l, struct worker *w, bool stopped)
{
	const void *common = segment_common_search(w->seg);
	const void *search = (const char *)w->seg->session + w->seg->layout.explore_off;
	struct explore_stats stats;

	w->over = true;
	l->stopped |= stopped;
	segment_stats(w->seg, &stats);
	if (stats.bound_all) /* a bounded search covered everything, so the others need not continue */
		loop_request_stop(l, STOP_NONE);
	if (!stopped && explore_samples(w->seg->session->config.strategy) && !stats.out_of_memory)
		stop_early(l, STOP_EXECUTIONS);
	else if (!stopped && !explore_common_over(common) && explore_certify_over(search))
		stop_early(l, STOP_BUG);
	else if (!stopped && !explore_common_over(common)) {
		l->failed = true; /* its part of the search is missing */
		loop_request_stop(l, STOP_NONE);
	}
	for (unsigned i = 0; i < l->ws->n; i++)
		if (!l->ws->w[i]->over && !l->ws->w[i]->fresh)
			return true;
	share_stop(l); /* a worker that has not joined yet must not keep the search from being saved */
	loop_await_targets(l, EXIT_GRACE_NS);
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

/* Returns why a search ended that was not requested to stop, if it is not finished: a search for a certificate ends when an execution has
   failed, or when all were cut; others, such as samples, at their budget. */
static enum stop_cause cause_of_end(const struct segment *seg)
{
	const struct session_config *config = &seg->session->config;
	struct explore_stats stats;

	segment_stats(seg, &stats);
	if (config->certify == CERTIFY_FIRST_BUG && !stats.executions && stats.cut >= SPINE_AFTER_CUT)
		return STOP_NONE;
	return config->certify == CERTIFY_FIRST_BUG && !(config->max_executions && stats.executions >= config->max_executions) ? STOP_BUG :
		STOP_EXECUTIONS;
}

/* The target has nothing left to run (STATE_DONE), or has stopped as requested (STATE_STOPPED). */
static bool session_ended(struct loop *l, struct worker *w, bool stopped)
{
	if (control(w)->requests.shared_search)
		return is_over(l, w, stopped);
	loop_await_targets(l, EXIT_GRACE_NS);
	if (l->s->cause == STOP_NONE)
		l->s->cause = cause_of_end(w->seg);
	return loop_finish(l, stopped ? SESSION_STOPPED : SESSION_OVER);
}

/* One of several workers wants to continue alone (STATE_RESTARTED, STATE_ALONE). */
static bool sharing_ended(struct loop *l, struct worker *w, enum session_state state)
{
	if (!control(w)->requests.shared_search)
		return true; /* the program overwrote the word */
	if (l->stop_ns) {
		handover_kill(l, w);
		l->s->killed = true;
		return is_over(l, w, true);
	}
	if (l->s->machines) {
		char what[SESSION_MESSAGE], why[SESSION_MESSAGE + 16];

		segment_text(control(w)->facts.outside_what, what);
		text_set(why, sizeof(why), "the program %s", what);
		if (!loop_obey(l, l->s->machines->restart(l->s->keep_ctx, state == STATE_ALONE ? why : NULL)))
			return false;
	}
	if (state == STATE_ALONE)
		return share_alone(l, w);
	share_restart(l, w);
	return true;
}

static bool no_threads(struct loop *l, struct worker *w)
{
	if (w->fresh) {
		share_drop(l, w, "the program ended before it created a thread when it was started again");
		return true;
	}
	loop_await_targets(l, EXIT_GRACE_NS);
	return loop_finish(l, SESSION_NO_THREADS);
}

/* ---- what a target reports ---- */

/* Called after the state was read, since the target writes where its memory lies before it reports a state. */
static void note_addresses(struct supervision *s, const struct session_control *ctl)
{
	if (s->randomised || shared_load(&ctl->facts.randomised) != 1)
		return;
	s->randomised = true;
	segment_text(ctl->requests.unplaced, s->unplaced);
}

static bool look_at_state(struct loop *l, struct worker *w)
{
	uint32_t state;

	if (!intact(w)) {
		text_set(l->s->text, sizeof(l->s->text), "the program wrote into simul's memory: the description of the session is damaged");
		return loop_finish(l, SESSION_REFUSED);
	}
	if (__atomic_load_n(&control(w)->failure.internal_error[0], __ATOMIC_ACQUIRE))
		return internal_error(l, w);
	state = shared_load(&control(w)->handshake.state);
	note_addresses(l->s, control(w));
	switch (state) {
	case STATE_BUG_WAIT:
		return handover_bug(l, w);
	case STATE_BUG_EXPLAINED:
		handover_explained(l, w);
		return true;
	case STATE_PAUSED:
		return handle_pause(l, w);
	case STATE_DONE:
	case STATE_STOPPED:
		return session_ended(l, w, state == STATE_STOPPED);
	case STATE_RESTARTED:
	case STATE_ALONE:
		return sharing_ended(l, w, state);
	case STATE_NO_THREADS:
		return no_threads(l, w);
	case STATE_DESCRIBED:
		l->s->on_bug(l->s->ctx, w->pid);
		return loop_finish(l, SESSION_OVER);
	case STATE_AT_STEP:
		if (l->s->on_step)
			l->s->on_step(l->s->ctx, w->pid);
		loop_release(w);
		return true;
	case STATE_RACE:
		handover_race(l, w);
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
	uint32_t state = shared_load(&control(w)->handshake.state);

	if (state != STATE_RUNNING && state != STATE_STARTING && state != STATE_BUG_WAIT && state != STATE_BUG_EXPLAINED &&
		state != STATE_PAUSED && state != STATE_RESTARTED && state != STATE_ALONE && state != STATE_AT_STEP &&
		state != STATE_RACE)
		return look_at_state(l, w);
	note_addresses(s, control(w));
	if (w->fresh) {
		share_drop(l, w, "the program died when it was started again");
		return true;
	}
	s->wait_status = w->status;
	if (state == STATE_STARTING && !loop_executions_started(w)) {
		bool killed = w->dog.asked_ns && WIFSIGNALED(w->status) && WTERMSIG(w->status) == SIGKILL;

		return loop_finish(l, killed ? SESSION_SLOW_START : SESSION_DIED);
	}
	loop_end_orphans(l);
	handover_gone(l, w);
	if (l->stop_ns) {
		if (control(w)->requests.shared_search)
			return is_over(l, w, true);
		return loop_finish(l, SESSION_STOPPED);
	}
	if (loop_executions_started(w) > w->started)
		w->strikes = 0;
	else if (++w->strikes >= MAX_STRIKES)
		return loop_finish(l, SESSION_STUCK);
	s->restarts++;
	/* Killing the target from outside ends all its processes, including the running execution. */
	control(w)->handshake.ended = s->seg->session->config.isolation == ISOLATION_EXEC || (WIFSIGNALED(w->status) && WTERMSIG(w->status) == SIGKILL);
	control(w)->requests.ended_status = w->status;
	return loop_start_target(l, w);
}

bool reports_look(struct loop *l, struct worker *w)
{
	return loop_target_ended(w) ? look_at_death(l, w) : look_at_state(l, w);
}
