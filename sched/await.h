/*
 * Spin loops: what is known about them, and when a thread in one is blocked. docs/await.md proves that nothing is lost.
 *
 * A *node* is a thread's state just before a load or read-modify-write in a loop: a hash of its registers, its own stack and the
 * place. The thread is deterministic: what it finds there decides to which node it comes next, or that it
 * leaves. An *edge* (node, value found) -> node is known when it was seen that the thread got from one to the other
 * and left memory as it was. Edges are facts about the program: they are kept for the whole session and only grow.
 *
 * A thread that stands at a node is shown as if it had gone on, along edges, as far as the values now in memory take it:
 *  - where they bring it back to a node already passed, it would go round without any effect: it is disabled until one of the
 *    values changes. So a failed iteration leaves no event behind.
 *  - as long as all nodes on the way read the same bytes, the way is gone *silently*: in one step with the operation at its end,
 *    the *exit*, which alone is an event. So "load until free, then exchange" is the one event of the exchange.
 *  - otherwise its operation is an event as any other.
 *
 * Going late instead of early must not be noticed: wherever the thread could have gone since it came here, it would have to
 * leave at the same exit. await_watch checks that in every state; an edge of which it is not true is made visible:
 * it is not gone silently any more. Two exits are the same, too, when both lead to one *landing*: the thread's state at
 * its very next access outside its own stack. So it does not matter what is left over in dead registers.
 *
 * struct await_visit: the nodes that a thread has passed, visibly or not, since it did anything else. Coming back to one of them
 * is going round.
 */
#ifndef SIMUL_AWAIT_H
#define SIMUL_AWAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/event.h"

#define AWAIT_NODES 4096u
#define AWAIT_EDGES 16384u
#define AWAIT_PLACES 1024u
#define AWAIT_VISIT 32u
#define AWAIT_REACH 64u

struct await_node {
	uint64_t state;    /* struct op.state; never 0 */
	uint64_t addr;     /* what it reads */
	uint64_t pc;       /* as in struct op */
	uint32_t size;
	uint32_t expected; /* compare-and-swap: fingerprint of the value it expects; else 0 */
	uint32_t what;     /* event kind (EV_LOAD or EV_RMW), and its EVF_MEMORY flags << 8 */
	uint32_t pad_;
};

enum await_edge_flags {
	AWAIT_VISIBLE = 1, /* not gone silently: as far as is known it shows whether the thread went early or late */
	AWAIT_BROKEN = 2,  /* the thread went elsewhere once: it depends on something that is not seen. No edge any more */
	AWAIT_LANDING = 4, /* not a step of a spin loop, but where an exit leads */
};

struct await_edge {
	uint32_t from;  /* node number, from 1 */
	uint32_t found; /* fingerprint of the value */
	uint32_t to;    /* node number */
	uint32_t flags; /* enum await_edge_flags */
};

/* In the session. Zeroed memory is an empty table. While it is frozen the functions below (but await_install) leave it as it
   is, and what would have been news is none. */
struct await_table {
	uint32_t nodes, edges, places;
	uint32_t changes; /* bumped whenever an edge is new or changes: what is an event is different from now on */
	uint32_t full;    /* 1: something could not be put down */
	uint32_t frozen;  /* 1: nothing is put down any more, nor taken back: what is an event stays the same */
	uint32_t broken;  /* edges that turned out to be none */
	uint32_t node_hash[2 * AWAIT_NODES];  /* node number, by state; 0: empty */
	uint32_t edge_hash[2 * AWAIT_EDGES];  /* edge number + 1, by (from, found, is it a landing) */
	uint64_t place[2 * AWAIT_PLACES];     /* pc, by itself; 0: empty */
	struct await_node node[AWAIT_NODES];
	struct await_edge edge[AWAIT_EDGES];
};
_Static_assert(sizeof(struct await_table) == 606240, "saved searches and all workers share this layout: bump SESSION_VERSION when it changes");

