#include "cli/supervise/counts.h"

#include <inttypes.h>

#include "cli/base/say.h"

struct counts counts_of(const struct explore_stats *stats, uint64_t warm_up)
{
	return (struct counts){
		.executions = stats->executions,
		.warm_up = warm_up,
		.all = stats->executions + warm_up,
	};
}

struct distinct counts_distinct(unsigned strategy, const struct explore_stats *stats)
{
	bool some_left = !explore_samples(strategy) && !stats->finished && stats->distinct_traces < stats->executions;
	bool uncounted = stats->distinct_overflow || stats->window_ended;

	if (!stats->distinct_traces && stats->executions)
		return (struct distinct){.n = 1, .least = true};
	return (struct distinct){.n = stats->distinct_traces, .least = uncounted || some_left};
}

char *counts_text(const struct counts *c, char *buf, size_t size)
{
	uint64_t first = c->executions ? c->executions : c->warm_up;

	text_set(buf, size, "%" PRIu64 " execution%s", first, first == 1 ? "" : "s");
	if (c->warm_up && !c->executions)
		text_add(buf, size, " of the warm-up");
	return buf;
}

void counts_rough(uint64_t n, char *buf, size_t size)
{
	static const char *const words[] = {"million", "billion", "trillion"};
	double x = (double)n / 1e6;
	uint64_t unit = 1;
	size_t w = 0;

	if (n < 1000000) {
		while (n / unit >= 100)
			unit *= 10;
		text_set(buf, size, "%llu", (unsigned long long)((n + unit / 2) / unit * unit));
		return;
	}
	for (; x >= 999.5 && w < 2; w++)
		x /= 1000;
	if (n >= COUNTS_BEYOND_WORDS)
		text_set(buf, size, "over 10^15");
	else
		text_set(buf, size, x < 9.95 ? "%.1f %s" : "%.0f %s", x, words[w]);
}

char *counts_rate(double rate, char *buf, size_t size)
{
	if (!(rate > 0)) /* it may be no number */
		text_set(buf, size, "0/s");
	else if (rate < 0.0995)
		text_set(buf, size, "%.0f s each", 1 / rate);
	else
		text_set(buf, size, rate < 9.95 ? "%.1f/s" : "%.0f/s", rate);
	return buf;
}
