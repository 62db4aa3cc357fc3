#include "preload/control/lock_ops.h"

#include "base/hash.h"
#include "base/table.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/control/whole_calls.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MOST_SITES 4096u /* slots: half of them are used at most */

/* Filled in before the first thread, and when libraries are loaded. */
static struct {
	uint64_t pc;
	uint32_t owner;
	enum lock_op_part part;
} site[MOST_SITES];
unsigned lock_op_sites;

static unsigned slot(uint64_t pc)
{
	return TABLE_SLOT(i, hash_spread(pc) >> 40, MOST_SITES, !site[i].pc || site[i].pc == pc);
}

void lock_op_site(uint64_t pc, enum lock_op_part part, uint32_t owner)
{
	unsigned i = slot(pc);
	if (site[i].pc || lock_op_sites == MOST_SITES / 2)
		return;
	site[i].pc = pc;
	site[i].owner = owner;
	site[i].part = part;
	lock_op_sites++;
}

void lock_op_pair(uint64_t load, uint64_t swap)
{
	uint32_t owner;
	bool takes = whole_call_kind_at(load, CALL_PAIR_TAKES, &owner);
	if (!takes && !whole_call_kind_at(load, CALL_PAIR_GIVES, &owner))
		return;
	lock_op_site(load, takes ? LOCK_OP_LOADS : LOCK_OP_GIVES, owner);
	lock_op_site(swap, LOCK_OP_SWAPS, owner);
}

/* Returns whether the words are in one page, as the bytes of an event are. */
static bool fits(uint64_t addr)
{
	return addr % MEMORY_PAGE <= MEMORY_PAGE - LOCK_OP_WORDS;
}

enum lock_op_access lock_op_access(const struct mem_access *a, uint64_t addr, struct mem_access *event)
{
	struct fiber *me = fiber_cur;
	bool called = whole_call_operation(a);
	unsigned i = called ? 0 : slot(a->pc - 1);
	enum lock_op_part part = called || !site[i].pc ? LOCK_OP_NO_PART : site[i].part;
	bool continues = called || part == LOCK_OP_SWAPS;
	if ((!called && !part) || !whole_calls_on() || (a->size != 4 && (called || a->size != LOCK_OP_WORDS)) || !fits(addr))
		return LOCK_OP_NONE;
	if (continues && me->lock_op && addr - me->lock_op < LOCK_OP_WORDS)
		return LOCK_OP_WITHIN;
	me->lock_op_waits = called ? me->call.waits ? me->call.owner : 0 : part == LOCK_OP_GIVES ? 0 : site[i].owner;
	ctl_session->ctl.facts.one_step |= 1u << (called ? me->call.owner : site[i].owner);
	*event = *a;
	event->addr = addr;
	event->flags = MEM_READ | MEM_WRITE | MEM_ATOMIC | MEM_ACQUIRE | MEM_RELEASE;
	return LOCK_OP_FIRST;
}

void lock_op_performed(const struct mem_access *event)
{
	fiber_cur->lock_op = event->addr;
}
