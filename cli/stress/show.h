/* What is seen on the terminal and in a job's log while it goes on, and at the end. */
#ifndef SIMUL_STRESS_SHOW_H
#define SIMUL_STRESS_SHOW_H

#include "cli/stress/stress.h"

/* Now and then: how far it is, and what runs. */
void show_progress(struct stress *s, const char *doing, const struct stress_test *const *running, size_t n);
/* The table of all tests. */
void show_table(const struct stress *s, FILE *out);
/* The last line. */
void show_summary(const struct stress *s, FILE *out);
/* What is to be known of a test in one line: why it is no better, or its first bug. malloc()ed. */
char *show_detail(const struct stress_test *t);

/* For GitHub's pages: `::error file=...,line=...` for each bug and each test that could not be searched. */
void show_annotations(const struct stress *s, FILE *out);

#endif
