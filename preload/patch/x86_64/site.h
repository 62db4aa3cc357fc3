/* The description of a hook. It lies beside the new code; the stub (x86_64/stub.S) and hook.c read it. */
#ifndef SIMUL_PATCH_SITE_H
#define SIMUL_PATCH_SITE_H

#define SITE_SIZE 8
#define SITE_FLAGS 12

#ifndef __ASSEMBLER__
#include <stdint.h>

#include "preload/accesses/mem.h"
#include "preload/patch/engine.h"
#include "preload/patch/patch.h"

struct patch_site {
	uint64_t pc;    /* address of the original instruction */
	uint32_t size;
	uint16_t flags; /* MEM_* */
	uint8_t kind : 7; /* enum site_kind */
	uint8_t adds : 1; /* a MEM_ADDS access */
	uint8_t reg : 4;
	uint8_t inner : 1; /* the hook is in the second half of a split instruction, whose temporary register is on top of the stack */
	uint8_t overwrites : 1; /* SITE_PLAIN: the instruction overwrites the whole register `reg`, and does not read it except for the address */
	uint8_t asks : 1; /* patch_counts decides whether the access counts; the site calls patch_stub_full */
	uint8_t flags_dead : 1; /* the status flags are overwritten before anything reads them */
};
_Static_assert(sizeof(struct patch_site) == 16 && __builtin_offsetof(struct patch_site, size) == SITE_SIZE
	&& __builtin_offsetof(struct patch_site, flags) == SITE_FLAGS, "the stub knows");

/* The entries of the stub, which only new code calls, and addresses within the stub. */
void patch_stub_fast(void);
void patch_stub_full(void);
extern const uint8_t patch_stub_begin[], patch_fast_body[], patch_fast_leave[], patch_fast_leave_slow[], patch_slow_begin[],
	patch_full_body[], patch_full_leave[], patch_stub_end[];

/* The sensor, which the stub calls. */
extern bool (*patch_note)(uint64_t addr, uint64_t size, unsigned flags);
/* patch_config.counts and counts_here. */
extern bool (*patch_counts)(uint64_t pc, uint64_t sp);
extern bool (*patch_counts_here)(const struct mem_access *a);
/* The clock that takes the place of the processor's, or NULL. */
extern uint64_t (*patch_clock)(void);
/* The frame that the full stub makes on the stack. */
struct patch_frame {
	struct mem_regs regs;
	uint64_t live; /* on entry: whether patch_note was called already; later: the temporary register of a split instruction */
};
/* Called by the stub; see hook.c. */
bool patch_hook_full(const struct patch_site *site, struct patch_frame *f, uint64_t ea);
void patch_hook_slow(const struct patch_site *site, struct patch_frame *f, uint64_t ea);
extern uint64_t patch_xsave_mask, patch_xsave_size;
extern bool patch_xsave_compact; /* the processor has XSAVEC */
#endif
#endif
