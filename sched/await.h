/*
 * Spin loops: what is known about them, and when a thread in one is blocked. docs/await.md proves that no trace is lost.
 *
 * A *node* is a thread's state just before a load or read-modify-write in a loop: a hash of its registers, its own stack and the place. The
 * thread is deterministic: the value that it finds there decides which node it reaches next, or that it leaves the loop. An *edge* (node,
 * value found) -> node is known when a thread was seen to get from one to the other without changing memory. Edges are facts about the
 * program: they are kept for the whole session, and their number only grows.
 *
 * A thread that stands at a node is presented as if it had advanced along edges as far as the values now in memory take it:
 *  - If they take it back to a node that it already passed, it would iterate without any effect. It is disabled until one of the
 *    values changes. So a failed iteration leaves no event behind.
 *  - As long as all nodes on the way read the same bytes, the way is *elided*: it is passed in one step with the operation at its
 *    end, the *exit*, which alone is an event. So "load until free, then exchange" is one event, the exchange.
 *  - Otherwise its operation is an ordinary event.
 *
 * It must not matter whether the thread advances late or early: wherever it could have gone since it came here, it must leave at the same
 * exit. await_watch checks that in every state. An edge that violates it is made visible: it is no longer elided. Two exits also count as
 * the same when both lead to one *landing*: the thread's state at its very next access outside its own stack. So values left over in dead
 * registers do not matter.
 *
 * Some nodes are no states but *locks*: the operation takes a lock that is free at one value, `expected`, and with any other value the thread
 * comes back to it. That is assumed, not observed (preload/memory/lock_sites.h). If AWAIT_EDGES_SAY is set, it comes back at one value only, and the edge for
 * that value is assumed as well.
 *
 * struct await_visit: the nodes that a thread has passed, visibly or not, since it last did anything else. Coming back to one of them
 * completes an iteration.
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
#define AWAIT_CHECKS 8192u

struct await_node {
	uint64_t state;    /* struct op.state; never 0 */
	uint64_t addr;     /* address that it reads */
	uint64_t pc;       /* as in struct op */
	uint32_t size;
	uint32_t expected; /* compare-and-swap: fingerprint of the value it expects; a lock: that of its value when it is free; else 0 */
	uint32_t what;     /* event kind (EV_LOAD or EV_RMW), its EVF_MEMORY flags << 8, op.failed_acquires << 16, AWAIT_LOCK, AWAIT_EDGES_SAY, AWAIT_PARKS, AWAIT_REPEATS_* */
	uint32_t owner;    /* a lock: who says that it is one (preload/modules/runtimes.h); else 0 */
};

#define AWAIT_LOCK (UINT32_C(1) << 17) /* in await_node.what */
#define AWAIT_EDGES_SAY (UINT32_C(1) << 23) /* with AWAIT_LOCK: at a value that is not `expected`, the thread comes back if an edge says so */
#define AWAIT_PARKS (UINT32_C(1) << 22) /* with AWAIT_LOCK: the thread waits for another one to set the word, so no thread holds it */
/* In await_node.what, of facts about an instruction (await_fact). No thread is at such a node. For the first four see
   sched/repeats.h. */
#define AWAIT_REPEATS_SEEN (UINT32_C(1) << 18)
#define AWAIT_REPEATS (UINT32_C(1) << 19)
#define AWAIT_REPEATS_REFUSED (UINT32_C(1) << 20)
#define AWAIT_REPEATS_CHECKED (UINT32_C(1) << 21)
#define AWAIT_UNSTABLE (UINT32_C(1) << 24) /* await_unstable */

/* await_node.what of an operation. */
static inline uint32_t await_what(const struct op *op)
{
	return op->kind | (uint32_t)(op->flags & EVF_MEMORY & ~EVF_AWAIT) << 8 | (uint32_t)op->failed_acquires << 16;
}
/* EVF_* of an event at the node, unless it fails. */
static inline uint8_t await_flags(const struct await_node *n)
{
	return (uint8_t)((n->what >> 8 & EVF_MEMORY) | EVF_AWAIT | EVF_BLOCKING);
}
/* op.failed_acquires */
static inline bool await_failed_acquires(const struct await_node *n)
{
	return n->what >> 16 & 1;
}

