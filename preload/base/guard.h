/*
 * Protects simul's memory from writes of the program in its process.
 *
 * Variables that are marked SEALED, and the description of the session at the start of its segment, are read-only while the program runs:
 * any write to them is a SIGSEGV. The rest of simul's memory changes with each event, so protecting it would cost too much. But a write
 * by code whose accesses simul sees (mem.h) is detected before it happens.
 */
#ifndef SIMUL_GUARD_H
#define SIMUL_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/sys.h"

struct session;

/* A variable that does not change while the program runs. Write it only between guard_open and guard_seal. (Unit tests define this as
   nothing, since their linker makes the section read-only.) */
#ifndef SEALED
#define SEALED __attribute__((section(".data.rel.ro.sealed")))
#endif

/* guard_open makes SEALED variables writable, guard_seal makes them read-only again. Legal at any time; calls do not nest. */
void guard_open(void);
void guard_seal(void);
/* Declares the description of the session: `bytes` bytes from `start`. The next guard_seal seals it. */
void guard_session(void *start, uint64_t bytes);

/* Declares [p, p + bytes) to be simul's memory. Mappings at SYS_AWAY need no declaration. Call it between guard_open and guard_seal. Only
   the first GUARD_RANGES ranges are protected. */
void guard_add(const void *p, uint64_t bytes);
/* Like guard_add, for the variables of libsimul.so. */
void guard_add_variables(void);
/* Returns whether [addr, addr + bytes) contains memory of simul. */
bool guard_overlaps(uint64_t addr, uint64_t bytes);
/* Returns whether the byte at addr is simul's memory. */
static inline bool guard_owns(uint64_t addr);

/* The address in simul's memory that the program is about to write to; 0: none. Set by mem_note. */
extern uint64_t guard_hit;
/* In a process that simul does not control: makes the memory that it shares with simul read-only. Two parts stay writable: the control
   block, where hooks record facts, and the description. The supervisor detects writes of the process by changes in the description. */
void guard_native(struct session *s);
/* Ends the execution as a failure: the program writes to addr, in simul's memory. Inside simul. */
void guard_written(uint64_t addr) __attribute__((noreturn));
/* Ends the session if the program is about to change the mapping of simul's memory. Hooks call it before they enter simul. */
void guard_mapping(const void *addr, uint64_t bytes, const char *call);
/* The message of guard_written in the report. */
extern const char guard_words[];

/* For calls that install a filter of system calls: installs none, as it would block simul's own system calls. Returns 0, and the verdict
   says so. Outside of simul. */
long guard_seccomp(void);

/* ---- for guard_owns ---- */

#define GUARD_RANGES 16
struct guard_range {
	uint64_t lo, bytes;
};
extern struct guard_range guard_range[GUARD_RANGES];
extern unsigned guard_ranges;
extern uint64_t guard_lowest; /* lowest address of these ranges; most of the program's memory lies below it */

static inline bool guard_owns(uint64_t addr)
{
	if (addr < guard_lowest)
		return addr - (uintptr_t)SYS_AWAY(0) < SYS_AWAY_BYTES;
	for (unsigned i = 0; i < guard_ranges; i++)
		if (addr - guard_range[i].lo < guard_range[i].bytes)
			return true;
	return false;
}

#endif
