/*
 * What keeps the program from writing into simul's own memory in its process.
 *
 * Variables that are marked SEALED, and the description of the session at the start of its segment, are read-only while the
 * program runs: a write there is a SIGSEGV, whoever makes it. The rest of simul's memory changes with each event and cannot be
 * protected at that price; but a write there by code whose accesses are seen (mem.h) is noticed before it happens.
 */
#ifndef SIMUL_GUARD_H
#define SIMUL_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/sys.h"

struct session;

/* A variable that keeps its value while the program runs. Written between guard_open and guard_seal only. (Unit tests, whose linker
   makes that section read-only, define it as nothing.) */
#ifndef SEALED
#define SEALED __attribute__((section(".data.rel.ro.sealed")))
#endif

/* Lets SEALED variables be written, and makes them read-only. Legal at any time; calls do not nest. */
void guard_open(void);
void guard_seal(void);
/* The description of the session, `bytes` from there, is sealed from the next guard_seal on. */
void guard_session(void *start, uint64_t bytes);

/* [p, p + bytes) is simul's; what lies at SYS_AWAY always is. Between guard_open and guard_seal. Writes to what is added after the first GUARD_RANGES are not noticed. */
void guard_add(const void *p, uint64_t bytes);
/* The same of the variables of libsimul.so. */
void guard_add_variables(void);
/* Is there memory of simul's in [addr, addr + bytes)? */
bool guard_overlaps(uint64_t addr, uint64_t bytes);
static inline bool guard_owns(uint64_t addr);

/* Where the program is about to write into simul's memory; 0: nowhere. Set by mem_note. */
extern uint64_t guard_hit;
/* In a process that simul does not control: of what it shares with simul only the control block, where it leaves notes, and the description,
   by whose damage the supervisor notices writes, can be written. */
void guard_native(struct session *s);
/* Ends the execution as a failure of the program: it writes there. Inside simul. */
void guard_written(uint64_t addr) __attribute__((noreturn));
/* Ends the session when the program is about to change how simul's memory is mapped. Called by hooks, before they enter. */
void guard_mapping(const void *addr, uint64_t bytes, const char *call);
/* What that says in the report. */
extern const char guard_words[];

/* The calls that put a filter before system calls: none is installed, since simul's own would not pass. Returns 0, and the
   verdict says so. Outside of simul. */
long guard_seccomp(void);

/* ---- for guard_owns ---- */

#define GUARD_RANGES 16
struct guard_range {
	uint64_t lo, bytes;
};
extern struct guard_range guard_range[GUARD_RANGES];
extern unsigned guard_ranges;
extern uint64_t guard_lowest; /* where the first of them begins: most memory of the program lies below */

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
