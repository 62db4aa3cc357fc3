/* The shadow; see shadow.h. */
#include "preload/shadow.h"

#include "preload/mem.h"
#include "preload/rules.h"

int64_t mem_budget = 1;
uint64_t mem_writes;

bool mem_note(uint64_t addr, uint64_t size, unsigned flags)
{
	return false;
}

void shadow_init(void)
{
}

void shadow_apply(void)
{
}

void shadow_event(thread_id t, uint64_t addr, uint64_t size, unsigned flags, uint64_t pc)
{
}

void shadow_forget(uint64_t addr, uint64_t size)
{
}

bool shadow_share(uint64_t addr, uint64_t size)
{
	return false;
}
