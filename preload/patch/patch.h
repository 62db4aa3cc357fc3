/*
 * Load-time relocation of code. Functions of a module that access memory which other threads could observe are written to new memory within
 * 2 GB, with a call of the sensor (preload/accesses/mem.h) before each access. The old code becomes jumps to the new code, and int3
 * elsewhere. docs/patching.md describes the method and its limits.
 *
 * This folder knows ELF, and its folder x86_64/ knows machine code and Zydis. They use no part of simul except mem.h, sys.h, rules.h and base/.
 */
#ifndef SIMUL_PATCH_H
#define SIMUL_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "preload/base/lock_op.h"

struct mem_access; /* mem.h */

/* Why a function was left as it is. */
enum patch_reason {
	PATCH_OK = 0,
	PATCH_UNDECODED,    /* an instruction that the decoder does not know */
	PATCH_INTO_MIDDLE,  /* a branch into the middle of an instruction */
	PATCH_TRANSACTION,  /* xbegin */
	PATCH_OVERLAP,      /* two functions share bytes */
	PATCH_TOO_FAR,      /* no room within reach */
	PATCH_UNSUPPORTED,  /* an instruction that cannot be moved, or data among the code */
	PATCH_NO_UNWIND,    /* a piece of code without unwind information, perhaps many functions */
	PATCH_FULL,         /* a table of the patcher has no room */
	PATCH_DAMAGED,      /* its unwind information cannot be read */
	PATCH_REASONS
};
/* Returns the reason in words, such as "a branch into the middle of an instruction". */
const char *patch_reason_text(unsigned reason);

/* The result for a module. */
struct patch_module {
	char path[256];
	uint64_t base;             /* load address */
	uint64_t text_bytes;
	uint32_t functions;        /* functions with unwind information */
	uint32_t covered;          /* functions that were relocated, or have no access */
	uint32_t uncovered;
	uint32_t accesses;         /* accesses with a hook, and fences */
	uint32_t not_hooked;       /* accesses without a hook, such as gather; thread-local storage is not counted */
	uint32_t microseconds;
	char refused[160];         /* why the whole module was refused; "" when it was patched */
	bool damaged;              /* refused because reading the module faulted; the unwinder may fault as well */
	bool lazy;                 /* functions are patched when they are reached (lazy.h), and the numbers count those reached so far */
};
/* Code that is not covered. */
struct patch_hole {
	uint64_t addr;   /* where the function begins */
	uint32_t reason; /* enum patch_reason */
	bool lazy;       /* the code is in the module that was reported last; if false, in the next one */
};

/* Functions that simul calls with the results; each may be NULL. */
struct patch_report {
	void (*module)(void *ctx, const struct patch_module *m);
	void (*hole)(void *ctx, const struct patch_hole *h);
	void (*reached)(void *ctx, uint64_t addr); /* a function of a library was patched because the program reached it (lazy.h) */
	/* Called when the kernel refuses to make code executable again. The program cannot continue, and its next fault would look like a
	   bug of the program. The function must not return; otherwise the process is killed. */
	void (*stuck)(void *ctx);
	void *ctx;
};

/* Which fences are reported (MEM_FENCE). */
enum patch_fences {
	PATCH_NO_FENCES,
	PATCH_FULL_FENCES,    /* fences that wait for the store buffer: mfence, locked instructions on the thread's own stack, cpuid */
	PATCH_RELEASE_FENCES, /* also sfence; all fences have MEM_RELEASE, because a mov is no release */
};

