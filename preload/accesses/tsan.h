/*
 * What the two halves of the ThreadSanitizer ABI share: x86_64/tsan_entry.S, which the program calls, and tsan_abi.c. The assembler reads this
 * file too.
 */
#ifndef SIMUL_TSAN_H
#define SIMUL_TSAN_H

/* In addition to the flags of mem.h: the second argument of a compare-and-swap is the expected value, not a pointer to it. */
#define TSAN_VALUE 0x400

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "preload/accesses/mem.h"

/* A call of the ABI, as x86_64/tsan_entry.S stores it on the stack. The meaning of the arguments depends on the function. */
struct tsan_call {
	uint64_t argument[6];
	uint64_t make;  /* address of code that makes the access; when the program makes it itself, that code only returns */
	uint32_t size, flags; /* flags: MEM_*, TSAN_VALUE */
	uint64_t pc;    /* place of the access in the program, as a return address */
};

/* Announces a visible access. regs: the program's registers at the call; 0 for those that a function need not preserve. */
void tsan_perform(const struct tsan_call *c, const struct mem_regs *regs);

#endif
#endif
