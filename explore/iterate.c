/* Strategy `auto`: see iterate.h. */
#include "explore/iterate.h"

#include <string.h>

#include "explore/account.h"
#include "explore/share.h"
#include "explore/trust.h"

bool iterate_create(struct search *s)
{
	aref at = search_alloc(s, sizeof(struct iterate));
	if (!at)
		return false;
	s->iterate = at;
	struct search *b = &iterate_of(s)->bounded;
	b->magic = s->magic;
	b->size = s->size;
	b->arena_at = (char *)search_arena_of(s) - (char *)b;
	b->config = (struct explore_config){.strategy = STRATEGY_TRUST, .shuffle = s->config.shuffle, .bounded = 1, .uncounted = 1};
	return true;
}

void iterate_leave(struct search *s)
{
	iterate_of(s)->gone = 1;
}

/* ---- the numbers of both ---- */

static void add(struct explore_stats *to, const struct explore_stats *from)
{
	to->executions += from->executions;
	to->blocked += from->blocked;
	to->cut += from->cut;
	to->assumed += from->assumed;
	to->events += from->events;
	to->races += from->races;
	if (to->max_depth < from->max_depth)
		to->max_depth = from->max_depth;
}

static void add_up(struct search *s)
{
	struct iterate *it = iterate_of(s);
	const struct explore_stats *b = &it->bounded.stats;
	struct explore_stats *st = &it->stats, sum = s->stats;
	uint64_t others;
	add(&sum, &it->done);
	add(&sum, b);
	others = sum.executions - s->stats.executions;
	sum.bound = it->bounded_runs ? it->bounded.config.preemptions + 1 : 0;
	sum.bound_done = st->bound_done;
	sum.bound_traces = st->bound_traces;
	sum.bound_all = st->bound_all;
	sum.finished |= sum.bound_all;
	if (s->stats.finished) { /* each trace was seen there: what was met on the way to it tells nothing more */
		sum.cut = s->stats.cut;
		sum.assumed = s->stats.assumed;
	} else {
		sum.renamed |= b->renamed;
	}
	if (!s->worker && !s->stats.finished && sum.distinct_traces < b->executions)
		sum.distinct_traces = b->executions;
	if (!s->worker && sum.bound_all) {
		sum.distinct_traces = sum.bound_traces;
		sum.assumed = b->assumed;
	}
	if (it->bounded_runs)
		sum.depth = b->depth;
	if (sum.estimate) {
		sum.estimate += others;
		sum.estimate_low += others;
		sum.estimate_high += others;
	}
	if (sum.finished)
		sum.estimate = sum.estimate_low = sum.estimate_high = sum.executions;
	*st = sum;
}

/* ---- bounds ---- */

/* A bound is through. */
static void next_bound(struct search *s)
{
	struct iterate *it = iterate_of(s);
	struct search *b = &it->bounded;
	const struct explore_stats *st = &b->stats;
	bool all = !st->cut && !st->renamed;
	if (all) {
		it->stats.bound_done = b->config.preemptions + 1;
		it->stats.bound_traces = st->executions;
	}
	if (st->bounded_out) {
		add(&it->done, st);
		trust_again(b, b->config.preemptions + 1);
		return;
	}
	it->gone = 1;
	it->stats.bound_all = all;
	if (all && s->worker)
		share_end(s);
}

/* ---- executions ---- */

/* In events. */
static uint64_t bounded_work(const struct iterate *it)
{
	return it->done.events + it->bounded.stats.events + it->bounded.work / TRUST_STEPS;
}

static bool bounded_is_next(const struct search *s, struct iterate *it)
{
	uint32_t bounds = __atomic_load_n(&it->bounds, __ATOMIC_RELAXED);
	uint64_t work = bounded_work(it);
	if (bounds == BOUNDS_FIRST && !s->started && it->done.executions + it->bounded.stats.executions < ITERATE_FIRST &&
		work < ITERATE_FIRST_WORK) {
		it->first_work = work;
		return true;
	}
	return (work - it->first_work) * (bounds == BOUNDS_HALF ? 1 : ITERATE_PART) < s->stats.events;
}

static bool begin_bounded(struct iterate *it)
{
	if (it->gone)
		return false;
	it->bounded_runs = trust_ops.begin(&it->bounded);
	it->gone = !it->bounded_runs;
	return it->bounded_runs;
}

static bool auto_begin(void *self)
{
	struct search *s = self;
	struct iterate *it = iterate_of(s);
	it->bounded_runs = 0;
	bool goes = !s->failed && !it->stats.bound_all &&
		    ((bounded_is_next(s, it) && begin_bounded(it)) || optimal_ops.begin(s) ||
			    (explore_waiting(s) && begin_bounded(it)));
	add_up(s);
	return goes;
}

/* Whose execution it is. */
static struct search *running(struct search *s, const struct strategy_ops **ops)
{
	*ops = iterate_of(s)->bounded_runs ? &trust_ops : &optimal_ops;
	return iterate_running(s);
}

static int auto_pick(void *self, const struct sched_view *view)
{
	const struct strategy_ops *ops;
	struct search *s = running(self, &ops);
	return ops->pick(s, view);
}

static void auto_observe(void *self, const struct event *e)
{
	const struct strategy_ops *ops;
	struct search *s = running(self, &ops);
	ops->observe(s, e);
}

static void auto_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	const struct strategy_ops *ops;
	struct search *s = self, *mine = running(s, &ops);
	struct iterate *it = iterate_of(s);
	if (mine != s && trace->n > ITERATE_LONGEST) {
		account_execution(mine, trace, verdict);
		it->gone = 1;
		add_up(s);
		return;
	}
	ops->end(mine, trace, verdict);
	if (mine != s && mine->failed) {
		it->gone = 1; /* the full search will meet the same */
		if (mine->stats.diverged)
			it->stats.bound_done = 0;
	} else if (mine != s && mine->stats.finished) {
		next_bound(s);
	}
	add_up(s);
}

const struct strategy_ops auto_ops = {
	.name = "auto",
	.begin = auto_begin,
	.pick = auto_pick,
	.observe = auto_observe,
	.end = auto_end,
};
