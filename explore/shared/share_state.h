/* What one of several workers keeps: see work_sharing.h. */
#ifndef SIMUL_SHARE_STATE_H
#define SIMUL_SHARE_STATE_H

#include "explore/core.h"

struct explore_host;

struct share_state {
	const struct explore_host *host; /* of this process */
	uint32_t worker;   /* number of this worker, from 1; 0: it has not joined */
	uint32_t waiting;  /* the worker found no work */
	uint32_t holding;  /* the worker holds the last branch of `path` */
	uint32_t news;     /* something changed that waiting workers must know */
	uint32_t shared;   /* states of the stack, from the root, that other workers may know */
	uint32_t settled;  /* number of states from the root whose events were performed and seen; the later ones up to `shared` are only planned */
	uint32_t dropped;  /* the next plan turned out to be infeasible */
	struct vec path;   /* aref of struct branch, shared + 1 of them: [i] leads to state i. Empty: there are none */
	struct vec copies; /* scratch of work_giving.c: struct copy */
};

#endif
