/*
 * The data that all strategies share, and how a search is laid out in the caller's memory.
 *
 * memory = struct search | struct arena. The arena may hold further searches (auto.h, need.c). The stack of nodes is the current
 * execution: node i is the state before event i, together with event i. Data is addressed by index or by arena reference, so the memory is
 * position independent: it may be mapped anywhere, and no stored pointer outlives a call.
 *
 * The object ids and event previews of a node are valid while the node is on the stack: every execution that passes through the node
 * repeats the same prefix, which numbers the objects in the same way. Do not compare them with ids from another prefix.
 */
#ifndef SIMUL_SEARCH_H
#define SIMUL_SEARCH_H

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "explore/shared/common.h"

#define SEARCH_MAGIC UINT64_C(0x6372616573317353)
#define NO_INDEX UINT32_MAX

/* A growable array in the arena. A push may move the elements, so do not keep the address of one over a push. */
struct vec {
	aref data;
	uint32_t n, cap; /* elements */
	uint32_t size;   /* bytes of one element */
};

/* A state on the current execution, and the event performed there. */
struct node {
	struct event ev;      /* the event performed here; kind EV_NONE: none yet */
	uint32_t thread_prev; /* index + 1 of the thread's previous event (or of its creation); 0 none */
	uint32_t poke_prev;   /* POKE: index + 1 of the previous POKE of the same thread; event_with_all, event_drains_all: of the previous such event */
	uint32_t obj_prev[2]; /* index + 1 of the previous events on its objects; with more than two objects, [0] is their position in
			         links[]. See chain.h */
	uint32_t waiters;     /* condition: number of threads that wait on it after this event, see condition.h */
	uint32_t idx;         /* index of the event in its thread, from 1 */
	uint32_t clock_at;    /* vector clock: clocks[clock_at .. + clock_w) */
	uint16_t clock_w;     /* width of the clock: threads known so far */
	uint16_t slot;        /* of the thread, see vclock.h */
	uint32_t sleep_at, sleep_n;   /* sleeps[at .. + n): the sleep set of this state */
	uint32_t choice_at, choice_n; /* choices[at .. + n): previews of the enabled choices, in view order */
	uint32_t blocked_n;   /* after those: blocked operations whose thread has another alternative */
	aref wut;             /* first child of the wakeup tree of this state, without the branch that is being explored */
	uint32_t max_obj;     /* largest object id known in this state, memory cells excluded */
	uint32_t tree_root;   /* index of the node whose wakeup tree led here; NO_INDEX: a free choice */
	uint32_t tried;       /* exhaustive, steps: number of the choice that is being explored */
	uint32_t turn;        /* steps: index + 1 of the turn to which this choice belongs; 0: none */
	uint32_t settled;     /* The races of this node need no further look while nodes [0, settled) stay the same; NO_INDEX: they need
			         one. See struct verdict in sleepset.h */
	uint8_t deadly;       /* the process died right after this event */
	uint8_t atomic, interrupted, closed; /* copied from struct sched_view of this state */
	uint8_t open;         /* first node of a unit: the unit ends inside a region of its thread, see unit.h */
	uint8_t alternatives; /* some thread has several alternatives here */
	uint8_t gates;        /* bit k: every earlier event on obj[k] happens before this one; never set for memory. A clear bit says
			         nothing */
	uint8_t free;         /* nothing was planned here when the node was made */
	uint8_t foot_deadly;  /* deadly, for any event of the unit; foot_* are set in the first node of a unit, see unit.h */
	uint32_t foot_at, foot_n; /* feet[at .. + n): what its unit did in all executions that passed here; empty when the unit is a
				     single event */
	uint64_t guess;       /* what the unit was expected to do when it was planned; 0: no expectation */
	/* store buffers, see buffer.h; index + 1, 0 none */
	uint32_t stores;      /* latest STORE of its thread before it, since the thread last needed an empty buffer */
	uint32_t agent_prev, agent_next; /* STORE: the previous and the next STORE of the same agent; UPDATE: agent_prev is its STORE */
	uint32_t update;      /* STORE: its UPDATE */
	uint32_t floor;       /* STORE: the oldest STORE of its thread that was not in memory yet when this one was made, possibly itself */
	uint32_t newer;       /* STORE: the next STORE of its thread */
	uint32_t forwards;    /* STORE: forwards[] entry of the latest load that reads bytes from it; LOAD: number of entries in
			         forwards[] before it */
};

#define FORWARD_BYTES 16 /* bytes of a load for which forwarding is tracked; the rest of a larger load is taken to come from memory */

/* Which bytes of a load come from its thread's buffer. from[byte] is `result` of the UPDATE whose STORE the byte comes from, + 1; 0: the
   byte comes from memory. */
