/* Turns an instruction's memory operands into the accesses that its hooks report; see decode.h. */
#include "preload/patch/x86_64/decode.h"

#include "preload/accesses/mem.h"
#include "preload/patch/x86_64/dead.h"
#include "preload/patch/x86_64/site.h"
#include "preload/base/rules.h"

#define LOOK_AHEAD 4 /* number of instructions; enough for a load and the comparison after it */

/* ---- fences ---- */

bool decode_fence_access(const struct engine *e, bool full, struct access *a)
{
	*a = (struct access){ .flags = MEM_FENCE, .base = REG_NONE, .index = REG_NONE };
	if (full)
		a->flags |= MEM_DRAIN;
	if (e->config.fences == PATCH_RELEASE_FENCES)
		a->flags |= full ? MEM_ACQUIRE | MEM_RELEASE : MEM_RELEASE;
	return e->config.fences == PATCH_RELEASE_FENCES || (full && e->config.fences == PATCH_FULL_FENCES);
}

void decode_fence(struct look *l, bool full)
{
	struct engine *e = l->e;
	struct access a;
	if (!decode_fence_access(e, full, &a))
		return;
	l->out->ref = (int32_t)e->accesses.n;
	l->out->flags |= I_ACCESS;
	VEC_PUSH(&e->accesses, struct access, a);
}

/* ---- one operand ---- */

/* Returns whether the operand is a thread-local variable. Other threads may have its address. Memory above the thread
   pointer belongs to libc, such as the thread pointer itself and the stack guard. */
static bool is_thread_local(const ZydisDecodedOperand *op)
{
	bool fixed = op->mem.base == ZYDIS_REGISTER_NONE && op->mem.index == ZYDIS_REGISTER_NONE;
	return op->mem.segment == ZYDIS_REGISTER_FS && !(fixed && op->mem.disp.value >= 0);
}

/* Returns whether the operand needs no hook, whatever its address is. This holds for libc's memory above the thread
   pointer, operands that are not accessed, and implicit accesses to the stack (push, pop, call, ret, enter, leave). */
static bool needs_no_hook(const ZydisDecodedOperand *op, bool tls)
{
	if ((op->mem.segment == ZYDIS_REGISTER_FS || op->mem.segment == ZYDIS_REGISTER_GS) && !tls)
		return true;
	if (!(op->actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_MASK_WRITE)))
		return true;
	return op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	       (op->mem.base == ZYDIS_REGISTER_RSP || op->mem.base == ZYDIS_REGISTER_RBP);
}

/* Sets the parts of the operand's address in *a. Returns false when the address is constant and its memory is never written, so that
   nothing need be reported. */
static bool take_address(struct look *l, const ZydisDecodedOperand *op, struct access *a)
{
	struct engine *e = l->e;
	a->disp = (int32_t)op->mem.disp.value;
	a->addr32 = l->in.address_width == 32;
	if (op->mem.base == ZYDIS_REGISTER_RIP) {
		a->base = REG_RIP_;
		uint64_t target = l->next + (uint64_t)(int64_t)a->disp;
		if (target - e->image.lo < e->image.hi - e->image.lo)
			VEC_PUSH(&e->text_data, uint32_t, (uint32_t)(target - e->image.lo));
		if (module_constant(&e->image, target))
			return false;
	} else if (op->mem.base != ZYDIS_REGISTER_NONE) {
		a->base = (uint8_t)decode_gpr(op->mem.base);
	}
	if (op->mem.index != ZYDIS_REGISTER_NONE) {
		a->index = (uint8_t)decode_gpr(op->mem.index);
		a->scale = (uint8_t)(op->mem.scale == 8 ? 3 : op->mem.scale == 4 ? 2 : op->mem.scale == 2 ? 1 : 0);
	} else if (a->base == REG_NONE && module_constant(&e->image, (uint64_t)(int64_t)a->disp)) {
		return false;
	}
	if (l->in.mnemonic == ZYDIS_MNEMONIC_POP && a->base == REG_RSP_)
		a->disp += 8; /* the processor computes the address after it has changed the stack pointer */
	return true;
}

