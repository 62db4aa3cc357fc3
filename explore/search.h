/*
 * What the strategies share: how a search lies in the caller's memory.
 *
 * memory = struct search | struct arena. (In the arena there may be other searches that use it too: iterate.h, need.c.) The stack of nodes is the current execution: node i is the
 * state before event i together with event i. Everything is addressed by index or arena reference, so the
 * memory may be mapped anywhere (position independent); nothing here is a pointer that outlives a call.
 *
 * Object ids and event previews kept in a node stay valid as long as the node lies on the stack: every
 * execution that passes through it repeats the same prefix, so it numbers the objects the same way. They
 * must not be compared with ids from another prefix.
 */
#ifndef SIMUL_SEARCH_H
#define SIMUL_SEARCH_H

#include <string.h>

#include "base/arena.h"
#include "explore/common.h"

#define SEARCH_MAGIC UINT64_C(0x6372616573317353)
#define NO_INDEX UINT32_MAX

/* A growable array in the arena. data moves when it grows: never keep an element's address over a push. */
struct vec {
	aref data;
	uint32_t n, cap; /* elements */
	uint32_t size;   /* of one of them */
};

/* A state on the current execution, and the event performed there. */
struct node {
	struct event ev;      /* what was performed; kind EV_NONE: not yet */
	uint32_t thread_prev; /* index + 1 of the thread's previous event (or of its creation); 0 none */
	uint32_t poke_prev;   /* POKE: index + 1 of the previous POKE of the same thread; event_with_all: of the previous such event */
	uint32_t obj_prev[2]; /* index + 1 of the previous events on its objects; with more than two: [0] = where in
	                         links[] they stand. See chain.h */
	uint32_t waiters;     /* condition: how many wait on it after this event, see condition.h */
	uint32_t idx;         /* how-manieth event of its thread, from 1 */
	uint32_t clock_at;    /* vector clock: clocks[clock_at .. + clock_w) */
	uint16_t clock_w;     /* threads known so far */
	uint16_t slot;        /* of the thread, see vclock.h */
	uint32_t sleep_at, sleep_n;   /* sleeps[at .. + n): the sleep set of this state */
	uint32_t choice_at, choice_n; /* choices[at .. + n): previews of the enabled choices, in view order */
	uint32_t blocked_n;   /* after those: blocked operations whose thread has another alternative */
	aref wut;             /* first child of the wakeup tree here, the branch being explored left out */
	uint32_t max_obj;     /* largest object id known in this state, memory aside */
	uint32_t tree_root;   /* index of the node whose wakeup tree led here; NO_INDEX: a free choice */
	uint32_t tried;       /* exhaustive: index among the choices of the one being explored */
	uint32_t settled;     /* its races need no further look while nodes [0, settled) stay what they are; NO_INDEX: they do. See
	                         struct verdict in sleepset.h */
	uint8_t deadly;       /* the process died right after this event */
	uint8_t atomic, interrupted, closed; /* of this state, see struct sched_view */
	uint8_t open;         /* first node of a unit: it left its thread in a region, see unit.h */
	uint8_t alternatives; /* some thread has several ways to go on here */
	uint8_t gates;        /* bit k: it comes after all earlier events on obj[k], no memory. Maybe others do too: not all are known */
	uint8_t free;         /* nothing was planned here when it was made */
	uint8_t foot_deadly;  /* the same of some event of its unit; these three of the first node of a unit, see unit.h */
	uint32_t foot_at, foot_n; /* feet[at .. + n): what its unit did, in all executions that passed here; a single event is not among them */
	uint64_t guess;       /* what it was expected to do when it was planned; 0: that is not asked for */
	/* store buffers, see buffer.h; index + 1, 0 none */
	uint32_t stores;      /* latest STORE of its thread before it, since that last needed an empty buffer */
	uint32_t agent_prev, agent_next; /* STORE: the STOREs of the same agent before and after; UPDATE: agent_prev is its STORE */
	uint32_t update;      /* STORE: its UPDATE */
	uint32_t floor;       /* STORE: the oldest one of its thread that was not in memory yet when this one was made, maybe itself */
	uint32_t newer;       /* STORE: the next one of its thread */
	uint32_t forwards;    /* STORE: forwards[] of the latest load that has bytes from it; LOAD: forwards[] before it */
};

#define FORWARD_BYTES 16 /* of larger loads the rest is taken to come from memory */

/* Which bytes of a load come from its thread's buffer: by byte, `result` of the UPDATE of the STORE that it is from, + 1; 0: from
   memory. */
struct forward {
	uint32_t any; /* 0: none, whatever else is here */
	uint32_t from[FORWARD_BYTES];
};

/* A load that has bytes from a STORE. */
struct forwarding {
	uint32_t load, store; /* index + 1 */
	uint32_t next;        /* forwards[] + 1 of the one before, of the same STORE */
	uint32_t bytes;       /* which of the load's, one bit each */
};

