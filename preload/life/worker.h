/*
 * One of several workers of a search (explore/common.h): the memory that it shares, and how it waits. With one worker these functions do
 * nothing.
 */
#ifndef SIMUL_WORKER_H
#define SIMUL_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/outside.h"

struct session;

/* In the constructor, if workers share memory: replaces the mapping `s` of descriptor `fd` by one of the session and the shared memory, at
   the distances that the layout demands. Returns NULL if that fails. */
struct session *worker_map(struct session *s, int fd);

/* Attaches to the shared search if there is one now. In each process before its first execution, and after each pause. */
void worker_attach(void);

/* Wakes the supervisor, which waits for all workers. */
void worker_ring(void);

/* ---- planning the next execution ---- */

/* What is left of the budget of all workers. BUDGET_TAKEN: nothing now, but another worker may give something back. */
enum budget { BUDGET_LEFT, BUDGET_TAKEN, BUDGET_USED };

/* Takes one execution out of the budget. Returns whether that was possible. */
enum budget worker_count(void);
/* After BUDGET_TAKEN: waits until another worker has ended an execution, or something else woke this one, for 50 ms at most. `wakeup` was
   read before. */
void worker_await_budget(uint32_t wakeup);
/* The counted execution has ended. Unless it is `complete`, it goes back into the budget. */
void worker_ended(bool complete);

/* Returns the value of the wakeup word. Read it before the strategy is asked for an execution. */
uint32_t worker_wakeup(void);
/* The strategy had no execution, and `wakeup` was read before that. Returns false if there will be none; else it waited for a wakeup,
   for 50 ms at most. */
bool worker_wait(uint32_t wakeup);

/* Returns whether an earlier process of this worker died while it changed the shared search, which is inconsistent then. */
bool worker_is_torn(void);

#endif
