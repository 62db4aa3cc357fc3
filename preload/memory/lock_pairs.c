#include "preload/memory/lock_pairs.h"

#include "preload/control/core.h"
#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "sched/await.h"
#include "preload/base/rules.h"

#define MOST_LOADS 64u

struct code_ranges pair_takes, pair_gives, pair_tells;

/* Filled in before the first thread, and when libraries are loaded. */
static struct {
	uint64_t pc;
	uint32_t owner;
	bool takes;
} load[MOST_LOADS];
static unsigned loads;

static unsigned find(uint64_t pc)
{
	unsigned i = 0;
	while (i < loads && load[i].pc != pc)
		i++;
	return i;
}

void lock_pair_add(uint64_t pc)
{
	uint32_t takes = code_ranges_find(&pair_takes, pc), gives = code_ranges_find(&pair_gives, pc);
	if ((!takes && !gives) || find(pc) < loads || loads == MOST_LOADS)
		return;
	load[loads].pc = pc;
	load[loads].takes = takes;
	load[loads++].owner = takes ? takes : gives;
}

bool lock_pairs_on(void)
{
	return loads && !ctl_session->ctl.applied_calls_refused;
}

static void refuse(void)
{
	struct await_table *t = ctl_segment(ctl_session->layout.await_off);
	if (ctl_session->config.mode != MODE_EXPLORE)
		return;
	ctl_session->ctl.calls_refused = 1;
	t->changes++;
}

bool lock_pair_access(const struct mem_access *a, struct mem_access *both)
{
	struct fiber *me = fiber_cur;
	const unsigned update = MEM_READ | MEM_WRITE;
	bool ends = me->paired == a->addr && me->paired_size == a->size && a->flags & MEM_CAS;
	*both = *a;
	me->paired = 0;
	if (ends)
		return true;
	if (pair_tells.n && code_ranges_find(&pair_tells, a->pc - 1))
		refuse();
	if ((a->flags & update) != MEM_READ || find(a->pc - 1) == loads)
		return false;
	both->flags = (both->flags & ~(unsigned)MEM_PLAIN) | MEM_WRITE | MEM_ATOMIC | MEM_ACQUIRE | MEM_RELEASE;
	me->paired = a->addr;
	me->paired_size = a->size;
	return false;
}

uint32_t lock_pair_takes(const struct mem_access *a)
{
	unsigned i = fiber_cur->paired == a->addr ? find(a->pc - 1) : loads;
	return i < loads && load[i].takes ? load[i].owner : 0;
}
