/*
 * --state DIR, what one night leaves for the next:
 *
 *   simul-stress           which program works here (locked), and the version of this layout
 *   recordings/TEST/       recordings of bugs, `former` ones below (unless --output says where)
 *   searches/TEST/         the search, as `simul run --resume` keeps it
 *   results/TEST.json      what came of it last time
 *
 * TEST is made of the test's name and a hash of all that identifies it.
 */
#ifndef SIMUL_STRESS_STATE_H
#define SIMUL_STRESS_STATE_H

#include "cli/stress/stress.h"

/* Creates and locks the directories of s->opt. false: one message was printed. */
bool state_take(struct stress *s);
void state_leave(struct stress *s);

/* Assigns each test its files and directories. false: one message was printed. */
bool state_place(struct stress *s);

/* Reads the saved state of t. A finished search that can be skipped becomes its result; a search that cannot continue is removed, with a
   note. */
void state_recall(struct stress *s, struct stress_test *t);

/* Saves the record of t for the next run: before its search starts, since simul may be killed, and whenever there is something new. */
void state_record(struct stress *s, struct stress_test *t);

/* Removes the search of t, which cannot continue, so that it starts over; `why` is for the note. false: it is in use, or cannot be removed. */
bool state_begin_anew(struct stress_test *t, const char *why);

#endif
