/*
 * Splits a read-modify-write: add [x], 1 becomes a load into a register, the operation on that register, and a store. Another thread's
 * store can then come between the load and the store, as it can on a processor.
 *
 * xadd and cmpxchg change registers as well, so they could not be repeated when the store faults. So they remain one instruction, and a
 * store before it writes the loaded value back.
 */
#include "preload/patch/x86_64/decode.h"

#include <string.h>

#include "preload/accesses/mem.h"
#include "preload/patch/x86_64/site.h"
#include "preload/base/rules.h"

bool decode_can_split(const struct look *l, const struct access *a)
{
	const ZydisDecodedInstruction *in = &l->in;
	const ZydisDecodedOperand *op = l->op;
	if ((a->flags & (MEM_READ | MEM_WRITE)) != (MEM_READ | MEM_WRITE) || a->flags & MEM_ATOMIC)
		return false;
	if (a->kind != SITE_PLAIN && a->kind != SITE_TLS)
		return false;
	if (in->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return false;
	if (!(in->attributes & ZYDIS_ATTRIB_HAS_MODRM) || in->raw.modrm.mod == 3)
		return false;
	if (a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8)
		return false;
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_BINARY: case ZYDIS_CATEGORY_LOGICAL: case ZYDIS_CATEGORY_SHIFT: case ZYDIS_CATEGORY_ROTATE:
	case ZYDIS_CATEGORY_BITBYTE: case ZYDIS_CATEGORY_SEMAPHORE:
		break;
	default:
		return false;
	}
	for (unsigned i = 0; i < in->operand_count; i++) /* excluded: operands with the stack pointer, which the new code changes before the operation */
		if (op[i].type == ZYDIS_OPERAND_TYPE_REGISTER && decode_gpr(op[i].reg.value) == REG_RSP_)
			return false;
	return true;
}

/* Sets s->temp to a register that the instruction does not use, and s->size. Returns false when it uses all four candidates. */
static bool choose_register(const struct look *l, struct split *s)
{
	static const uint8_t order[] = { 0, 2, 1, 3 };
	unsigned used = 0;
	for (unsigned i = 0; i < l->in.operand_count; i++) {
		const ZydisDecodedOperand *o = &l->op[i];
		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			used |= 1u << decode_gpr(o->reg.value);
		} else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			used |= 1u << decode_gpr(o->mem.base) | 1u << decode_gpr(o->mem.index);
			s->size = (uint8_t)(o->size / 8);
		}
	}
	for (unsigned i = 0; i < sizeof order; i++)
		if (!(used & 1u << order[i])) {
			s->temp = order[i];
			return true;
		}
	return false;
}

bool decode_split(struct engine *e, const struct insn *at, struct split *s)
{
	struct look l = { .e = e, .p = e->image.text + at->off };
	if (!ZYAN_SUCCESS(e->decoder->instruction(&e->decoder->zydis, &l.context, l.p, at->len, &l.in)) || !decode_operands(&l))
		return false;
	const ZydisDecodedInstruction *in = &l.in;
	*s = (struct split){ 0 };
	if (!choose_register(&l, s))
		return false;
	s->whole = in->meta.category == ZYDIS_CATEGORY_SEMAPHORE;
	if (s->whole)
		return true;
	s->carry = in->cpu_flags && in->cpu_flags->tested;
	/* The new instruction has the prefixes, opcode and constant of the old one. Its ModRM byte names the register instead of the
	   memory. */
	unsigned n = in->raw.modrm.offset, end = n + 1u + (in->attributes & ZYDIS_ATTRIB_HAS_SIB ? 1 : 0) + in->raw.disp.size / 8u;
	memcpy(s->bytes, l.p, n);
	if (in->attributes & ZYDIS_ATTRIB_HAS_REX)
		s->bytes[in->raw.rex.offset] &= 0xfc; /* clears X and B, because the operand is one of the first eight registers */
	s->bytes[n] = (uint8_t)(0xc0 | in->raw.modrm.reg << 3 | s->temp);
	memcpy(s->bytes + n + 1, l.p + end, at->len - end);
	s->n = (uint8_t)(n + 1 + at->len - end);
	return true;
}