/* Returns whether a mask selects the elements of the vector that are accessed. */
static bool masked(const ZydisDecodedInstruction *in)
{
	return (in->avx.mask.mode != ZYDIS_MASK_MODE_INVALID && in->avx.mask.mode != ZYDIS_MASK_MODE_DISABLED) ||
	       in->mnemonic == ZYDIS_MNEMONIC_VMASKMOVPS || in->mnemonic == ZYDIS_MNEMONIC_VMASKMOVPD ||
	       in->mnemonic == ZYDIS_MNEMONIC_VPMASKMOVD || in->mnemonic == ZYDIS_MNEMONIC_VPMASKMOVQ ||
	       in->mnemonic == ZYDIS_MNEMONIC_MASKMOVQ || in->mnemonic == ZYDIS_MNEMONIC_MASKMOVDQU || in->mnemonic == ZYDIS_MNEMONIC_VMASKMOVDQU;
}

static bool is_cas(ZydisMnemonic m)
{
	return m == ZYDIS_MNEMONIC_CMPXCHG || m == ZYDIS_MNEMONIC_CMPXCHG8B || m == ZYDIS_MNEMONIC_CMPXCHG16B;
}

/* Adds the flags of *a that follow from the instruction and the address. MEM_READ and MEM_WRITE are set already. */
static void take_flags(const struct look *l, struct access *a)
{
	const ZydisDecodedInstruction *in = &l->in;
	bool stores_zero = in->mnemonic == ZYDIS_MNEMONIC_MOV && a->flags == MEM_WRITE && in->raw.imm[0].size && !in->raw.imm[0].value.u;
	if (l->e->library && stores_zero)
		a->flags |= MEM_ZERO;
	if (a->base == REG_RSP_ || (a->base == REG_RBP_ && l->f->frame))
		a->flags |= MEM_STACK;
	if (masked(in))
		a->flags |= MEM_MASKED;
	if (decode_is_locked(in))
		a->flags |= MEM_ATOMIC | MEM_ACQUIRE | MEM_RELEASE | (is_cas(in->mnemonic) ? MEM_CAS : 0);
}

/* Returns whether the instruction is `lock or [rsp+x], 0` or a similar one. Such an instruction changes nothing; compilers emit it as a
   full fence. */
static bool is_fence(const ZydisDecodedInstruction *in, const struct access *a)
{
	return decode_is_locked(in) && a->base == REG_RSP_ && (in->mnemonic == ZYDIS_MNEMONIC_OR || in->mnemonic == ZYDIS_MNEMONIC_ADD) &&
	       in->raw.imm[0].size && in->raw.imm[0].value.u == 0;
}

static bool is_bit_test(ZydisMnemonic m)
{
	return m == ZYDIS_MNEMONIC_BT || m == ZYDIS_MNEMONIC_BTS || m == ZYDIS_MNEMONIC_BTR || m == ZYDIS_MNEMONIC_BTC;
}

/* Sets how the hook computes the address, and the register that it needs for that. */
static void take_kind(const struct look *l, struct access *a)
{
	const ZydisDecodedInstruction *in = &l->in;
	if (in->meta.category == ZYDIS_CATEGORY_STRINGOP && decode_is_repeated(in) && !(l->out->flags & I_SCAN)) {
		a->kind = SITE_REPEAT;
	} else if (in->mnemonic == ZYDIS_MNEMONIC_XLAT) {
		a->kind = SITE_TABLE;
		a->index = REG_NONE;
	} else if (is_bit_test(in->mnemonic) && l->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
		a->kind = SITE_BITS;
		a->reg = (uint8_t)decode_gpr(l->op[1].reg.value);
	} else if (in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B) {
		a->kind = SITE_PAIR;
	}
}

