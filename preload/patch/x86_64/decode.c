/*
 * Decoding instructions by Zydis. Its library is loaded only while there is something to patch (patch_done), into a scope of its own, so
 * programs that are not patched never have it.
 *
 * Each instruction is decoded once, and its operands only where they can matter. struct insn holds the result.
 */
#include <dlfcn.h>

#include "preload/accesses/mem.h"
#include "preload/patch/x86_64/decode.h"
#include "preload/base/rules.h"

static struct decoder decoder;

bool decode_open(struct engine *e)
{
	ZyanStatus (*init)(ZydisDecoder *, ZydisMachineMode, ZydisStackWidth);
	ZyanU64 (*version)(void);
	struct decoder *d = &decoder;
	e->decoder = d;
	if (d->library)
		return true;
	void *library = dlopen("libZydis.so.4.0", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return false;
	init = (__typeof__(init))dlsym(library, "ZydisDecoderInit");
	version = (__typeof__(version))dlsym(library, "ZydisGetVersion");
	d->instruction = (__typeof__(d->instruction))dlsym(library, "ZydisDecoderDecodeInstruction");
	d->operands = (__typeof__(d->operands))dlsym(library, "ZydisDecoderDecodeOperands");
	if (init && version && d->instruction && d->operands && version() >> 32 == ZYDIS_VERSION >> 32
		&& ZYAN_SUCCESS(init(&d->zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
		d->library = library;
	else
		dlclose(library);
	return d->library;
}

void patch_done(void)
{
	if (decoder.library)
		dlclose(decoder.library);
	decoder.library = NULL;
}

/* Returns whether the instruction has a memory operand that it does not access. */
static bool only_names(const ZydisDecodedInstruction *in)
{
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_NOP: case ZYDIS_CATEGORY_WIDENOP: case ZYDIS_CATEGORY_PREFETCH: case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_CLDEMOTE: case ZYDIS_CATEGORY_CLFLUSHOPT: case ZYDIS_CATEGORY_CLWB: case ZYDIS_CATEGORY_MPX:
		return true;
	}
	return in->mnemonic == ZYDIS_MNEMONIC_LEA || in->mnemonic == ZYDIS_MNEMONIC_CLFLUSH || in->mnemonic == ZYDIS_MNEMONIC_INVLPG;
}

/* Returns whether the instruction has a memory operand without a ModRM byte. */
static bool hidden_memory(const ZydisDecodedInstruction *in)
{
	switch ((unsigned)in->mnemonic) {
	case ZYDIS_MNEMONIC_XLAT: case ZYDIS_MNEMONIC_MASKMOVQ: case ZYDIS_MNEMONIC_MASKMOVDQU: case ZYDIS_MNEMONIC_VMASKMOVDQU:
	case ZYDIS_MNEMONIC_CLZERO:
		return true;
	}
	return in->meta.category == ZYDIS_CATEGORY_STRINGOP
		|| (in->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && in->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && in->opcode >= 0xa0
			&& in->opcode <= 0xa3);
}

/* Returns whether register g is the stack pointer, or the function's frame pointer. */
static bool is_stack_register(const struct func *f, unsigned g)
{
	return g == REG_RSP_ || (f->frame && g == REG_RBP_);
}

/* Returns whether the instruction could copy a register for which is_stack_register holds. Does not look at the operands, which take long
   to decode. */
static bool may_copy_stack_register(const struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	if (!(in->attributes & ZYDIS_ATTRIB_HAS_MODRM))
		return false;
	unsigned r = in->raw.modrm.reg, m = in->raw.modrm.rm;
	if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY) {
		r |= in->raw.rex.R << 3;
		m |= in->raw.rex.B << 3;
	}
	if (!is_stack_register(l->f, r) && !(in->raw.modrm.mod == 3 && is_stack_register(l->f, m)))
		return false;
	if (in->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY && in->opcode != 0x6e && in->opcode != 0x22 && in->opcode != 0x7c)
		return false; /* this excludes vmovq, vpinsrq and vpbroadcastq */
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_DATAXFER: case ZYDIS_CATEGORY_BINARY: case ZYDIS_CATEGORY_SSE: case ZYDIS_CATEGORY_AVX: case ZYDIS_CATEGORY_AVX512:
	case ZYDIS_CATEGORY_CMOV: case ZYDIS_CATEGORY_LOGICAL: case ZYDIS_CATEGORY_SEMAPHORE: case ZYDIS_CATEGORY_BROADCAST:
		return in->mnemonic != ZYDIS_MNEMONIC_CMP && in->mnemonic != ZYDIS_MNEMONIC_TEST;
	}
	return false;
}

/* Returns whether the instruction copies a stack address out of the stack pointer or the frame pointer. */
static bool takes_stack(struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && in->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (in->opcode & 0xfe) == 0x54)
		return in->opcode == 0x54 && !in->raw.rex.B; /* push rsp copies a stack address; push r12 and push rbp (the caller's value) do not */
	if (!may_copy_stack_register(l) || !decode_operands(l))
		return false;
	bool to_stack = l->op[0].type == ZYDIS_OPERAND_TYPE_REGISTER && is_stack_register(l->f, decode_gpr(l->op[0].reg.value));
	for (unsigned i = 0; i < in->operand_count_visible; i++) {
		const ZydisDecodedOperand *o = &l->op[i];
		if (o->type != ZYDIS_OPERAND_TYPE_REGISTER || o->reg.value < ZYDIS_REGISTER_RAX || o->reg.value > ZYDIS_REGISTER_R15)
			continue;
		if (!(o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) || o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			continue;
		bool within = i > 0 && to_stack; /* from the stack pointer to the frame pointer or back */
		if (is_stack_register(l->f, decode_gpr(o->reg.value)) && !within)
			return true;
	}
	return false;
}

/* Handles a lea, which may take an address in the stack, in code, or of a jump table. */
static void take_lea(struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	struct engine *e = l->e;
	unsigned base = in->raw.modrm.rm, to = in->raw.modrm.reg | in->raw.rex.R << 3, index = REG_RSP_; /* as an index, rsp means that there is none */
	if (base == 4) {
		base = in->raw.sib.base;
		index = in->raw.sib.index | in->raw.rex.X << 3;
	} else if (base == 5 && in->raw.modrm.mod == 0) {
		uint64_t target = l->next + (uint64_t)in->raw.disp.value;
		if (target - e->image.lo < e->image.hi - e->image.lo)
			VEC_PUSH(&e->taken, uint32_t, (uint32_t)(target - e->image.lo));
		else
			VEC_PUSH(&e->tables, uint64_t, target);
		return;
	}
	base |= in->raw.rex.B << 3;
	bool frame = l->f->frame && to != REG_RBP_ && (base == REG_RBP_ || index == REG_RBP_);
	if (to != REG_RSP_ && (base == REG_RSP_ || frame))
		l->f->escapes = true;
}

/* Records constants that may be addresses of code. */
static void take_constants(struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	const struct image *im = &l->e->image;
	if (in->raw.imm[0].size >= 32 && !in->raw.imm[0].is_relative) {
		uint64_t v = in->raw.imm[0].value.u;
		if (in->raw.imm[0].size == 32)
			v = (uint32_t)v;
		if (v - im->lo < im->hi - im->lo)
			VEC_PUSH(&l->e->candidates, uint32_t, (uint32_t)(v - im->lo));
	}
	if (im->fixed && in->raw.disp.size == 32 && !(l->out->flags & I_RIP)
		&& (uint64_t)in->raw.disp.value - im->lo < im->hi - im->lo)
		VEC_PUSH(&l->e->candidates, uint32_t, (uint32_t)((uint64_t)in->raw.disp.value - im->lo));
}

/* Sets the kind of the instruction, and the target of a direct branch. */
static enum patch_reason classify(struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	struct insn *o = l->out;
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		if (in->mnemonic == ZYDIS_MNEMONIC_XBEGIN)
			return PATCH_TRANSACTION;
		o->kind = K_JCC;
		if (in->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && in->opcode >= 0xe0 && in->opcode <= 0xe3) {
			o->kind = K_LOOP;
			if (in->attributes & ZYDIS_ATTRIB_HAS_ADDRESSSIZE)
				o->rep = 0x67;
		}
		break;
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (in->mnemonic == ZYDIS_MNEMONIC_XABORT)
			break;
		o->kind = in->raw.imm[0].is_relative ? K_JMP : K_JMP_INDIRECT;
		break;
	case ZYDIS_CATEGORY_CALL:
		o->kind = in->raw.imm[0].is_relative ? K_CALL : K_CALL_INDIRECT;
		break;
	case ZYDIS_CATEGORY_RET:
		if (in->mnemonic != ZYDIS_MNEMONIC_RET)
			return PATCH_UNSUPPORTED;
		o->kind = K_RET;
		break;
	case ZYDIS_CATEGORY_SYSRET:
		return PATCH_UNSUPPORTED;
	}
	if (in->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return PATCH_UNSUPPORTED;
	if (in->mnemonic == ZYDIS_MNEMONIC_XBEGIN)
		return PATCH_TRANSACTION;
	if (in->mnemonic == ZYDIS_MNEMONIC_UD2 || in->mnemonic == ZYDIS_MNEMONIC_UD1 || in->mnemonic == ZYDIS_MNEMONIC_UD0
		|| in->mnemonic == ZYDIS_MNEMONIC_HLT)
		o->kind = K_STOP;
	if (in->raw.imm[0].is_relative) {
		if (in->raw.imm[0].size == 16)
			return PATCH_UNSUPPORTED;
		int64_t target = (int64_t)(l->next - l->e->image.lo) + in->raw.imm[0].value.s;
		if (target != (int32_t)target)
			return PATCH_UNSUPPORTED;
		o->ref = (int32_t)target;
	}
	return PATCH_OK;
}

enum patch_reason decode_insn(struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	struct insn *o = l->out;
	o->opcode = in->opcode;
	enum patch_reason r = classify(l);
	if (r != PATCH_OK)
		return r;
	bool modrm = in->attributes & ZYDIS_ATTRIB_HAS_MODRM && in->raw.modrm.mod != 3;
	if (modrm && in->raw.modrm.mod == 0 && in->raw.modrm.rm == 5) {
		if (in->attributes & ZYDIS_ATTRIB_HAS_ADDRESSSIZE)
			return PATCH_UNSUPPORTED;
		o->flags |= I_RIP;
		o->disp_off = in->raw.disp.offset;
	}
	if (in->raw.imm[0].size >= 32 || (in->raw.disp.size == 32 && l->e->image.fixed))
		take_constants(l);
	if (in->mnemonic == ZYDIS_MNEMONIC_ENDBR64)
		o->flags |= I_ENDBR;
	else if (in->mnemonic == ZYDIS_MNEMONIC_MFENCE || in->mnemonic == ZYDIS_MNEMONIC_CPUID || in->mnemonic == ZYDIS_MNEMONIC_SERIALIZE)
		decode_fence(l, true);
	else if (in->mnemonic == ZYDIS_MNEMONIC_SFENCE)
		decode_fence(l, false);
	else if ((in->mnemonic == ZYDIS_MNEMONIC_RDTSC || in->mnemonic == ZYDIS_MNEMONIC_RDTSCP) && l->e->config.clock && !l->e->library)
		o->flags |= I_CLOCK;
	else if (in->mnemonic == ZYDIS_MNEMONIC_STD)
		l->f->backwards = true;
	else if (in->mnemonic == ZYDIS_MNEMONIC_LEA)
		take_lea(l);
	if ((modrm && !only_names(in)) || hidden_memory(in)) {
		if (!decode_operands(l))
			return PATCH_UNDECODED;
		if (decode_is_repeated(in) && in->meta.category == ZYDIS_CATEGORY_STRINGOP) {
			if (in->attributes & ZYDIS_ATTRIB_HAS_ADDRESSSIZE)
				return PATCH_UNSUPPORTED;
			if (in->opcode == 0xa6 || in->opcode == 0xa7 || in->opcode == 0xae || in->opcode == 0xaf) {
				o->flags |= I_SCAN;
				o->rep = in->attributes & ZYDIS_ATTRIB_HAS_REPNE ? 0xf2 : 0xf3;
			}
		}
		if (!decode_accesses(l) && modrm && decode_is_locked(in))
			decode_fence(l, true);
	}
	if (!l->f->escapes && in->mnemonic != ZYDIS_MNEMONIC_LEA && takes_stack(l))
		l->f->escapes = true;
	return PATCH_OK;
}

/* Returns whether execution continues with the next instruction. */
static bool can_follow(const struct insn *in)
{
	return in->kind == K_PLAIN;
}

/* Returns whether the function reports all accesses of the instruction itself. */
static bool all_reported(const struct engine *e, const struct insn *in)
{
	bool all = true;
	for (const struct access *a = insn_access(e, in); a; a = a->more ? a + 1 : NULL)
		all &= a->reported && !(a->flags & (MEM_ATOMIC | MEM_FENCE));
	return all;
}

/* Removes accesses that get no hook. These are accesses through the stack pointer in functions that take no stack address, unless they are
   fences, and accesses that the configuration excludes. */
static void drop_private(struct engine *e, struct func *f)
{
	bool keep = f->escapes || e->config.all_stack, sensed = sensed_function(e, f);
	f->accesses = 0;
	for (uint32_t i = f->first; i < f->last; i++) {
		struct insn *in = VEC_AT(&e->insns, struct insn, i);
		f->accesses += (in->flags & I_CLOCK ? 1u : 0) + (in->flags & I_ENTERS ? 1u : 0) + (in->flags & I_LEAVES ? 1u : 0);
		if (!(in->flags & I_ACCESS))
			continue;
		struct access *a = VEC_AT(&e->accesses, struct access, in->ref);
		bool left_out = sensed && all_reported(e, in);
		if (left_out || (e->config.wanted && !e->config.wanted(e->image.lo + in->off)) ||
			(e->config.after && !can_follow(in))) {
			in->flags &= (uint16_t)~(I_ACCESS | I_SPLIT);
			continue;
		}
		if (!keep && a->flags & MEM_STACK && !a->more && !(a->flags & MEM_ATOMIC && decode_fence_access(e, true, a))) {
			in->flags &= (uint16_t)~(I_ACCESS | I_SPLIT); /* an instruction with two accesses keeps them, which is rare */
			continue;
		}
		for (f->accesses++; a->more; a++)
			f->accesses++;
	}
}

/* Returns whether the instruction may leave the function for its caller: by a return, or by a jump to another function. */
static bool may_leave(const struct func *f, const struct insn *in)
{
	if (in->kind == K_JMP || in->kind == K_JCC)
		return in->ref < (int32_t)f->lo || in->ref >= (int32_t)f->hi;
	return in->kind == K_RET || in->kind == K_JMP_INDIRECT;
}

/* Marks where a function that is taken as one step begins and may end. */
static void mark_call(struct engine *e, struct func *f)
{
	for (uint32_t i = f->first; i < f->last; i++) {
		struct insn *in = VEC_AT(&e->insns, struct insn, i);
		in->flags |= (i == f->first ? I_ENTERS : 0) | (may_leave(f, in) ? I_LEAVES : 0);
	}
}

static void decode_function(struct look *l)
{
	struct engine *e = l->e;
	struct func *f = l->f;
	f->first = f->last = (uint32_t)e->insns.n;
	if (f->reason || f->foreign)
		return;
	for (uint32_t off = f->lo; off < f->hi;) {
		l->p = e->image.text + off;
		l->out = VEC_AT(&e->insns, struct insn, e->insns.n);
		*l->out = (struct insn){ .off = off };
		uint32_t room = f->hi - off;
		if (!ZYAN_SUCCESS(e->decoder->instruction(&e->decoder->zydis, &l->context, l->p, room < 15 ? room : 15, &l->in))) {
			f->reason = PATCH_UNDECODED;
			break;
		}
		l->out->len = l->in.length;
		l->next = e->image.lo + off + l->in.length;
		f->reason = (uint8_t)decode_insn(l);
		if (f->reason)
			break;
		e->boundary[off >> 6] |= 1ull << (off & 63);
		off += l->in.length;
		e->insns.n++;
	}
	f->last = (uint32_t)e->insns.n;
	if (!f->reason && e->config.whole && e->config.whole(e->image.lo + f->lo))
		mark_call(e, f);
	drop_private(e, f);
}

void decode_one(struct engine *e, struct func *f)
{
	struct look l = { .e = e, .f = f };
	decode_function(&l);
}

void decode_functions(struct engine *e)
{
	for (uint32_t i = 0; i < e->funcs.n; i++)
		decode_one(e, VEC_AT(&e->funcs, struct func, i));
}

bool decode_is_code(struct engine *e, uint64_t lo, uint64_t hi)
{
	ZydisDecoderContext context;
	ZydisDecodedInstruction in;
	unsigned returns = 0, stubs = 0;
	uint64_t bytes = 0;
	for (uint64_t at = lo; at < hi; at += in.length) {
		const uint8_t *p = e->image.text + (at - e->image.lo);
		if (!ZYAN_SUCCESS(e->decoder->instruction(&e->decoder->zydis, &context, p, hi - at < 15 ? hi - at : 15, &in)))
			break; /* tables */
		bool jumps = in.mnemonic == ZYDIS_MNEMONIC_JMP;
		stubs += jumps && in.length >= 6 && p[in.length - 6] == 0xff && p[in.length - 5] == 0x25; /* jmp [rip+x] */
		returns += in.mnemonic == ZYDIS_MNEMONIC_RET;
		if (in.meta.category != ZYDIS_CATEGORY_NOP && in.meta.category != ZYDIS_CATEGORY_WIDENOP && in.mnemonic != ZYDIS_MNEMONIC_INT3
			&& *p)
			bytes += in.length;
	}
	return bytes > 200 && returns && returns >= stubs && bytes > (hi - lo) / 4;
}

