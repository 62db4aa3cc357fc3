/* A bug that a search has found. */
#ifndef SIMUL_FINDING_H
#define SIMUL_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/recording.h"

/* One bug. Equal bugs are one finding. */
struct finding {
	struct recording *recording; /* from the confirming run; if unconfirmed, from the first sighting */
	char *path;                  /* where it was written; NULL: writing failed */
	uint64_t signature;
	uint64_t execution;          /* execution that first showed it: its index in the search that ran then */
	uint64_t warm_up_before;     /* warm-up executions before that search */
	bool warm_up;                /* that search was warm-up: another one started since, so `execution` is not among those of the search */
	uint64_t count;              /* executions of the search that showed it; 0: only warm-up executions, which do not count */
	uint64_t samples;            /* auto: samples that showed it */
	uint32_t bound;              /* auto: preemptions + 1 of the smallest bound whose search showed it; 0: none did */
	unsigned tries, same;        /* replays in a fresh process, and how many of them gave the same failure */
	char other[256];             /* what the first differing replay did */
};

#endif
