#include "replay/experiment.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "replay/choices.h"
#include "replay/minimize_internal.h"
#include "sched/choice.h"

#define PLACES 3 /* limit on the insertion points: just before the step, or before the turns that led to it */

struct wanted {
	const struct event *event;
	uint32_t n;
	thread_id mover;     /* it must make its events, up to number `until`, before event `before` */
	uint32_t until;
	uint32_t before;
	const struct event *same; /* event number `until` must be this operation; NULL: any */
};

/* Returns how many of the first n events are of t. */
static uint32_t count(const struct event *event, uint32_t n, thread_id t)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++)
		k += event[i].thread == t;
	return k;
}

/* Returns the index of the k-th event of t, or n if there are fewer. */
static uint32_t find(const struct event *event, uint32_t n, thread_id t, uint32_t k)
{
	uint32_t i = 0;

	for (; i < n && k; i++)
		k -= event[i].thread == t;
	return k ? n : i - 1;
}

/* Returns the id that the events use for thread t of the recording; NO_THREAD if it has no step. */
static thread_id id_of(const struct recording *r, const struct event *event, thread_id t)
{
	for (size_t i = 0; i < r->n_steps; i++)
		if (r->steps[i].thread == t)
			return event_owner(&event[i]);
	return NO_THREAD;
}

static bool same_operation(const struct event *a, const struct event *b)
{
	return a->kind == b->kind && a->pc == b->pc;
}

/* Wants the buffered store to reach memory: sets the mover to its agent and `until` to the number of the agent's event for it. */
static bool want_store(struct wanted *w, uint32_t store)
{
	if (!event_buffered(&w->event[store]))
		return false;
	w->mover = event_agent(&w->event[store]);
	for (uint32_t i = 0; i <= store; i++)
		w->until += event_buffered(&w->event[i]) && event_agent(&w->event[i]) == w->mover;
	return true;
}

static bool want(struct wanted *w, const struct rec_try *t, const struct recording *r)
{
	if (t->kind == REC_TRY_STORE)
		return want_store(w, (uint32_t)t->step);
	w->mover = id_of(r, w->event, t->thread);
	if (w->mover == NO_THREAD)
		return false;
	if (t->kind == REC_TRY_GO_ON) {
		w->until = UINT32_MAX;
	} else if (t->step == NO_STEP) {
		w->until = count(w->event, w->n, w->mover) + 1;
	} else {
		w->until = count(w->event, (uint32_t)t->step + 1, w->mover);
		w->same = &w->event[t->step];
	}
	return true;
}

/* Returns the plan of the events with the mover's turn inserted before event `at`. */
static struct plan plan_with(const struct wanted *w, uint32_t at)
{
	struct plan p = { NULL, 0 };
	uint32_t *done = xcalloc(MAX_IDS, sizeof(*done));

	for (uint32_t i = 0; i < w->n; i++) {
		if (i == at)
			plan_add(&p, w->mover, ALT_NORMAL, w->until);
		plan_add(&p, w->event[i].thread, w->event[i].alt, ++done[w->event[i].thread]);
	}
	free(done);
	return p;
}

/* Returns whether the execution has the wanted order and reaches the same step. */
static bool as_wanted(const struct wanted *w, uint32_t at, const struct minimize_outcome *o)
{
	const struct event *late = &w->event[w->before];
	uint32_t second, first;

	for (uint32_t i = 0; i < at; i++)
		if (i >= o->n || o->event[i].thread != w->event[i].thread || !same_operation(&o->event[i], &w->event[i]))
			return false;
	if (w->until == UINT32_MAX)
		return at < o->n && o->event[at].thread == w->mover;
	first = find(o->event, o->n, w->mover, w->until);
	second = find(o->event, o->n, late->thread, count(w->event, w->before + 1, late->thread));
	return first < second && second < o->n && same_operation(&o->event[second], late) &&
	       (!w->same || same_operation(&o->event[first], w->same));
}

static uint8_t result_of(const struct minimize_outcome *o)
{
	if (o->fails)
		return REC_TRY_FAILS;
	return o->ends_well ? REC_TRY_PASSES : REC_TRY_OTHERWISE;
}

/* Returns the start of the last turn before i of the thread that should come later; 0 if there is none. */
static uint32_t turn_before(const struct wanted *w, uint32_t i)
{
	thread_id late = event_owner(&w->event[w->before]);

	while (i && event_owner(&w->event[i - 1]) != late)
		i--;
	while (i && event_owner(&w->event[i - 1]) == late)
		i--;
	return i;
}

/* Makes the execution in which the choice of event `at` has this value. */
static bool other_choice(struct rec_try *t, const struct event *event, uint32_t at, uint32_t value, minimize_run run,
	void *ctx, unsigned *runs)
{
	struct minimize_outcome o = { 0 };
	struct plan p;

	if (!choice_is_made(&event[at]) || value >= choose_chosen(event[at].result).of)
		return false;
	p = choice_plan(event, at, value);
	run(ctx, p.turn, p.n, &o);
	plan_free(&p);
	if (o.over)
		return false;
	++*runs;
	t->result = result_of(&o);
	return choice_followed(event, at, value, &o);
}

bool experiment(struct rec_try *t, const struct recording *r, const struct event *event, uint32_t n, minimize_run run, void *ctx,
	unsigned *runs)
{
	struct wanted w = { .event = event, .n = n, .before = (uint32_t)t->before };
	uint32_t at = w.before;

	if (t->kind == REC_TRY_CHOICE)
		return n == r->n_steps && t->before < n &&
			other_choice(t, event, (uint32_t)t->before, (uint32_t)t->step, run, ctx, runs);
	if (n != r->n_steps || t->before >= n || (t->step != NO_STEP && t->step >= n) || !want(&w, t, r))
		return false;
	for (unsigned i = 0; i < PLACES && at; i++) {
		struct minimize_outcome o = { 0 };
		struct plan p = plan_with(&w, at);
		run(ctx, p.turn, p.n, &o);
		plan_free(&p);
		if (o.over)
			return false;
		++*runs;
		if (as_wanted(&w, at, &o)) {
			t->result = result_of(&o);
			return true;
		}
		if (t->kind == REC_TRY_GO_ON)
			return false;
		at = turn_before(&w, at);
	}
	return false;
}
