#include "cli/verdict/sampling.h"

#include <inttypes.h>

#include "cli/base/json_out.h"
#include "cli/base/say.h"
#include "cli/supervise/counts.h"
#include "explore/explore.h"

#define DEFAULT_DEPTH 3

uint32_t sampling_depth(const struct run_options *o)
{
	if (o->strategy != STRATEGY_PCT)
		return 0;
	return o->depth ? o->depth : DEFAULT_DEPTH;
}

/* Returns base to the power of n; 0 <= base <= 1. */
static long double power(long double base, uint64_t n)
{
	long double result = 1;

	for (; n; n >>= 1, base *= base)
		if (n & 1)
			result *= base;
	return result;
}

bool sampling_bound(const struct session_config *config, const struct explore_stats *st, struct sampling_bound *out)
{
	long double inverse;

	if (config->strategy != STRATEGY_PCT || !st->pct_executions || !st->pct_threads)
		return false;
	*out = (struct sampling_bound){
		.depth = config->depth,
		.threads = st->pct_threads,
		.events = st->pct_events,
		.executions = st->pct_executions,
	};
	inverse = st->pct_threads;
	for (uint32_t i = 1; i < out->depth; i++)
		inverse *= st->pct_events;
	out->found = (double)(1 / inverse);
	out->missed = (double)power(1 - 1 / inverse, out->executions);
	return true;
}

static void print_bound(const struct session_config *config, const struct explore_stats *st, FILE *out)
{
	struct sampling_bound b;

	if (!sampling_bound(config, st, &b)) {
		fprintf(out, "bound: none yet; the length of executions is not yet known\n");
		return;
	}
	/* The probability is an upper limit, so it is rounded up. */
	fprintf(out, "bound: one execution finds a bug of depth <= %u within %u threads and %u events (the most seen) with probability >= "
		"%.2g; all %" PRIu64 " executions drawn for these figures miss it with probability <= %.4f\n", b.depth, b.threads, b.events,
		b.found, b.executions, b.missed < 0.9999 ? b.missed + 0.00005 : 1.0);
}

const char *sampling_windows(const struct explore_stats *st, char *buf, size_t size)
{
	char many[32];

	if (st->windows)
		text_set(buf, size, "%" PRIu64 ", of %" PRIu64 " events on average, each with every single preemption", st->windows,
			(st->window_events + st->windows / 2) / st->windows);
	else
		text_set(buf, size, "none finished");
	if (st->window_pairs)
		text_add(buf, size, ", and %" PRIu64 " random pair%s of preemptions", st->window_pairs,
			st->window_pairs == 1 ? "" : "s");
	if (st->window_cut)
		text_add(buf, size, " (in %" PRIu32 " of them executions were ended after the window)", st->window_cut);
	else if (st->window_ended)
		text_add(buf, size, " (%" PRIu64 " execution%s ended after the window)", st->window_ended,
			st->window_ended == 1 ? " was" : "s were");
	counts_rough(st->window_operations, many, sizeof(many));
	if (st->window_operations)
		text_add(buf, size, "; %s made about %s operations and accesses to memory",
			st->window_uncut ? "the shortest execution in slices"
					 : "no execution in slices ended by itself, and the longest",
			many);
	return buf;
}

void sampling_print(const struct session_config *config, const struct explore_stats *st, FILE *out)
{
	const struct distinct distinct = counts_distinct(config->strategy, st);

	if (!explore_samples(config->strategy))
		return;
	fprintf(out, "distinct traces: %s%" PRIu64 "\n", distinct.least ? "at least " : "", distinct.n);
	if (config->strategy == STRATEGY_WINDOWS) {
		char text[512];

		sampling_windows(st, text, sizeof(text));
		if (st->max_depth)
			text_add(text, sizeof(text), "; the longest execution in slices had %" PRIu32 " events",
				st->max_depth);
		fprintf(out, "windows: %s\n", text);
	}
	if (config->strategy == STRATEGY_PCT)
		print_bound(config, st, out);
	if (st->chose && config->strategy == STRATEGY_PCT)
		fprintf(out, "values were drawn too (simul_choose); the bound holds for bugs that occur with every value\n");
	if (st->gave_way)
		fprintf(out, "executions in which polling threads yielded: %" PRIu64 "%s\n", st->gave_way,
			config->strategy == STRATEGY_PCT ? " (the bound holds for bugs that occur without this)" : "");
}

json_t *sampling_json(const struct session_config *config, const struct explore_stats *st)
{
	struct sampling_bound b;
	json_t *o, *bound = json_null();

	if (!explore_samples(config->strategy))
		return json_null();
	o = json_object();
	json_object_set_new(o, "seed", json_number(config->settings.seed));
	json_object_set_new(o, "distinct_is_lower_bound", json_boolean(counts_distinct(config->strategy, st).least));
	json_object_set_new(o, "gave_way", json_number(st->gave_way));
	json_object_set_new(o, "chose", json_boolean(st->chose));
	if (sampling_bound(config, st, &b)) {
		bound = json_object();
		json_object_set_new(bound, "depth", json_integer(b.depth));
		json_object_set_new(bound, "threads", json_integer(b.threads));
		json_object_set_new(bound, "events", json_integer(b.events));
		json_object_set_new(bound, "executions", json_number(b.executions));
		json_object_set_new(bound, "found", json_real(b.found));
		json_object_set_new(bound, "missed", json_real(b.missed));
	}
	json_object_set_new(o, "bound", bound);
	json_object_set_new(o, "windows", json_number(st->windows));
	json_object_set_new(o, "window_events", json_number(st->window_events));
	json_object_set_new(o, "window_pairs", json_number(st->window_pairs));
	json_object_set_new(o, "operations", json_number(st->window_operations));
	json_object_set_new(o, "ended_after_window", json_number(st->window_ended));
	return o;
}
