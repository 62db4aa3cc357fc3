/* What the strategy `graphs` keeps: see graphs.c. */
#ifndef SIMUL_GRAPHS_STATE_H
#define SIMUL_GRAPHS_STATE_H

#include "explore/core.h"
#include "sched/rc11.h"

#define GRAPHS_EVENTS 1024u
#define GRAPHS_PLACES 512u
#define GRAPHS_TIMEOUTS 16u /* so many timeouts of one thread make an execution too long */

/* A place of the graph: bytes of memory, or a chain of calls of the library. */
struct graphs_place {
	uint64_t lo, hi; /* as in event_bytes; a chain: the name of an object, and UINT64_MAX */
	uint32_t id;     /* in the graph */
	uint32_t used;   /* the latest execution that accessed it; its initial value is what memory held then */
	uint32_t first;  /* index of the event there that did so first */
};

/* The bytes that a futex call compares, or that code without memory orders accesses. Each access of them is a call. */
struct graphs_word {
	uint64_t lo, hi;
	uint32_t object; /* index of the futex, or of an object that stands for the bytes */
	uint32_t pad_;
};

/* An object of the running execution. */
struct graphs_known {
	uint32_t object; /* index in objects + 1; 0: it has not been met yet */
	uint32_t first;  /* index of the first event that uses it */
};

/* An object of the library. Those that calls connect, such as a condition variable and its mutex, have one chain. A
   mutex whose only calls are lock and unlock has LOCKs and UNLOCKs. */
struct graphs_object {
	uint64_t name;
	uint32_t first;  /* index of the chain's first object */
	uint32_t calls;  /* of that one: the events of the chain are CALLs */
	uint32_t used;   /* of that one: there were events of the chain since the search began */
	uint32_t passes; /* of that one: leaving a barrier is a CALL, too, since barriers of the chain end */
};

struct graphs_state {
	aref graph;          /* struct graph; 0: not yet */
	uint32_t execution;  /* number of the running execution, from 1 */
	uint32_t samples;    /* 1: the running execution is a sample */
	uint32_t begun;      /* 1: what is kept for the running execution is that of its events so far */
	struct vec places;   /* struct graphs_place */
	struct vec objects;  /* struct graphs_object: what is known about them stays when the search begins again */
	struct vec words;    /* struct graphs_word: like objects */
	struct vec known;    /* struct graphs_known by object_id of the running execution */
	struct vec epochs;   /* uint32_t by event of the running execution: the epoch of its thread in happens-before */
	struct rc11_op next; /* what the picked thread is about to do */
	uint32_t place;      /* index of its place */
	uint32_t picked;     /* `next` is set */
	uint32_t second;     /* 1: it takes its first choice (enum graph_choice), and could take the second */
	uint32_t unknown;    /* 1: only memory will have the value that `next` stores */
	uint32_t written;    /* index + 1 of the event whose value is not known yet; 0: none */
	uint32_t called;     /* index + 1 of the latest event, if that is one whose order `ordered` says; else 0 */
	uint32_t epoch;      /* of the picked thread */
	uint32_t barriers;   /* 1: the program makes calls with barriers that are not in the graph */
	uint32_t again;      /* 1: more has become known about objects, so the search begins again */
	/* one of several workers (graphs_sharing.c) */
	uint32_t holding;    /* 1: it has a part of the search */
	uint32_t round;      /* how often the search had begun again when it got that */
	uint32_t asked;      /* the execution before which it last tried to divide its part, */
	uint32_t pause;      /* and how many must follow before it tries that again */
	struct vec rest;     /* uint64_t: scratch, for a packed search */
};

#endif
