#include "preload/memory/lock_sites.h"

#include "base/hash.h"
#include "base/table.h"
#include "base/lock_owners.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/failure/stack.h"
#include "preload/memory/aliases.h"
#include "sched/await.h"
#include "sched/lock_words.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MOST_SITES 1024u /* slots: half of them are used at most */
#define DEPTH LOCK_DEPTH /* this many functions lie between a function that takes a lock and its instruction at most: wrappers of atomic operations */

/* Filled in before the first thread, and when libraries are loaded. */
static struct {
	uint64_t pc;
	uint32_t owner;
} site[MOST_SITES];
static unsigned sites;

/* The value at which threads wait for the locks of a runtime; 0: they wait at each value but 0. */
static const uint64_t only_at[LOCK_OWNERS] = {
#define ONLY_AT(id, value) [LOCK_OF_##id] = value,
#include "base/runtimes.def"
};

static const bool pointer_sized[LOCK_OWNERS] = {
	[LOCK_OF_USER] = true,
#define POINTER_SIZED(id) [LOCK_OF_##id] = true,
#include "base/runtimes.def"
};

struct code_ranges lock_functions, library_lock_functions, park_functions;

static struct await_table *table(void)
{
	return ctl_segment(ctl_session->layout.await_off);
}

static unsigned slot(uint64_t pc)
{
	return TABLE_SLOT(i, hash_spread(pc) >> 40, MOST_SITES, !site[i].pc || site[i].pc == pc);
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

unsigned lock_stack_of(const struct mem_access *a, uint64_t *pc, unsigned max)
{
	struct fiber *me = fiber_cur;
	const struct mem_regs *was = me->access;
	me->access = a->regs && a->regs->extended ? a->regs : NULL;
	unsigned n = stack_here(pc, max);
	me->access = was;
	return n;
}

/* Returns who says that the access takes a lock because it runs in a function that does; 0: nobody. Each access is asked: other functions may use the same
   instruction, in a wrapper, and the same word to try a lock. */
static uint32_t from_function(const struct mem_access *a)
{
	uint64_t pc[DEPTH];
	uint32_t owner = code_ranges_find(&library_lock_functions, a->pc - 1);
	if (!owner)
		owner = code_ranges_find(&lock_functions, a->pc - 1);
	if (!owner && lock_functions.n) {
		unsigned n = lock_stack_of(a, pc, DEPTH);
		for (unsigned i = 0; i < n && !owner; i++)
			owner = code_ranges_find(&lock_functions, pc[i] - 1);
	}
	/* elsewhere, a word of a pointer's size may point to the lock, which is made at first use (GLib before 2.48) */
	return a->size <= 4 || pointer_sized[owner] ? owner : 0;
}

/* Returns whether the access is a compare-and-swap that expects 0. */
static bool expects_zero(const struct mem_access *a, const struct op *op)
{
	static const uint64_t zero[2];
	return a->flags & MEM_CAS && a->size <= sizeof zero && op->arg[1] == a->size && op->type == memory_fingerprint(zero, (uint32_t)a->size);
}

/* Returns the state of the node at which the thread waits until the word has this value; 0: there is no room for it. */
static uint64_t state_of(const struct mem_access *a, const struct op *op, uint32_t value, uint32_t owner, uint32_t what)
{
	struct await_node node = { .state = hash_spread(hash_mix(a->pc, alias_key(a->addr))) | 1, .addr = op->arg[0], .pc = op->pc, .size = (uint32_t)a->size,
		.expected = value, .what = await_what(op) | AWAIT_LOCK | what, .owner = owner };
	return await_node(table(), &node) ? node.state : 0;
}

/* Returns the state of the node at which the thread waits while the word has the value `taken`. */
static uint64_t state_unless(const struct mem_access *a, const struct op *op, uint64_t taken, uint32_t owner)
{
	uint64_t state = state_of(a, op, op->type, owner, AWAIT_EDGES_SAY);
	uint32_t node = await_find(table(), state);
	await_discover(table(), node, memory_fingerprint(&taken, (uint32_t)a->size), node);
	return state;
}

/* Returns the state of the node if the access is the subtraction by which a function parks the thread. */
static uint64_t park_state(const struct mem_access *a, const struct op *op)
{
	static const uint32_t notified = 1;
	const unsigned update = MEM_READ | MEM_WRITE | MEM_ATOMIC;
	uint32_t owner = (a->flags & (update | MEM_CAS)) == update && a->size == sizeof notified ? code_ranges_find(&park_functions, a->pc - 1) : 0;
	if (!owner || ctl_session->ctl.discoveries.applied_calls_refused)
		return 0;
	ctl_session->ctl.facts.one_step |= 1u << owner;
	return state_of(a, op, memory_fingerprint(&notified, sizeof notified), owner, AWAIT_PARKS);
}

/* Notes through which functions threads come to words that may be locks. */
static void learn_stack(const struct mem_access *a, const struct op *op)
{
	struct lock_words *l = (struct lock_words *)ctl_session->lock_words;
	uint64_t pc[DEPTH];
	if (lock_words_wants_stack(l, op))
		lock_words_add_stack(l, op, pc, lock_stack_of(a, pc, DEPTH));
}

uint64_t lock_state(const struct mem_access *a, const struct op *op)
{
	uint32_t waits = fiber_cur->lock_op_waits;
	if (waits)
		return state_unless(a, op, only_at[waits], waits);
	bool functions = lock_functions.n || library_lock_functions.n;
	if (park_functions.n && !(a->flags & MEM_CAS))
		return park_state(a, op);
	if (!expects_zero(a, op))
		return 0;
	learn_stack(a, op);
	if (!sites && !functions)
		return 0;
	uint32_t i = slot(a->pc - 1), owner = site[i].pc ? site[i].owner : functions ? from_function(a) : 0;
	if (owner && only_at[owner] && a->size <= sizeof *only_at)
		return state_unless(a, op, only_at[owner], owner);
	return owner ? state_of(a, op, op->type, owner, 0) : 0;
}