struct await_visit {
	uint32_t n;
	uint32_t next; /* node to which the last event led; 0: none is known, the visit is over */
	uint32_t node[AWAIT_VISIT];
};

/* Where a thread could stand that stands at node[0] as far as one can see. */
struct await_reach {
	uint32_t n;
	uint32_t node[AWAIT_REACH];
	uint32_t via[AWAIT_REACH]; /* edge number + 1 of the first step from node[0] */
};

/* Fingerprint of what is in memory there. */
typedef uint32_t (*await_value)(void *ctx, uint64_t addr, uint32_t size);

/* ---- the table ---- */

/* Is it worth computing states here? */
bool await_is_place(const struct await_table *t, uint64_t pc);
bool await_add_place(struct await_table *t, uint64_t pc); /* true when that is news. Kept as a node that nothing leads to */
/* Number of the node with that state, made when new (and its pc is a place from then on); 0 when the table is full or frozen. */
uint32_t await_node(struct await_table *t, const struct await_node *node);
/* Number of the node, 0 when it is not known. */
uint32_t await_find(const struct await_table *t, uint64_t state);
/* The node with that number, which comes from one of these functions. */
static inline const struct await_node *await_at(const struct await_table *t, uint32_t node)
{
	return &t->node[node - 1];
}
/* Is it known what comes of a thread at `from` that finds that, there and wherever it gets with it: that it goes round, or where it leaves
   and lands? */
bool await_foreseen(const struct await_table *t, uint32_t from, uint32_t found);
/* true when that is news. An edge that leads elsewhere is broken by it. */
bool await_learn(struct await_table *t, uint32_t from, uint32_t found, uint32_t to);
/* The thread left the known loops at `from`, having found that, and was in state `to` at its next access. */
void await_land(struct await_table *t, uint32_t from, uint32_t found, uint32_t to);
/* As an edge was in another table, whatever is known here. */
void await_install(struct await_table *t, const struct await_edge *e);
/* The thread did something else than the edge says: it is broken from now on. */
void await_break(struct await_table *t, uint32_t from, uint32_t found);
/* The node an edge leads to, 0 when there is no such edge. */
uint32_t await_next(const struct await_table *t, uint32_t from, uint32_t found);

/* ---- a thread at a node ---- */

/*
 * The exit of a thread that announced the operation at `node` after `visit`, with memory as value() says: the node
 * whose operation would be its next event. 0: it is disabled. Only the bytes that `node` reads are asked for.
 */
uint32_t await_exit(const struct await_table *t, uint32_t node, const struct await_visit *visit, await_value value, void *ctx);
/* The same when it finds a value with this fingerprint. */
uint32_t await_exit_with(const struct await_table *t, uint32_t node, const struct await_visit *visit, uint32_t found);

/* A thread has announced the operation at this node (0: none; another kind of operation, but for YIELD and SLEEP, which change
   nothing): its visit goes on, or starts anew. */
void await_visit_at(struct await_visit *v, uint32_t node);
/* Its event was performed: it had announced `node` and found that value at its exit. */
void await_visit_event(const struct await_table *t, struct await_visit *v, uint32_t node, uint32_t found);

/* Starts watching a thread that has announced the operation at this node. */
void await_watch_at(struct await_reach *r, uint32_t node);
/* To be called in every state while it is pending: makes edges visible where it would matter whether the thread has gone early. */
void await_watch(struct await_table *t, struct await_reach *r, const struct await_visit *visit, await_value value, void *ctx);

/* Would a thread at the node really go round for ever while memory is as value() says? */
bool await_stuck(const struct await_table *t, uint32_t node, await_value value, void *ctx);
/* The node of that endless round whose place in the code comes first: the same wherever in the round the thread stands. Only when it is stuck. */
uint32_t await_round(const struct await_table *t, uint32_t node, await_value value, void *ctx);

#endif
