/* Output for the terminal and for a job's log, during the run and at the end. */
#ifndef SIMUL_STRESS_SHOW_H
#define SIMUL_STRESS_SHOW_H

#include "cli/nightly/stress/stress.h"

/* Call it periodically: shows the progress and the running tests. */
void show_progress(struct stress *s, const char *doing, const struct stress_test *const *running, size_t n);
/* Prints the table of all tests. */
void show_table(const struct stress *s, FILE *out);
/* Prints the last line. */
void show_summary(const struct stress *s, FILE *out);
/* Describes the state of a test in one line: why its result is not better, or its first bug. malloc()ed. */
char *show_detail(const struct stress_test *t);

/* Prints GitHub annotations: `::error file=...,line=...` for each bug and each test that could not be searched. */
void show_annotations(const struct stress *s, FILE *out);

#endif
