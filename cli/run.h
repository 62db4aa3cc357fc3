/* `simul run`: declarations shared by its files. */
#ifndef SIMUL_RUN_H
#define SIMUL_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/bugs/findings.h"
#include "cli/supervise/search.h"
#include "cli/verdict/verdict.h"

struct run {
	struct search search;
	struct findings findings;
	struct verdict verdict;
	struct resume *resume;     /* --resume; NULL: not given */
	struct machines *machines; /* --search; NULL: not given */
	FILE *human;               /* destination of the report: stdout, or stderr with --json - */
};

/* Returns whether the path of --json or --sarif means standard output. */
bool run_is_stdout(const char *path);
/* Checks the options against each other, and that the files that they name can be written. Call it when the strategy is chosen. Moves the patterns of --lock and
   --leave-out to those of --patch. false: one message was printed. */
bool run_check_options(struct run_options *o);

#endif
