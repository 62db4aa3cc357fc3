/* The report of a bug as people see it when it is found: a page of a terminal, with the part of the program's output
   that matters. */
#ifndef SIMUL_FINDING_TEXT_H
#define SIMUL_FINDING_TEXT_H

#include <stdio.h>

#include "recorder/report/report.h"

/* Prints the failure, its schedule and explanation, and what the program wrote. The schedule is shortened so that all
   of it has at most FINDING_LINES lines, where that is possible. `other`: what a replay with a different result did;
   NULL: there was none. */
void finding_show(FILE *out, const struct recording *r, struct report_options options, const char *other);
#define FINDING_LINES 37 /* what follows, the commands, takes another three */

#endif
