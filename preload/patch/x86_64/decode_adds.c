/*
 * Finds locked additions whose thread does not see the value: neither the sum nor the flags are read. Such additions to the same bytes commute
 * (M_ADD in sched/event.h).
 */
#include "preload/patch/x86_64/dead.h"
#include "preload/patch/x86_64/decode.h"

#include "preload/base/rules.h"

#define LOOK_AHEAD 16 /* instructions */
#define MOST_BYTES 15 /* of an instruction */

/* What the code does with the flags of the addition. */
enum use { FLAGS_DEAD,
	FLAGS_KEPT,
	FLAGS_UNSURE };

static bool is_addition(const struct look *l)
{
	switch ((unsigned)l->in.mnemonic) {
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		return decode_is_locked(&l->in);
	}
	return false;
}

/* Looks at the next instruction. A call and a return end the life of all flags: no calling convention passes them. A shift by 0 leaves them. */
static enum use next_use(const ZydisDecodedInstruction *in, uint32_t *kept)
{
	const ZydisAccessedFlags *f = in->cpu_flags;
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
		return in->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? FLAGS_UNSURE : FLAGS_DEAD;
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSTEM:
		return FLAGS_UNSURE;
	case ZYDIS_CATEGORY_SHIFT:
	case ZYDIS_CATEGORY_ROTATE:
		return f && f->tested & *kept ? FLAGS_UNSURE : FLAGS_KEPT;
	}
	if (!f)
		return FLAGS_KEPT;
	if (f->tested & *kept)
		return FLAGS_UNSURE;
	*kept &= ~(f->modified | f->set_0 | f->set_1);
	return *kept ? FLAGS_KEPT : FLAGS_DEAD;
}

/* Where the code continues after *in, which is at `at`. NULL: unknown, or outside of the function. */
static const uint8_t *next_place(const struct look *l, const ZydisDecodedInstruction *in, const uint8_t *at)
{
	const uint8_t *lo = l->e->image.text + l->f->lo, *hi = l->e->image.text + l->f->hi;
	at += in->length;
	if (in->meta.category == ZYDIS_CATEGORY_UNCOND_BR) {
		if (!in->raw.imm[0].is_relative)
			return NULL;
		at += in->raw.imm[0].value.s;
	}
	return at >= lo && at < hi ? at : NULL;
}

bool decode_adds(const struct look *l)
{
	const struct decoder *d = l->e->decoder;
	const uint8_t *at = next_place(l, &l->in, l->p), *hi = l->e->image.text + l->f->hi;
	ZydisDecodedInstruction in;
	ZydisDecoderContext context;
	uint32_t kept = DEAD_STATUS_FLAGS;
	enum use use = FLAGS_KEPT;
	if (!is_addition(l))
		return false;
	for (unsigned i = 0; i < LOOK_AHEAD && use == FLAGS_KEPT && at; i++, at = next_place(l, &in, at)) {
		if (!ZYAN_SUCCESS(d->instruction(&d->zydis, &context, at, hi - at < MOST_BYTES ? (ZyanUSize)(hi - at) : MOST_BYTES, &in)))
			return false;
		use = next_use(&in, &kept);
	}
	return use == FLAGS_DEAD;
}
