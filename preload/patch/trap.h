/* What stays of a patched module: where its instructions went. Read in signal handlers. */
#ifndef SIMUL_PATCH_TRAP_H
#define SIMUL_PATCH_TRAP_H

#include <stdint.h>

#include "preload/patch/patch.h"

/* What new code at an entry is. Those with a register come in fours. */
enum map_kind {
	MAP_INSN,           /* the instruction itself, or what stands for it */
	MAP_HOOK,           /* a hook */
	MAP_SPLIT_OPEN,     /* room is made for the temporary register */
	MAP_LOOP,           /* loop: has counted down after its first instruction */
	MAP_SCAN,           /* an element of rep cmps or rep scas is done but not counted: lea rcx,[rcx-1]; a short jump out */
	MAP_SPLIT = 8,      /* + temp: the temporary register is on top of the stack, the instruction's effect is still to come */
	MAP_SPLIT_HOOK = 12,/* + temp: as MAP_SPLIT, and a hook without room for the red zone */
	MAP_SPLIT_DONE = 16,/* + temp: its effect is complete, the temporary register comes back */
};

/* Sorted by both offsets. */
struct map_entry {
	uint32_t to;            /* in the new code, from the region's start */
	uint32_t from : 27;     /* in the old code */
	uint32_t kind : 5;
};

/* A debugger reads it (patch_tables; replay/gdb/simul_gdb/patched.py). Several can be of one module: each then has some functions of it. */
struct patched {
	uint64_t old_lo, old_hi;
	uint64_t new_lo, new_hi;
	const struct map_entry *map;
	uint32_t entries;
};

/* Room for another; NULL when there is none. It counts when trap_add is called. */
struct patched *trap_new(void);
void trap_add(void);
struct patched *trap_old(uint64_t pc);
/* Where the instruction at this place of the old code went; 0: it stayed. */
uint64_t trap_moved(uint64_t pc);

#endif
