/*
 * Finds the instructions of operations of a reader-writer lock that the compiler has put into other functions. Each of them leads to the function for its slow
 * part:
 *
 *	mov (word), %eax; ... lock cmpxchg %ecx, (word); jne L; ... L: ... call read_contended
 *	                      lock cmpxchg %ecx, (word); jne L; ... L: ... call write_contended
 *	lock xadd %ecx, (word); ... cmp; je L; ...                  L: ... call wake_writer_or_readers
 */
#include "preload/base/lock_op.h"
#include "preload/accesses/mem.h"
#include "preload/patch/engine.h"
#include "preload/base/rules.h"

#define MOST_BETWEEN 16 /* instructions from a load to its compare-and-swap, or from an addition to the branch */

static enum lock_slow_part (*slow_part)(uint64_t function, uint32_t *owner);
static uint32_t owner; /* who says so of the slow part that was found last */

/* Stands for patch_config.waits. */
static uint32_t is_slow(uint64_t addr, bool *until)
{
	return slow_part(addr, &owner);
}

/* Returns the slow part that the code at `off`, which has no other branches before it, calls. */
static enum lock_slow_part leads_to(const struct engine *e, int64_t off)
{
	const struct insn *by;
	enum lock_slow_part part = is_slow(e->image.lo + (uint64_t)off, NULL); /* a branch may lead to the function itself */
	return part ? part : (enum lock_slow_part)acquire_leads(e, off, &by);
}

/* Returns the load that gives the compare-and-swap, instruction i, the value that it expects; NULL: there is none. */
static const struct insn *load_before(const struct engine *e, size_t i)
{
	for (size_t k = i; k-- > 0 && i - k <= MOST_BETWEEN;) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->kind != K_PLAIN && in->kind != K_JCC)
			return NULL;
		if (acquire_loads(e, in))
			return in;
	}
	return NULL;
}

/* Returns whether the addition, instruction i, gives a lock back. */
static bool gives(const struct engine *e, size_t i)
{
	for (size_t k = i + 1; k < e->insns.n && k <= i + MOST_BETWEEN; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->kind == K_JCC && leads_to(e, in->ref) == LOCK_SLOW_WAKES)
			return true;
		if (in->kind != K_PLAIN && in->kind != K_JCC)
			return leads_to(e, in->off) == LOCK_SLOW_WAKES;
	}
	return false;
}

static void find_swap(const struct engine *e, size_t i, uint64_t pc)
{
	int64_t fails = acquire_fails(e, i);
	enum lock_slow_part part = fails < 0 ? LOCK_SLOW_NONE : leads_to(e, fails);
	const struct insn *load = part == LOCK_SLOW_READS ? load_before(e, i) : NULL;
	if (load)
		e->config.lock_op(e->image.lo + load->off, LOCK_OP_LOADS, owner);
	if (load || part == LOCK_SLOW_WRITES)
		e->config.lock_op(pc, load ? LOCK_OP_SWAPS : LOCK_OP_TAKES, owner);
}

void lock_op_find(struct engine *e)
{
	uint32_t (*waits)(uint64_t addr, bool *until) = e->config.waits;
	slow_part = e->config.slow_part;
	if (!slow_part)
		return;
	e->config.waits = is_slow;
	for (size_t i = 0; i < e->insns.n; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i);
		const struct access *a = insn_access(e, in);
		uint64_t pc = e->image.lo + in->off;
		if (!a || a->size != 4 || (~a->flags & (MEM_READ | MEM_WRITE | MEM_ATOMIC)))
			continue;
		if (a->flags & MEM_CAS)
			find_swap(e, i, pc);
		else if (gives(e, i))
			e->config.lock_op(pc, LOCK_OP_GIVES, owner);
	}
	e->config.waits = waits;
}
