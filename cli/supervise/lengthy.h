/*
 * Strategy auto, and a program whose executions are so long that none of them ends, or few: the search goes on with
 * windows (docs/windows.md), and prints what one execution is.
 */
#ifndef SIMUL_LENGTHY_H
#define SIMUL_LENGTHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/explore.h"

struct run_options;
struct search;
struct session_config;

/* What is known of the program's executions. All zero: nothing. */
struct lengthy {
	uint64_t since_ns;  /* when the first execution of auto was seen; 0: not yet */
	bool windows;       /* the search goes on with windows instead */
	uint32_t events;    /* of the longest execution of auto */
	uint64_t cut; /* executions of auto that did not end; 0: the first one was still running */
	uint32_t most; /* events after which they were cut */
	uint64_t ended; /* executions of auto that ended */
	bool memory;        /* the memory of the search was used up */
	bool endless;       /* one of them did not end although others should cover it (session_facts) */
	double seconds;     /* what auto took */
	char loop[320];     /* "92 % of the events in sender (ring.c:21)"; "": unknown */
	uint64_t slices_ns; /* when the first execution of windows was seen; 0: not yet */
	bool printed;       /* its length was printed */
	bool first_noted[2]; /* that the first execution takes long was looked at; [1]: the first one in slices */
};

/* Call it periodically during the search; `stats` is the total of all workers, `bugs` the number of bugs found. Returns
   whether the search should stop now (STOP_LENGTHY), and start again after lengthy_go_on. In the search with windows it
   prints once how long an execution is. */
bool lengthy_look(struct search *search, const struct explore_stats *stats, size_t bugs);

/* The same after a search that has ended by itself: returns whether the rest of the time should go to windows. */
bool lengthy_over(struct search *search, const struct explore_stats *stats, size_t bugs);

/* Returns whether most executions did not end. */
bool lengthy_mostly(const struct search *search, const struct explore_stats *stats);

/* Looks at the execution with which auto was stopped, prints what it is, and makes windows the strategy of
   search->config. */
void lengthy_go_on(struct search *search);

/* Makes windows the strategy. */
void lengthy_configure(struct session_config *config);

/* The same for search->config, since a saved search of auto went on with them. */
void lengthy_use_windows(struct search *search);

/* Returns what --strategy windows does not support of the options; NULL: it supports all. */
const char *lengthy_without(const struct run_options *o);

/* Writes why auto went on with windows: "an execution had 41000 events after 3 s, and did not end"; "" if it did not.
   Returns buf. */
const char *lengthy_why(const struct lengthy *l, char *buf, size_t size);

#endif
