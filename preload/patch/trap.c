/* Maps old places to new ones and back. All functions here may be called in a signal handler. */
#include "base/registers.h"
#include "preload/patch/engine.h"
#include "preload/patch/lazy.h"
#include "preload/patch/trap.h"
#include "preload/base/rules.h"

#define PARTS 8192 /* number of modules, and of groups of functions that were patched when they were reached */

static struct patched table[PARTS];
static uint32_t tables;

struct patched *trap_new(void)
{
	return tables < PARTS ? &table[tables] : NULL;
}

void trap_add(void)
{
	tables++;
}

struct patched *trap_old(uint64_t pc)
{
	for (uint32_t i = 0; i < tables; i++)
		if (pc - table[i].old_lo < table[i].old_hi - table[i].old_lo)
			return &table[i];
	return NULL;
}

const struct patched *trap_new_code(uint64_t pc)
{
	for (uint32_t i = 0; i < tables; i++)
		if (pc - table[i].new_lo < table[i].new_hi - table[i].new_lo)
			return &table[i];
	return NULL;
}

/* Returns the first entry for the old place, or NULL. */
static const struct map_entry *by_old(const struct patched *p, uint64_t off)
{
	uint32_t lo = 0, hi = p->entries;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (p->map[mid].from < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->entries && p->map[lo].from == off ? &p->map[lo] : NULL;
}

const struct map_entry *trap_entry(const struct patched *p, uint64_t off)
{
	uint32_t lo = 0, hi = p->entries;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (p->map[mid].to <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &p->map[lo - 1] : NULL;
}

uint64_t trap_moved(uint64_t pc)
{
	for (uint32_t i = 0; i < tables; i++) {
		const struct patched *p = &table[i];
		const struct map_entry *m = pc - p->old_lo < p->old_hi - p->old_lo ? by_old(p, pc - p->old_lo) : NULL;
		if (m)
			return p->new_lo + m->to;
	}
	return 0;
}

bool patch_trap(ucontext_t *uc)
{
	uint64_t pc = context_breakpoint(uc);
	uint64_t to = trap_old(pc) && code_is_breakpoint(pc) ? trap_moved(pc) : 0;
	if (to)
		context_set_pc(uc, to);
	return to || (code_is_breakpoint(pc) && lazy_trap(uc));
}

uint64_t patch_tables(uint32_t *n, uint32_t *stride)
{
	*n = tables;
	*stride = sizeof *table;
	return (uint64_t)&table[0].old_lo;
}

bool patch_is_ours(uint64_t pc)
{
	return interrupted_in_stub(pc) || trap_new_code(pc);
}

uint64_t patch_original(uint64_t pc)
{
	const struct patched *p = trap_new_code(pc);
	const struct map_entry *m = p ? trap_entry(p, pc - p->new_lo) : NULL;
	return m ? p->old_lo + m->from : pc;
}
