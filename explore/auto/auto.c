/* Strategy `auto`: see auto.h. */
#include "explore/auto/auto.h"

#include <string.h>

#include "explore/trace/account.h"
#include "explore/shared/common.h"
#include "explore/shared/work_sharing.h"
#include "explore/trust/trust.h"

/* Initialises a search beside s, in its arena. */
static void search_lay_out(struct search *s, struct search *x, const struct explore_config *config)
{
	x->core.magic = s->core.magic;
	x->core.size = s->core.size;
	x->core.arena_at = (char *)core_arena(&s->core) - (char *)x;
	x->core.config = *config;
}

bool auto_create(struct search *s)
{
	const struct explore_config bounded = {.strategy = STRATEGY_TRUST, .shuffle = s->core.config.shuffle, .bounded = 1, .uncounted = 1,
		.keep_passing = s->core.config.keep_passing},
		samples = {.strategy = STRATEGY_SURW, .seed = s->core.config.seed + s->core.config.samples_before, .uncounted = 1, .directed = 1,
		.keep_passing = s->core.config.keep_passing};
	aref at = core_alloc(&s->core, sizeof(struct auto_search));
	if (!at)
		return false;
	s->auto_search = at;
	search_lay_out(s, &auto_of(s)->bounded, &bounded);
	search_lay_out(s, &auto_of(s)->samples, &samples);
	auto_of(s)->outlook = s->core.config.outlook;
	auto_of(s)->gone = s->core.config.buffers || s->core.config.patience || s->core.config.meets || s->core.config.forks;
	return true;
}

void auto_join(struct search *s)
{
	auto_of(s)->samples.core.config.seed += (uint64_t)(s->share.worker - 1) << 32;
}

void auto_leave(struct search *s)
{
	auto_of(s)->gone = 1;
}

/* ---- the counters of all three ---- */

static void add_counters(struct explore_stats *to, const struct explore_stats *from)
{
	to->executions += from->executions;
	to->events += from->events;
	if (to->max_depth < from->max_depth)
		to->max_depth = from->max_depth;
}

/* Adds the counters of a bounded search, which has more of them than samples. */
static void add_bounded(struct explore_stats *to, const struct explore_stats *from)
{
	add_counters(to, from);
	to->blocked += from->blocked;
	to->cut += from->cut;
	to->assumed += from->assumed;
	to->races += from->races;
}

static void add_up(struct search *s)
{
	struct auto_search *it = auto_of(s);
	const struct explore_stats *b = &it->bounded.core.stats;
	struct explore_stats *st = &it->stats, sum = s->core.stats;
	uint64_t others;
	add_bounded(&sum, &it->done);
	add_bounded(&sum, b);
	add_counters(&sum, &it->samples.core.stats);
	others = sum.executions - s->core.stats.executions;
	sum.samples = it->samples.core.stats.executions;
	sum.samples_cut = it->samples.core.stats.cut;
	sum.sampled = it->part == PART_SAMPLES;
	sum.bound = it->part == PART_BOUNDED ? it->bounded.core.config.preemptions + 1 : 0;
	sum.bound_done = st->bound_done;
	sum.bound_traces = st->bound_traces;
	sum.bound_all = st->bound_all;
	sum.finished |= sum.bound_all;
	if (s->core.stats.finished) { /* each trace was seen there: endings met on the way there add nothing */
		sum.cut = s->core.stats.cut;
		sum.assumed = s->core.stats.assumed;
	} else {
		sum.renamed |= b->renamed;
	}
	if (!s->share.worker && !s->core.stats.finished && sum.distinct_traces < b->executions)
		sum.distinct_traces = b->executions;
	if (sum.bound_all) /* the bounded search saw each trace; the full search, which was stopped, met some of them again */
		sum.assumed = b->assumed;
	if (!s->share.worker && sum.bound_all)
		sum.distinct_traces = sum.bound_traces;
	if (it->part == PART_BOUNDED)
		sum.depth = b->depth;
	if (sum.estimate) {
		sum.estimate += others;
		sum.estimate_low += others;
		if (sum.estimate_high < ESTIMATE_MOST)
			sum.estimate_high += others;
	}
	if (sum.finished)
		sum.estimate = sum.estimate_low = sum.estimate_high = sum.executions;
	*st = sum;
}

/* ---- bounds ---- */

/* Records that a bound is finished, and starts the next one if this one excluded anything. */
static void next_bound(struct search *s)
{
	struct auto_search *it = auto_of(s);
	struct search *b = &it->bounded;
	const struct explore_stats *st = &b->core.stats;
	bool all = !st->cut && !st->renamed && !b->trust.misses;
	if (all) {
		it->stats.bound_done = b->core.config.preemptions + 1;
		it->stats.bound_traces = st->executions;
	}
	if (st->bounded_out) {
		add_bounded(&it->done, st);
		trust_again(b, b->core.config.preemptions + 1);
		return;
	}
	it->gone = 1;
	it->stats.bound_all = all;
	if (all && s->share.worker)
		share_end(s);
}

/* ---- executions ---- */

/* Work of the bounded search, in events. */
static uint64_t bounded_work(const struct auto_search *it)
{
	return it->done.events + it->bounded.core.stats.events + it->bounded.trace.work / TRUST_STEPS;
}

