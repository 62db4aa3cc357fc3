/*
 * One of several workers of a search (explore/shared/common.h): the memory that it shares, and how it waits. With one worker these functions do
 * nothing.
 */
#ifndef SIMUL_WORKER_H
#define SIMUL_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/outside.h"

struct session;

/* Call it in the constructor, if workers share memory. Replaces the mapping `s` of descriptor `fd` by a mapping of the session and the
   shared memory, at the distances that the layout demands. Returns NULL if that fails. */
struct session *worker_map(struct session *s, int fd);

/* Attaches to the shared search if there is one now. Call it in each process before its first execution, and after each pause. */
void worker_attach(void);

/* Wakes the supervisor, which waits for all workers. */
void worker_ring(void);

/* ---- planning the next execution ---- */

/* What is left of the budget of all workers. BUDGET_TAKEN: nothing is left now, but another worker may return an execution. */
enum budget { BUDGET_LEFT, BUDGET_TAKEN, BUDGET_USED };

/* Takes one execution out of the budget. Returns whether that was possible. */
enum budget worker_count(void);
/* Call it after BUDGET_TAKEN, with a value of worker_wakeup() from before. Waits until another worker has ended an execution, or something
   else wakes this one, for 50 ms at most. */
void worker_await_budget(uint32_t wakeup);
/* Call it when the counted execution has ended. Returns the execution to the budget unless it is `complete`. */
void worker_ended(bool complete);

/* Returns the value of the wakeup word. Read it before the strategy is asked for an execution. */
uint32_t worker_wakeup(void);
/* Call it when the strategy had no execution, with a value of worker_wakeup() from before. Returns false if there will never be one.
   Otherwise waits for a wakeup, for 50 ms at most, and returns true. */
bool worker_wait(uint32_t wakeup);

/* Returns whether an earlier process of this worker died while it changed the shared search, which is inconsistent then. */
bool worker_is_torn(void);

/* Returns whether the worker gives the common part of a search on several machines back now: no execution needed it lately, it has no work, or
   it kept it for long. Call it once before each execution is planned. */
bool worker_returns_common(void);

#endif
