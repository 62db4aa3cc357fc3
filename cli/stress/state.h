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

/* Makes and takes the directories of s->opt. false: one message was printed. */
bool state_take(struct stress *s);
void state_leave(struct stress *s);

/* Gives each test its places. false: one message was printed. */
bool state_place(struct stress *s);

/* Reads what was kept of t: a search that is over and can be skipped becomes its result; one that cannot go on is removed, with a note. */
void state_recall(struct stress *s, struct stress_test *t);

/* Writes what is to be known of t next time: before its search starts, since it may be killed, and when there is something new. */
void state_record(struct stress *s, struct stress_test *t);

/* The search of t cannot go on: removes it, so that it begins anew; `why` for the note. false: it is in use, or cannot be removed. */
bool state_begin_anew(struct stress_test *t, const char *why);

#endif
