/* Strategies that sample schedules: their options, and the guarantees about what they covered. */
#ifndef SIMUL_CLI_SAMPLING_H
#define SIMUL_CLI_SAMPLING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/session.h"
#include "cli/options/run_options.h"
#include "explore/explore.h"

/* Returns --depth of this run: for pct the given one, or 3; 0 for other strategies. */
uint32_t sampling_depth(const struct run_options *o);

/* The guarantee of pct so far. */
struct sampling_bound {
	uint32_t depth, threads, events; /* of bugs that occur in executions with at most this many threads and events */
	uint64_t executions;             /* executions drawn for these numbers */
	double found;                    /* least probability with which one execution finds such a bug */
	double missed;                   /* greatest probability with which all of them miss it: 0 .. 1 */
};
/* false: another strategy, or no guarantee is known yet. */
bool sampling_bound(const struct session_config *config, const struct explore_stats *stats, struct sampling_bound *out);

/* Writes how many windows (explore/sampling/windows.h) are finished to buf, and returns it. */
const char *sampling_windows(const struct explore_stats *stats, char *buf, size_t size);

/* Lines of the summary; nothing with strategies that do not sample. */
void sampling_print(const struct session_config *config, const struct explore_stats *stats, FILE *out);
/* The object "sampling" of --json; null with strategies that do not sample. */
json_t *sampling_json(const struct session_config *config, const struct explore_stats *stats);

#endif
