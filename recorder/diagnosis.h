/*
 * What kind of mistake a failing schedule shows, in one paragraph. What it says of steps is so in the recording; that these steps are the
 * mistake is an inference where `likely` is set, and is called so. When nothing can be said there is no diagnosis.
 */
#ifndef SIMUL_DIAGNOSIS_H
#define SIMUL_DIAGNOSIS_H

#include "recorder/report_internal.h"

enum diagnosis_kind {
	DIAGNOSIS_NONE = 0,
	DIAGNOSIS_CYCLE,       /* threads wait for each other */
	DIAGNOSIS_SPIN,        /* threads spin for what nobody can change */
	DIAGNOSIS_RACE,        /* two accesses that nothing orders */
	DIAGNOSIS_LOST_WAKEUP, /* steps: the signal that nobody heard, the wait that came later */
	DIAGNOSIS_WRONG_WAITER, /* steps: the last signal, the wake-up of another thread that waits again, that wait */
	DIAGNOSIS_STOLEN_WAKEUP, /* steps: the signal, who took the mutex first, the wake-up of the thread that then failed */
	DIAGNOSIS_DESTROYED,   /* steps: the destruction, the use */
	DIAGNOSIS_LATE_STORE,  /* steps: the store, what its thread did before it reached memory, who missed it */
	DIAGNOSIS_ATOMICITY,   /* steps: of the interrupted thread, of another one in between, of the interrupted thread */
	/* steps: the read that came too early, or also the write that it read; `thread` was about to do what should perhaps come first.
	   NO_THREAD: the write came too early */
	DIAGNOSIS_ORDER,
	DIAGNOSIS_KINDS
};

#define DIAGNOSIS_STEPS 3

struct diagnosis {
	enum diagnosis_kind kind;
	bool likely;
	size_t step[DIAGNOSIS_STEPS]; /* indices; NO_STEP: none */
	thread_id thread;             /* ATOMICITY: the interrupted one; ORDER: see there; LOST_WAKEUP, WRONG_WAITER: who waits for ever */
};

/* Fills *d; kind DIAGNOSIS_NONE when nothing can be said. */
void diagnose(const struct report *p, struct diagnosis *d);

/* The diagnosis in words, in one line (malloc()ed); NULL: there is none. */
char *diagnosis_text(const struct report *p, const struct diagnosis *d);

/* "atomicity"; NULL for DIAGNOSIS_NONE. */
const char *diagnosis_kind_text(enum diagnosis_kind kind);

/* Was the signal, broadcast or futex-wake in that step heard by no waiter? */
bool diagnosis_unheard(const struct recording *r, size_t step);

#endif
