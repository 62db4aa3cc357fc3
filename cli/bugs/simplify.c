#include "cli/bugs/simplify.h"
#include "cli/bugs/stronger_orders.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/collect/collect.h"
#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"
#include "base/xalloc.h"
#include "recorder/report/questions.h"
#include "replay/experiment.h"
#include "replay/minimize.h"

#define CANDIDATE_HANG_NS NS_PER_S /* a candidate that computes this long is rejected */
#define HANG_NS UINT64_C(300000000)           /* the same when looking for a hang; the best one is confirmed with the user's limit */
#define MOST_QUESTIONS 20
#define EXPLAIN_SHARE 2 /* explaining gets this fraction of the time for simplifying, in addition */
#define EXPLAIN_NS UINT64_C(10000000000) /* time for explaining when simplifying has no limit */

struct simplifying {
	struct simplify *m;
	struct schedule names;      /* only thread names, which grow, and the unchanging pool and memory */
	uint32_t notes;
	uint64_t end_ns;
	struct execution execution; /* the last one; valid if `ran` */
	struct guided_note *note;
	uint32_t turns;
	bool ran, ended_well;
	unsigned runs;
	struct schedule_cost best;
	/* confirming */
	struct schedule schedule;
	struct recording *recording;
};

static void forget(struct simplifying *x)
{
	if (x->ran)
		execution_free(&x->execution);
	free(x->note);
	x->note = NULL;
	x->ran = false;
}

static void candidate_over(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct simplifying *x = ctx;
	char why[256];
	uint32_t n;

	x->ran = segment_execution(seg, &x->execution, why, sizeof(why));
	if (!x->ran)
		return;
	x->ended_well = outcome->kind == CONFIRM_NO_FAILURE && shared_load(&seg->session->ctl.execution.flight_verdict) == RUN_OK;
	x->names.names = x->execution.names;
	n = x->execution.n < x->notes ? x->execution.n : x->notes;
	x->note = xcalloc(n, sizeof(*x->note));
	segment_notes(seg, x->turns, x->note, n);
}

/* All hangs have one signature. Two hangs are equal if the same thread hangs after the same operation of its own. */
static const struct event *last_before_hang(const struct event *event, uint32_t n)
{
	thread_id hangs = n ? event[n - 1].thread : NO_THREAD;

	for (uint32_t i = n; i-- > 1;)
		if (event[i - 1].thread == hangs)
			return &event[i - 1];
	return NULL;
}

static bool same_hang(const struct simplifying *x)
{
	const struct event *a = last_before_hang(x->m->event, x->m->n), *b = last_before_hang(x->execution.events, x->execution.n);

	return a && b && a->thread == b->thread && a->kind == b->kind && a->pc == b->pc;
}

static void tell_progress(struct simplifying *x, bool fails)
{
	struct schedule_cost cost;

	if (!x->m->progress)
		return;
	x->runs++;
	if (fails) {
		cost = schedule_cost(x->execution.events, x->execution.n);
		if (schedule_cost_less(&cost, &x->best, COST_SWITCHES_FIRST))
			x->best = cost;
	}
	x->m->progress(x->m->ctx, x->runs, &x->best);
}

static void run_candidate(void *ctx, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out)
{
	static const struct guided_turn nothing;
	struct simplifying *x = ctx;
	struct rerun r = x->m->how;
	struct confirm_outcome *o = xcalloc(1, sizeof(*o));
	bool hang = x->m->recording->failure.kind == BUG_HANG;
	uint64_t limit = hang ? HANG_NS : CANDIDATE_HANG_NS;

	forget(x);
	r.schedule = &x->names;
	r.turn = turn ? turn : &nothing;
	r.turns = x->turns = turns;
	r.notes = x->notes;
	r.config.settings.max_steps = x->notes;
	if (r.config.hang_ns > limit)
		r.config.hang_ns = limit;
	r.stacks = false;
	r.until_ns = x->end_ns;
	r.at_end = candidate_over;
	r.ctx = x;
	out->over = interrupt_count() || (x->end_ns && wall_clock_ns() >= x->end_ns);
	if (!out->over)
		rerun_once(&r, o);
	out->over |= o->kind == CONFIRM_INTERRUPTED;
	out->fails = x->ran && o->kind == CONFIRM_SAME && (!hang || same_hang(x));
	tell_progress(x, out->fails);
	out->ends_well = x->ran && x->ended_well;
	if (x->ran) {
		out->event = x->execution.events;
		out->n = x->execution.n;
		out->note = x->note;
		out->notes = out->n < x->notes ? out->n : x->notes;
	}
	free(o);
}

/* Called at the end of each confirming run of the new schedule. */
static void confirmed(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct simplifying *x = ctx;
	const struct simplify *m = x->m;
	struct execution e;
	char why[256];
	struct collect_input in = {
		.target = m->how.target,
		.seg = seg,
		.execution = &e,
		.config = &m->how.config,
		.patterns = m->how.patterns,
		.memory = &m->how.schedule->memory,
		.output = output,
		.pid = pid,
		.strategy = m->strategy,
		.number = m->number,
		.also = m->recording,
	};

	if (outcome->kind != CONFIRM_SAME || x->recording || !segment_execution(seg, &e, why, sizeof(why)))
		return;
	x->recording = collect_recording(&in);
	execution_free(&e);
}

