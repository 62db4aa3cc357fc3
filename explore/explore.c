/* The entry point: lays out a search in the caller's memory and returns its strategy. */
#include "explore/explore.h"

#include <string.h>

#include "explore/auto/auto.h"
#include "explore/tree/next_thread.h"
#include "explore/tree/prefix.h"
#include "explore/sampling/sample.h"
#include "explore/sampling/windows.h"
#include "explore/graph/graphs.h"
#include "explore/search.h"
#include "explore/dpor/spine.h"

static const struct strategy_ops *const all_ops[STRATEGY_COUNT] = {
#define STRATEGY(NAME, word, ...) [STRATEGY_##NAME] = &word##_ops,
#include "explore/strategies.def"
#undef STRATEGY
};

static const uint8_t kinds[STRATEGY_COUNT] = {
#define STRATEGY(NAME, word, KIND, text) [STRATEGY_##NAME] = KIND_##KIND,
#include "explore/strategies.def"
#undef STRATEGY
};

const char *explore_strategy_name(unsigned strategy)
{
	return strategy < STRATEGY_COUNT ? all_ops[strategy]->name : "?";
}

bool explore_samples(unsigned strategy)
{
	return strategy < STRATEGY_COUNT && kinds[strategy] == KIND_SAMPLES;
}

size_t explore_min_memory(const struct explore_config *config)
{
	(void)config;
	return sizeof(struct search) + sizeof(struct arena) + 64 * 1024;
}

bool explore_create(const struct explore_config *config, void *memory, size_t size)
{
	if (size < explore_min_memory(config) || config->strategy >= STRATEGY_COUNT ||
		(config->strategy == STRATEGY_PCT && (config->depth < 1 || config->depth > EXPLORE_DEPTH_MAX)) ||
		(config->strategy == STRATEGY_BPOR && !config->bounded))
		return false;
	struct search *s = memory;
	memset(s, 0, sizeof *s);
	s->core.magic = SEARCH_MAGIC;
	s->core.size = size;
	s->core.config = *config;
	s->core.arena_at = sizeof *s;
	arena_init(core_arena(&s->core), size - sizeof *s);
	if (config->zeroed)
		arena_clean(core_arena(&s->core));
	if (config->strategy != STRATEGY_AUTO)
		return true;
	s->core.config.strategy = STRATEGY_OPTIMAL;
	return config->regions || auto_create(s);
}

/* Returns the three searches in memory that may be damaged; NULL if there is only one, or if they do not lie in the memory. */
static struct auto_search *auto_within(void *memory, size_t size)
{
	const struct search *s = memory;
	uint64_t at = sizeof *s + (uint64_t)s->auto_search * 8; /* the arena lies right after the search */
	return s->auto_search && at + sizeof(struct auto_search) <= size ? (struct auto_search *)((char *)memory + at) : NULL;
}

bool explore_attach(void *memory, size_t size, struct strategy *out)
{
	struct search *s = memory;
	if (size < sizeof *s || s->core.magic != SEARCH_MAGIC || s->core.size > size ||
		s->core.config.strategy >= STRATEGY_COUNT || s->core.arena_at != sizeof *s || (s->auto_search && !auto_within(memory, size)))
		return false;
	out->ops = s->auto_search ? &auto_ops : all_ops[s->core.config.strategy];
	out->self = s;
	return true;
}

/* Returns the strategy of the planned execution. */
static unsigned strategy_planned(void *memory)
{
	return auto_running(memory)->core.config.strategy;
}

bool explore_sample_next(void *memory)
{
	return explore_samples(strategy_planned(memory));
}

bool explore_all_traces(void *memory)
{
	return kinds[strategy_planned(memory)] == KIND_ALL;
}

bool explore_backtracks(const void *memory)
{
	return !explore_samples(((const struct search *)memory)->core.config.strategy);
}

bool explore_passing(const void *memory, size_t size, const struct event **event, uint32_t *n)
{
	const struct search *s = memory;
	const struct auto_search *it = auto_within((void *)memory, size);
	return size >= sizeof *s && (spine_events(memory, size, s, event, n) || (it && (spine_events(memory, size, &it->bounded, event, n) ||
		spine_events(memory, size, &it->samples, event, n))));
}

bool explore_returns(const void *memory)
{
	return explore_backtracks(memory) || ((const struct search *)memory)->core.config.strategy == STRATEGY_WINDOWS;
}

uint32_t explore_prefix(void *memory)
{
	struct search *s = auto_running(memory);
	if (s->core.config.strategy == STRATEGY_GRAPHS)
		return graphs_prefix(s);
	return s->tree.prefix < s->trace.nodes.n ? s->tree.prefix : s->trace.nodes.n;
}

uint32_t explore_repeats(void *memory, const struct trace *trace)
{
	struct search *s = auto_running(memory);
	if (s->core.config.strategy == STRATEGY_WINDOWS)
		return windows_repeat(&s->core, trace);
	if (s->core.config.strategy == STRATEGY_GRAPHS)
		return graphs_repeats(s) < trace->n ? graphs_repeats(s) : trace->n;
	uint32_t n = explore_prefix(memory), i = 0;
	while (i < n && i < trace->n && prefix_same(&trace->event[i], &node_at(s, i)->ev))
		i++;
	return explore_backtracks(s) ? i : 0;
}

void explore_resume(void *memory, uint32_t n)
{
	struct search *s = auto_running(memory);
	if (!explore_backtracks(s))
		return;
	if (s->core.config.strategy == STRATEGY_GRAPHS) {
		graphs_resume(s, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!order_note(s, node_at(s, i)->ev.thread, i))
			break; /* memory is used up: the search ends */
	s->tree.pos = n;
}

uint64_t explore_used(const void *memory)
{
	const struct search *s = memory;
	return sizeof *s + ((const struct arena *)(s + 1))->used;
}

void explore_more_events(void *memory)
{
	struct search *s = memory;
	struct sampling *p = s->core.sampling ? sample_of(&s->core) : NULL;
	if (p)
		p->outdated = 1;
	if (s->core.config.keep_passing) {
		s->spine.events.n = 0; /* it lacks events that a replay has from now on, and so does the running execution */
		s->spine.lacks_events = 1;
	}
}

void explore_extend(void *memory, uint64_t executions, bool budgeted)
{
	struct search *s = memory;
	if (s->core.config.certify)
		s->core.config.budgeted = budgeted;
	s->core.config.max_executions = executions ? s->core.stats.executions + s->core.stats.cut + s->core.stats.assumed + executions : 0;
}

void explore_expect(void *memory, size_t size, enum explore_outlook outlook)
{
	struct auto_search *it = auto_within(memory, size);
	if (it)
		__atomic_store_n(&it->outlook, outlook, __ATOMIC_RELAXED);
}

enum explore_outlook explore_expected(const void *memory)
{
	const struct search *s = memory;
	return s->auto_search ? (enum explore_outlook)__atomic_load_n(&auto_of((struct search *)memory)->outlook, __ATOMIC_RELAXED) : OUTLOOK_NOT_KNOWN;
}

const struct explore_stats *explore_stats(const void *memory)
{
	const struct search *s = memory;
	return s->auto_search ? &auto_of((struct search *)memory)->stats : &s->core.stats;
}

const struct explore_stats *explore_stats_within(void *memory, size_t size)
{
	const struct search *s = memory;
	const struct auto_search *it = auto_within(memory, size);
	return it ? &it->stats : s->auto_search ? NULL : &s->core.stats;
}
