/*
 * Samples directed at deadlocks: the orders in which threads take locks, and slow threads where these orders form a cycle.
 *
 * If one thread takes lock b while it holds a, and another one takes a while it holds b, both can wait for each other for ever. For that, each must
 * have its first lock before either has its second one. In a long execution two such short moments rarely meet by chance. So executions leave
 * edges "thread t, holding lock h, takes lock w". An edge is part of a cycle if edges of other threads lead from w back to h. In every other
 * pair of executions (those of a pair differ in what counts for surw), a thread that holds such a lock h is slow: after each of its events it
 * gives way (giveway.h) for a random number of events of other threads. The average of that number is drawn once for each execution.
 *
 * A lock is a mutex, spin lock, reader-writer lock, or a semaphore between its wait and its post. Whether the cycle can cause a deadlock (a
 * third lock may protect it, or a semaphore may be no lock) is left to the execution. A found deadlock is a real one.
 *
 * Papers: Joshi, Park, Sen, Naik, "A randomized dynamic program analysis technique for detecting real deadlocks" (DeadlockFuzzer, PLDI 2009),
 * which finds such cycles and pauses threads before their second lock. Difference: a thread is slow as long as it holds its first lock, and not
 * paused at its second one. A thread of an interpreter with a big lock (Python's GIL) would block all others there, but gives that lock up
 * while it is slow.
 */
#ifndef SIMUL_LOCK_ORDER_H
#define SIMUL_LOCK_ORDER_H

#include "explore/sampling/sample.h"

#define LOCK_ORDERS_MOST 128u /* edges; more are ignored */

/* Decides whether the execution that begins is a directed one. Call it when sample_begin has succeeded. */
void lock_order_begin(struct core *s);
/* Makes e's thread slow if it holds a lock of a cycle. Call it once for each event that giveway_event returns. */
void lock_order_follow(struct core *s, const struct event *e);
/* Learns the orders of an execution that has ended, while the names of its objects are known (profile_names). */
void lock_order_learn(struct core *s, const struct trace *trace);

#endif
