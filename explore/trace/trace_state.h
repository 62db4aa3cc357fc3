/*
 * The current execution, and what it says: its nodes, their clocks, and the chains of events on each object.
 *
 * Node i is the state before event i, together with event i. The object ids and event previews of a node are valid while the node is on the
 * stack: every execution that passes through the node repeats the same prefix, which numbers the objects in the same way. Do not compare
 * them with ids from another prefix.
 */
#ifndef SIMUL_TRACE_STATE_H
#define SIMUL_TRACE_STATE_H

#include "explore/core.h"

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

/* Arrays for use within one call. All elements of one array have the same size. */
enum trace_scratch {
	SCRATCH_SEQUENCE, /* race.c: uint32_t */
	SCRATCH_STATE,    /* race.c: uint8_t */
	SCRATCH_CLOCK,    /* race.c: uint32_t */
	SCRATCH_READERS,  /* feasible.c: uint32_t */
	SCRATCH_ORDER,    /* await_states.c: uint32_t */
	SCRATCH_FIRST,    /* await_states.c: uint32_t */
	SCRATCH_EVENTS,   /* condition.c: uint32_t */
	SCRATCH_WAITERS,  /* condition.c */
	SCRATCH_TOKENS,   /* condition.c: uint32_t */
	SCRATCH_PATH,     /* optimal.c: struct level */
	SCRATCH_WALKS,    /* vclock.c: struct walk */
	SCRATCH_VISIT,    /* waiting_outcome.c: uint32_t */
	SCRATCH_DONE,     /* preempt.c, as the next three */
	SCRATCH_RUNS,
	SCRATCH_MEMO,
	SCRATCH_WHOLE,
	SCRATCH_UNIT,     /* unit.c: uint8_t */
	SCRATCH_UNIT_OUT, /* unit.c: uint32_t */
	TRACE_SCRATCH_COUNT
};

#define TRUST_STEPS 16

struct trace_state {
	uint32_t analysed;    /* nodes below this have clocks */
	uint32_t interrupted; /* some atomic region was interrupted in this execution */
	uint32_t last_all;    /* index + 1 of the latest event that events of any kind may depend on (event_with_all, event_drains_all); 0 none */
	uint32_t buffered;    /* number of STOREs into buffers among the linked nodes; 0 under sequential consistency */
	struct vec nodes;     /* struct node */
	struct vec choices;   /* struct event */
	struct vec clocks;    /* uint32_t */
	struct vec slots;     /* struct slot */
	struct vec slot_of;   /* uint16_t by thread_id: slot + 1, 0 = none */
	struct vec last_on;   /* uint32_t by object_id: index + 1 of the last event on it */
	struct vec pages;     /* aref by page of memory: uint32_t[256], one for each cell; 0: no page */
	struct vec links;     /* uint32_t, see node.obj_prev */
	struct vec unsettled; /* uint32_t: the nodes below `analysed` whose races may need another look (settled > index + 1), in ascending order */
	struct vec branching; /* uint32_t: those with alternatives, in ascending order */
	struct vec forwards;  /* struct forwarding */
	struct vec feet;      /* struct foot, see node.foot_at */
	struct vec table;     /* uint64_t: hashes of the traces seen, see distinct.c */
	struct vec blocks;    /* struct of_block, see blocks.c */
	struct vec block_table; /* uint64_t: hashes of the block traces seen */
	struct vec pasts;     /* uint64_t, see await_states.c */
	struct vec states;    /* struct seen_state, see await_states.c */
	uint64_t known;       /* about loops and shared memory, before the execution; see await_states.c */
	struct vec lines;     /* trust: struct vec by slot, of struct line_item. See thread_events.h */
	uint32_t lined;       /* nodes below this are in `lines` */
	uint32_t bound_checks; /* trust: number of bound checks so far, modulo 2^32, see preempt.c */
	uint64_t work;        /* trust: work spent on revisits and bound checks. TRUST_STEPS units take about as long as executing one event */
	uint64_t walked;      /* events visited during walks along chains, plus calls of cut_removes() */
	uint64_t work_limit;  /* preempt_within gives up when work + walked reach it; 0: no limit */
	struct vec scratch[TRACE_SCRATCH_COUNT];
};

#endif
