/* Finds compare-and-swaps whose failure leads to a function that waits for a lock: `lock cmpxchg; jne L; ... L: ... call wait`. */
#include "preload/accesses/mem.h"
#include "preload/patch/engine.h"
#include "preload/base/rules.h"

#define MOST_STEPS 10 /* instructions from the branch to the call: they load arguments */
#define MOST_BETWEEN 3 /* instructions from the access to the branch */

#define MOV_TO_MEMORY 0x89
#define MOV_TO_REGISTER 0x8b
#define LEA 0x8d

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

uint32_t acquire_leads(const struct engine *e, int64_t off, const struct insn **by)
{
	const struct insn *in = analyse_find(e, off, NULL);
	for (unsigned i = 0; in && i < MOST_STEPS; i++) {
		uint64_t to = 0;
		*by = in;
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

const struct insn *acquire_branch(const struct engine *e, size_t i, bool compares)
{
	for (size_t k = i + 1; k < e->insns.n && k <= i + MOST_BETWEEN + 1; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->kind == K_JCC)
			return in;
		if (in->kind != K_PLAIN || (!compares && in->opcode != MOV_TO_MEMORY && in->opcode != MOV_TO_REGISTER && in->opcode != LEA))
			return NULL;
	}
	return NULL;
}

int64_t acquire_fails(const struct engine *e, size_t i)
{
	const struct insn *in = VEC_AT(&e->insns, struct insn, i);
	if (!(in->flags & I_ACCESS) || !(VEC_AT(&e->accesses, struct access, (size_t)in->ref)->flags & MEM_CAS))
		return -1;
	const struct insn *jump = acquire_branch(e, i, false);
	unsigned condition = jump ? jump->opcode & 15 : 0;
	if (condition != CC_EQUAL && condition != CC_NOT_EQUAL)
		return -1;
	return condition == CC_NOT_EQUAL ? (int64_t)jump->ref : (int64_t)jump->off + jump->len;
}

void acquire_find(const struct engine *e)
{
	for (size_t i = 0; e->config.waits && i < e->insns.n; i++) {
		const struct insn *by;
		int64_t fails = acquire_fails(e, i);
		uint32_t owner = fails < 0 ? 0 : acquire_leads(e, fails, &by);
		if (owner)
			e->config.acquires(e->image.lo + VEC_AT(&e->insns, struct insn, i)->off, owner);
	}
}
