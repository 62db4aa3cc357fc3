/*
 * One of several workers of a search (explore/common.h): what it shares, and how it waits. With one worker all of it does nothing.
 */
#ifndef SIMUL_WORKER_H
#define SIMUL_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/outside.h"

struct session;

/* In the constructor: `s` is mapped from descriptor `fd`, and there is memory that workers share. Maps both anew, as they have to lie.
   NULL: that cannot be. */
struct session *worker_map(struct session *s, int fd);

/* The search may have become a shared one: in each process before it begins executions, and after each pause. */
void worker_attach(void);

/* Wakes the supervisor that waits for all workers. */
void worker_ring(void);

/* ---- planning the next execution ---- */

/* The budget of executions is one for all: takes one out of it. false: there is none left. */
bool worker_count(void);
/* The counted execution has ended; `complete`: it was a complete one, else it is given back. */
void worker_ended(bool complete);

/* To be read before the strategy is asked. */
uint32_t worker_door(void);
/* It had nothing: is there going to be something? Then this has waited a while. */
bool worker_wait(uint32_t door);

/* Has a process of this worker died while it changed what all share? Asked by the next one. */
bool worker_is_torn(void);

#endif
