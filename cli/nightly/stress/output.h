/* The output of a test, for frameworks that decide the result by it. */
#ifndef SIMUL_STRESS_OUTPUT_H
#define SIMUL_STRESS_OUTPUT_H

#include <stdbool.h>

/* Returns the first regular expression (CMake syntax) that `text` matches; NULL: none. `patterns` and `text` may be NULL. */
const char *output_matches(char *const *patterns, const char *text);

enum tap_result { TAP_PASSED, TAP_SKIPPED, TAP_FAILED };

/*
 * Reads the output of a test as TAP (versions 12 to 14, testanything.org), as Meson does. A test fails by `not ok` (even with a SKIP), unless
 * TAP's directive says that this is expected; by `ok` where it says so; by `Bail out!`; or by a number of tests that differs from the plan. It is skipped if all its tests are. *why,
 * malloc()ed, gives the reason.
 */
enum tap_result output_tap(const char *text, char **why);

#endif
