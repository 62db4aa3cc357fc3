/* What a test has printed, where its framework decides by that. */
#ifndef SIMUL_STRESS_OUTPUT_H
#define SIMUL_STRESS_OUTPUT_H

#include <stdbool.h>

/* The first of the regular expressions (of CMake) that `text` matches; NULL: none of them. `patterns` and `text` may be NULL. */
const char *output_matches(char *const *patterns, const char *text);

enum tap_result { TAP_PASSED, TAP_SKIPPED, TAP_FAILED };

/*
 * Reads the output of a test as TAP (versions 12 to 14, testanything.org), as Meson does: failed is `not ok` without a directive, `ok` of a
 * TODO, `Bail out!`, and another number of tests than planned; skipped is when all are. *why, malloc()ed, says what was met.
 */
enum tap_result output_tap(const char *text, char **why);

#endif
