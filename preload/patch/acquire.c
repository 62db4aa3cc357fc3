/* Finds compare-and-swaps whose failure leads to a function that waits for a lock: `lock cmpxchg; jne L; ... L: ... call wait`. */
#include "preload/accesses/mem.h"
#include "preload/patch/engine.h"
#include "preload/base/rules.h"

#define MOST_STEPS 10 /* instructions from the branch to the call: they load arguments */

#define CC_EQUAL 4
#define CC_NOT_EQUAL 5

/* Returns the address to which a call or jump through a constant pointer leads (a table of the linker's); 0: unknown. */
static uint64_t pointed(const struct engine *e, const struct insn *in)
{
	int32_t distance;
	if (!(in->flags & I_RIP))
		return 0;
	__builtin_memcpy(&distance, e->image.text + in->off + in->disp_off, sizeof distance);
	uint64_t at = e->image.lo + in->off + in->len + (uint64_t)(int64_t)distance;
	return at % 8 == 0 && module_constant(&e->image, at) ? *(const uint64_t *)at : 0;
}

/* Returns who says that the code from `in` on, which has no other branches before it, calls a function that waits; 0: it does not. */
static uint32_t waits(const struct engine *e, const struct insn *in)
{
	for (unsigned i = 0; in && i < MOST_STEPS; i++) {
		uint64_t to = 0;
		if (in->kind == K_CALL || in->kind == K_JMP)
			to = e->image.lo + (uint64_t)(int64_t)in->ref;
		else if (in->kind == K_CALL_INDIRECT || in->kind == K_JMP_INDIRECT)
			to = pointed(e, in);
		uint32_t owner = to ? e->config.waits(to) : 0;
		if (owner || (in->kind != K_PLAIN && in->kind != K_JMP))
			return owner;
		in = analyse_find(e, in->kind == K_JMP ? (int64_t)in->ref : (int64_t)in->off + in->len, NULL);
	}
	return 0;
}

void acquire_find(const struct engine *e)
{
	if (!e->config.waits)
		return;
	for (size_t i = 0; i + 1 < e->insns.n; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i), *jump = in + 1;
		if (!(in->flags & I_ACCESS) || !(VEC_AT(&e->accesses, struct access, (size_t)in->ref)->flags & MEM_CAS) || jump->kind != K_JCC)
			continue;
		unsigned condition = jump->opcode & 15;
		if (condition != CC_EQUAL && condition != CC_NOT_EQUAL)
			continue;
		int64_t fails = condition == CC_NOT_EQUAL ? (int64_t)jump->ref : (int64_t)jump->off + jump->len;
		uint32_t owner = waits(e, analyse_find(e, fails, NULL));
		if (owner)
			e->config.acquires(e->image.lo + in->off, owner);
	}
}
