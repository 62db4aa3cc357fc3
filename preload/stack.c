/* Stacks, with libunwind (linked in and hidden, so that the program keeps its own unwinder). */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <link.h>
#include <string.h>

#include "preload/core.h"
#include "preload/rules.h"

static uint64_t own_lo, own_hi;

static int find_own(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t me = (uintptr_t)stack_init;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t lo = info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && me - lo < p->p_memsz) {
			own_lo = lo;
			own_hi = lo + p->p_memsz;
			return 1;
		}
	}
	return 0;
}

void stack_init(void)
{
	dl_iterate_phdr(find_own, NULL);
}

bool stack_is_simul(uint64_t pc)
{
	return pc - own_lo < own_hi - own_lo;
}

static unsigned walk(unw_cursor_t *cur, uint64_t *pc, unsigned max)
{
	unsigned n = 0;
	do {
		unw_word_t ip;
		if (unw_get_reg(cur, UNW_REG_IP, &ip) || !ip)
			break;
		if (!stack_is_simul(ip))
			pc[n++] = ip;
	} while (n < max && unw_step(cur) > 0);
	return n;
}

unsigned stack_here(uint64_t *pc, unsigned max)
{
	unw_context_t uc;
	unw_cursor_t cur;
	unw_getcontext(&uc);
	if (unw_init_local(&cur, &uc))
		return 0;
	return walk(&cur, pc, max);
}

unsigned stack_of_context(const ucontext_t *uc, uint64_t *pc, unsigned max)
{
	unw_context_t copy;
	unw_cursor_t cur;
	memcpy(&copy, uc, sizeof copy);
	if (unw_init_local2(&cur, &copy, UNW_INIT_SIGNAL_FRAME))
		return 0;
	return walk(&cur, pc, max);
}
