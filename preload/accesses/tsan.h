/*
 * Between the two halves of the ThreadSanitizer ABI: tsan_entry.S, which the program calls, and tsan_abi.c. Read by the
 * assembler too.
 */
#ifndef SIMUL_TSAN_H
#define SIMUL_TSAN_H

/* Beside the flags of mem.h: what a compare-and-swap expects is its second argument, not behind it. */
#define TSAN_VALUE 0x400

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "preload/accesses/mem.h"

/* A call of the ABI as tsan_entry.S keeps it on the stack: the arguments (what they mean is up to the function) and what it
   is about. */
struct tsan_call {
	uint64_t rdi, rsi, rdx, rcx, r8, r9;
	uint64_t make;  /* code that makes the access, or returns when the program does */
	uint32_t size, flags; /* flags: MEM_*, TSAN_VALUE */
	uint64_t pc;    /* of the access, as a return address */
};

/* The access is visible: announces it. regs: as they were in the program at the call; what a function does not preserve is 0. */
void tsan_perform(const struct tsan_call *c, const struct mem_regs *regs);

#endif
#endif
