/*
 * Spin loops: what is known about them, and when a thread in one is blocked.
 *
 * A *node* is a thread's state just before a load or read-modify-write in a loop: a hash of its registers, its own stack and the
 * place. The thread is deterministic: what it finds there decides to which node it comes next, or that it
 * leaves. An *edge* (node, value found) -> node is known when it was seen that the thread got from one to the other
 * and left memory as it was. Where the edges that the values now in memory select lead back to a node already passed,
 * the thread would go round without any effect: it is *awaiting*, and its operation is disabled until one of those values
 * changes. So a failed iteration leaves no event behind (docs/await.md says why nothing is lost).
 *
 * Edges are facts about the program: they are kept for the whole session and only grow.
 */
#ifndef SIMUL_AWAIT_H
#define SIMUL_AWAIT_H

#include <stdbool.h>
#include <stdint.h>

#define AWAIT_NODES 4096u
#define AWAIT_EDGES 16384u

struct await_node {
	uint64_t state;    /* struct op.state; never 0 */
	uint64_t addr;     /* what it reads */
	uint32_t size;
	uint32_t expected; /* compare-and-swap: fingerprint of the value it expects; else 0 */
};

struct await_edge {
	uint32_t from;  /* node number, from 1 */
	uint32_t found; /* fingerprint of the value */
	uint32_t to;    /* node number */
	uint32_t pad_;
};

/* In the session. Zeroed memory is an empty table. */
struct await_table {
	uint32_t nodes, edges;
	uint32_t changes; /* bumped with every new edge */
	uint32_t full;
	uint32_t node_hash[2 * AWAIT_NODES];  /* node number, by state; 0: empty */
	uint32_t edge_hash[2 * AWAIT_EDGES];  /* edge number + 1, by (from, found) */
	struct await_node node[AWAIT_NODES];
	struct await_edge edge[AWAIT_EDGES];
};

/* Number of the node, made when new; 0 when the table is full. */
uint32_t await_node(struct await_table *t, uint64_t state, uint64_t addr, uint32_t size, uint32_t expected);
/* Number of the node, 0 when it is not known. */
uint32_t await_find(const struct await_table *t, uint64_t state);
/* true when that is news. */
bool await_learn(struct await_table *t, uint32_t from, uint32_t found, uint32_t to);
/* The node an edge leads to, 0 when there is no such edge. */
uint32_t await_next(const struct await_table *t, uint32_t from, uint32_t found);

/* Would a thread at the node go round for ever while memory is as value() says? */
bool await_blocked(const struct await_table *t, uint32_t node,
	uint32_t (*value)(void *ctx, uint64_t addr, uint32_t size), void *ctx);

#endif
