/* What summaries and verdicts say of the rules by which the program schedules threads of its own (sched/policy.h). */
#ifndef SIMUL_VERDICT_POLICY_TEXT_H
#define SIMUL_VERDICT_POLICY_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include "base/session.h"

/* Prints a line for each policy that was used. */
void policy_summary(const struct session *s, FILE *out);
/* Returns "; a what-if: ..." in buf if the search tried orders that the program's own scheduler never has, "; ...
   only ..." if it tried no order but the scheduler's own, else "". */
const char *policy_verdict(const struct session *s, char *buf, size_t size);
/* Returns whether the search tried orders that the program's own scheduler never has. */
bool policy_tried_what_if(const struct session *s);
/* Returns the names of the policies that were used. */
json_t *policy_json(const struct session *s);

#endif
