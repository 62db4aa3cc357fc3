/* What the parts of the decoder share: the loaded library, and the instruction that is being decoded. */
#ifndef SIMUL_PATCH_DECODE_H
#define SIMUL_PATCH_DECODE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/patch/engine.h"
#include "preload/patch/x86_64/numbers.h"

/* The decoder library, and its functions. */
struct decoder {
	void *library; /* NULL: not loaded */
	ZydisDecoder zydis;
	ZyanStatus (*instruction)(const ZydisDecoder *, ZydisDecoderContext *, const void *, ZyanUSize, ZydisDecodedInstruction *);
	ZyanStatus (*operands)(const ZydisDecoder *, const ZydisDecoderContext *, const ZydisDecodedInstruction *,
		ZydisDecodedOperand *, ZyanU8);
};

/* The instruction that is being decoded. */
struct look {
	struct engine *e;
	struct func *f;
	const uint8_t *p;
	uint64_t next; /* address of the next instruction */
	ZydisDecoderContext context;
	ZydisDecodedInstruction in;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT]; /* set by decode_operands only */
	struct insn *out;
};

/* Returns the number of a general register of any width; REG_NONE for other registers. */
static inline unsigned decode_gpr(ZydisRegister r)
{
	if (r >= ZYDIS_REGISTER_RAX && r <= ZYDIS_REGISTER_R15)
		return (unsigned)(r - ZYDIS_REGISTER_RAX);
	if (r >= ZYDIS_REGISTER_EAX && r <= ZYDIS_REGISTER_R15D)
		return (unsigned)(r - ZYDIS_REGISTER_EAX);
	if (r >= ZYDIS_REGISTER_AX && r <= ZYDIS_REGISTER_R15W)
		return (unsigned)(r - ZYDIS_REGISTER_AX);
	if (r >= ZYDIS_REGISTER_AL && r <= ZYDIS_REGISTER_BL)
		return (unsigned)(r - ZYDIS_REGISTER_AL);
	if (r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH)
		return (unsigned)(r - ZYDIS_REGISTER_AH);
	if (r >= ZYDIS_REGISTER_SPL && r <= ZYDIS_REGISTER_R15B)
		return (unsigned)(r - ZYDIS_REGISTER_SPL) + 4;
	return REG_NONE;
}

/* Returns whether the instruction has a rep prefix. */
static inline bool decode_is_repeated(const ZydisDecodedInstruction *in)
{
	return in->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
}

/* Returns whether the instruction is locked. A locked instruction waits until all earlier stores have reached memory. */
static inline bool decode_is_locked(const ZydisDecodedInstruction *in)
{
	return in->attributes & ZYDIS_ATTRIB_HAS_LOCK || in->mnemonic == ZYDIS_MNEMONIC_XCHG;
}

/* Fills l->op. Returns false when the decoder cannot do that. */
static inline bool decode_operands(struct look *l)
{
	const struct decoder *d = l->e->decoder;
	return ZYAN_SUCCESS(d->operands(&d->zydis, &l->context, &l->in, l->op, l->in.operand_count));
}

/* ---- decode.c ---- */

/* Records l->in, which is decoded, in l->out, and its accesses in l->e. Returns PATCH_OK, or why its function cannot be patched. */
enum patch_reason decode_insn(struct look *l);

/* ---- decode_access.c ---- */

/* Records the memory accesses of the instruction, whose operands are known, and marks it as an instruction with accesses. Returns false
   when it has no access to report. */
bool decode_accesses(struct look *l);
/* Records the instruction as a fence, if fences of that kind are reported. full: it waits until the store buffer
   is empty (mfence). */
void decode_fence(struct look *l, bool full);
/* Fills *a for a fence that is reported in place of an access. Returns false when fences of that kind are not reported. */
bool decode_fence_access(const struct engine *e, bool full, struct access *a);

/* ---- decode_adds.c ---- */

/* Returns whether the instruction is a locked addition whose thread reads neither the sum nor the flags. */
bool decode_adds(const struct look *l);

/* ---- decode_split.c ---- */

/* Returns whether the instruction, a read-modify-write with access *a, can be taken apart into a load, the operation on a register, and
   a store (decode_split in engine.h). */
bool decode_can_split(const struct look *l, const struct access *a);

#endif
