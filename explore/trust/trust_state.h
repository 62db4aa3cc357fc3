/* What TruSt keeps: see trust.h. */
#ifndef SIMUL_TRUST_STATE_H
#define SIMUL_TRUST_STATE_H

#include "explore/core.h"

/* Arrays for use within one call, except SCRATCH_OPEN and SCRATCH_STAYS. All elements of one array have the same size. */
enum trust_scratch {
	SCRATCH_CANDIDATES, SCRATCH_COMPANY, SCRATCH_COVER, SCRATCH_RECENT, SCRATCH_STAYS, SCRATCH_NEEDED, SCRATCH_PENDING,
	SCRATCH_PLACES, SCRATCH_MET, SCRATCH_HIT, SCRATCH_KEPT, SCRATCH_INNER, SCRATCH_F, SCRATCH_REST, SCRATCH_PASTS, SCRATCH_OPEN,
	SCRATCH_FLAGGED, SCRATCH_PROMISE, SCRATCH_OUT,
	TRUST_SCRATCH_COUNT
};

struct trust_state {
	struct vec marks;         /* struct mark, by node */
	struct vec others;        /* struct event, see mark.other_at */
	struct vec revisits;      /* struct revisit: those on the path to the current position */
	struct vec saved, saved_choices, saved_marks, saved_others; /* what they deleted */
	struct vec picks;         /* uint32_t, see struct cursor */
	struct vec plan;          /* struct planned */
	struct vec barriers;      /* struct barrier_known */
	uint32_t open_known;      /* SCRATCH_OPEN belongs to the state after nodes [0, this - 1), see trust_promise.c; 0: it is not valid */
	uint32_t stays_known;     /* SCRATCH_STAYS belongs to the current path, see trust_revisit.c */
	bool misses;              /* an execution sent a signal to a thread, moved waiters to another futex, or had an event that is dependent
	                             with every event (K_ALL); some traces of such programs are missed */
	struct event first_pending; /* the pending event of the first thread in the initial state */
	struct vec scratch[TRUST_SCRATCH_COUNT];
};

#endif