/* Returns whether the status flags are overwritten before anything reads them, from the instruction itself up to the next branch. */
static bool flags_are_dead(const struct look *l)
{
	const struct decoder *d = l->e->decoder;
	const uint8_t *end = l->e->image.text + l->f->hi, *at = l->p + l->in.length;
	ZydisDecodedInstruction in = l->in;
	ZydisDecoderContext context;
	uint32_t kept = DEAD_STATUS_FLAGS;
	for (unsigned i = 0; i < LOOK_AHEAD && dead_flags_left(&in, &kept); i++, at += in.length) {
		if (!kept)
			return true;
		if (at >= end || !ZYAN_SUCCESS(d->instruction(&d->zydis, &context, at, end - at < 15 ? (ZyanUSize)(end - at) : 15, &in)))
			return false;
	}
	return false;
}

/* Records the register and the flags whose old values no later instruction reads. */
static void take_dead(const struct look *l, struct access *a)
{
	unsigned reg = decode_gpr(dead_register(&l->in, l->op));
	a->overwrites = reg != REG_NONE;
	a->reg = a->overwrites ? (uint8_t)reg : 0;
	a->flags_dead = flags_are_dead(l);
	a->adds = decode_adds(l);
}

/* Appends the access to those of the instruction. first: whether it is the first one. */
static void add_access(struct look *l, const struct access *a, bool first)
{
	struct vec *all = &l->e->accesses;
	if (first) {
		l->out->ref = (int32_t)all->n;
		l->out->flags |= I_ACCESS;
	} else {
		VEC_AT(all, struct access, all->n - 1)->more = true;
	}
	VEC_PUSH(all, struct access, *a);
}

/* Records the access of one memory operand. Returns false when there is nothing to report. */
static bool take_operand(struct look *l, const ZydisDecodedOperand *op, bool first)
{
	struct engine *e = l->e;
	bool tls = is_thread_local(op);
	struct access a = { .size = (uint16_t)(op->size / 8), .base = REG_NONE, .index = REG_NONE };
	a.flags = (uint16_t)((op->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? MEM_READ : 0) |
			     (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? MEM_WRITE : 0));
	if (needs_no_hook(op, tls))
		return false;
	bool wide = op->mem.disp.value != (int32_t)op->mem.disp.value; /* an absolute address of 64 bits */
	if (op->mem.type != ZYDIS_MEMOP_TYPE_MEM || op->size < 8 || wide) {
		e->m->not_hooked++;
		return false;
	}
	if (!take_address(l, op, &a) || is_fence(&l->in, &a))
		return false;
	take_flags(l, &a);
	take_kind(l, &a);
	bool simple = a.kind == SITE_PLAIN && !decode_is_repeated(&l->in);
	if (simple)
		take_dead(l, &a);
	if (tls && (!simple || a.addr32)) {
		e->m->not_hooked++;
		return false;
	}
	if (tls)
		a.kind = SITE_TLS;
	if (decode_can_split(l, &a))
		l->out->flags |= I_SPLIT;
	add_access(l, &a, first);
	return true;
}

/* ---- all operands ---- */

/* Puts the load before the store, in an instruction with one of each (movs). The value of a store is known only if nothing is announced
   between the hook of the store and the instruction. */
static void read_first(struct access *a)
{
	if (!a[0].more || a[1].more || !(a[0].flags & MEM_WRITE) || a[1].flags & MEM_WRITE)
		return;
	struct access first = a[0];
	a[0] = a[1];
	a[1] = first;
	a[0].more = true;
	a[1].more = false;
}

bool decode_accesses(struct look *l)
{
	bool any = false;
	for (unsigned i = 0; i < l->in.operand_count; i++)
		if (l->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			any |= take_operand(l, &l->op[i], !any);
	if (l->out->flags & I_ACCESS)
		read_first(VEC_AT(&l->e->accesses, struct access, l->out->ref));
	return any;
}