/* An event of a unit, in whatever execution. */
struct foot {
	struct event ev;
	uint64_t name[2]; /* of its objects: others may have their ids in other executions */
};

#define TRUST_STEPS 16

#define COMMON_HEADER 256 /* bytes of the common part before its arena, see work_sharing.h */

enum spine_state {
	SPINE_NONE = 0,
	SPINE_RESTART, /* the first execution failed, and this one passed: the search starts again with it */
	SPINE_GUIDE,   /* its first execution follows this one */
	SPINE_KNOWN,   /* this one passed, and came first */
};

/* Arrays for the use within one call; all elements of one are of the same size. */
enum scratch {
	SCRATCH_SEQUENCE, /* race.c: uint32_t */
	SCRATCH_STATE,    /* race.c: uint8_t */
	SCRATCH_CLOCK,    /* race.c: uint32_t */
	SCRATCH_READERS,  /* feasible.c: uint32_t */
	SCRATCH_EVENTS,   /* condition.c: uint32_t */
	SCRATCH_WAITERS,  /* condition.c */
	SCRATCH_TOKENS,   /* condition.c: uint32_t */
	SCRATCH_COPIES,   /* work_sharing.c: struct copy */
	SCRATCH_PATH,     /* optimal.c: struct level */
	SCRATCH_WALKS,    /* vclock.c: struct walk */
	SCRATCH_VISIT,    /* waiting_outcome.c: uint32_t */
	SCRATCH_CANDIDATES, SCRATCH_COMPANY, SCRATCH_COVER, SCRATCH_RECENT, SCRATCH_STAYS, SCRATCH_NEEDED, SCRATCH_PENDING,
	SCRATCH_PLACES, SCRATCH_MET, SCRATCH_HIT, SCRATCH_KEPT, SCRATCH_INNER, SCRATCH_F, SCRATCH_REST, SCRATCH_PASTS, SCRATCH_OPEN, /* trust*.c */
	SCRATCH_DONE, SCRATCH_FLAGGED, SCRATCH_RUNS, SCRATCH_MEMO, /* preempt.c */
	SCRATCH_CHOICES,  /* giveway.c: uint32_t */
	SCRATCH_OUT,      /* bpor.c: uint8_t */
	SCRATCH_NOTED,    /* bpor_plan.c: uint32_t */
	SCRATCH_UNIT, SCRATCH_UNIT_OUT, /* unit.c: uint8_t; uint32_t */
	SCRATCH_COUNT
};

