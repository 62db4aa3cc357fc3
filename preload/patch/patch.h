/*
 * Load-time relocation: the functions of a module that touch memory which other threads could see are written anew,
 * within 2 GB of it, with a call of the sensor (preload/accesses/mem.h) before each access; the old code becomes jumps to
 * the new one, and int3 where nobody should come. docs/patching.md says how, and what is sure.
 *
 * What is in here knows Zydis, ELF and machine code; of the rest of simul only mem.h, sys.h, rules.h, base/.
 */
#ifndef SIMUL_PATCH_H
#define SIMUL_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* Why a function was left as it is. */
enum patch_reason {
	PATCH_OK = 0,
	PATCH_UNDECODED,    /* an instruction that the decoder does not know */
	PATCH_INTO_MIDDLE,  /* a branch into the middle of an instruction */
	PATCH_TRANSACTION,  /* xbegin */
	PATCH_OVERLAP,      /* two functions share bytes */
	PATCH_TOO_FAR,      /* no room within reach */
	PATCH_UNSUPPORTED,  /* an instruction that can't be moved, or data among the code */
	PATCH_NO_UNWIND,    /* a stretch of code that no unwind information describes; perhaps many functions */
	PATCH_REASONS
};
const char *patch_reason_text(unsigned reason); /* "a branch into the middle of an instruction" */

/* What became of a module. */
struct patch_module {
	char path[256];
	uint64_t base;             /* load address */
	uint64_t text_bytes;
	uint32_t functions;        /* with unwind information */
	uint32_t covered;          /* written anew, or without any access */
	uint32_t uncovered;
	uint32_t accesses;         /* hooked; fences, too */
	uint32_t not_hooked;       /* accesses that are executed without a hook: gather, thread-local storage is not counted */
	uint32_t microseconds;
	char refused[160];         /* the module as a whole: why; "" when it was patched */
	bool lazy;                 /* patched when it is reached (lazy.h): the numbers are of what was reached so far */
};
struct patch_hole {
	uint64_t addr;   /* of a function that is not covered */
	uint32_t reason; /* enum patch_reason */
	bool lazy;       /* of the module that was reported last; else, of the next one */
};

/* Called for each thing worth telling; may be NULL. */
struct patch_report {
	void (*module)(void *ctx, const struct patch_module *m);
	void (*hole)(void *ctx, const struct patch_hole *h);
	void (*reached)(void *ctx, uint64_t addr); /* a function of a library was patched because the program came to it (lazy.h) */
	void *ctx;
};

/* Which fences are told (MEM_FENCE). */
enum patch_fences {
	PATCH_NO_FENCES,
	PATCH_FULL_FENCES,    /* those that wait for the store buffer: mfence, locked instructions on the own stack, cpuid */
	PATCH_RELEASE_FENCES, /* sfence as well, and all of them with MEM_RELEASE: a mov is none */
};

struct patch_config {
	unsigned fences;      /* enum patch_fences */
	bool thread_local;    /* also accesses of thread-local storage relative to fs */
	bool all_stack;       /* also accesses through the stack pointer in functions that take no stack address */
	/* Sensor; the default calls mem_note and mem_perform. For the tests, which count. */
	bool (*note)(uint64_t addr, uint64_t size, unsigned flags);
	struct patch_report report;
};

/* Patches the loaded module that contains `addr`. Only one kernel thread may run code of it. Idempotent for a module that
   was patched. false: refused as a whole; the report says why. */
bool patch_module_at(const void *addr, const struct patch_config *config);
/* Nothing will be patched in the near future: the decoder is given back. Not while there are libraries that are patched when they are
   reached (lazy.h), which cannot load it again. */
void patch_done(void);

/* ---- for signal handlers and unwinders ---- */

/* SIGTRAP at the context: a place of patched code that was reached in a way nobody foresaw? Then it is made to go on in the
   new code, and true. */
bool patch_trap(ucontext_t *uc);
/* The original address of an instruction in new code; pc itself when it is none of ours (or in the sensor's stub, whose
   caller only patch_to_original can find). */
uint64_t patch_original(uint64_t pc);
/* For a debugger: the address of the first module's entry in the table of trap.h, from old_lo on; how many there are, and how many
   bytes from one to the next. */
uint64_t patch_tables(uint32_t *n, uint32_t *stride);
/* Is pc in new code or stubs? */
bool patch_is_ours(uint64_t pc);
/* Makes the interrupted context look as if it had been interrupted at the same place of the original code: what signal
   handlers and unwinders may see. Resuming there is legal (it traps, and goes on in the new code). A context inside the stub is put back
   to just before the access. */
void patch_to_original(ucontext_t *uc);

#endif
