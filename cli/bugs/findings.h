/* Bugs as they are found: confirmed, simplified, recorded and reported. */
#ifndef SIMUL_FINDINGS_H
#define SIMUL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "cli/bugs/finding.h"

struct run;
struct segment;

/* Has replays and recordings made as the search in `seg` is now, if it explores calls as code that were one step before. */
void findings_follow_refusals(struct run *run, const struct segment *seg);

/* Implements supervision.on_bug: the target waits with a new bug; ctx is the struct run. */
bool findings_on_bug(void *ctx, pid_t pid);
/* Implements supervision.on_explained: simplifies that bug and reports it. */
bool findings_on_explained(void *ctx);
/* Call it after the search: reports as unconfirmed each failure that was seen during warm-up and never again, unless the search explored
   everything. */
void findings_report_postponed(struct run *run);
/* Restores a bug found in an earlier run: rewrites its recording if it is gone. Takes ownership of what *f points to. */
void findings_restore(struct run *run, const struct finding *f);
/* Prints the last lines of a failing execution's output, or the lines from the failed check of a test framework on. */
void findings_show_output(FILE *out, const struct recording *r);
/* Returns the number of confirmed bugs. */
size_t findings_confirmed(const struct run *run);
void findings_free(struct run *run);

#endif