struct forward {
	uint32_t any; /* 0: no byte is forwarded, and from[] is not used */
	uint32_t from[FORWARD_BYTES];
};

/* A load that reads bytes from a buffered STORE. */
struct forwarding {
	uint32_t load, store; /* index + 1 */
	uint32_t next;        /* index + 1 in forwards[] of the previous entry for the same STORE */
	uint32_t bytes;       /* the forwarded bytes of the load, one bit each */
};

/* An event that a unit performed in some execution. */
struct foot {
	struct event ev;
	uint64_t name[2]; /* names of its objects; the ids in `ev` may belong to other objects in other executions */
};

#define TRUST_STEPS 16

#define COMMON_HEADER 256 /* bytes of the common part before its arena, see work_sharing.h */

enum spine_state {
	SPINE_NONE = 0,
	SPINE_RESTART, /* the first execution failed, and this one passed: the search starts again with it */
	SPINE_GUIDE,   /* its first execution follows this one */
	SPINE_KNOWN,   /* this one passed, and came first */
	SPINE_LOST,    /* the first execution could not follow the schedule of explore_guide, or failed: the search is over */
};

/* Arrays for use within one call. All elements of one array have the same size. */
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
	uint64_t size; /* bytes of the whole memory */
	int64_t arena_at; /* bytes from here to the arena */
	struct explore_config config;
	struct explore_stats stats;
	uint32_t depth;      /* nodes that belong to the running (or last) execution */
	uint32_t prefix;     /* events to repeat; node[prefix] is where the execution branches off */
	uint32_t repeat;     /* like `prefix`, but larger if an execution was broken off and is repeated: its events are on the stack as well */
	uint32_t pos;        /* events observed so far in this execution */
	uint32_t chosen;     /* dpor: index + 1 of the node of the latest pick */
	uint32_t running;    /* between begin and end */
	uint32_t started;    /* an execution has begun */
	uint32_t analysed;   /* nodes below this have clocks */
	uint32_t redundant;  /* the latest pick found every choice asleep */
	uint32_t failed;     /* out of memory, or diverged: start no further execution */
	aref next_wut;       /* wakeup tree for the state after the latest choice */
	uint32_t next_root;  /* index of the node where that tree was planned, or NO_INDEX */
	struct choice picked; /* choice of the latest pick */
	struct vec nodes;    /* struct node */
	struct vec sleeps;   /* struct sleeper */
	struct vec choices;  /* struct event */
	struct vec clocks;   /* uint32_t */
	struct vec slots;    /* struct slot */
	struct vec slot_of;  /* uint16_t by thread_id: slot + 1, 0 = none */
	struct vec last_on;  /* uint32_t by object_id: index + 1 of the last event on it */
	struct vec pages;    /* aref by page of memory: uint32_t[256], one for each cell; 0: no page */
	struct vec links;    /* uint32_t, see node.obj_prev */
	struct vec forwards; /* struct forwarding */
	struct vec feet;     /* struct foot, see node.foot_at */
	uint32_t interrupted; /* some atomic region was interrupted in this execution */
	uint32_t last_all;   /* index + 1 of the latest event that events of any kind may depend on (event_with_all, event_drains_all); 0 none */
	uint32_t buffered;   /* number of STOREs into buffers among the linked nodes; 0 under sequential consistency */
	struct vec names;    /* uint64_t by object_id of the running execution: the object's name, which is the same in all executions */
	struct vec last_run; /* uint32_t by thread_id: step of this execution at which the thread last ran, + 1 */
	struct vec scratch[SCRATCH_COUNT];
	struct vec table;    /* uint64_t: hashes of the traces seen, see distinct.c */
	struct vec marks, others, revisits, saved, saved_choices, saved_marks, saved_others, picks, plan, barriers; /* trust: see trust.h */
	struct vec turns, turn_processes, slumberers, step_words; /* steps: struct turn; uint64_t; struct slumberer; struct step_word. See steps.c */
	struct vec places, choice_states, runs; /* bpor: struct place by node; uint8_t by choice; struct event. See bpor.h */
	struct vec lines;    /* trust: struct vec by slot, of struct line_item. See thread_events.h */
	uint32_t lined;      /* nodes below this are in `lines` */
	uint32_t open_known; /* SCRATCH_OPEN belongs to the state after nodes [0, this - 1), see trust_promise.c; 0: it is not valid */
	uint32_t stays_known; /* trust: SCRATCH_STAYS belongs to the current path, see trust_revisit.c */
	uint32_t bound_checks;   /* trust: number of bound checks so far, modulo 2^32, see preempt.c */
	uint64_t work;           /* trust: work spent on revisits and bound checks. TRUST_STEPS units take about as long as executing one
				    event */
	uint64_t walked;         /* events visited during walks along chains, plus calls of cut_removes() */
	uint64_t work_limit;     /* preempt_within gives up when work + walked reach it; 0: no limit */
	struct event first_pending; /* trust: the pending event of the first thread in the initial state */
	uint64_t rng;        /* sampling: state of the generator in this execution */
	aref sampling;       /* struct sampling, see sample.h */
	aref auto_search;    /* struct auto_search, see auto/auto.h; 0: this search is the only one here */
	aref need;           /* struct search, see need.c; 0: not yet */
	/* see estimate.c */
	struct vec visits;      /* struct visit, by node */
	uint64_t estimated;     /* number of executions at the latest estimate */
	uint64_t estimate_next; /* number of executions at which the next estimate is made */
	uint64_t branched[2];   /* kinds of events at which the search has branched, one bit each */
	struct {
		uint64_t least, most; /* of the estimates; 0: there was none */
	} estimates[3];         /* while the number of executions doubled: now, before that, and before that */
	uint32_t doublings;     /* of the number of executions, at the latest estimate */
	/* for one of several workers, see work_sharing.h */
	int64_t common_at;   /* bytes from here to the common part; 0: none */
	const struct explore_host *host; /* of this process */
	uint32_t worker;     /* number of this worker, from 1; 0: it has not joined */
	uint32_t waiting;    /* the worker found no work */
	uint32_t holding;    /* the worker holds the last branch of `path` */
	uint32_t in_common;  /* wakeup trees are those of the common part for now */
	uint32_t news;       /* something changed that waiting workers must know */
	uint32_t shared;     /* states of the stack, from the root, that other workers may know */
	uint32_t settled;    /* number of states from the root whose events were performed and seen; the later ones up to `shared` are only planned */
	uint32_t dropped;    /* the next plan turned out to be infeasible */
	/* see spine.h */
	struct vec spine;      /* struct event */
	uint32_t spine_state;  /* enum spine_state */
	bool misses; /* trust: an execution sent a signal to a thread, moved waiters to another futex, or had an event that is dependent with every event
	                (K_ALL); some traces of such programs are missed */
	uint32_t spine_frozen; /* enum spine_reason, one bit each */
	uint32_t certified;    /* events of the spine */
	uint32_t spine_pos;    /* SPINE_GUIDE: events of the spine that the first execution has performed */
	uint32_t spine_extra;  /* events that it has performed since then and that the spine does not have */
	uint32_t spine_late;   /* 1: an execution failed before the first one of this search */
	uint32_t lacks_events; /* 1: later executions have events that the running one does not have */
	uint32_t spine_given;  /* 1: the guide comes from explore_guide */
	uint32_t siblings;     /* number of elements of `sibling` */
	struct event sibling[SPINE_SIBLINGS]; /* see struct explore_spine; object ids have no meaning here */
	struct vec path;     /* aref of struct branch, shared + 1 of them: [i] leads to state i. Empty: there are none */
};


