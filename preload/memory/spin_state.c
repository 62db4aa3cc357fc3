/* The state of a thread before an access; see spin_state.h. */
#include "preload/memory/spin_state.h"

#include <string.h>

#include "base/hash.h"
#include "preload/base/running.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define RED_ZONE 128
#define MOST_STACK (UINT64_C(1) << 20)
#define XSAVE_COMPACTED (UINT64_C(1) << 63)
#define X87_INITIAL 0x37f
#define MXCSR_INITIAL 0x1f80
#define FLAGS_OF_CODE UINT64_C(0xcd5) /* CF PF AF ZF SF DF OF */

static uint64_t mix_bytes(uint64_t h, const void *bytes, uint64_t size)
{
	const char *p = bytes;
	uint64_t w;
	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&w, p, 8);
		h = hash_mix(h, w);
	}
	w = 0;
	memcpy(&w, p, size);
	return size ? hash_mix(h, w) : h;
}

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

/* Adds a part of the XSAVE area. If the part was not saved, adds zeroes, which are its initial state. */
static uint64_t mix_part(uint64_t h, const char *area, unsigned at, unsigned size, bool saved)
{
	static const char initial[256];
	return mix_bytes(h, saved ? area + at : initial, size);
}

/* Adds the XSAVE area: the x87 state without the address of the last instruction, and the vector registers. A part in its initial state
   counts the same whether it was saved or not. Registers that only AVX-512 has are left out: libc's string functions leave arbitrary values
   there, and no compiler keeps a loop's state in them alone. */
static uint64_t mix_extended(uint64_t h, const char *area, uint32_t size)
{
	uint64_t parts, form;
	if (size < 576)
		return mix_bytes(h, area, size);
	memcpy(&parts, area + 512, 8);
	memcpy(&form, area + 520, 8);
	h = parts & 1 ? mix_bytes(h, area, 6) : hash_mix(h, X87_INITIAL);
	h = mix_part(h, area, 32, 128, parts & 1);
	bool mxcsr = parts & (form & XSAVE_COMPACTED ? 2 : 6); /* the compacted form saves MXCSR only with the SSE registers */
	h = mxcsr ? mix_bytes(h, area + 24, 4) : hash_mix(h, MXCSR_INITIAL);
	h = mix_part(h, area, 160, 256, parts & 2);
	return mix_part(h, area, 576, 256, (parts & 4) && size >= 832);
}

/* Adds the registers and flags, except for those that are overwritten before they are read. */
static uint64_t mix_registers(uint64_t h, const struct mem_access *a)
{
	const struct mem_regs *r = a->regs;
	for (unsigned i = 0; i < 16; i++)
		h = hash_mix(h, a->dead >> i & 1 ? 0 : (&r->rax)[i]);
	return hash_mix(h, a->dead & MEM_DEAD_FLAGS ? 0 : r->rflags & FLAGS_OF_CODE);
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
	if (!r || r->rsp < mem_stack_lo || r->rsp > mem_stack_hi || mem_stack_hi - r->rsp > MOST_STACK)
		return 0;
	uint64_t h = hash_mix(hash_mix(hash_mix(op->kind, op->pc), op->arg[0]), op->arg[1]);
	h = hash_mix(h, op->type);
	h = mix_registers(h, a);
	if (r->extended)
		h = mix_extended(h, r->extended, r->extended_size);
	/* simul itself uses the red zone at a call of the ThreadSanitizer ABI, so it is left out there */
	bool red_zone = r->extended && r->rsp - RED_ZONE >= mem_stack_lo && !await_is_place(await, spin_function(a->pc - 1));
	stack->from = (red_zone ? r->rsp - RED_ZONE : r->rsp) & ~UINT64_C(7);
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