static enum explore_outlook outlook(struct auto_search *it)
{
	return (enum explore_outlook)__atomic_load_n(&it->outlook, __ATOMIC_RELAXED);
}

static bool no_end(struct auto_search *it)
{
	return outlook(it) == OUTLOOK_NO_END;
}

/* Returns whether samples have a share of the work. */
static bool takes_samples(struct auto_search *it)
{
	return no_end(it) || (it->too_long && outlook(it) == OUTLOOK_NOT_KNOWN);
}

static bool bounded_is_next(const struct search *s, struct auto_search *it)
{
	uint64_t work = bounded_work(it), runs = it->done.executions + it->bounded.core.stats.executions, full = s->core.stats.events;
	if (!it->begun) {
		it->begun = work >= AUTO_FIRST_WORK || runs >= AUTO_FIRST ||
			    (!runs && outlook(it) != OUTLOOK_NOT_KNOWN);
		it->first_work = work;
		it->first_full = full;
	}
	if (!it->begun)
		return (work < AUTO_AHEAD && runs < AUTO_AHEAD_RUNS) || work < full;
	return (work - it->first_work) * (no_end(it) ? 1 : AUTO_PART) < full - it->first_full;
}

static bool begin_bounded(struct auto_search *it)
{
	if (it->gone)
		return false;
	it->gone = !trust_ops.begin(&it->bounded);
	it->part = it->gone ? PART_FULL : PART_BOUNDED;
	return !it->gone;
}

static bool begin_sample(struct auto_search *it)
{
	if (!it->owed || !takes_samples(it) || !surw_ops.begin(&it->samples))
		return false;
	it->part = PART_SAMPLES;
	return true;
}

static bool begin_full(struct search *s)
{
	return (s->share.worker || !s->core.stats.finished) && optimal_ops.begin(s);
}

/* The full search has ended, and executions that were cut keep it from saying anything about the whole. What is left of a budget goes to
   samples, in which each thread runs now and then. If most samples are cut as well, more of them are of no use. */
static bool begin_last_sample(struct search *s, struct auto_search *it)
{
	const struct explore_stats *sampled = &it->samples.core.stats;
	if (sampled->cut > AUTO_CUT_SAMPLES + sampled->executions)
		return false;
	if (!s->core.config.budgeted || !s->core.stats.finished || !s->core.stats.cut || s->share.worker || s->core.failed)
		return false;
	it->part = PART_SAMPLES;
	return surw_ops.begin(&it->samples);
}

static bool auto_begin(void *self)
{
	struct search *s = self;
	struct auto_search *it = auto_of(s);
	it->part = PART_FULL;
	bool goes = !s->core.failed && !it->stats.bound_all &&
		    (begin_sample(it) || (bounded_is_next(s, it) && begin_bounded(it)) || begin_full(s) ||
			    (explore_waiting(s) && begin_bounded(it)) || begin_last_sample(s, it));
	add_up(s);
	return goes;
}

/* Returns the search that plans the current execution, and sets *ops to its operations. */
static struct search *running(struct search *s, const struct strategy_ops **ops)
{
	static const struct strategy_ops *const all[] = {
		[PART_FULL] = &optimal_ops, [PART_BOUNDED] = &trust_ops, [PART_SAMPLES] = &surw_ops};
	*ops = all[auto_of(s)->part];
	return auto_running(s);
}

static bool auto_again(void *self)
{
	const struct strategy_ops *ops;
	struct search *s = running(self, &ops);
	return ops->again && ops->again(s);
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

static void end_bounded(struct search *s, const struct trace *trace, enum run_verdict verdict)
{
	struct auto_search *it = auto_of(s);
	struct search *b = &it->bounded;
	if (trace->n > AUTO_LONGEST) {
		account_execution(b, trace, verdict);
		it->gone = it->too_long = 1;
		return;
	}
	trust_ops.end(b, trace, verdict);
	if (b->core.failed) {
		it->gone = 1; /* the full search will fail in the same way */
		if (b->core.stats.diverged)
			it->stats.bound_done = 0;
	} else if (b->core.stats.finished) {
		next_bound(s);
	}
}

static void auto_look(void *self, const struct trace *trace)
{
	const struct strategy_ops *ops;
	struct search *s = running(self, &ops);
	if (ops->look)
		ops->look(s, trace);
}

static void auto_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	struct auto_search *it = auto_of(s);
	switch ((enum auto_part)it->part) {
	case PART_BOUNDED:
		end_bounded(s, trace, verdict);
		break;
	case PART_SAMPLES:
		surw_ops.end(&it->samples, trace, verdict);
		it->owed -= trace->n < it->owed ? trace->n : it->owed;
		break;
	case PART_FULL:
		optimal_ops.end(s, trace, verdict);
		it->owed += takes_samples(it) && (it->begun || it->gone) ? trace->n : 0;
		break;
	}
	add_up(s);
}

const struct strategy_ops auto_ops = {
	.name = "auto",
	.begin = auto_begin,
	.pick = auto_pick,
	.observe = auto_observe,
	.look = auto_look,
	.end = auto_end,
	.again = auto_again,
};
