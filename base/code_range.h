/* The range of a module's code, of which an address is known. */
#ifndef SIMUL_CODE_RANGE_H
#define SIMUL_CODE_RANGE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct code_range {
	uint64_t lo, hi; /* both 0: not found */
	uint64_t base;   /* what the module's addresses are relative to */
};

struct code_range_search {
	uint64_t pc;
	struct code_range found;
};

static inline int code_range_look(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct code_range_search *s = (struct code_range_search *)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t lo = info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && s->pc - lo < p->p_memsz) {
			s->found = (struct code_range){ lo, lo + p->p_memsz, info->dlpi_addr };
			return 1;
		}
	}
	return 0;
}

/* Returns the range of the loaded code with this address. It takes a lock: not for signal handlers. */
static inline struct code_range code_range_of(const void *pc)
{
	struct code_range_search s = { .pc = (uintptr_t)pc };
	dl_iterate_phdr(code_range_look, &s);
	return s.found;
}

static inline bool code_range_has(const struct code_range *r, uint64_t pc)
{
	return pc - r->lo < r->hi - r->lo;
}

#endif
