/*
 * Random walk: every enabled choice is equally likely at each step. Execution number i depends on the
 * seed and on i only, so a single one can be repeated without the others. It never proves anything and
 * never finishes by itself.
 */
#include "explore/account.h"
#include "explore/distinct.h"
#include "explore/search.h"

/* Those that ended stuck count too, or the same one would be run for ever. */
static uint64_t runs(const struct search *s)
{
	return s->stats.executions + s->stats.cut + s->stats.blocked;
}

static bool random_begin(void *self)
{
	struct search *s = self;
	if (s->failed || (s->config.max_executions && runs(s) - s->stats.blocked >= s->config.max_executions))
		return false;
	s->rng = mix64(mix64(s->config.seed) ^ runs(s));
	s->running = 1;
	return true;
}

static int random_pick(void *self, const struct sched_view *view)
{
	struct search *s = self;
	s->rng += UINT64_C(0x9e3779b97f4a7c15);
	return (int)(((mix64(s->rng) >> 32) * view->n) >> 32);
}

static void random_observe(void *self, const struct event *e)
{
	(void)self;
	(void)e;
}

static void random_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	account_execution(s, trace, verdict);
	if (verdict != RUN_CUT && verdict != RUN_COVERED && distinct_load(s, trace))
		distinct_count(s);
}

const struct strategy_ops random_ops = {
	.name = "random",
	.begin = random_begin,
	.pick = random_pick,
	.observe = random_observe,
	.end = random_end,
};
