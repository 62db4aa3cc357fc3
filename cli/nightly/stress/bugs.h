/* The bugs of a test, from recordings and from the result of `simul run --json`. */
#ifndef SIMUL_STRESS_BUGS_H
#define SIMUL_STRESS_BUGS_H

#include "cli/nightly/stress/stress.h"
#include "recorder/recording.h"

/*
 * Reads the recordings of t from an earlier run. Recordings of another build and unreadable files are moved to the directory `former`
 * beside them, with a note.
 */
void bugs_load(struct stress_test *t);

/* Drops the bugs of t whose recording, which came from another machine, cannot be read or does not run the test. */
void bugs_check(struct stress_test *t);

/* Adds the bugs of t->run. */
void bugs_from_run(struct stress_test *t);

/* Adds the bug of a recording. */
void bugs_add(struct stress_test *t, const struct recording *r);

/* Removes bug k, and moves its recording, if any, to `former`. */
void bugs_drop(struct stress_test *t, size_t k);

void stress_bug_free(struct stress_bug *b);

/* Describes the bug in a few words: "assert at q.c:41 in T0.1". malloc()ed. */
char *bugs_line(const struct stress_bug *b);

#endif
