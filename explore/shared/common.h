/*
 * One search, several workers: the part of the tree of executions that they share.
 *
 * Each worker has its own search (explore.h) in its own memory, with its own executor. The states between the root and the states from
 * which work was given away are shared: they lie in `common`, memory that all workers map. A search that has never given work away keeps
 * nothing there. Only the strategies auto and optimal can be shared in this way, and graphs in one of its own
 * (graph/graphs_sharing.c). Workers of strategy windows have windows of their own, by other seeds, and share nothing.
 *
 * When `begin` returned false and explore_waiting() is true, the executor of the worker sleeps on explore_wakeup() and then calls `begin`
 * again. When `begin` returned false otherwise, the whole search is over.
 *
 * Everything here is position independent, as in explore.h. The one exception is the distance between a search and `common`, which must be
 * the same in all processes of a worker.
 */
#ifndef SIMUL_COMMON_H
#define SIMUL_COMMON_H

#include "explore/explore.h"

/* How workers wait for each other; the executor implements it. The functions get a word in `common`. */
struct explore_host {
	/* Returns some time after *word differs from `value`. May return earlier, for any reason. */
	void (*wait)(const uint32_t *word, uint32_t value);
	/* Wakes all threads that wait for *word. */
	void (*wake)(uint32_t *word);
	/* If `common` is a copy of what several machines share: returns when this worker alone may change it, and when the copy is current.
	   NULL: `common` is no copy. */
	void (*own)(void);
};

/* Bytes of `common`; explore_common_create fails when given fewer. */
size_t explore_common_min_memory(void);

/* Lays out an empty common part in memory[0 .. size), which must be zeroed and 16-byte aligned. Returns false when it is too small. */
bool explore_common_create(void *common, size_t size);

/*
 * Makes the search laid out in `memory` a worker. At most one search has started executions by then, or starts without
 * being given work (`owns_root`); the others wait until they get some, or with strategy windows make their own. Call it
 * before the first `begin` of a search that does not own the root, and between two executions of the one that does.
 * Returns false when this strategy cannot be shared or `common` is not laid out.
 */
bool explore_join(void *memory, void *common, size_t size, bool owns_root);

/* Returns whether there is work that workers could share. With `auto` this is false until the first executions of the bounded search are
   over. */
bool explore_can_join(const void *memory);

/*
 * Retires a worker that does not own the root; call it between two executions, while no process of the worker is alive. The work it has
 * left goes to the other workers. Its counters do not change. Waits while another worker is changing `common`. Returns false when the
 * memory of the search is used up; then the others stop, as when one of them cannot continue.
 */
bool explore_hand_back(void *memory);

/* Each process calls it after explore_attach of a search that has joined. *host must stay at its address. NULL: spin. */
void explore_use_host(void *memory, const struct explore_host *host);

/* After `begin` returned false: returns whether other workers are still busy and this one has no work for now. */
bool explore_waiting(const void *memory);

/* The word that changes when there may be work, or when the search is over. Read it before `begin`, wait for it afterwards. */
uint32_t *explore_wakeup(void *common);

/* Returns whether everything is explored. Then `begin` returns false for every worker of `common`. */
bool explore_common_over(const void *common);

/* Returns the number of the worker that is in the middle of changing `common`, 0 if none. If its process died there, the search is lost.
   Call it only when no process of that worker is alive. Workers are numbered from 1 in the order of explore_join. */
uint32_t explore_common_changing(const void *common);
/* Returns the number of this worker, see above; 0: it has not joined. */
uint32_t explore_worker(const void *memory);

/* Returns how many bytes at the start of `common` are in use. The value is arbitrary if the memory was overwritten. */
uint64_t explore_common_used(const void *common);

/* Returns how many tasks no worker has: planned leaves of the shared tree that a worker could take now. `size`: of the
   common part, at least explore_common_min_memory(). The value is arbitrary if the memory was overwritten. */
uint64_t explore_common_open(const void *common, size_t size);

/* For memory that others wrote. Returns whether `common`, of `size` bytes, is a common part, and the search in `memory`
   is a worker of it, or of none. What is behind the headers is not checked. */
bool explore_common_fits(const void *memory, const void *common, size_t size);

#endif
