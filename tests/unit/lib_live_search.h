/* Searches for the graphs of the programs of lib_rc11.h in the world, and comparing what they find. */
#ifndef SIMUL_TEST_LIVE_SEARCH_H
#define SIMUL_TEST_LIVE_SEARCH_H

#include "explore/explore.h"
#include "tests/unit/lib_live.h"

/* Runs every order of the threads with every store that is offered. *out: the graphs, each once, sorted. Returns false
   when there are more than `most` executions. */
bool live_all_graphs(const struct rc_program *p, uint32_t without, unsigned most, struct rc_keys *out);

/* Flaws of a search, to show that the rest is needed. */
enum live_flaw {
	LIVE_NO_WAITERS = 1, /* it does not hear of calls that wait at the end */
	LIVE_NO_ORDER = 2    /* it does not hear of what calls order */
};

/* Runs the strategy `graphs`. *out: the graphs of its executions, sorted. Returns whether it came to its end. */
bool live_searched_graphs(const struct rc_program *p, uint32_t shuffle, unsigned flaws, struct rc_keys *out);

/* The same with several workers, whose executions take turns. They retire now and then, and new ones come. *draw: the
   state of the generator for that. */
bool live_shared_graphs(const struct rc_program *p, uint32_t shuffle, uint64_t *draw, struct rc_keys *out);
/* Returns whether several workers have executed something in the last of these searches. */
bool live_was_shared(void);

struct live_totals {
	unsigned programs, wrong, too_big, shared; /* shared: several workers have executed something */
	size_t graphs, repeated, lost, invented;
};

/* Adds what a search has found to the totals. Prints programs with differences, if `what` says which search it was. */
void live_add(struct live_totals *sum, const struct rc_program *p, const struct rc_keys *want,
	const struct rc_keys *found, bool whole, const char *what);
void live_print(const char *what, const struct live_totals *t);

#endif
