/* Shared by the sampling strategies: see sample.h. */
#include "explore/sampling/sample.h"

#include <string.h>

#include "explore/trace/account.h"
#include "explore/trace/distinct.h"

/* Executions that were stopped count too. Otherwise the same one would be run for ever. */
static uint64_t runs(const struct core *s)
{
	return s->stats.executions + s->stats.cut + s->stats.assumed + s->stats.blocked;
}

bool sample_begin(struct core *s)
{
	if (s->failed || (s->config.max_executions && runs(s) - s->stats.blocked >= s->config.max_executions))
		return false;
	if (!s->sampling)
		s->sampling = core_alloc(s, sizeof(struct sampling));
	if (!s->sampling)
		return false;
	struct sampling *p = sample_of(s);
	p->epoch++;
	p->seen = p->parked = p->gave = p->streak = 0;
	p->goes_on = NO_THREAD;
	p->rng = mix64(mix64(s->config.seed) ^ runs(s));
	p->draw = mix64(p->rng ^ UINT64_C(0x5eed));
	s->running = 1;
	return true;
}

static void account(struct search *s, const struct trace *trace, enum run_verdict verdict)
{
	s->core.stats.gave_way += sample_of(&s->core)->gave;
	account_execution(s, trace, verdict);
}

void sample_ended_early(struct search *s, const struct trace *trace)
{
	account(s, trace, RUN_OK);
}

void sample_end(struct search *s, const struct trace *trace, enum run_verdict verdict)
{
	account(s, trace, verdict);
	if (!s->core.config.uncounted && verdict_is_whole(verdict) && distinct_load(s, trace))
		distinct_count(s);
}

void sample_observe(void *self, const struct event *e)
{
	(void)self;
	(void)e;
}

struct runner *sample_runner(struct core *s, thread_id t)
{
	struct sampling *p = sample_of(s);
	struct vec *v = is_agent(t) ? &p->agents : &p->runners;
	uint32_t i = is_agent(t) ? t - MAX_THREADS : t;
	while (v->n <= i)
		if (!vec_push(s, v, sizeof(struct runner)))
			return NULL;
	struct runner *r = (struct runner *)vec_data(s, v) + i;
	if (r->epoch != p->epoch) {
		memset(r, 0, sizeof *r);
		r->epoch = p->epoch;
	}
	return r;
}

/* Returns a random 64-bit number. */
static uint64_t sample_draw(struct core *s)
{
	struct sampling *p = sample_of(s);
	p->rng += SPLITMIX_STEP;
	return mix64(p->rng);
}

/* Records for explore_need whether the thread of choice i has another alternative. */
static void note_others(struct core *s, const struct sched_view *view, uint32_t i)
{
	struct vec *v = &sample_of(s)->others;
	const struct choice *c = &view->choices[i];
	uint32_t at = view->trace->n;
	if (!vec_reserve(s, v, at + 1, 1))
		return;
	((uint8_t *)vec_data(s, v))[at] = c->alt == ALT_NORMAL && i + 1 < view->n && c[1].thread == c->thread;
	v->n = at + 1;
}

int sample_value(struct core *s, const struct sched_view *view, uint32_t i)
{
	uint32_t n = 0, found = i;
	note_others(s, view, i);
	if (view->choices[i].alt != ALT_NORMAL || is_agent(view->choices[i].thread) ||
		view->trace->pending[view->choices[i].thread].kind != EV_CHOOSE)
		return (int)i;
	s->stats.chose = 1;
	for (uint32_t k = i; k < view->n && view->choices[k].thread == view->choices[i].thread; k++)
		if ((k == i || sample_is_other_value(view, k)) && sample_below(s, ++n) == 0)
			found = k;
	return (int)found;
}

int sample_pick_store(void *self, const struct sched_view *view)
{
	struct core *s = self;
	return sample_below(s, 2) ? 0 : 1 + (int)sample_below(s, view->n - 1);
}

uint32_t sample_below(struct core *s, uint32_t n)
{
	return (uint32_t)(((sample_draw(s) >> 32) * n) >> 32);
}
