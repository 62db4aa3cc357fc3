/*
 * Accesses to memory, as the sensors report them. Sensors are patched code (patch/), the ThreadSanitizer ABI (tsan_abi.c), and the
 * functions of libc (hook_string.c, libc/accesses.c).
 *
 * A sensor reports an access just before it is made:
 *
 *	if (mem_note(addr, size, flags))
 *		mem_perform(&access);
 *
 * Most accesses cost no more than mem_note. It records in the shadow (shadow.h) which thread accessed what, and returns whether the bytes
 * are visible to the search. Only then is there a scheduling point: mem_perform returns when the access may be made, and nothing else runs
 * before it. mem_note also returns true for other reasons: spin_probe wants the access, a store buffer must be empty first, or the program
 * may not use the bytes. Both functions do nothing while mem_on is false: before the checkpoint, inside simul, in native children.
 */
#ifndef SIMUL_MEM_H
#define SIMUL_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/running.h"

enum mem_flags {
	MEM_READ = 1,
	MEM_WRITE = 2,   /* with MEM_READ: a read-modify-write, made at once */
	MEM_ATOMIC = 4,  /* certainly atomic: a locked instruction, a C11 atomic */
	MEM_ACQUIRE = 8,
	MEM_RELEASE = 16,
	MEM_PLAIN = 32,  /* certainly not atomic. Neither this nor MEM_ATOMIC: a mov, which may be either */
	MEM_CAS = 64,    /* a read-modify-write that writes only when it finds `expected` */
	MEM_STACK = 128, /* through the stack or frame pointer: most probably the thread's own stack */
	MEM_DRAIN = 256, /* a store that waits for an empty store buffer and then goes to memory (C11 seq_cst). Each MEM_READ | MEM_WRITE waits
	                    anyway. With MEM_FENCE: waits for an empty buffer */
	MEM_FENCE = 512, /* no access but a fence: addr 0, size 0. With MEM_DRAIN a full one (mfence, seq_cst). MEM_RELEASE and MEM_ACQUIRE: its
	                    effect on happens-before (hb_fence); with MEM_RELEASE later stores also reach memory after earlier ones
	                    (sfence) */
	MEM_ZERO = 8192, /* a store of 0 by code of a library: it changes nothing where there is 0 already (docs/patching.md) */
	MEM_FREE = 2048, /* with MEM_WRITE: no access, a whole block is freed (1024 is TSAN_VALUE) */
	MEM_SAME = 16384, /* the store of an instruction whose load was the previous access: no signal handler runs in between */
	MEM_COPY = 32768, /* by memcpy, memset or one of their kin, which enforcement hooks (enforce/lib/hook_string.c) */
	MEM_MASKED = 4096, /* a mask decides which of the bytes are accessed */
	MEM_FAILED_RELAXED = 65536, /* with MEM_CAS: it acquires nothing when it fails. MEM_ACQUIRE and MEM_RELEASE are its order for success */
};

/* Returns whether the access waits for an empty store buffer, whatever bytes it accesses. */
static inline bool mem_drains(unsigned flags)
{
	return (flags & (MEM_READ | MEM_WRITE)) == (MEM_READ | MEM_WRITE) || (flags & MEM_DRAIN);
}

/* The registers just before the access; 0 where they are unknown. `extended` is the XSAVE area (standard form) of the vector registers, or
   NULL when none of them is live (a call of the ThreadSanitizer ABI). */
struct mem_regs {
	uint64_t rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rip, rflags;
	const void *extended;
	uint32_t extended_size;
	uint32_t pad_;
};

#define MEM_DEAD_FLAGS (1u << 16) /* in mem_access.dead */

struct mem_access {
	uint64_t addr, size; /* any number of bytes, >= 1: a long access becomes several events, cut at pages */
	uint32_t flags;      /* MEM_* */
	uint32_t dead;       /* bit i: the i-th register of regs is overwritten before anything but this access' address is computed from it;
	                        MEM_DEAD_FLAGS: so are the status flags */
	uint64_t pc;         /* of the instruction in the original code, + 1, like a return address; 0: unknown */
	uint64_t expected[2]; /* MEM_CAS: the value, little-endian, `size` bytes of it */
	const struct mem_regs *regs; /* NULL: unknown; then no spin loop is recognized here */
};

/* The number of writes outside the writer's own stack that mem_note has seen. */
extern uint64_t mem_writes;
/* Records the access. Returns true when it must be announced with mem_perform. May be called anywhere, on any stack; uses no vector
   register and calls nothing of libc. Defined in shadow.c. */
bool mem_note(uint64_t addr, uint64_t size, unsigned flags);

/* The scheduling point of an access for which mem_note returned true. Other threads of the program run inside. The caller has saved all
   registers that the program may need, including vector registers. */
void mem_perform(const struct mem_access *a);

/* Empties the running thread's store buffer, for a call that enters the kernel without being an event. Called inside simul. */
void mem_drain(const void *pc);

/* Empties all store buffers, for a hook that changes mappings. Not called inside simul. */
void mem_drain_all(const void *pc);

/* For a hook whose operation also reads a word of the program's memory: records the read, and makes the word the operation's second object
   when it is visible. Called inside simul. */
struct op;
void mem_attach(struct op *op, uint64_t addr, uint32_t size);

/* An execution starts in this process: accesses count from here on. */
void mem_start(void);

#endif
