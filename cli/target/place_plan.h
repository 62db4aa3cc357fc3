/*
 * A fixed layout for everything that the kernel maps at an exec, and the system calls that produce it. The kernel puts the program, the
 * dynamic linker, the stack and its own pages at random addresses, and containers forbid disabling that. So a process that has just
 * executed a program is rearranged before its first instruction, by system calls that it makes itself (place.h). The layout:
 *
 *   0x555555554000        a position-independent program, and its brk heap after it: the kernel's addresses without randomisation
 *   ... 0x6effffff0000    libraries, mappings; allocated downwards. The dynamic linker is the first one
 *   0x6effffff0000        the pages of the kernel (vvar, vdso)
 *   above them            reserved, without access, apart from the page of place_linker.h, up to the room for the stack: so the kernel finds the highest free place below
 *   ... 0x7ffffffff000    the stack
 *
 * The layout does not depend on randomisation, the kernel's version or the stack limit.
 */
#ifndef SIMUL_PLACE_PLAN_H
#define SIMUL_PLACE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Memory of the process for the plan, mapped and unmapped again: code, then the calls, then their data. */
#define PLACE_SCRATCH UINT64_C(0x0f0000000000)
#define PLACE_SCRATCH_BYTES UINT64_C(0x4000)
#define PLACE_CALLS_AT UINT64_C(0x100)
#define PLACE_DATA_AT UINT64_C(0x3000)
#define PLACE_CALLS ((PLACE_DATA_AT - PLACE_CALLS_AT) / sizeof(struct place_call) - 1)

/* A system call that the process makes. */
struct place_call {
	uint32_t number; /* PLACE_END: end of the list */
	uint32_t soft;   /* 1: it may fail */
	uint64_t arg[6];
	uint64_t result; /* or -errno */
};
#define PLACE_END UINT32_MAX
_Static_assert(sizeof(struct place_call) == 64, "place_code knows its layout");

struct place_plan {
	uint64_t entry, sp;          /* where the process continues afterwards */
	unsigned calls;
	unsigned kernel_first, kernel_n; /* the calls that move the kernel's pages: either all succeed or none */
	unsigned probe;              /* the call that shows where the next mapping goes, and its required result */
	uint64_t probe_result;
	unsigned detour;             /* the call that maps the page for place_linker.h; 0: there is none */
	uint64_t linker_lo, linker_hi; /* where the linker lies afterwards */
	uint64_t stack_at;           /* contents of the stack from this address after everything has moved */
	unsigned char *stack;        /* malloc()ed */
	size_t stack_bytes;
	size_t kernel_entry;         /* offset in `stack` of the entry that names the kernel's pages; 0: none */
	unsigned char scratch[PLACE_SCRATCH_BYTES]; /* calls and data; not the code */
};

static inline struct place_call *place_call(struct place_plan *p, unsigned i)
{
	return (struct place_call *)(void *)(p->scratch + PLACE_CALLS_AT) + i;
}

/*
 * Makes the plan for process `pid`, which is stopped before the first instruction of the dynamic linker with these registers. Its memory
 * must be readable for us. false: `why` gives the obstacle, as the end of a sentence.
 */
bool place_plan_make(struct place_plan *p, pid_t pid, uint64_t pc, uint64_t sp, char *why, size_t size);
void place_plan_free(struct place_plan *p);

#endif
