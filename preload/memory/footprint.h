/*
 * The footprint of the running step of a process (sched/step.h): a set of words, which mem_note fills while a step is open.
 *
 * Not recorded are
 *  - accesses by code on another stack than the process's: the program's scheduler makes them;
 *  - bytes of blocks that the step itself allocated: nobody else knows them before it publishes their address;
 *  - what lay below the stack pointer of the process when the step began: no other process has a use for these bytes;
 *  - accesses while the step is paused: a function of the scheduler runs on the process's stack, and the caller records what it does.
 */
#ifndef SIMUL_FOOTPRINT_H
#define SIMUL_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct mem_access;
struct step_word;

/* A step is open. */
extern bool footprint_open;

/* Begins a step, which runs on the stack [lo, hi); the bytes from `live` on are in use. */
void footprint_begin(uint64_t lo, uint64_t live, uint64_t hi);
/* Accesses of this word by the step do not count. May be called FOOTPRINT_IGNORED times. */
#define FOOTPRINT_IGNORED 4u
void footprint_ignore(uint64_t word);
/* Pauses the step, if one is open and not paused: a function of the scheduler with this frame begins. Returns whether it did. The step
   continues with footprint_continue; if the function ends by an exception instead, the footprint is unknown. */
bool footprint_pause(const void *frame);
void footprint_continue(void);
/* Records an access (flags: MEM_*), made by code with this stack pointer. Called for each access while a step is open.
   Returns whether footprint_record must be called when it is made. */
bool footprint_access(uint64_t addr, uint64_t size, unsigned flags, uint64_t sp);
/* The step makes this access now. Records it if it accesses watched words (watched.h). Called inside simul. A call may
   have announced several accesses before. */
void footprint_record(const struct mem_access *a);
/* [addr, addr + size) is a new block. */
void footprint_new(uint64_t addr, uint64_t size);
/* Records an operation on an event (enum step_operation). */
void footprint_operation(uint64_t event, unsigned operation);
/* Records an access of up to 8 bytes of a word. */
void footprint_word(uint64_t word, unsigned bytes, bool write);
/* Removes a word. */
void footprint_forget(uint64_t word);
/* The footprint of the open step, if there is one, is unknown. */
void footprint_unknown(void);
/* This footprint and all later ones of this execution are unknown. */
void footprint_never(void);
/* Ends the step. Copies the sorted footprint to `to`, which has room for STEP_WORDS. Returns the number of words; UINT32_MAX: it is
   unknown. */
uint32_t footprint_end(struct step_word *to);
/* Drops the open step, if there is one. */
void footprint_drop(void);

#endif
