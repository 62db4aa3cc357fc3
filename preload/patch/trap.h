/* The data of a patched module that stays: the map from old to new places. Signal handlers read it. */
#ifndef SIMUL_PATCH_TRAP_H
#define SIMUL_PATCH_TRAP_H

#include <stdint.h>

#include "preload/patch/patch.h"

/* The kind of new code at an entry of the map. Kinds with a temporary register come in fours, one for each of the four registers. */
enum map_kind {
	MAP_INSN,           /* the instruction itself, or its replacement */
	MAP_HOOK,           /* a hook */
	MAP_SPLIT_OPEN,     /* code that moves the stack pointer past the red zone and saves the temporary register */
	MAP_LOOP,           /* loop: rcx is decremented by the first instruction */
	MAP_SCAN,           /* an element of rep cmps or rep scas is processed but not counted: lea rcx,[rcx-1] and a short jump follow */
	MAP_CALL,           /* a call that the new code makes (x86_64/emit.c, put_call) */
	MAP_SPLIT = 8,      /* + temp: the temporary register is on top of the stack, and the instruction's effect is still to come */
	MAP_SPLIT_HOOK = 12,/* + temp: the hook of the store; the stack is as for MAP_SPLIT */
	MAP_SPLIT_DONE = 16,/* + temp: the effect is complete, and the temporary register is restored */
};

/* Sorted by both offsets. */
struct map_entry {
	uint32_t to;            /* offset in the new code, from the region's start */
	uint32_t from : 27;     /* offset in the old code */
	uint32_t kind : 5;
};

/* A piece of new code. A debugger reads it (patch_tables; replay/gdb/simul_gdb/patched.py). A module may have several, each with some of
   its functions. */
struct patched {
	uint64_t old_lo, old_hi;
	uint64_t new_lo, new_hi;
	const struct map_entry *map;
	uint32_t entries;
};

/* Returns a free entry to fill in, or NULL when the table is full. */
struct patched *trap_new(void);
/* Makes the entry of trap_new a part of the table. */
void trap_add(void);
/* Returns an entry whose old code contains pc, or NULL. */
struct patched *trap_old(uint64_t pc);
/* Returns an entry whose new code contains pc, or NULL. */
const struct patched *trap_new_code(uint64_t pc);
/* Returns the entry of the map whose new code contains the offset, or NULL. */
const struct map_entry *trap_entry(const struct patched *p, uint64_t off);
/* Returns whether pc is in the code that hooks call (x86_64/interrupted.c). */
bool interrupted_in_stub(uint64_t pc);
/* Returns the new address of the instruction at this place of the old code; 0 when it has none. */
uint64_t trap_moved(uint64_t pc);

#endif
