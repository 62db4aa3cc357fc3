/* What the strategy `graphs` keeps: see graphs.c. */
#ifndef SIMUL_GRAPHS_STATE_H
#define SIMUL_GRAPHS_STATE_H

#include "explore/core.h"
#include "sched/rc11.h"

#define GRAPHS_EVENTS 1024u
#define GRAPHS_PLACES 512u

/* A place of the graph: bytes of memory, or a mutex. */
struct graphs_place {
	uint64_t lo, hi; /* as in event_bytes; a mutex: its name, and UINT64_MAX */
	uint32_t id;     /* in the graph */
	uint32_t used;   /* the latest execution that accessed it; its initial value is what memory held then */
};

struct graphs_state {
	aref graph;          /* struct graph; 0: not yet */
	uint32_t execution;  /* number of the running execution, from 1 */
	uint32_t samples;    /* 1: the running execution is a sample */
	struct vec places;   /* struct graphs_place */
	struct vec mutexes;  /* uint32_t by object_id of the running execution: id of its place + 1; 0: none yet */
	struct rc11_op next; /* what the picked thread is about to do */
	uint32_t place;      /* index of its place */
	uint32_t picked;     /* `next` is set */
	uint32_t unknown;    /* 1: only memory will have the value that `next` stores */
	uint32_t written;    /* index + 1 of the event whose value is not known yet; 0: none */
};

#endif
