/* Rounds in a sequence of accesses; see spin_probe.h. */
#include "preload/spin_probe.h"

#include "sched/memory.h"
#include "preload/rules.h"

#define MOST (PROBE_PERIOD * (PROBE_ROUNDS + 1))

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
	if (a->flags & MEM_WRITE)
		return p->found = PROBE_NONE;
	p->at[p->n].pc = a->pc;
	p->at[p->n].addr = a->addr;
	p->at[p->n].size = a->size;
	p->at[p->n].value = memory_fingerprint((const void *)a->addr, (uint32_t)a->size);
	if (++p->n < MOST)
		return PROBE_MORE;
	for (p->period = 1; p->period <= PROBE_PERIOD; p->period++)
		if (goes_round(p, p->period))
			return p->found = PROBE_ROUND;
	return p->found = PROBE_NONE;
}

void probe_reset(struct probe *p)
{
	p->n = 0;
	p->found = PROBE_MORE;
}
