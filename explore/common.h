/*
 * One search, several workers: the part of the tree of executions that they share.
 *
 * Each worker has a search of its own (explore.h), in its own memory, with its own executor. What lies between the root and the
 * states from which work was given away is shared: it lies in `common`, memory that all workers map. A search that has never
 * given work away keeps nothing there. Only the optimal strategy can be shared.
 *
 * The executor of a worker waits when explore_waiting() is true after `begin` returned false: it sleeps on explore_door() and
 * calls `begin` again. `begin` returning false otherwise means that the whole search is over.
 *
 * Everything here is position independent, as in explore.h, but for the distance between a search and `common`, which must be
 * the same in all processes of a worker.
 */
#ifndef SIMUL_COMMON_H
#define SIMUL_COMMON_H

#include "explore/explore.h"

/* How workers wait for each other, in the words of the executor; called with a word in `common`. */
struct explore_host {
	/* Returns some time after *word has become something else than `value`, or earlier, or because of anything. */
	void (*wait)(uint32_t *word, uint32_t value);
	/* Wakes all who wait for *word. */
	void (*wake)(uint32_t *word);
};

/* Bytes of `common` below which explore_common_create is sure to fail. */
size_t explore_common_min_memory(void);

/* Lays out an empty common part in memory[0 .. size), 16-byte aligned, zeroed. false when it is too small. */
bool explore_common_create(void *common, size_t size);

/*
 * Makes the search laid out in `memory` a worker. At most one of them has started executions by then, or will start without being given work
 * (`owns_root`); the others wait until they are given some. Call it before the first `begin` of a search that does not own the
 * root, between two executions of the one that does. false: this strategy cannot be shared, or `common` is not laid out.
 */
bool explore_join(void *memory, void *common, size_t size, bool owns_root);

/* Is there something yet that workers could share? With `auto` not before the first executions of bounds are over. */
bool explore_can_join(const void *memory);

/*
 * Between two executions of a worker that does not own the root, and when no process of it is alive: it goes for good, and what it had left to
 * explore is for the others. Its counters stay what they are. Waits when another worker stands in the middle of changing `common`. false: the
 * memory of the search is used up; the others stop, as when one of them cannot go on.
 */
bool explore_hand_back(void *memory);

/* Called by each process after explore_attach of a search that has joined; *host must stay where it is. NULL: spin. */
void explore_use_host(void *memory, const struct explore_host *host);

/* After `begin` returned false: there is no work for this worker now, and others are still busy. */
bool explore_waiting(const void *memory);

/* The word that changes when there may be work, or the search is over. Read it before `begin`, wait for it afterwards. */
uint32_t *explore_door(void *common);

/* Is everything explored? Any worker finding `common` like this gets false from `begin`. */
bool explore_common_over(const void *common);

/* Does a process of some worker stand in the middle of changing `common`? When it died there, the search is lost. Only to be called when
   no process of that worker is alive: worker numbers are in the order of explore_join, from 1; 0: nobody does. */
uint32_t explore_common_changing(const void *common);
/* Number of this worker, see above; 0: it has not joined. */
uint32_t explore_worker(const void *memory);

/* How many bytes at the start of `common` are used so far; may be any number when the memory was overwritten. */
uint64_t explore_common_used(const void *common);

#endif
