/* The options of `simul run`: which go together, and whether what they name can be used. */
#ifndef SIMUL_RUN_CHECK_H
#define SIMUL_RUN_CHECK_H

#include <stdbool.h>

struct run_options;

/* Returns whether the path of --json or --sarif means standard output. */
bool run_is_stdout(const char *path);
/* Checks the options against each other, and that the files that they name can be written. Call it when the strategy is chosen. Moves the patterns of --lock and
   --leave-out to those of --patch. false: one message was printed. */
bool run_check_options(struct run_options *o);

#endif
