/* Recognizes repeated accesses; see spin_probe.h. */
#include "preload/memory/spin_probe.h"

#include "preload/base/running.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MOST (PROBE_PERIOD * (PROBE_ROUNDS + 1))

bool probe_reads_only(const struct probe *p, unsigned i)
{
	const uint64_t addr = p->at[i].addr, end = addr + p->at[i].size;
	for (uint32_t k = 0; k < p->period; k++)
		if (p->at[k].write && addr < p->at[k].addr + p->at[k].size && p->at[k].addr < end)
			return false;
	return true;
}

static bool same(const struct probe *p, uint32_t i, uint32_t k)
{
	return p->at[i].pc == p->at[k].pc && p->at[i].addr == p->at[k].addr && p->at[i].size == p->at[k].size &&
	       p->at[i].value == p->at[k].value;
}

/* Returns whether the whole sequence repeats with period `period`. */
static bool goes_round(const struct probe *p, uint32_t period)
{
	for (uint32_t i = period; i < p->n; i++)
		if (!same(p, i, i - period))
			return false;
	return true;
}

static uint32_t value_at(uint64_t addr, uint64_t size)
{
	return memory_fingerprint((const void *)addr, (uint32_t)size);
}

/* Adds the access to the sequence. A read-modify-write may write the value that it found; the next call finds out by comparing. */
static void note_probed(struct probe *p, const struct mem_access *a)
{
	bool own_stack = mem_on_own_stack(a->addr), write = a->flags & MEM_WRITE;
	bool swap = write && (a->flags & MEM_READ);
	if (p->swaps)
		p->changes |= value_at(p->at[p->n - 1].addr, p->at[p->n - 1].size) != p->at[p->n - 1].value;
	p->changes |= write && !swap && !own_stack; /* the thread's own stack is a part of its state */
	p->swaps = swap && !own_stack;
	p->at[p->n].write = write && !swap;
	p->at[p->n].pc = a->pc;
	p->at[p->n].addr = a->addr;
	p->at[p->n].size = a->size;
	p->at[p->n].value = value_at(a->addr, a->size);
	p->n++;
}

static void find_period(struct probe *p)
{
	for (p->period = 1; p->period <= PROBE_PERIOD; p->period++)
		if (goes_round(p, p->period))
			return;
	p->period = 0;
}

enum probe_result probe_access(struct probe *p, const struct mem_access *a)
{
	note_probed(p, a);
	if (p->n == MOST)
		find_period(p);
	if (p->changes || (p->n == MOST && !p->period))
		return PROBE_NONE;
	return p->n == MOST + 1 || p->n == MOST + 1 + p->period ? PROBE_STATE : PROBE_MORE;
}

enum probe_result probe_state(struct probe *p, uint64_t state)
{
	if (p->n == MOST + 1) {
		p->state = state;
		return state ? PROBE_MORE : PROBE_NONE;
	}
	return state == p->state ? PROBE_ROUND : PROBE_NONE;
}

void probe_reset(struct probe *p)
{
	p->n = p->period = 0;
	p->changes = p->swaps = false;
}