static void run_again(void *ctx, unsigned attempt, struct confirm_outcome *out)
{
	struct simplifying *x = ctx;
	struct rerun r = x->m->how;

	r.schedule = &x->schedule;
	r.turn = NULL;
	r.stacks = !x->recording;
	r.until_ns = x->end_ns;
	r.at_end = confirmed;
	r.ctx = x;
	rerun_once(&r, out);
}

/* Replays the better schedule in fresh processes, as strictly as `simul replay`. */
static void confirm_better(struct simplifying *x, const struct minimize_result *best)
{
	struct simplify *m = x->m;
	struct confirm_result *result = xcalloc(1, sizeof(*result));

	if (m->time_ns)
		x->end_ns = wall_clock_ns() + m->time_ns;
	schedule_from_events(&x->schedule, best->event, best->n, &x->names.names, &m->how.schedule->pool, &m->how.schedule->memory);
	confirm(run_again, x, m->tries, result);
	if (x->recording && result->same == m->tries) {
		x->recording->confirmed = result->same;
		x->recording->confirm_tries = result->tries;
		x->recording->fewest = m->least;
		x->recording->fewest_choices = m->least_choices;
		x->recording->found.choices = best->before.chosen;
		x->recording->found.preemptions = best->before.preemptions;
		x->recording->found.switches = best->before.switches;
		x->recording->found.steps = best->before.steps;
	} else {
		confirm_describe(&result->other, m->text, sizeof(m->text));
		recording_free(x->recording);
		x->recording = NULL;
	}
	schedule_free(&x->schedule);
	free(result);
}

static uint64_t end_of_explaining(const struct simplify *m)
{
	uint64_t most = m->explain_ns;

	if (!most)
		most = m->time_ns ? m->time_ns / EXPLAIN_SHARE : EXPLAIN_NS;
	return wall_clock_ns() + most;
}

/* Tries stronger memory orders in this schedule (RC11). */
static void explain_orders(struct simplifying *x, struct recording *r, const struct event *event, uint32_t n)
{
	struct rerun how = x->m->how;

	if (n != r->n_steps)
		return;
	how.schedule = &x->names;
	how.until_ns = end_of_explaining(x->m);
	stronger_orders(&how, r, event);
}

/* Runs the experiments with other schedules. */
static void explain_schedule(struct simplifying *x, struct recording *r, const struct event *event, uint32_t n)
{
	struct rec_question question[MOST_QUESTIONS];
	size_t asked = recording_questions(r, question, MOST_QUESTIONS);
	unsigned runs = 0;
	bool passed = false;

	x->end_ns = end_of_explaining(x->m);
	for (size_t i = 0; i < asked; i++) {
		struct rec_try *t = &question[i].try;

		if (question[i].broader && passed)
			continue;
		passed = false;
		if (!experiment(t, r, event, n, run_candidate, x, &runs))
			continue;
		passed = t->result == REC_TRY_PASSES;
		r->tries = xgrow(r->tries, r->n_tries, sizeof(*r->tries));
		r->tries[r->n_tries++] = *t;
	}
}

/* Runs the experiments that could explain the failure, and records the results in the recording of these events. It
   keeps those that the recording has. */
static void explain(struct simplifying *x, struct recording *r, const struct event *event, uint32_t n)
{
	if (!r->n_tries)
		explain_schedule(x, r, event, n);
	explain_orders(x, r, event, n);
}

struct recording *simplify_schedule(struct simplify *m)
{
	struct simplifying *x = xcalloc(1, sizeof(*x)); /* too large for a small stack */
	struct minimize_result best;
	struct recording *better;
	bool stopped;

	x->m = m;
	x->notes = m->n < UINT32_MAX / 4 ? 2 * m->n + 1000 : m->n;
	x->names.names = m->how.schedule->names;
	x->names.pool = m->how.schedule->pool;
	x->names.memory = m->how.schedule->memory;
	if (x->notes > m->how.config.settings.max_steps)
		x->notes = m->how.config.settings.max_steps;
	if (m->time_ns)
		x->end_ns = wall_clock_ns() + m->time_ns;
	x->best = schedule_cost(m->event, m->n);
	if (m->explain_only)
		memset(&best, 0, sizeof(best));
	else
		minimize(m->event, m->n, run_candidate, x, m->max_runs, &best);
	forget(x);
	stopped = interrupt_count();
	if (stopped && m->keep_best)
		interrupt_heard();
	m->runs = best.runs;
	m->least = best.least;
	m->least_choices = best.least_choices;
	m->text[0] = 0;
	if (best.event)
		confirm_better(x, &best);
	if (best.event && !x->recording && !stopped && interrupt_count() && m->keep_best) { /* interrupted while confirming: confirm again */
		stopped = true;
		interrupt_heard();
		m->text[0] = 0;
		confirm_better(x, &best);
	}
	if (stopped)
		; /* explaining takes a while, and the user wants to stop */
	else if (x->recording)
		explain(x, x->recording, best.event, best.n);
	else
		explain(x, m->recording, m->event, m->n);
	forget(x);
	free(best.event);
	better = x->recording;
	free(x);
	return better;
}
