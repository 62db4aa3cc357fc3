/* The state of a thread before an access; see spin_state.h. */
#include "preload/memory/spin_state.h"

#include <string.h>

#include "base/hash.h"
#include "preload/base/running.h"
#include "preload/memory/spin_registers.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MOST_STACK (UINT64_C(1) << 20)

/* Adds a word of the stack. Shared bytes count as 0. Also adds the set of shared bytes. */
static uint64_t mix_word(uint64_t h, const struct memory_page *p, uint64_t addr)
{
	uint64_t w;
	memcpy(&w, (const void *)addr, 8);
	unsigned off = (unsigned)(addr & (MEMORY_PAGE - 1));
	unsigned shared = p ? (unsigned)(p->shared[off / 64] >> (off & 63)) & 0xff : 0;
	if (!shared)
		return hash_mix(h, w);
	for (unsigned i = 0; i < 8; i++)
		if (shared >> i & 1)
			w &= ~(UINT64_C(0xff) << 8 * i);
	return hash_mix(hash_mix(h, w), shared);
}

uint64_t spin_stack_now(const struct spin_stack *stack, const struct memory_table *memory)
{
	const struct memory_page *p = NULL;
	uint64_t page = 1, h = stack->from;
	for (uint64_t at = stack->from; at < stack->hi; at += 8) {
		if ((at & ~(MEMORY_PAGE - 1)) != page) {
			page = at & ~(MEMORY_PAGE - 1);
			p = memory_page_find(memory, page);
		}
		h = mix_word(h, p, at);
	}
	return h;
}

/* Declared as in libgcc's unwind-dw2-fde.h; libgcc is linked in. */
struct dwarf_eh_bases {
	void *tbase, *dbase, *func;
};
const void *_Unwind_Find_FDE(void *pc, struct dwarf_eh_bases *bases);

uint64_t spin_function(uint64_t pc)
{
	struct dwarf_eh_bases bases;
	return _Unwind_Find_FDE((void *)pc, &bases) ? (uintptr_t)bases.func : 0;
}

uint64_t spin_state(const struct mem_access *a, const struct op *op, const struct memory_table *memory, const struct await_table *await,
	struct spin_stack *stack)
{
	const struct mem_regs *r = a->regs;
	*stack = (struct spin_stack){ 0 };
	if (!r || r->sp < mem_stack_lo || r->sp > mem_stack_hi || mem_stack_hi - r->sp > MOST_STACK)
		return 0;
	uint64_t h = hash_mix(hash_mix(hash_mix(op->kind, op->pc), op->arg[0]), op->arg[1]);
	h = hash_mix(h, op->type);
	h = spin_registers(h, a);
	/* simul itself uses the red zone at a call of the ThreadSanitizer ABI, so it is left out there */
	bool red_zone = r->extended && r->sp - RED_ZONE >= mem_stack_lo && !await_is_place(await, spin_function(a->pc - 1));
	stack->from = (red_zone ? r->sp - RED_ZONE : r->sp) & ~UINT64_C(7);
	stack->hi = mem_stack_hi;
	stack->hash = spin_stack_now(stack, memory);
	h = hash_mix(h, stack->hash);
	return h ? h : 1;
}

uint64_t spin_state_landing(const struct mem_access *a, const struct memory_table *memory, const struct await_table *await)
{
	struct op op = { .kind = (uint8_t)(a->flags & (MEM_READ | MEM_WRITE)), .pc = a->pc, .arg = { a->addr, a->size } };
	struct spin_stack stack;
	return spin_state(a, &op, memory, await, &stack);
}
