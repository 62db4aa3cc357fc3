/*
 * One night shared by several machines (--search): its state is in a PostgreSQL database, see nights.sql. Each test is searched by one machine at
 * a time, and machines that have nothing to do can help. The machine takes the test's turn, with its saved search and recordings, and gives it back with the new ones. If a machine
 * is lost, others take its turns when the lease ends, and go on from what was given back last.
 */
#ifndef SIMUL_STRESS_NIGHT_H
#define SIMUL_STRESS_NIGHT_H

#include "cli/nightly/stress/stress.h"

/* Connects to s->opt.search, and joins the night with these tests or begins one. Call it after steps_prepare of all tests. Sets s->night and
   s->end_ns. false: one message was printed. */
bool night_join(struct stress *s);
void night_leave(struct stress *s);

/* Reserves a test for this machine, and loads its files and its result so far. `alone`: nothing else runs
   on this machine. NULL: there is none now. Asks the database at most once a second.
   With t->sharing.helps it is a copy of a test that another machine searches, to help with. */
struct stress_test *night_take(struct stress *s, bool alone);
/* Gives the turn of t back. */
void night_give(struct stress *s, struct stress_test *t);
/* Prolongs the leases of this machine's turns. Call it often; it does something every few seconds. */
void night_keep(struct stress *s);

/* Returns the number of tests that wait for a machine, apart from the one that was taken last. */
size_t night_waiting(const struct stress *s);
/* Returns whether a turn may still come: the night is not over, and this machine can run one of its tests. */
bool night_goes_on(const struct stress *s);
/* Returns the number of tests of the night that are done, on all machines. */
size_t night_done(const struct stress *s);
/* Returns whether t was first searched on another machine of this night, or in an earlier turn: a search that cannot continue here may do so there. */
bool night_began(const struct stress_test *t);
/* Marks t as one that cannot be run here, for a reason: its turn is given back as it was taken. Takes ownership of `why`. */
void night_refuse(struct stress_test *t, char *why);

/* Call it before each slice of t: shares its search (t->sharing.wide) if another machine has nothing to do. */
void night_widen(struct stress *s, struct stress_test *t);
/* Call it when nothing more runs for a test that night_take returned with t->sharing.helps. Frees it. */
void night_help_end(struct stress *s, struct stress_test *copy);

/* Replaces the results of all tests by those of the night, and gets the recordings. false: a part is missing; a message was printed. */
bool night_collect(struct stress *s);

#endif
