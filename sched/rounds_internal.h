/* What the files of rounds share: the state of one thread. See rounds.h. */
#ifndef SIMUL_ROUNDS_INTERNAL_H
#define SIMUL_ROUNDS_INTERNAL_H

#include "sched/rounds.h"
#include "sched/world_internal.h"

#define HEADS 32   /* states of one wait */
#define HOLDS 8    /* locks that it holds at the same time */
#define TOUCHED 32 /* objects that it looks at */
#define WRITTEN 16 /* writes that it may undo */
#define PLACES 8   /* places of a loop that are counted */

/* A lock that the thread took since it began to wait. */
struct hold {
	object_id lock;
	uint64_t step;  /* w->steps when it was taken */
	uint32_t heads; /* states that were there before */
};

struct rounds {
	struct {
		uint64_t state, step; /* w->steps then */
	} head[HEADS]; /* the states in which the thread announced operations since it last did anything but wait */
	uint32_t heads;
	struct hold hold[HOLDS];
	uint32_t holds;
	struct look {
		object_id obj;
		uint64_t step; /* w->steps when the thread last looked */
		uint64_t addr; /* memory: where; else 0 */
		uint32_t size, found;
	} touched[TOUCHED];
	uint32_t touches;
	struct write {
		uint64_t addr, step; /* w->steps when the thread wrote */
		uint32_t size, before, after; /* fingerprints of the values */
	} written[WRITTEN]; /* since the oldest head. No other thread has accessed these bytes since. Two writes are of the same bytes, or of different ones */
	uint32_t writes;
	struct write last; /* the latest operation, if it may have changed memory; `after` is not known yet */
	bool writing;    /* there is one */
	bool closed;    /* a round ends before the pending operation, */
	uint64_t since; /* which began then */
	struct {
		uint64_t place;
		uint32_t n;
	} turn[PLACES]; /* operations since the thread last did anything but wait, by place */
	uint32_t places;
	bool limited;   /* the pending operation exceeds a limit */
	bool beyond;    /* the thread has made a round since it last did anything but wait */
};

/* Starts again: what the thread has done so far is part of no round. */
void rounds_forget(struct rounds *r);
/* Returns whether threads go no further after rounds and turns. */
bool rounds_leave_out(const struct world *w);

/* ---- rounds_limits.c: turns of loops that count ---- */

/* Returns whether the operation is a wait that can time out. A limit does not end it: it only takes the timeout away. */
bool rounds_times_out(const struct op *op);
/* The turns that were counted are over, since the thread has done something else than wait. */
void rounds_turns_end(const struct world *w, const struct wthread *t);
/* Counts a turn at the place of t's operation. */
void rounds_count_turn(struct wthread *t);
/* Checks whether t has only waited up to its pending operation, and whether that exceeds a limit. changed: the operation before has changed memory. */
void rounds_check_limit(const struct world *w, const struct wthread *t, bool changed);

/* ---- rounds_writes.c: writes that a later one undoes ---- */

/* Returns whether the thread has written some of these bytes. */
bool rounds_has_written(const struct rounds *r, uint64_t addr, uint32_t size);
/* The thread is about to write bytes with that value. */
void rounds_note_write(struct world *w, const struct wthread *t, uint32_t before);
/* Returns whether the thread's latest operation has changed memory. Call it before others run. */
bool rounds_written(const struct world *w, const struct wthread *t);
/* Returns whether memory is as it was at the head, as far as the thread has changed it. */
bool rounds_undone(const struct rounds *r, uint32_t head);

#endif
