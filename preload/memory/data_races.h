/*
 * Data races: two unordered accesses of the same bytes. At least one of them writes, and at least one is not atomic. The session lists them
 * (struct session_races), once for each pair of places in the code.
 */
#ifndef SIMUL_DATA_RACES_H
#define SIMUL_DATA_RACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"
#include "sched/history.h"


/* Adds a race to the list, or counts it again. Returns its number; SESSION_RACES: there is no room. */
uint32_t races_add(const struct session_race *race);

/* Returns the number of words on which processes were seen to race (watched.h). */
uint32_t races_watched(void);

/* Races of processes may have been missed. */
void races_miss(enum races_missed why);

/* Race number i is one of processes. Returns whether the program itself made both accesses, and not SystemC's kernel
   for it. Asks the supervisor when the race is met for the first time. Called inside simul. */
bool races_own(uint32_t i);

/* Records that two events race. `second` is being performed now; its bytes are [addr, addr + size). */
void races_report(const struct past *first, const struct past *second, uint64_t addr, uint64_t size);

/* true: a race was reported that still lacks the stack of the running thread. */
extern bool races_open;
/* Completes this race. With fail_on_race, ends the execution. Called inside simul, in the thread that made the event. */
void races_settle(void);

#endif