enum await_edge_flags {
	AWAIT_VISIBLE = 1, /* not elided: as far as is known, taking it shows whether the thread advanced early or late */
	AWAIT_BROKEN = 2,  /* the thread once went elsewhere: it depends on something that is not seen. It is no longer an edge */
	AWAIT_LANDING = 4, /* not a step of a spin loop: it leads from an exit to its landing */
	AWAIT_ALWAYS = 8,  /* with AWAIT_VISIBLE: it stays visible (await_unstable) */
};

struct await_edge {
	uint32_t from;  /* node number, from 1 */
	uint32_t found; /* fingerprint of the value */
	uint32_t to;    /* node number */
	uint32_t flags; /* enum await_edge_flags */
};

/* Why an edge is visible: at the value `found`, a thread that advanced along it leaves at node[1], one that did not at
   node[0]. 0: it is disabled. */
struct await_conflict {
	uint16_t node[2];
	uint32_t found; /* 0: not because of two exits */
};
_Static_assert(AWAIT_NODES <= UINT16_MAX && AWAIT_EDGES <= UINT16_MAX, "they fit into a struct await_conflict");

/* Why the search may have missed something in spin loops. */
enum await_doubts {
	AWAIT_FULL = 1, /* something could not be stored */
	AWAIT_PAST = 2, /* what a thread could have found earlier is not known (explore/trace/await_past.h) */
};

/* Lies in the session. Zeroed memory is an empty table. While it is frozen, the functions below (except await_install) do not change it,
   and report nothing as new. */
struct await_table {
	uint32_t nodes, edges, places;
	uint32_t changes; /* incremented when an edge is new or changes: then other operations are events */
	uint32_t doubts;  /* enum await_doubts */
	uint32_t frozen;  /* not 0: the table does not change any more, so that the same operations stay events. Number of restarts of the search
	                     before that, plus 1 */
	uint32_t broken;  /* number of broken edges */
	uint32_t node_hash[2 * AWAIT_NODES];  /* node number, by state; 0: empty */
	uint32_t edge_hash[2 * AWAIT_EDGES];  /* edge number + 1, by (from, found, whether it is a landing) */
	uint64_t place[2 * AWAIT_PLACES];     /* hash set of pc values; 0: empty */
	struct await_node node[AWAIT_NODES];
	struct await_edge edge[AWAIT_EDGES];
	struct await_conflict conflict[AWAIT_EDGES]; /* of each edge that is visible */
	struct {
		uint64_t key, value;
	} check[AWAIT_CHECKS]; /* hash table of repeats_check; key 0: empty */
	struct await_found {
		uint64_t state, value;
		uint32_t stays, pad_;
	} value[AWAIT_CHECKS]; /* hash table of repeats_add, by state; state 0: empty */
};
_Static_assert(sizeof(struct await_table) == 1064992,
	"saved searches and all workers share this layout: bump SESSION_VERSION when it changes");

struct await_visit {
	uint32_t n;
	uint32_t next; /* node to which the latest event led; 0: unknown, the visit is over */
	uint32_t node[AWAIT_VISIT];
};

/* The nodes at which a thread could stand that appears to stand at node[0]. */
struct await_reach {
	uint32_t n;
	uint32_t node[AWAIT_REACH];
	uint32_t via[AWAIT_REACH]; /* edge number + 1 of the first step from node[0] */
};

/* Returns the fingerprint of the value in memory at addr. */
typedef uint32_t (*await_value)(void *ctx, uint64_t addr, uint32_t size);

/* ---- the table ---- */

/* Returns whether the state of a thread at this place should be computed. */
bool await_is_place(const struct await_table *t, uint64_t pc);
bool await_add_place(struct await_table *t, uint64_t pc); /* returns true when the place is new. Stored as a node that no edge leads to */
/* Returns the number of the node with that state. Makes it when it is new; its pc is a place from then on. 0 when the table is full or
   frozen. */
