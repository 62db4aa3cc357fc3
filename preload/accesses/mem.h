/*
 * Accesses to memory, as the sensors report them: patched code (patch/), the ThreadSanitizer ABI (tsan_abi.c), and the
 * functions of libc (hook_string.c, accesses.c).
 *
 * A sensor tells an access just before it happens:
 *
 *	if (mem_note(addr, size, flags))
 *		mem_perform(&access);
 *
 * mem_note is all that most accesses cost: it takes down in the shadow (shadow.h) who touched what, and says whether the bytes
 * are visible to the search. Only then is there a scheduling point: mem_perform returns when the access may be made, and
 * nothing else runs before the next one. (mem_note also says so where something else is wanted: spin_probe, or a
 * buffer that must be empty first.) Both do nothing while mem_on is false: before the checkpoint, inside
 * simul, in native children.
 */
#ifndef SIMUL_MEM_H
#define SIMUL_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/running.h"

enum mem_flags {
	MEM_READ = 1,
	MEM_WRITE = 2,   /* both: a read-modify-write, made at once */
	MEM_ATOMIC = 4,  /* certainly atomic: locked instruction, C11 atomic */
	MEM_ACQUIRE = 8,
	MEM_RELEASE = 16,
	MEM_PLAIN = 32,  /* certainly not atomic (sensors that know). Neither this nor MEM_ATOMIC: a mov, that may be either */
	MEM_CAS = 64,    /* a read-modify-write that writes only when it finds `expected` */
	MEM_STACK = 128, /* through the stack or frame pointer: most probably its own stack */
	MEM_DRAIN = 256, /* a store that waits for the store buffer and goes past it (C11 seq_cst; an xchg is MEM_READ as well and does
	                    so anyway, like every MEM_READ | MEM_WRITE). With MEM_FENCE: waits for the store buffer */
	MEM_FENCE = 512, /* no access, a fence: addr 0, size 0. MEM_DRAIN: a full one (mfence, seq_cst). MEM_RELEASE, MEM_ACQUIRE: what
	                    it means for happens-before (hb_fence); with MEM_RELEASE later stores also reach memory after earlier ones
	                    (sfence) */
	MEM_ZERO = 8192, /* a store of 0 by code of a library: where there is 0 already it changes nothing that anybody could see (docs/patching.md) */
	MEM_FREE = 2048, /* with MEM_WRITE: no access, a whole block is given back (1024 is TSAN_VALUE) */
	MEM_SAME = 16384, /* the store of an instruction whose load was the previous access: no signal handler runs in between */
	MEM_COPY = 32768, /* by memcpy, memset or one of their kin, which enforcement hooks (enforce/lib/hook_string.c) */
	MEM_MASKED = 4096, /* a mask decides which of the bytes are really touched */
};

/* Does the access wait for an empty store buffer, whatever bytes it touches? */
static inline bool mem_drains(unsigned flags)
{
	return (flags & (MEM_READ | MEM_WRITE)) == (MEM_READ | MEM_WRITE) || (flags & MEM_DRAIN);
}

/* The registers just before the access; what is not known is 0. `extended` is the XSAVE area (standard form) of the
   vector registers, or NULL when none of them is live (a call by the ABI). */
struct mem_regs {
	uint64_t rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rip, rflags;
	const void *extended;
	uint32_t extended_size;
	uint32_t pad_;
};

#define MEM_DEAD_FLAGS (1u << 16)

struct mem_access {
	uint64_t addr, size; /* bytes, >= 1; any number: it is cut at pages into several events */
	uint32_t flags;      /* MEM_* */
	uint32_t dead;       /* bit i: the i-th of regs is overwritten before anything but this access' address is computed from it;
	                        MEM_DEAD_FLAGS: so are the status flags */
	uint64_t pc;         /* of the instruction in the original code + 1 (as a return address); 0 unknown */
	uint64_t expected[2]; /* MEM_CAS: the value, little-endian, `size` bytes of it */
	const struct mem_regs *regs; /* NULL: unknown, no spin loop is recognised here */
};

extern uint64_t mem_writes; /* writes that mem_note has seen outside the writer's own stack */
/* Takes the access down. true: it must be announced with mem_perform. May be called anywhere, on any stack; uses no vector
   register and calls nothing of libc. Defined in shadow.c. */
bool mem_note(uint64_t addr, uint64_t size, unsigned flags);

/* The scheduling point of an access of which mem_note said so. Other threads of the program run inside. The
   caller has saved all registers that the program may need, vector registers included. */
void mem_perform(const struct mem_access *a);

/* For a call that enters the kernel though it is no event of its own: the thread's buffer is empty when it returns. Inside simul. */
void mem_drain(const void *pc);

/* For a hook that changes mappings: nobody's stores are under way to memory when it returns. Not inside simul. */
void mem_drain_all(const void *pc);

/* For a hook whose operation also reads a word of the program's memory: takes that down and, when the word is visible,
   makes it the operation's second object. Inside simul. */
struct op;
void mem_attach(struct op *op, uint64_t addr, uint32_t size);

/* An execution starts (in its process): from here on accesses count. */
void mem_start(void);

#endif
