/*
 * Stacks, with libunwind. It is loaded into a scope of its own: as a dependency, its _Unwind_* symbols could
 * stand between the program and its own unwinder, and Debian's archive is not position independent.
 */
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <libunwind.h>
#include <link.h>
#include <string.h>

#include "preload/core.h"
#include "preload/rules.h"

#define NAME(x) NAME_(x)
#define NAME_(x) #x

static uint64_t own_lo, own_hi;
static int (*get_context)(unw_tdep_context_t *);
static int (*init_local)(unw_cursor_t *, unw_context_t *, int);
static int (*step)(unw_cursor_t *);
static int (*get_reg)(unw_cursor_t *, unw_regnum_t, unw_word_t *);

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
	void *lib = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return; /* stacks stay empty: reports then name the call alone */
	get_context = (int (*)(unw_tdep_context_t *))dlsym(lib, NAME(UNW_ARCH_OBJ(getcontext)));
	init_local = (int (*)(unw_cursor_t *, unw_context_t *, int))dlsym(lib, NAME(UNW_OBJ(init_local2)));
	step = (int (*)(unw_cursor_t *))dlsym(lib, NAME(UNW_OBJ(step)));
	get_reg = (int (*)(unw_cursor_t *, unw_regnum_t, unw_word_t *))dlsym(lib, NAME(UNW_OBJ(get_reg)));
}

static bool usable(void)
{
	return get_context && init_local && step && get_reg;
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
		if (get_reg(cur, UNW_REG_IP, &ip) || !ip)
			break;
		if (!stack_is_simul(ip))
			pc[n++] = ip;
	} while (n < max && step(cur) > 0);
	return n;
}

unsigned stack_here(uint64_t *pc, unsigned max)
{
	unw_context_t uc;
	unw_cursor_t cur;
	if (!usable() || get_context(&uc) || init_local(&cur, &uc, 0))
		return 0;
	return walk(&cur, pc, max);
}

static int is_code(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t ip = *(uint64_t *)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && ip - info->dlpi_addr - p->p_vaddr < p->p_memsz)
			return 1;
	}
	return 0;
}

unsigned stack_of_context(const ucontext_t *uc, uint64_t *pc, unsigned max)
{
	unw_context_t copy;
	unw_cursor_t cur;
	unsigned n = 0;
	uint64_t rip = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
	if (!usable())
		return 0;
	memcpy(&copy, uc, sizeof copy);
	if (!dl_iterate_phdr(is_code, &rip)) {
		/* A call of what is no code: the caller's address is on top of the stack. */
		pc[n++] = rip;
		copy.uc_mcontext.gregs[REG_RIP] = *(greg_t *)copy.uc_mcontext.gregs[REG_RSP];
		copy.uc_mcontext.gregs[REG_RSP] += 8;
	}
	if (init_local(&cur, &copy, n ? 0 : UNW_INIT_SIGNAL_FRAME))
		return n;
	return n + walk(&cur, pc + n, max - n);
}
