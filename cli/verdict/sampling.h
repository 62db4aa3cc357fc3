/* Strategies that sample schedules: their options, and what may be said of what they covered. */
#ifndef SIMUL_CLI_SAMPLING_H
#define SIMUL_CLI_SAMPLING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/run.h"

/* --depth of this run: of pct what was given, or 3; 0 with other strategies. */
uint32_t sampling_depth(const struct run_options *o);

/* false: the options contradict each other; one message was printed. */
bool sampling_check(const struct run_options *o);

/* What pct guarantees, as far as it has come. */
struct sampling_bound {
	uint32_t depth, threads, events; /* of bugs that show in executions of at most so many */
	uint64_t executions;             /* that were drawn for these numbers */
	double found;                    /* probability with which each of these finds such a bug, at least */
	double missed;                   /* probability with which all of them miss it, at most: 0 .. 1 */
};
/* false: another strategy, or nothing can be said yet. */
bool sampling_bound(const struct run *run, struct sampling_bound *out);

/* Lines of the summary; nothing with strategies that do not sample. */
void sampling_print(const struct run *run);
/* The object "sampling" of --json; null with strategies that do not sample. */
json_t *sampling_json(const struct run *run);

#endif
