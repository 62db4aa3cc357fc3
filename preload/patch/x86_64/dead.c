/* Registers and flags whose values are not read; see dead.h. */
#include "preload/patch/x86_64/dead.h"

#include "preload/base/rules.h"

ZydisRegister dead_register(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	const ZydisDecodedOperand *to = NULL;
	for (unsigned i = 0; i < in->operand_count; i++)
		if (op[i].type == ZYDIS_OPERAND_TYPE_REGISTER && op[i].actions == ZYDIS_OPERAND_ACTION_WRITE && !to &&
			((op[i].reg.value >= ZYDIS_REGISTER_EAX && op[i].reg.value <= ZYDIS_REGISTER_R15D) || /* a write of the lower half sets the upper half to 0 */
				(op[i].reg.value >= ZYDIS_REGISTER_RAX && op[i].reg.value <= ZYDIS_REGISTER_R15)))
			to = &op[i];
	if (!to)
		return ZYDIS_REGISTER_NONE;
	for (unsigned i = 0; i < in->operand_count; i++) {
		bool reads = op[i].type == ZYDIS_OPERAND_TYPE_REGISTER && op[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ;
		if (reads && op[i].reg.value != ZYDIS_REGISTER_RIP)
			return ZYDIS_REGISTER_NONE; /* another operand may be a part of the same register */
	}
	return to->reg.value;
}

/* Returns whether the operands and flags describe all effects of the instruction, and the next instruction follows it. Shifts are excluded,
   because a shift by 0 leaves the flags unchanged. */
static bool is_simple(const ZydisDecodedInstruction *in)
{
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_DATAXFER: case ZYDIS_CATEGORY_BINARY: case ZYDIS_CATEGORY_LOGICAL: case ZYDIS_CATEGORY_NOP: case ZYDIS_CATEGORY_WIDENOP:
		return true;
	}
	return in->mnemonic == ZYDIS_MNEMONIC_PAUSE || in->mnemonic == ZYDIS_MNEMONIC_LEA || in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG ||
	       in->mnemonic == ZYDIS_MNEMONIC_XADD;
}

bool dead_flags_left(const ZydisDecodedInstruction *in, uint32_t *kept)
{
	const ZydisAccessedFlags *f = in->cpu_flags;
	if (!is_simple(in))
		return false;
	if (!f)
		return true;
	if (f->tested & *kept)
		return false;
	*kept &= ~(f->modified | f->set_0 | f->set_1 | (f->undefined & ZYDIS_CPUFLAG_AF)); /* AF is undefined after TEST, so no code may read it */
	return true;
}
