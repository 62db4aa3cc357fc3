/* The registers of a thread on x86-64, in each of the forms in which simul meets them. Other code uses pc and sp of these structures, and
   reads the rest by the functions here. */
#ifndef SIMUL_X86_64_REGISTERS_H
#define SIMUL_X86_64_REGISTERS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "base/x86_64/processor.h"

#define RED_ZONE 128u /* bytes below the stack pointer that belong to the function */

/* ---- before an access ---- */

/* The registers just before the access; 0 where they are unknown. `extended` is the XSAVE area of the vector registers, in standard or
   compacted form (up to AVX these have the same offsets); only the parts that its header names are valid. NULL when none of them is live
   (a call of the ThreadSanitizer ABI). */
struct mem_regs {
	uint64_t rax, rcx, rdx, rbx, sp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t pc, rflags;
	const void *extended;
	uint32_t extended_size;
	uint32_t pad_;
};

/* ---- of a thread that does not run ---- */

/* What a function preserves for its caller. Layout known to preload/control/x86_64/fiber.S. */
struct fiber_ctx {
	uint64_t sp, tls, rbx, rbp, r12, r13, r14, r15, pc;
	uint32_t mxcsr;
	uint16_t x87;
	uint16_t pad_;
};
_Static_assert(offsetof(struct fiber_ctx, pc) == 64, "fiber.S");
_Static_assert(offsetof(struct fiber_ctx, x87) == 76, "fiber.S");

/* Returns the context of a function that is called on the stack that ends at `hi`, with this thread pointer. */
static inline struct fiber_ctx registers_at_function(void (*f)(void), uint64_t hi, uint64_t tls)
{
	return (struct fiber_ctx){ .mxcsr = 0x1f80, .x87 = 0x37f, .tls = tls, .pc = (uintptr_t)f,
		.sp = (hi & -UINT64_C(16)) - 8 }; /* the alignment that a function expects just after a call */
}

/* Returns all that is known of the registers of such a thread. */
static inline struct mem_regs registers_of_fiber(const struct fiber_ctx *c)
{
	return (struct mem_regs){ .sp = c->sp, .pc = c->pc, .rbx = c->rbx, .rbp = c->rbp, .r12 = c->r12, .r13 = c->r13, .r14 = c->r14,
		.r15 = c->r15 };
}

/* Returns the stack pointer in a jmp_buf. glibc stores it scrambled. */
static inline uint64_t registers_jump_sp(const struct __jmp_buf_tag *env)
{
	uint64_t sp = (uint64_t)env->__jmpbuf[6];
	return ((sp >> 17) | (sp << 47)) ^ processor_pointer_guard();
}

/* ---- in a signal handler ---- */

_Static_assert(sizeof(ucontext_t) == 968, "preload/failure/x86_64/stack_as_if.S");

static inline uint64_t context_pc(const ucontext_t *uc)
{
	return (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
}

static inline void context_set_pc(ucontext_t *uc, uint64_t pc)
{
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

/* Returns the address of the breakpoint instruction that was executed. */
static inline uint64_t context_breakpoint(const ucontext_t *uc)
{
	return context_pc(uc) - 1;
}

static inline uint64_t context_sp(const ucontext_t *uc)
{
	return (uint64_t)uc->uc_mcontext.gregs[REG_RSP];
}

/* Returns the return address of the function whose first instruction comes next. */
static inline uint64_t context_return_address(const ucontext_t *uc)
{
	return *(const uint64_t *)context_sp(uc);
}

/* Returns argument n, 0 to 5, of the system call that comes next. */
static inline long context_argument(const ucontext_t *uc, unsigned n)
{
	static const uint8_t where[] = { REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 };
	return uc->uc_mcontext.gregs[where[n]];
}

/* Sets the result of the system call. */
static inline void context_set_result(ucontext_t *uc, long result)
{
	uc->uc_mcontext.gregs[REG_RAX] = result;
}

/* Returns whether the page fault was the fetch of an instruction. */
static inline bool context_fetched(const ucontext_t *uc)
{
	return uc->uc_mcontext.gregs[REG_ERR] & 0x10;
}

/* Sets *uc to the context of a signal handler that interrupted a thread with these registers. */
static inline void context_make(ucontext_t *uc, const struct mem_regs *r)
{
	greg_t *g = uc->uc_mcontext.gregs;
	const struct { int reg; uint64_t value; } all[] = {
		{ REG_RAX, r->rax }, { REG_RCX, r->rcx }, { REG_RDX, r->rdx }, { REG_RBX, r->rbx },
		{ REG_RSP, r->sp }, { REG_RBP, r->rbp }, { REG_RSI, r->rsi }, { REG_RDI, r->rdi },
		{ REG_R8, r->r8 }, { REG_R9, r->r9 }, { REG_R10, r->r10 }, { REG_R11, r->r11 },
		{ REG_R12, r->r12 }, { REG_R13, r->r13 }, { REG_R14, r->r14 }, { REG_R15, r->r15 },
		{ REG_RIP, r->pc }, { REG_EFL, r->rflags },
	};
	memset(uc, 0, sizeof *uc);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		g[all[i].reg] = (greg_t)all[i].value;
}

#endif
