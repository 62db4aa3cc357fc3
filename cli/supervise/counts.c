#include "cli/supervise/counts.h"

#include <inttypes.h>

#include "cli/base/say.h"

struct counts counts_of(const struct explore_stats *stats, uint64_t warm_up)
{
	struct counts c = {
		.executions = stats->executions,
		.warm_up = warm_up,
		.all = stats->executions + warm_up,
		.distinct = stats->distinct_traces,
		.distinct_least = stats->distinct_overflow || (!stats->finished && stats->distinct_traces < stats->executions),
	};

	if (!c.distinct && c.executions) { /* those of samples are not counted */
		c.distinct = 1;
		c.distinct_least = true;
	}
	return c;
}

char *counts_text(const struct counts *c, char *buf, size_t size)
{
	uint64_t first = c->executions ? c->executions : c->warm_up;

	text_set(buf, size, "%" PRIu64 " execution%s", first, first == 1 ? "" : "s");
	if (c->warm_up && !c->executions)
		text_add(buf, size, " of the warm-up");
	return buf;
}