/* The state of one search. */
struct search {
	uint64_t magic;
	uint64_t size; /* of the whole memory */
	int64_t arena_at; /* bytes from here to the arena */
	struct explore_config config;
	struct explore_stats stats;
	uint32_t depth;      /* nodes that belong to the running (or last) execution */
	uint32_t prefix;     /* events to repeat; node[prefix] is where the execution branches off */
	uint32_t repeat;     /* the same; more when an execution was broken off and is repeated: what it did so far is on the stack as well */
	uint32_t pos;        /* events observed so far in this execution */
	uint32_t chosen;     /* dpor: index + 1 of the node at which something was picked last */
	uint32_t running;    /* between begin and end */
	uint32_t started;    /* an execution has been begun */
	uint32_t analysed;   /* nodes below this have clocks */
	uint32_t redundant;  /* pick found every choice asleep */
	uint32_t failed;     /* memory used up, or diverged: start nothing more */
	aref next_wut;       /* wakeup tree for the state after the choice picked last */
	uint32_t next_root;  /* where that tree hung, or NO_INDEX */
	struct choice picked; /* by the last pick */
	struct vec nodes;    /* struct node */
	struct vec sleeps;   /* struct sleeper */
	struct vec choices;  /* struct event */
	struct vec clocks;   /* uint32_t */
	struct vec slots;    /* struct slot */
	struct vec slot_of;  /* uint16_t by thread_id: slot + 1, 0 = none */
	struct vec last_on;  /* uint32_t by object_id: index + 1 of the last event on it */
	struct vec pages;    /* aref by page of memory, 0 or the same for its cells: uint32_t[256] */
	struct vec links;    /* uint32_t, see node.obj_prev */
	struct vec forwards; /* struct forwarding */
	struct vec feet;     /* struct foot, see node.foot_at */
	uint32_t interrupted; /* some atomic region was, in this execution */
	uint32_t last_all;   /* index + 1 of the last event that everything depends on (event_with_all); 0 none */
	uint32_t buffered;   /* STOREs into buffers among the nodes that are linked: none under sequential consistency */
	struct vec names;    /* uint64_t by object_id: names across executions, for ids of the running one */
	struct vec last_run; /* uint32_t by thread_id: step at which it last ran in this execution, + 1 */
	struct vec scratch[SCRATCH_COUNT];
	struct vec table;    /* uint64_t: hashes of the traces seen, see distinct.c */
	struct vec marks, others, revisits, saved, saved_choices, saved_marks, saved_others, picks, plan, barriers; /* trust: see trust.h */
	struct vec places, choice_states, runs; /* bpor: struct place by node; uint8_t by choice; struct event. See bpor.h */
	struct vec lines;    /* trust: struct vec by slot, of struct line_item. See thread_events.h */
	uint32_t lined;      /* nodes below this are in them */
	uint32_t open_known; /* SCRATCH_OPEN is that of the state behind nodes [0, this - 1), see trust_promise.c; 0: of none */
	uint32_t stays_known; /* trust: SCRATCH_STAYS is that of the path as it is, see trust_revisit.c */
	uint32_t bound_checks;   /* trust: how many were made, modulo 2^32, see preempt.c */
	uint64_t work;           /* trust: of looking for revisits and of bound checks, in steps of which TRUST_STEPS take about as long as
	                            an event that is executed */
	uint64_t walked;         /* events that were passed while looking for others on the same object, and cut_removes() was asked about */
	uint64_t work_limit;     /* preempt_within gives up when work + walked reach it; 0: no limit */
	struct event first_pending; /* trust: what the first thread announces at the start */
	uint64_t rng;        /* sampling: state in this execution */
	aref sampling;       /* struct sampling, see sample.h */
	aref iterate;        /* struct iterate, see iterate.h; 0: this search is the only one here */
	aref need;           /* struct search, see need.c; 0: not yet */
	/* see estimate.c */
	struct vec visits;      /* struct visit, by node */
	uint64_t estimated;     /* executions when it was last looked at */
	uint64_t estimate_next; /* so many executions make it worth while again */
	uint64_t branched[2];   /* kinds of events that have had a second branch, one bit each */
	/* one of several workers, see work_sharing.h */
	int64_t common_at;   /* bytes from here to the common part; 0: there is none */
	const struct explore_host *host; /* of this process */
	uint32_t worker;     /* its number, from 1 */
	uint32_t waiting;    /* there was no work */
	uint32_t holding;    /* it holds the last branch of `path` */
	uint32_t in_common;  /* wakeup trees are those of the common part now */
	uint32_t news;       /* there is something that others wait for */
	uint32_t shared;     /* states of the stack, from the root, that others may know */
	uint32_t settled;    /* events that are known to lead on from them; those from here to `shared` are planned */
	uint32_t dropped;    /* what was planned next was not to be */
	/* see spine.h */
	struct vec spine;      /* struct event */
	uint32_t spine_state;  /* enum spine_state */
	uint32_t spine_frozen; /* enum spine_reason, one bit each */
	uint32_t certified;    /* events of the spine */
	struct vec path;     /* aref of struct branch: [shared + 1], that which leads to state i, or nothing at all */
};


/* `size` zeroed bytes in the arena; 0 (stats.out_of_memory, failed) when memory is used up. */
aref search_alloc(struct search *s, uint64_t size);
/* The same in the arena of what is looked at, see tree_arena_of. */
aref tree_alloc(struct search *s, uint64_t size);
/* Room for n elements of `size` bytes. false (stats.out_of_memory, failed) when memory is used up. */
bool vec_grow(struct search *s, struct vec *v, uint32_t n, uint32_t size);
static inline bool vec_reserve(struct search *s, struct vec *v, uint32_t n, uint32_t size)
{
	return n <= v->cap || vec_grow(s, v, n, size);
}

static inline struct arena *search_arena_of(struct search *s)
{
	return (struct arena *)((char *)s + s->arena_at);
}

/* Has the program atomic regions? See region.h. */
static inline bool search_atomic(const struct search *s)
{
	return s->config.regions & REGION_ATOMIC;
}

/* Where the wakeup trees and sleep sets that are looked at lie. */
static inline struct arena *tree_arena_of(struct search *s)
{
	return s->in_common ? (struct arena *)((char *)s + s->common_at + COMMON_HEADER) : search_arena_of(s);
}

/* Not to be dereferenced while it is empty. */
static inline void *vec_data(struct search *s, const struct vec *v)
{
	return (char *)search_arena_of(s) + (uint64_t)v->data * 8;
}

/* One more element, zeroed; NULL when memory is used up. */
static inline void *vec_push(struct search *s, struct vec *v, uint32_t size)
{
	if (!vec_reserve(s, v, v->n + 1, size))
		return NULL;
	return memset((char *)vec_data(s, v) + (uint64_t)v->n++ * size, 0, size);
}

static inline struct node *node_at(struct search *s, uint32_t i)
{
	return (struct node *)vec_data(s, &s->nodes) + i;
}

static inline uint64_t mix64(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

extern const struct strategy_ops optimal_ops, source_ops, random_ops, exhaustive_ops, pct_ops, pos_ops, surw_ops, trust_ops,
	bpor_ops;

#endif
