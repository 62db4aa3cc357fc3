/*
 * The kind of mistake that a failing schedule shows, in one paragraph. Its statements about steps are facts of the
 * recording. Where `likely` is set, the claim that these steps are the mistake is an inference, and the text calls it
 * so. If nothing can be inferred there is no diagnosis.
 */
#ifndef SIMUL_DIAGNOSIS_H
#define SIMUL_DIAGNOSIS_H

#include "recorder/report/report_internal.h"

enum diagnosis_kind {
	DIAGNOSIS_NONE = 0,
	DIAGNOSIS_CYCLE,       /* threads wait for each other */
	DIAGNOSIS_SPIN,        /* threads spin on a condition that no thread can change */
	DIAGNOSIS_RACE,        /* two unordered accesses */
	DIAGNOSIS_LOST_WAKEUP, /* steps: the signal that woke no thread, the wait that came later */
	DIAGNOSIS_WRONG_WAITER, /* steps: the last signal, the wake-up of another thread that waits again, that wait */
	DIAGNOSIS_STOLEN_WAKEUP, /* steps: the signal, the step that took the mutex first, the wake-up of the thread that then failed */
	DIAGNOSIS_DESTROYED,   /* steps: the destruction, the use */
	DIAGNOSIS_LATE_STORE,  /* steps: the store, the operation of its thread that took effect before it reached memory, the access that missed it */
	DIAGNOSIS_ATOMICITY,   /* steps: of the interrupted thread, of another thread in between, of the interrupted thread */
	/* steps: the read that came too early, or the read and the write that it read. `thread` is the one whose
	   pending operation should perhaps have come first. NO_THREAD: the write came too early */
	DIAGNOSIS_ORDER,
	DIAGNOSIS_CHOICE, /* choices of the program's own scheduler. step: the last one that is not the scheduler's
			     own; NO_STEP: all are */
	/* steps: the read, the first change by another thread, the compare-and-swap, the step that put the value back,
	   another read, the step by which it was out of date */
	DIAGNOSIS_ABA,
	/* steps: the store of the flag, the read of the flag, the read of what was not written yet, its write.
	   `thread` is the writer. No last step: the write is its pending operation */
	DIAGNOSIS_EARLY,
	/* steps: the start of the use of the container, its change by another thread, the last step of the use;
	   each may be missing */
	DIAGNOSIS_CONTAINER,
	DIAGNOSIS_LOOP, /* steps: the lock in a round of a loop, in another thread, in the next round */
	/* steps: the last step of the call that ended an object, the last one of its use; each may be missing. `thread`
	   is the one that ended it */
	DIAGNOSIS_ENDED,
	DIAGNOSIS_KINDS
};

#define DIAGNOSIS_STEPS 6

struct diagnosis {
	enum diagnosis_kind kind;
	bool likely;
	size_t step[DIAGNOSIS_STEPS]; /* indices; NO_STEP: none */
	/* ATOMICITY, ABA: the interrupted thread; ORDER: see there; LOST_WAKEUP, WRONG_WAITER: the thread that waits
	   for ever */
	thread_id thread;
};

/* Fills *d; its kind is DIAGNOSIS_NONE when nothing can be inferred. */
void diagnose(const struct report *p, struct diagnosis *d);

/* Returns the diagnosis as one line of text (malloc()ed), or NULL if there is none. */
char *diagnosis_text(const struct report *p, const struct diagnosis *d);

/* Returns the name of the kind, "atomicity"; NULL for DIAGNOSIS_NONE. */
const char *diagnosis_kind_text(enum diagnosis_kind kind);

/* Returns whether the signal, broadcast or futex wake in that step woke no thread. */
bool diagnosis_unheard(const struct recording *r, size_t step);

#endif
