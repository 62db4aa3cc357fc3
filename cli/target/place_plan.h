/*
 * Where everything lies that the kernel maps at an exec, and how it gets to fixed addresses. The kernel puts the program, the dynamic
 * linker, the stack and its own pages at random addresses, and containers forbid to switch that off. So a process that has just become
 * a program, and has not run one instruction of it, is rearranged by system calls of its own (place.h). The layout:
 *
 *   0x555555554000        a program that can lie anywhere, and behind it its brk heap: where the kernel puts both without randomisation
 *   ... 0x6effffff0000    libraries, mappings; from above. The dynamic linker is the first one
 *   0x6effffff0000        the pages of the kernel (vvar, vdso)
 *   behind them           reserved, without access, up to the room for the stack: so the kernel finds the highest free place below
 *   ... 0x7ffffffff000    the stack
 *
 * It is the same whether randomisation is on or off, whatever the kernel's version, and whatever the limit on the stack.
 */
#ifndef SIMUL_PLACE_PLAN_H
#define SIMUL_PLACE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Memory of the process for the plan, mapped and unmapped again: code, then the calls, then what they point to. */
#define PLACE_SCRATCH UINT64_C(0x0f0000000000)
#define PLACE_SCRATCH_BYTES UINT64_C(0x4000)
#define PLACE_CALLS_AT UINT64_C(0x100)
#define PLACE_DATA_AT UINT64_C(0x3000)
#define PLACE_CALLS ((PLACE_DATA_AT - PLACE_CALLS_AT) / sizeof(struct place_call) - 1)

/* A system call that the process makes. */
struct place_call {
	uint32_t number; /* PLACE_END: it is the end of the list */
	uint32_t soft;   /* 1: it may fail */
	uint64_t arg[6];
	uint64_t result; /* or -errno */
};
#define PLACE_END UINT32_MAX
_Static_assert(sizeof(struct place_call) == 64, "the code in place.c knows its layout");

struct place_plan {
	uint64_t entry, sp;          /* where the process goes on afterwards */
	unsigned calls;
	unsigned kernel_first, kernel_n; /* the calls that move the kernel's pages: all of them work or none */
	unsigned probe;              /* the call that shows where the next mapping goes, and must give */
	uint64_t probe_result;
	uint64_t stack_at;           /* what the stack is to hold from here on, when everything has moved */
	unsigned char *stack;        /* malloc()ed */
	size_t stack_bytes;
	size_t kernel_entry;         /* offset in `stack` of the entry that names the kernel's pages; 0: there is none */
	unsigned char scratch[PLACE_SCRATCH_BYTES]; /* calls and data; not the code */
};

static inline struct place_call *place_call(struct place_plan *p, unsigned i)
{
	return (struct place_call *)(void *)(p->scratch + PLACE_CALLS_AT) + i;
}

/*
 * Makes the plan for process `pid`, which stands before the first instruction of the dynamic linker with these registers. Its memory
 * must be readable for us. false: `why` says what is in the way, as the end of a sentence.
 */
bool place_plan_make(struct place_plan *p, pid_t pid, uint64_t rip, uint64_t rsp, char *why, size_t size);
void place_plan_free(struct place_plan *p);

#endif
