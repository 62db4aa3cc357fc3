#include "cli/bugs/stronger_orders.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "replay/stronger.h"
#include "sched/choice.h"

#define MOST_REPLAYS 40

struct replaying {
	struct rerun how;
	struct schedule schedule; /* with the orders of this replay */
	const struct recording *recording;
	const struct event *event;
	struct execution execution; /* the last one; valid if `ran` */
	bool ran;
};

static void at_end(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct replaying *x = ctx;
	char why[256];

	x->ran = segment_execution(seg, &x->execution, why, sizeof(why));
}

/* Returns whether the first n events are those of the schedule, with the same stores. */
static bool same_until(const struct replaying *x, size_t n)
{
	if (x->execution.n < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct event *a = &x->event[i], *b = &x->execution.events[i];
		if (a->thread != b->thread || a->kind != b->kind || a->alt != b->alt || a->pc != b->pc ||
			event_found(a) != event_found(b) || event_reads_from(a) != event_reads_from(b))
			return false;
	}
	return true;
}

/* Returns whether the thread makes the same access, though perhaps with another store: the latest one, if no other is
   offered. */
static bool is_access_of(const struct forced_step *found, const struct forced_step *expected)
{
	return found->thread == expected->thread && found->kind == expected->kind && found->span == expected->span &&
	       found->obj[0] == expected->obj[0] && found->obj[1] == expected->obj[1];
}

/* Returns whether the replay left the schedule because of the orders. */
static bool was_prevented(const struct replaying *x, const struct session_divergence *d)
{
	const struct rec_step *s = d->step < x->recording->n_steps ? &x->recording->steps[d->step] : NULL;

	if (!s || !same_until(x, d->step))
		return false;
	if (d->reason == DIVERGED_NOT_ENABLED || d->reason == DIVERGED_OTHER_EVENT)
		return alternative_is_older(s->alt) && is_access_of(&d->found, &d->expected);
	return d->reason == DIVERGED_WENT_ON && s->kind == EV_DEATH && x->recording->failure.kind == BUG_RACE;
}

static enum stronger_result judge(const struct replaying *x, const struct confirm_outcome *o)
{
	if (o->kind == CONFIRM_INTERRUPTED)
		return STRONGER_OVER;
	if (!x->ran)
		return STRONGER_UNKNOWN;
	if (o->kind == CONFIRM_SAME)
		return same_until(x, x->recording->n_steps) ? STRONGER_FAILS : STRONGER_UNKNOWN;
	return o->kind == CONFIRM_DIVERGED && was_prevented(x, &o->divergence) ? STRONGER_PREVENTED : STRONGER_UNKNOWN;
}

static enum stronger_result run(void *ctx, const uint8_t *order, size_t *at)
{
	struct replaying *x = ctx;
	struct confirm_outcome *o = xcalloc(1, sizeof(*o));
	enum stronger_result result;

	x->ran = false;
	for (uint32_t i = 0; i < x->schedule.n; i++)
		x->schedule.step[i].order = order[i];
	rerun_once(&x->how, o);
	result = judge(x, o);
	*at = o->divergence.step;
	if (x->ran)
		execution_free(&x->execution);
	free(o);
	return result;
}

void stronger_orders(const struct rerun *how, struct recording *r, const struct event *event)
{
	struct replaying *x;

	if (r->orders.runs || !stronger_applies(r))
		return;
	x = xcalloc(1, sizeof(*x)); /* too large for a small stack */
	x->how = *how;
	x->recording = r;
	x->event = event;
	schedule_from_events(&x->schedule, event, (uint32_t)r->n_steps, &how->schedule->names, &how->schedule->pool,
		&how->schedule->memory);
	x->how.schedule = &x->schedule;
	x->how.turn = NULL;
	x->how.stacks = false;
	x->how.at_end = at_end;
	x->how.ctx = x;
	stronger_find(r, run, x, MOST_REPLAYS);
	schedule_free(&x->schedule);
	free(x);
}
