/*
 * Reports of a recording for people and programs.
 */
#ifndef SIMUL_REPORT_H
#define SIMUL_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "recorder/recording.h"

struct report_options {
	unsigned width; /* columns available; 0 = 100 */
	bool colour;    /* ANSI colours, one for each thread */
	unsigned lines; /* report_bug_summary shortens the schedule to get at most so many lines; 0: any number */
	bool all;       /* show the middle of a long schedule */
	bool no_schedule; /* leave out the table and its legend */
};

/* Returns options for printing to `out`: the width of the terminal (or of $COLUMNS, or 100); colour when it is a
   terminal, NO_COLOR is unset and TERM is not a text-only one. */
struct report_options report_options_for(FILE *out);

/* `simul show`: the failure, the schedule as a table, the explanation, the last position of every thread,
   the output of the target. */
void report_show(FILE *out, const struct recording *r, const struct report_options *options);

/* `simul run`, just after a bug was found: the failure and the failing interleaving, in short form. */
void report_bug_summary(FILE *out, const struct recording *r, const struct report_options *options);

/* `simul show --dot`: prints the steps and their happens-before order for graphviz. Without options->all, at most
   the last REPORT_DOT_STEPS steps. */
void report_dot(FILE *out, const struct recording *r, const struct report_options *options);
#define REPORT_DOT_STEPS 200

/* Prints one line for step i (from 0), "T0.1  lock queue.lock   worker queue.c:41"; divergence reports use it. */
void report_step_line(FILE *out, const struct recording *r, size_t i, const struct report_options *options);

#endif
