/*
 * What people and programs get to read of a recording.
 */
#ifndef SIMUL_REPORT_H
#define SIMUL_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "recorder/recording.h"

struct report_options {
	unsigned width; /* columns to fit into; 0 = 100 */
	bool colour;    /* ANSI colours, one a thread */
	bool all;       /* do not leave out the middle of a long schedule */
	bool no_schedule; /* leave out the table, and what goes with it */
};

/* Options for printing to `out`: the width of the terminal (or of $COLUMNS, or 100), colour when it is a
   terminal, NO_COLOR is unset and TERM says that it can do more than text. */
struct report_options report_options_for(FILE *out);

/* `simul show`: what failed, the schedule as a table, the explanation, every thread's last position,
   the output of the target. */
void report_show(FILE *out, const struct recording *r, const struct report_options *options);

/* `simul run`, just after a bug was found: what failed and the failing interleaving, short. */
void report_bug_summary(FILE *out, const struct recording *r, const struct report_options *options);

/* `simul show --json`: one JSON object and a newline. 0, or -errno when writing failed. */
int report_json(FILE *out, const struct recording *r);

/* `simul show --html`: one page that needs nothing else, with the sources as they are now; `name` is what to call the recording.
   malloc()ed, *size bytes, UTF-8. */
char *report_html(const struct recording *r, const char *name, size_t *size);

/* `simul show --dot`: the steps and what has to come before what, for graphviz; unless options->all, at most the last
   REPORT_DOT_STEPS steps. */
void report_dot(FILE *out, const struct recording *r, const struct report_options *options);
#define REPORT_DOT_STEPS 200

/* One line for step i (from 0), "T0.1  lock queue.lock   worker queue.c:41"; used by divergence reports. */
void report_step_line(FILE *out, const struct recording *r, size_t i, const struct report_options *options);

#endif
