#include "preload/memory/lock_sites.h"

#include "base/hash.h"
#include "base/lock_owners.h"
#include "preload/control/core.h"
#include "preload/control/ctl.h"
#include "preload/memory/aliases.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MOST_SITES 1024u /* slots: half of them are used at most */
#define MOST_FUNCTIONS 64u
#define DEPTH 6 /* this many functions lie between a function that takes a lock and its instruction at most: wrappers of atomic operations */

/* Filled in before the first thread, and when libraries are loaded. */
static struct {
	uint64_t pc;
	uint32_t owner;
} site[MOST_SITES];
static unsigned sites;

static struct {
	uint64_t lo, hi;
	uint32_t owner;
} function[MOST_FUNCTIONS];
static unsigned functions;

static struct await_table *table(void)
{
	return ctl_segment(ctl_session->layout.await_off);
}

static unsigned slot(uint64_t pc)
{
	unsigned i = (unsigned)(hash_spread(pc) >> 40) % MOST_SITES;
	while (site[i].pc && site[i].pc != pc)
		i = (i + 1) % MOST_SITES;
	return i;
}

void lock_site_add(uint64_t pc, uint32_t owner)
{
	unsigned i = slot(pc);
	if (site[i].pc || sites == MOST_SITES / 2)
		return;
	site[i].pc = pc;
	site[i].owner = owner;
	sites++;
}

void lock_function_add(uint64_t lo, uint64_t hi, uint32_t owner)
{
	if (functions == MOST_FUNCTIONS)
		return;
	function[functions].lo = lo;
	function[functions].hi = hi;
	function[functions++].owner = owner;
}

/* Returns who says that the code at pc belongs to a function that takes a lock. */
static uint32_t function_at(uint64_t pc)
{
	for (unsigned i = 0; i < functions; i++)
		if (pc - function[i].lo < function[i].hi - function[i].lo)
			return function[i].owner;
	return 0;
}

/* A word of a pointer's size in a function of a runtime may point to the lock, which is made at first use (GLib before 2.48). Returns owner; 0: it is no lock. */
static uint32_t own(const struct mem_access *a, uint32_t owner)
{
	return a->size <= 4 || owner == LOCK_OF_USER ? owner : 0;
}

/* Looks for a function that takes a lock on the running thread's stack. */
static uint32_t caller(const struct mem_access *a)
{
	uint64_t pc[DEPTH];
	uint32_t owner = functions ? function_at(a->pc - 1) : 0;
	if (owner || !functions)
		return own(a, owner);
	struct fiber *me = fiber_cur;
	const struct mem_regs *was = me->access;
	me->access = a->regs && a->regs->extended ? a->regs : NULL;
	unsigned n = stack_here(pc, DEPTH);
	me->access = was;
	for (unsigned i = 0; i < n && !owner; i++)
		owner = function_at(pc[i] - 1);
	return own(a, owner);
}

static uint32_t owner_of(const struct mem_access *a)
{
	unsigned i = slot(a->pc - 1);
	return site[i].pc ? site[i].owner : caller(a);
}

uint64_t lock_state(const struct mem_access *a, const struct op *op)
{
	struct await_table *t = table();
	static const uint64_t zero[2];
	if (!(a->flags & MEM_CAS) || (!sites && !functions && !t->locks) || a->size > sizeof zero || op->arg[1] != a->size ||
		op->type != memory_fingerprint(zero, (uint32_t)a->size))
		return 0;
	uint64_t state = hash_spread(hash_mix(a->pc, alias_key(a->addr))) | 1;
	if (await_find(t, state))
		return state;
	struct await_node node = { .state = state, .addr = op->arg[0], .pc = op->pc, .size = (uint32_t)op->arg[1], .expected = op->type,
		.what = await_what(op) | AWAIT_LOCK, .owner = owner_of(a) };
	return node.owner && await_node(t, &node) ? state : 0;
}
