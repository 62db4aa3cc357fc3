/*
 * The directory of --state DIR, which one run leaves for the next:
 *
 *   simul-stress           the version of this layout, and the process that uses the directory; locked
 *   recordings/TEST/       recordings of bugs, unless --output names another directory; old ones in `former`
 *   searches/TEST/         the search, as saved by `simul run --resume`
 *   results/TEST.json      the result of the last run
 *
 * TEST consists of the test's name and a hash of its name and suite.
 */
#ifndef SIMUL_STRESS_STATE_H
#define SIMUL_STRESS_STATE_H

#include "cli/nightly/stress/stress.h"

/* Creates and locks the directories of s->opt. false: one message was printed. */
bool state_take(struct stress *s);
void state_leave(struct stress *s);

/* Assigns each test its files and directories. false: one message was printed. */
bool state_place(struct stress *s);

/* Returns the name of the files of t, made of its name and a hash of its name and suite. malloc()ed. */
char *state_key(const struct stress_test *t);

/* Returns what determines the search of t, except the program and its libraries. */
json_t *state_setup(const struct stress *s, const struct stress_test *t);

/* Reads the saved state of t. A finished search that can be skipped becomes its result; a search that cannot continue is removed, with a
   note. */
void state_recall(struct stress *s, struct stress_test *t);

/* Saves the record of t for the next run: before its search starts, since simul may be killed, and whenever there is something new. */
void state_record(struct stress *s, struct stress_test *t);

/* Removes the search of t, which cannot continue, so that it starts over; `why` is for the note. false: it is in use, or cannot be removed. */
bool state_restart(struct stress_test *t, const char *why);

#endif
