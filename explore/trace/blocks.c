#include "explore/trace/blocks.h"

#include "explore/trace/distinct.h"
#include "sched/step.h"

/* An event in a block. */
struct of_block {
	uint32_t event, block; /* block: its number in the thread */
};

static const struct of_block *item(struct search *s, uint32_t i)
{
	return (const struct of_block *)vec_data(&s->core, &s->trace.blocks) + i;
}

/* Lists the events in atomic regions. Returns false when memory is used up. */
static bool list_events(struct search *s, const struct trace *trace)
{
	uint32_t begun[MAX_THREADS] = {0};
	bool inside[MAX_THREADS] = {0};
	s->trace.blocks.n = 0;
	for (uint32_t i = 0; i < trace->n; i++) {
		const struct event *e = &trace->event[i];
		if (e->thread >= MAX_THREADS)
			continue;
		if (e->kind == EV_ATOMIC_BEGIN || e->kind == EV_ATOMIC_END) {
			inside[e->thread] = e->kind == EV_ATOMIC_BEGIN;
			begun[e->thread] += inside[e->thread];
		} else if (inside[e->thread]) {
			struct of_block *to = vec_push(&s->core, &s->trace.blocks, sizeof *to);
			if (!to)
				return false;
			*to = (struct of_block){ i, begun[e->thread] };
		}
	}
	return true;
}

static uint64_t pair_hash(const struct trace *trace, const struct of_block *a, const struct of_block *b)
{
	uint64_t first = (uint64_t)trace->event[a->event].thread << 32 | a->block;
	uint64_t second = (uint64_t)trace->event[b->event].thread << 32 | b->block;
	return mix64(mix64(first) + second);
}

/* Returns whether an earlier pair of events of these two blocks is dependent. The events of a block are next to each
   other. */
static bool counted(struct search *s, const struct trace *trace, uint32_t a, uint32_t b)
{
	thread_id ta = trace->event[item(s, a)->event].thread, tb = trace->event[item(s, b)->event].thread;
	for (uint32_t k = b;; k--) {
		const struct of_block *y = item(s, k);
		if (trace->event[y->event].thread != tb || y->block != item(s, b)->block)
			return false;
		for (uint32_t i = a;; i--) {
			const struct of_block *x = item(s, i);
			const struct event *d = &trace->event[x->event], *e = &trace->event[y->event];
			if (d->thread != ta || x->block != item(s, a)->block)
				break;
			if ((k != b || i != a) && !events_apart(d, e) && events_dependent(d, e))
				return true;
			if (!i)
				break;
		}
		if (!k)
			return false;
	}
}

/* Returns a hash of the set of ordered pairs of dependent blocks: the sum of those of the pairs, each once. */
static uint64_t block_hash(struct search *s, const struct trace *trace)
{
	uint64_t h = 1;
	for (uint32_t b = 0; b < s->trace.blocks.n; b++)
		for (uint32_t a = 0; a < b; a++) {
			const struct event *d = &trace->event[item(s, a)->event], *e = &trace->event[item(s, b)->event];
			if (d->thread == e->thread || events_apart(d, e) || !events_dependent(d, e) ||
				counted(s, trace, a, b))
				continue;
			h += pair_hash(trace, item(s, a), item(s, b));
		}
	return mix64(h);
}

void blocks_count(struct search *s, const struct trace *trace)
{
	struct explore_stats *st = &s->core.stats;
	if (!trace->steps || !trace->steps->turns)
		return;
	if (list_events(s, trace))
		st->block_traces += distinct_add(s, &s->trace.block_table, block_hash(s, trace), &st->block_overflow);
	else
		st->block_overflow = 1;
}
