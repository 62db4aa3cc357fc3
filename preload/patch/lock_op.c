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

#define REX 0x40
#define REX_WIDE 8
#define REX_OTHER 4 /* the register is one of r8 to r15 */
#define MOV_TO_REGISTER 0x8b
#define MODRM_REGISTER 0x38

static const struct access *access_of(const struct engine *e, const struct insn *in)
{
	return in->flags & I_ACCESS ? VEC_AT(&e->accesses, struct access, (size_t)in->ref) : NULL;
}

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

/* Returns whether the instruction loads 4 bytes into eax. */
static bool loads_eax(const struct engine *e, const struct insn *in)
{
	const struct access *a = access_of(e, in);
	const uint8_t *p = e->image.text + in->off;
	if (!a || a->size != 4 || (a->flags & (MEM_READ | MEM_WRITE)) != MEM_READ)
		return false;
	if ((*p & 0xf0) == REX && *p++ & (REX_WIDE | REX_OTHER))
		return false;
	return p[0] == MOV_TO_REGISTER && !(p[1] & MODRM_REGISTER);
}

/* Returns the load that gives the compare-and-swap, instruction i, the value that it expects; NULL: there is none. */
static const struct insn *load_before(const struct engine *e, size_t i)
{
	for (size_t k = i; k-- > 0 && i - k <= MOST_BETWEEN;) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->kind != K_PLAIN && in->kind != K_JCC)
			return NULL;
		if (loads_eax(e, in))
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
		const struct access *a = access_of(e, in);
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
