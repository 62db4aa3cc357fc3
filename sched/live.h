/*
 * The execution graph of the running execution under RC11 (--model rc11; sched/rc11.h has the model).
 *
 * Each atomic access of visible bytes is an event of the graph. A load may read each store that is consistent with the
 * graph, and a store may come at each place in modification order that is. Under ALT_NORMAL it is the latest one, which
 * always is consistent; the other ones are alternatives (ALT_OLDER and on), which the strategy is offered after it has
 * picked the thread (world_stores).
 *
 * Memory holds the latest store in modification order of each place. While the thread makes its access, memory holds
 * what it is to find (world_show_buffer). What the access leaves there is the value of the store; then the latest one
 * is put back (world_hide_buffer). So the program's own instructions compute the values.
 *
 * What library calls order comes from happens-before (sched/hb.h), which learns which store each load
 * reads. An event of the graph without a place stands for such calls of a thread.
 *
 * Not in the graph, and so always with the latest store:
 * - accesses that are certainly not atomic. If they do not race, the latest store is the only one that they can read.
 *   If they do, that is a bug. After a write, the place begins with its value;
 * - accesses of more than 8 bytes, or whose bytes overlap those of another place. Such places are `mixed`;
 * - everything in an execution that has become too long for the graph.
 * Instructions of code without memory orders are in the graph, and read the latest store. Their loads and locked
 * instructions count as seq_cst.
 */
#ifndef SIMUL_LIVE_H
#define SIMUL_LIVE_H

#include "sched/world_internal.h"

#define LIVE_EVENTS 2048u /* an execution with more, or with more threads or places, goes on without the graph */

/* Makes an empty graph in the world's arena, if the model is RC11 and the world can see memory. */
void live_init(struct world *w);

/* Sets what t's pending memory operation finds, and event_reads_from, if it is performed with this alternative. Call it
   only with w->graph. */
void live_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d);
/* Adds the operation that d decides to the graph. */
void live_access(struct world *w, struct wthread *t, unsigned alt, const struct decision *d);
/* Why the operation was offered the latest store only. Call it after live_access. */
enum graph_gap live_gap(const struct world *w, const struct op *op);
/* t performs an event that is no access, which happens-before does not include yet. */
void live_event(struct world *w, const struct wthread *t);
/* t has announced its next operation. A thread that comes back to a state (op.state) without having changed anything
   waits in a loop: what it could find next, it can also find at once, so another execution covers that one. Returns in
   live_spins whether it is so; then the operation is never enabled. Not for samples (world_config.samples). */
void live_announced(struct world *w, const struct wthread *t);
bool live_spins(const struct world *w, const struct wthread *t);

/* Before and after t makes the access that it has performed last. */
void live_show(struct world *w);
void live_hide(struct world *w);
/* For tests: leaves out rules of the model (enum rc11_without). */
void live_leave_out(struct world *w, uint32_t without);

/* Forgets what t's access is to leave in [lo, hi), a part of its stack that it no longer uses. */
void live_pop_stack(struct world *w, uint64_t lo, uint64_t hi);

#endif
