/* Finds loads that a compare-and-swap of the same word follows, with no other access in between: `mov (M),%rax; ... lock cmpxchg %rdx,(M)`. */
#include "preload/accesses/mem.h"
#include "preload/patch/engine.h"
#include "preload/base/rules.h"

#define MOST_STEPS 32 /* instructions from the load to the compare-and-swap, on all ways together */

static bool same_place(const struct access *a, const struct access *b)
{
	return a->size == b->size && a->base == b->base && a->index == b->index && a->scale == b->scale && a->disp == b->disp;
}

/* Reports the compare-and-swaps of the same place to which the code at `off` comes from the load. *steps: how many instructions may be looked at. */
static void follow(const struct engine *e, int64_t off, const struct insn *from, unsigned *steps)
{
	const struct insn *in;
	while (*steps && (in = analyse_find(e, off, NULL))) {
		--*steps;
		const struct access *a = insn_access(e, in);
		if (a && a->flags & MEM_CAS && same_place(a, insn_access(e, from)))
			e->config.paired(e->image.lo + from->off, e->image.lo + in->off);
		if (a)
			return;
		if (in->kind == K_JCC)
			follow(e, in->ref, from, steps);
		if (in->kind != K_PLAIN && in->kind != K_JCC && in->kind != K_JMP)
			return;
		off = in->kind == K_JMP ? (int64_t)in->ref : (int64_t)in->off + in->len;
	}
}

void pairs_find(const struct engine *e)
{
	for (size_t i = 0; e->config.paired && i < e->insns.n; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i);
		const struct access *a = insn_access(e, in);
		unsigned steps = MOST_STEPS;
		if (a && (a->flags & (MEM_READ | MEM_WRITE)) == MEM_READ && in->kind == K_PLAIN)
			follow(e, (int64_t)in->off + in->len, in, &steps);
	}
}
