/*
 * Points: an execution that is rewound starts in the middle of the last one, not at the checkpoint.
 *
 * A search that backtracks repeats most of the last execution before it does something new. A rewound process keeps the memory of some scheduling
 * points of the execution, as later versions of the copied pages (page_versions.h). The next execution starts from the deepest one that it
 * passes. Points form a stack, which mirrors the deepest part of the search's own stack: each is a prefix of the last execution. So they are to
 * rewinding what snapshots (snapshot.h) are to forking.
 *
 * Where: at the place where the planned execution does something new, since the search will come back to what follows, and before it at
 * distances m, 2m, 4m, ...: the further the search backtracks, the rarer it does. m is the number of events that cost as much as a point.
 *
 * A point holds memory, and the part of the session that belongs to the execution. So there is none after an execution has changed anything else.
 * Points never change the results of a search.
 */
#ifndef SIMUL_POINTS_H
#define SIMUL_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"
#include "preload/base/thread.h"
#include "preload/life/page_copies.h"
#include "sched/strategy.h"

#define POINTS_MOST 32
#define POINTS_NEVER UINT32_MAX

/* The state of an execution just before a choice. The pieces lie in points.versions. */
struct point {
	struct fiber_ctx here;
	uint32_t depth;                    /* events before it */
	uint32_t mark;                     /* points.versions.used before it */
	uint32_t current, rounds, stops, begun_nodes, begun_edges; /* as in struct session_execution */
	uint32_t threads, agents;          /* as in struct trace */
	struct session_timed_out timed_out;
	struct event *pending;             /* of the threads, then of the agents */
	uint8_t *alts;                     /* likewise */
	uint64_t stack_lo;                 /* start of the used part of simul's own stack */
	uint64_t stack_bytes, arena_bytes; /* sizes of that part, and of simul's memory since the checkpoint */
	char *stack, *arena;               /* their contents */
};

/* All points of one process, in memory that a rewind leaves alone. */
struct points {
	uint32_t n;
	uint32_t from;      /* events that the running execution did not have to repeat: the depth of the point where it started, or 0 */
	uint32_t prefix;    /* events that the running execution repeats */
	uint32_t next;      /* number of events at which the running execution makes its next point; POINTS_NEVER: none */
	uint64_t arena_lo;  /* start of simul's memory since the checkpoint */
	uint64_t spent;     /* ticks that the running execution spent on points */
	uint64_t point_ticks, event_ticks; /* what a point and an event cost, means of the latest ones */
	struct versions versions;
	struct point point[POINTS_MOST];
};

/* Makes an empty stack, after written_begin; `memory` is versions_bytes(pages) bytes of zeroed memory. */
void points_at(struct points *p, void *memory, uint32_t pages);

/* Call it when an execution starts at the checkpoint (from 0), or at the topmost point. */
void points_begin(struct points *p, uint32_t prefix);

/* Adds a point, whose context is in p->point[p->n].here. Nothing of the program or of simul may change between saving that context and this
   call. If there is no room, nothing is added, and the execution makes no more points. */
void points_add(struct points *p, const struct copied *c);
/* Call it when an execution of `events` events has ended after `ticks` ticks. Removes the points that the planned execution does not pass: it repeats `same` events of
   the last one. Returns whether it starts at the topmost point that is left. */
bool points_choose(struct points *p, uint32_t same, uint32_t events, uint64_t ticks);

/* Restores the pieces of the topmost point. Call it on a stack that is none of them, after the pages were restored. */
void points_put_back(const struct points *p);
/* Restores its part of the session, in the execution that starts there. */
void points_resume(const struct points *p);

#endif
