/*
 * Data races: two accesses of the same bytes, at least one of which writes and at least one of which is not atomic, with nothing
 * that orders them. They are described in the session (struct session_races), each pair of places in the code once.
 */
#ifndef SIMUL_DATA_RACES_H
#define SIMUL_DATA_RACES_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/history.h"

/* Both were events; `second` is the one that is being performed now, and its bytes are [addr, addr + size). */
void races_report(const struct past *first, const struct past *second, uint64_t addr, uint64_t size);

/* true: a race was reported that still lacks the stack of the running thread. */
extern bool races_open;
/* Completes it; with fail_on_race the execution ends here. Inside simul, in the thread that runs on after the event. */
void races_settle(void);

#endif
