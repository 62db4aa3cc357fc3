/* The bugs of a test: out of recordings, and out of what `simul run --json` says. */
#ifndef SIMUL_STRESS_BUGS_H
#define SIMUL_STRESS_BUGS_H

#include "cli/stress/stress.h"

/*
 * Reads what an earlier run has recorded for t. Recordings of another build, and files that cannot be read, are moved to the directory
 * `former` beside them, with a note.
 */
void bugs_load(struct stress_test *t);

/* Takes over the bugs of t->run. */
void bugs_from_run(struct stress_test *t);

/* Bug k is gone: forgets it, and moves its recording, if there is one, to `former`. */
void bugs_drop(struct stress_test *t, size_t k);

void stress_bug_free(struct stress_bug *b);

/* The bug in a few words: "assert at q.c:41 in T0.1". malloc()ed. */
char *bugs_line(const struct stress_bug *b);

#endif
