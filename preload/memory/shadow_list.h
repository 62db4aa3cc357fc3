/*
 * Lists of accesses and sets of readers, for words whose accesses do not fit into a compact record (shadow_record.h). Also handles
 * conflicts of two accesses.
 */
#ifndef SIMUL_SHADOW_LIST_H
#define SIMUL_SHADOW_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/memory/interrupt.h"
#include "sched/history.h"
#include "sched/readers.h"

/* The place of an access, for handling its conflicts. */
struct conflict_place {
	uint64_t word;
	unsigned shared;     /* the word's visible bytes */
	uint64_t addr, size; /* bytes of the whole access; only for an event */
};

#pragma GCC visibility push(hidden)
/* The accesses of all lists, and the sets of readers. */
extern struct history shadow_history;
extern struct readers shadow_readers;
#pragma GCC visibility pop

/* Returns the number of bytes that shadow_list_init needs. */
uint64_t shadow_list_bytes(void);
/* Prepares the lists in `room`, which has shadow_list_bytes() zeroed bytes. Called once. */
void shadow_list_init(void *room);
/* Sets *lo and *bytes to a part of that room that is in use; parts are numbered from 0. Returns false when there is no such part. */
bool shadow_list_part(unsigned i, uint64_t *lo, uint64_t *bytes);

/* Returns the head of a list with the accesses of a record of any form. */
uint32_t shadow_list_of(uint64_t record);
/* Adds *p to the list of record *r, and handles the conflicts of *p. *r becomes LISTED unless the result fits into a compact record.
   at->word is the word; at->shared is set here. handlers: the signal handlers that run on the thread of *p, or NULL. keep: as in
   history_add. */
void shadow_list_add(uint64_t *r, struct conflict_place *at, const struct past *p, const struct interrupt *handlers, uint32_t keep);
/* Removes these bytes from a record of any form. Visible bytes stay visible. */
void shadow_list_forget(uint64_t *r, unsigned bytes);
/* Returns those bytes that are not visible and that another thread than t wrote last. */
unsigned shadow_list_foreign(uint64_t record, thread_id t);

/* How many conflicts of bytes that are not visible this execution has had. */
extern uint32_t shadow_conflicts;
/* In a search: makes these bytes of the word visible in the next execution. The running execution continues unchanged. In a forced
   schedule: does nothing, because the schedule was made for the table as it is. */
void shadow_discover(uint64_t word, unsigned bytes);

#endif