/* Allocates `size` zeroed bytes in the arena. Returns 0 and sets stats.out_of_memory and `failed` when memory is used up. */
aref search_alloc(struct search *s, uint64_t size);
/* Like search_alloc, in the arena that tree_arena_of returns. */
aref tree_alloc(struct search *s, uint64_t size);
/* Makes room for n elements of `size` bytes. Returns false and sets stats.out_of_memory and `failed` when memory is used up. */
bool vec_grow(struct search *s, struct vec *v, uint32_t n, uint32_t size);
static inline bool vec_reserve(struct search *s, struct vec *v, uint32_t n, uint32_t size)
{
	return n <= v->cap || vec_grow(s, v, n, size);
}

static inline struct arena *search_arena_of(struct search *s)
{
	return (struct arena *)((char *)s + s->arena_at);
}

/* Returns whether the program has atomic regions, see region.h. */
static inline bool search_atomic(const struct search *s)
{
	return s->config.regions & REGION_ATOMIC;
}

/* The arena of the wakeup trees and sleep sets in use: the common part's while in_common is set, else this search's own. */
static inline struct arena *tree_arena_of(struct search *s)
{
	return s->in_common ? (struct arena *)((char *)s + s->common_at + COMMON_HEADER) : search_arena_of(s);
}

/* Address of the first element. Do not dereference it while the array is empty. */
static inline void *vec_data(struct search *s, const struct vec *v)
{
	return (char *)search_arena_of(s) + (uint64_t)v->data * 8;
}

/* Appends a zeroed element. Returns NULL when memory is used up. */
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

extern const struct strategy_ops optimal_ops, source_ops, random_ops, exhaustive_ops, pct_ops, pos_ops, surw_ops, trust_ops,
	bpor_ops, steps_ops;

#endif
