/* An access to memory, as the sensors describe it (preload/accesses/mem.h). */
#ifndef SIMUL_ACCESS_H
#define SIMUL_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registers.h"

enum mem_flags {
	MEM_READ = 1,
	MEM_WRITE = 2,   /* with MEM_READ: a read-modify-write, made at once */
	MEM_ATOMIC = 4,  /* certainly atomic: a locked instruction, a C11 atomic */
	MEM_ACQUIRE = 8,
	MEM_RELEASE = 16,
	MEM_PLAIN = 32,  /* certainly not atomic. Neither this nor MEM_ATOMIC: a mov, which may be either */
	MEM_CAS = 64,    /* a read-modify-write that writes only when it finds `expected` */
	MEM_STACK = 128, /* addressed through the stack or frame pointer: most probably the thread's own stack */
	MEM_DRAIN = 256, /* a store that waits for an empty store buffer and then goes to memory (C11 seq_cst). Each MEM_READ | MEM_WRITE waits
	                    anyway. With MEM_FENCE: waits for an empty buffer */
	MEM_FENCE = 512, /* not an access but a fence: addr 0, size 0. With MEM_DRAIN a full fence (mfence, seq_cst). MEM_RELEASE and MEM_ACQUIRE: its
	                    effect on happens-before (hb_fence); with MEM_RELEASE later stores also reach memory after earlier ones
	                    (sfence) */
	MEM_ZERO = 8192, /* a store of 0 by code of a library; a store over a 0 changes nothing (docs/patching.md) */
	MEM_CALL_BEGINS = 512 + 1, /* MEM_FENCE | MEM_READ: not an access; a function that is taken as one step begins (control/whole_calls.h) */
	MEM_CALL_ENDS = 512 + 32,  /* MEM_FENCE | MEM_PLAIN: not an access; code that may end it */
	MEM_FREE = 2048, /* with MEM_WRITE: not an access; a whole block is freed. (1024 is TSAN_VALUE.) */
	MEM_SAME = 16384, /* the store of an instruction whose load was the previous access: no signal handler runs in between */
	MEM_HELD = 32768, /* an access by a function of libc that enforcement makes in the same pieces (RANGE_HELD) */
	MEM_CHANGE = 262144, /* with MEM_WRITE | MEM_FREE: not an access; a call changes what is mapped there */
	MEM_ADDS = 524288, /* a read-modify-write that adds a number; neither the old value nor the flags are used */
	MEM_CHANGES = 2 + 2048 + 1 + 4 + 262144, /* MEM_READ | MEM_WRITE | MEM_ATOMIC | MEM_FREE | MEM_CHANGE */
	MEM_SEQ_CST = 1048576,        /* the program says that the access, or the fence, is seq_cst */
	MEM_FAILED_SEQ_CST = 2097152, /* with MEM_CAS: a failed one is */
	MEM_UPDATE = 4194304,         /* times enum rc11_update + 1: what a read-modify-write computes (mem_update) */
	MEM_MASKED = 4096, /* a mask decides which of the bytes are accessed */
	MEM_CALLER_CHECKS = 131072, /* whether the memory may be accessed is checked by the caller, when the access has been performed */
	MEM_FAILED_RELAXED = 65536, /* with MEM_CAS: a failed one acquires nothing. MEM_ACQUIRE and MEM_RELEASE are the order of success */
};

/* Returns whether the access waits for an empty store buffer, whatever bytes it accesses. */
static inline bool mem_drains(unsigned flags)
{
	return (flags & (MEM_READ | MEM_WRITE)) == (MEM_READ | MEM_WRITE) || (flags & MEM_DRAIN);
}

/* What a read-modify-write computes: enum rc11_update + 1; 0: unknown, or a compare-and-swap. */
static inline unsigned mem_update(unsigned flags)
{
	return flags / MEM_UPDATE & 7;
}

#define MEM_DEAD_FLAGS (1u << 16) /* in mem_access.dead */

struct mem_access {
	uint64_t addr, size; /* any number of bytes, >= 1: a long access becomes several events, cut at pages */
	uint32_t flags;      /* MEM_* */
	/* bit i: the i-th register of regs is dead: apart from the address of this access, nothing is computed from it before it is
	   overwritten. MEM_DEAD_FLAGS: the status flags are dead. */
	uint32_t dead;
	uint64_t pc;         /* address of the instruction in the original code, plus 1, so that it works like a return address; 0: unknown */
	uint64_t expected[2]; /* MEM_CAS: the expected value, `size` bytes, little-endian */
	uint64_t operand; /* of an atomic access whose code says its memory order: what it stores, or the operand of
	                     mem_update */
	const struct mem_regs *regs; /* NULL: unknown; then no spin loop is recognized here */
	uint32_t object; /* enum object_kind: the access stands for a call that uses such an object at addr; 0: it is no such access */
};

#endif
