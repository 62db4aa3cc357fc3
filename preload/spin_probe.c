/* Rounds in a sequence of accesses; see spin_probe.h. */
#include "preload/spin_probe.h"

#include "sched/memory.h"
#include "preload/rules.h"

#define MOST (PROBE_PERIOD * (PROBE_ROUNDS + 1))

bool probe_reads_only(const struct probe *p, uint64_t addr, uint64_t size)
{
	for (uint32_t i = 0; i < p->period; i++)
		if (p->at[i].write && addr < p->at[i].addr + p->at[i].size && p->at[i].addr < addr + size)
			return false;
	return true;
}

static bool same(const struct probe *p, uint32_t i, uint32_t k)
{
	return p->at[i].pc == p->at[k].pc && p->at[i].addr == p->at[k].addr && p->at[i].size == p->at[k].size &&
	       p->at[i].value == p->at[k].value;
}

/* Is the whole sequence one round again and again? */
static bool goes_round(const struct probe *p, uint32_t period)
{
	for (uint32_t i = period; i < p->n; i++)
		if (!same(p, i, i - period))
			return false;
	return true;
}

enum probe_result probe_access(struct probe *p, const struct mem_access *a)
{
	bool own_stack = a->addr - mem_stack_lo < mem_stack_hi - mem_stack_lo;
	p->at[p->n].write = a->flags & MEM_WRITE;
	p->at[p->n].own_stack = own_stack;
	/* What it writes to its own stack is a result of the round before, or the same each time. */
	p->outside |= p->at[p->n].write && !own_stack;
	p->at[p->n].pc = a->pc;
	p->at[p->n].addr = a->addr;
	p->at[p->n].size = a->size;
	p->at[p->n].value = memory_fingerprint((const void *)a->addr, (uint32_t)a->size);
	if (++p->n < MOST)
		return PROBE_MORE;
	for (p->period = 1; !p->outside && p->period <= PROBE_PERIOD; p->period++)
		if (goes_round(p, p->period))
			return p->found = PROBE_ROUND;
	p->period = MOST;
	return p->found = PROBE_NONE;
}

bool probe_polls(const struct probe *p, unsigned i)
{
	unsigned times = 0;
	for (uint32_t k = 0; k < p->n; k++)
		times += same(p, k, i);
	return times > PROBE_ROUNDS && !p->at[i].own_stack && probe_reads_only(p, p->at[i].addr, p->at[i].size);
}

void probe_reset(struct probe *p)
{
	p->n = 0;
	p->outside = false;
	p->found = PROBE_MORE;
}