uint32_t await_node(struct await_table *t, const struct await_node *node);
/* Returns the number of the node; 0 when it is not known. */
uint32_t await_find(const struct await_table *t, uint64_t state);
/* Facts about an instruction (one of AWAIT_REPEATS_SEEN to AWAIT_UNSTABLE) are stored as nodes at which no thread is.
   await_fact returns the number of that node; 0 when the fact is not known. await_add_fact returns true when it is
   new. */
uint32_t await_fact(const struct await_table *t, uint64_t pc, uint32_t fact);
bool await_add_fact(struct await_table *t, uint64_t pc, uint32_t fact);
/* Returns whether the operation at this node takes a lock, and is disabled while the lock is not free. */
static inline bool await_is_lock(const struct await_node *n)
{
	return n->what & AWAIT_LOCK;
}
/* The node with that number, which one of these functions returned. */
static inline const struct await_node *await_at(const struct await_table *t, uint32_t node)
{
	return &t->node[node - 1];
}
/* Returns whether the outcome of reading `found` at node `from`, and at each node that this leads to, is known: either an endless
   iteration, or an exit with its landing. */
bool await_foreseen(const struct await_table *t, uint32_t from, uint32_t found);
/* Adds an edge. Returns true when it is new. Breaks an edge with the same start and value that leads elsewhere. */
bool await_discover(struct await_table *t, uint32_t from, uint32_t found, uint32_t to);
/* Records a landing: the thread found the value at `from`, left the known loops, and was in state `to` at its next access. */
void await_land(struct await_table *t, uint32_t from, uint32_t found, uint32_t to);
/* Copies an edge from another table, and overrides what is known here. */
void await_install(struct await_table *t, const struct await_edge *e);
/* Marks the edge as broken: the thread did something else. */
void await_break(struct await_table *t, uint32_t from, uint32_t found);
/*
 * Records that a thread's state at the instruction does not follow from what happened before: two states were seen
 * after the same past. So what one of them would do at a value says nothing about the other one. From now on each step
 * that starts there is visible.
 */
void await_unstable(struct await_table *t, uint64_t pc);
/* Returns the node that an edge leads to; 0 when there is no such edge. */
uint32_t await_next(const struct await_table *t, uint32_t from, uint32_t found);

/* ---- a thread at a node ---- */

/*
 * Returns the exit of a thread that announced the operation at `node` after `visit`, with memory as value() reports it: the node whose
 * operation would be its next event. 0: the thread is disabled. value() is called only for the bytes that `node` reads.
 */
uint32_t await_exit(const struct await_table *t, uint32_t node, const struct await_visit *visit, await_value value, void *ctx);
/* Like await_exit, for a thread that finds a value with this fingerprint. */
uint32_t await_exit_with(const struct await_table *t, uint32_t node, const struct await_visit *visit, uint32_t found);

/* Records that a thread announced the operation at this node (0: another operation, except YIELD and SLEEP, which change nothing): its
   visit continues or restarts. */
void await_visit_at(struct await_visit *v, uint32_t node);
/* Records that the event was performed: the thread had announced `node` and found that value at its exit. */
void await_visit_event(const struct await_table *t, struct await_visit *v, uint32_t node, uint32_t found);

/* Starts watching a thread that has announced the operation at this node. */
void await_watch_at(struct await_reach *r, uint32_t node);
/* Call it in every state while the operation is pending. Makes edges visible for which it would matter whether the thread advanced
   early. */
void await_watch(struct await_table *t, struct await_reach *r, const struct await_visit *visit, await_value value, void *ctx);
/* The same, for a thread that finds a value with this fingerprint. */
void await_watch_found(struct await_table *t, struct await_reach *r, const struct await_visit *visit, uint32_t found);

/* Returns whether a thread at the node would really iterate for ever while memory is as value() reports it. */
bool await_stuck(const struct await_table *t, uint32_t node, await_value value, void *ctx);
/* Returns the node of that endless loop whose place in the code comes first. It is the same wherever in the loop the thread stands. Call
   it only when await_stuck. */
uint32_t await_round(const struct await_table *t, uint32_t node, await_value value, void *ctx);

#endif