struct patch_config {
	unsigned fences;      /* enum patch_fences */
	/* Functions that call others whose names begin with this report their accesses by themselves. Of theirs, only
	   locked instructions, fences and accesses that no such call announces get a hook. NULL: there are none. */
	const char *sensor;
	bool sensor_leaves_loads; /* the compiler (clang) leaves a load behind calls of the sensor for atomic loads */
	bool all_stack;       /* also hook accesses through the stack pointer in functions that take no stack address */
	/* The sensor; the default calls mem_note and mem_perform. Tests replace it to count accesses. */
	bool (*note)(uint64_t addr, uint64_t size, unsigned flags);
	/* Returns whether the instruction gets a hook. NULL: each instruction that accesses memory gets one. Functions without hooks are
	   not moved. */
	bool (*wanted)(uint64_t pc);
	/* Return whether an access counts; if not, it is not announced. NULL: each one counts. counts is asked first; it may not use vector registers. sp: the
	   stack pointer at the instruction. counts_here is asked when the access is about to be announced. Both or none; the same for all modules. */
	bool (*counts)(uint64_t pc, uint64_t sp);
	bool (*counts_here)(const struct mem_access *a);
	/* Called after each instruction that has a hook; jumps and calls then have none. All registers are as the instruction left
	   them; the function must keep them and the flags. NULL: nothing is called. */
	void (*after)(void);
	/* Threads take turns, so waiting for another one of the same processor core (pause) is left out. */
	bool no_pause;
	/* The value that rdtsc and rdtscp give, in modules that are patched as a whole. It may use vector registers. NULL: the processor's. */
	uint64_t (*clock)(void);
	/* Returns who says that the function at this address waits for a lock that is not free; 0: nobody. NULL: no function does. acquires is then called
	   for each compare-and-swap whose failure leads there (acquire.c), with its address. *until becomes true if the function waits for ever only when its
	   second argument is None (option.h). */
	uint32_t (*waits)(uint64_t addr, bool *until);
	/* The same for a function of another module, by its name. */
	uint32_t (*waits_named)(const char *name, bool *until);
	void (*acquires)(uint64_t pc, uint32_t owner);
	/* Called for each load and each compare-and-swap of the same word that follows it (pairs.c), with their addresses. NULL: for none. */
	void (*paired)(uint64_t load, uint64_t swap);
	/* Returns whether the function that begins at this address is taken as one step. Then MEM_CALL_BEGINS comes before its first instruction, and
	   MEM_CALL_ENDS before each instruction that may leave it for its caller. NULL: none is. */
	bool (*whole)(uint64_t function);
	/* Returns which slow part of an operation of a reader-writer lock the function at this address is, and who says so. lock_op is then called for the
	   instructions that lead to such functions (lock_op.c). NULL: no function is one. */
	enum lock_slow_part (*slow_part)(uint64_t function, uint32_t *owner);
	void (*lock_op)(uint64_t pc, enum lock_op_part part, uint32_t owner);
	struct patch_report report;
};

/* Patches the loaded module that contains `addr`. Only one kernel thread may run code of the module. Does nothing for a module that was
   patched before. Returns false when the whole module was refused; the report has the reason. */
bool patch_module_at(const void *addr, const struct patch_config *config);
/* Two functions of a module by which the other places are found that take and give back locks of one kind: `takes` by a compare-and-swap, `gives` by an
   exchange. */
struct patch_alike {
	uint64_t takes, gives;
	void (*found)(uint64_t pc, bool takes); /* called for each such instruction, in the order of the addresses */
};

/* Reads the module that contains `addr` without changing it, and finds the places. Returns false if it cannot be said that these are all. */
bool patch_find_alike(const void *addr, const struct patch_alike *alike);
/* Unloads the decoder. Call it when nothing will be patched soon, but not while there are libraries that are patched when they are reached
   (lazy.h): these cannot load the decoder again. */
void patch_done(void);

/* ---- for signal handlers and unwinders ---- */

/* Handles a SIGSEGV or SIGBUS. If it came from reading a damaged module, does not return, and the module is refused. */
void patch_read_fault(void);

/* Handles a SIGTRAP. Returns whether it came from an int3 of patched code, reached in an unforeseen way. If so, the context continues in
   the new code. */
bool patch_trap(ucontext_t *uc);
/* Returns the original address of an instruction in new code; pc itself if it lies elsewhere. The sensor's stub also counts as elsewhere
   (see patch_to_original). */
uint64_t patch_original(uint64_t pc);
/* For a debugger. Returns the address of old_lo in the first entry of the table of struct patched (trap.h). Sets *n to the number of
   entries, and *stride to the number of bytes from one entry to the next. */
uint64_t patch_tables(uint32_t *n, uint32_t *stride);
/* Returns whether pc is in new code or stubs. */
bool patch_is_ours(uint64_t pc);
/* Makes the context look as if it had been interrupted at the corresponding place of the original code, for signal handlers and unwinders.
   The context may be resumed: then it traps, and continues in the new code. A context inside the stub is put back to just before the
   access. */
void patch_to_original(ucontext_t *uc);

#endif
