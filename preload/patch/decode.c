/*
 * Instructions and their accesses to memory, by Zydis. The library is loaded while there is something to patch (patch_done), into a scope
 * of its own, so that programs which are not patched never have it.
 *
 * Each instruction is decoded once, its operands only where they can matter; what is kept of it is struct insn.
 */
#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/patch/dead.h"
#include "preload/patch/engine.h"
#include "preload/patch/site.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define LOOK_AHEAD 4 /* instructions: a load, and the comparison behind it */

struct decoder {
	void *library;
	ZydisDecoder zydis;
	ZyanStatus (*instruction)(const ZydisDecoder *, ZydisDecoderContext *, const void *, ZyanUSize, ZydisDecodedInstruction *);
	ZyanStatus (*operands)(const ZydisDecoder *, const ZydisDecoderContext *, const ZydisDecodedInstruction *,
		ZydisDecodedOperand *, ZyanU8);
};

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

/* The number of a general register of any width; REG_NONE for others. */
static unsigned gpr(ZydisRegister r)
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

/* The instruction being looked at. */
struct look {
	struct engine *e;
	struct func *f;
	const uint8_t *p;
	uint64_t next; /* address of the one after it */
	ZydisDecoderContext context;
	ZydisDecodedInstruction in;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	struct insn *out;
};

static bool is_repeated(const ZydisDecodedInstruction *in)
{
	return in->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
}

static bool is_bit_test(ZydisMnemonic m)
{
	return m == ZYDIS_MNEMONIC_BT || m == ZYDIS_MNEMONIC_BTS || m == ZYDIS_MNEMONIC_BTR || m == ZYDIS_MNEMONIC_BTC;
}

/* Instructions with a memory operand that they do not access. */
static bool only_names(const ZydisDecodedInstruction *in)
{
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_NOP: case ZYDIS_CATEGORY_WIDENOP: case ZYDIS_CATEGORY_PREFETCH: case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_CLDEMOTE: case ZYDIS_CATEGORY_CLFLUSHOPT: case ZYDIS_CATEGORY_CLWB: case ZYDIS_CATEGORY_MPX:
		return true;
	}
	return in->mnemonic == ZYDIS_MNEMONIC_LEA || in->mnemonic == ZYDIS_MNEMONIC_CLFLUSH || in->mnemonic == ZYDIS_MNEMONIC_INVLPG;
}

/* Memory operands that no ModRM byte shows. */
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

/* A locked instruction waits until all stores before it have reached memory, whatever it works on. */
static bool is_locked(const ZydisDecodedInstruction *in)
{
	return in->attributes & ZYDIS_ATTRIB_HAS_LOCK || in->mnemonic == ZYDIS_MNEMONIC_XCHG;
}

/* The flags with which a fence is reported instead of an access; false: it is not reported. */
static bool fence_of(const struct engine *e, bool full, struct access *a)
{
	*a = (struct access){ .flags = MEM_FENCE, .base = REG_NONE, .index = REG_NONE };
	if (full)
		a->flags |= MEM_DRAIN;
	if (e->config.fences == PATCH_RELEASE_FENCES)
		a->flags |= full ? MEM_ACQUIRE | MEM_RELEASE : MEM_RELEASE;
	return e->config.fences == PATCH_RELEASE_FENCES || (full && e->config.fences == PATCH_FULL_FENCES);
}

static void take_fence(struct look *l, bool full)
{
	struct engine *e = l->e;
	struct access a;
	if (!fence_of(e, full, &a))
		return;
	l->out->ref = (int32_t)e->accesses.n;
	l->out->flags |= I_ACCESS;
	VEC_PUSH(&e->accesses, struct access, a);
}

/* Before the function's next branch: are the status flags overwritten before anything reads them, from the instruction itself on? */
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

static bool can_split(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op, const struct access *a)
{
	if ((a->flags & (MEM_READ | MEM_WRITE)) != (MEM_READ | MEM_WRITE) || a->flags & MEM_ATOMIC || a->kind != SITE_PLAIN
		|| in->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || !(in->attributes & ZYDIS_ATTRIB_HAS_MODRM) || in->raw.modrm.mod == 3)
		return false;
	if (a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8)
		return false;
	switch ((unsigned)in->meta.category) {
	case ZYDIS_CATEGORY_BINARY: case ZYDIS_CATEGORY_LOGICAL: case ZYDIS_CATEGORY_SHIFT: case ZYDIS_CATEGORY_ROTATE:
	case ZYDIS_CATEGORY_BITBYTE: /* xadd and cmpxchg change registers as well: they could not be repeated */
		break;
	default:
		return false;
	}
	if (in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B || in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG16B)
		return false;
	for (unsigned i = 0; i < in->operand_count; i++) /* the stack pointer moves in between */
		if (op[i].type == ZYDIS_OPERAND_TYPE_REGISTER && gpr(op[i].reg.value) == REG_RSP_ && op[i].reg.value != ZYDIS_REGISTER_AH)
			return false;
	return true;
}

/* Does a mask decide which elements of its vector it touches? */
static bool masked(const ZydisDecodedInstruction *in)
{
	return (in->avx.mask.mode != ZYDIS_MASK_MODE_INVALID && in->avx.mask.mode != ZYDIS_MASK_MODE_DISABLED) ||
	       in->mnemonic == ZYDIS_MNEMONIC_VMASKMOVPS || in->mnemonic == ZYDIS_MNEMONIC_VMASKMOVPD ||
	       in->mnemonic == ZYDIS_MNEMONIC_VPMASKMOVD || in->mnemonic == ZYDIS_MNEMONIC_VPMASKMOVQ;
}

/* Returns whether the operand is a thread-local variable whose accesses must be reported. Memory above the thread pointer belongs to libc: the
   pointer's own address, the stack guard. */
static bool is_thread_local(const struct engine *e, const ZydisDecodedOperand *op)
{
	bool fixed = op->mem.base == ZYDIS_REGISTER_NONE && op->mem.index == ZYDIS_REGISTER_NONE;
	return e->config.thread_local && op->mem.segment == ZYDIS_REGISTER_FS && !(fixed && op->mem.disp.value >= 0);
}

/* One memory operand. */
static void take_operand(struct look *l, const ZydisDecodedOperand *op, bool *first)
{
	struct engine *e = l->e;
	const ZydisDecodedInstruction *in = &l->in;
	unsigned rw = (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? MEM_READ : 0) | (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? MEM_WRITE : 0);
	bool tls = is_thread_local(e, op);
	if (((op->mem.segment == ZYDIS_REGISTER_FS || op->mem.segment == ZYDIS_REGISTER_GS) && !tls) || !rw)
		return;
	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && op->mem.base == ZYDIS_REGISTER_RSP)
		return; /* push, pop, call, ret, enter, leave: its own stack */
	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && op->mem.base == ZYDIS_REGISTER_RBP)
		return; /* leave */
	if (op->mem.type != ZYDIS_MEMOP_TYPE_MEM || op->size < 8) {
		e->m->not_hooked++;
		return;
	}
	struct access a = { .flags = (uint16_t)rw, .size = (uint16_t)(op->size / 8), .base = REG_NONE, .index = REG_NONE };
	if (op->mem.disp.value != (int32_t)op->mem.disp.value) {
		e->m->not_hooked++; /* an absolute address of 64 bits */
		return;
	}
	a.disp = (int32_t)op->mem.disp.value;
	a.addr32 = in->address_width == 32;
	if (op->mem.base == ZYDIS_REGISTER_RIP) {
		a.base = REG_RIP_;
		uint64_t target = l->next + (uint64_t)(int64_t)a.disp;
		if (target - e->image.lo < e->image.hi - e->image.lo)
			VEC_PUSH(&e->text_data, uint32_t, (uint32_t)(target - e->image.lo));
		if (module_constant(&e->image, target))
			return;
	} else if (op->mem.base != ZYDIS_REGISTER_NONE) {
		a.base = (uint8_t)gpr(op->mem.base);
	}
	if (op->mem.index != ZYDIS_REGISTER_NONE) {
		a.index = (uint8_t)gpr(op->mem.index);
		a.scale = (uint8_t)(op->mem.scale == 8 ? 3 : op->mem.scale == 4 ? 2 : op->mem.scale == 2 ? 1 : 0);
	} else if (a.base == REG_NONE && module_constant(&e->image, (uint64_t)(int64_t)a.disp)) {
		return;
	}
	if (a.base == REG_RSP_ || (a.base == REG_RBP_ && l->f->frame))
		a.flags |= MEM_STACK;
	if (masked(in))
		a.flags |= MEM_MASKED;
	if (in->mnemonic == ZYDIS_MNEMONIC_POP && a.base == REG_RSP_)
		a.disp += 8; /* the address is computed after the pop */
	if (is_locked(in)) {
		a.flags |= MEM_ATOMIC | MEM_ACQUIRE | MEM_RELEASE;
		if (in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG || in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B || in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG16B)
			a.flags |= MEM_CAS;
		if (a.base == REG_RSP_ && (in->mnemonic == ZYDIS_MNEMONIC_OR || in->mnemonic == ZYDIS_MNEMONIC_ADD) && in->raw.imm[0].size
			&& in->raw.imm[0].value.u == 0)
			return; /* it changes nothing: compilers' way to write a fence */
	}
	if (in->meta.category == ZYDIS_CATEGORY_STRINGOP && is_repeated(in) && !(l->out->flags & I_SCAN))
		a.kind = SITE_REPEAT;
	else if (in->mnemonic == ZYDIS_MNEMONIC_XLAT)
		a.kind = SITE_TABLE;
	else if (is_bit_test(in->mnemonic) && l->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
		a.kind = SITE_BITS;
		a.reg = (uint8_t)gpr(l->op[1].reg.value);
	}
	else if (in->mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B)
		a.kind = SITE_PAIR;
	if (a.kind == SITE_TABLE)
		a.index = REG_NONE;
	if (a.kind == SITE_PLAIN && !is_repeated(in)) {
		unsigned reg = gpr(dead_register(in, l->op));
		a.overwrites = reg != REG_NONE;
		a.reg = a.overwrites ? (uint8_t)reg : 0;
		a.flags_dead = flags_are_dead(l);
	}
	if (tls && (a.kind != SITE_PLAIN || is_repeated(in) || a.addr32)) {
		e->m->not_hooked++;
		return;
	}
	if (tls)
		a.kind = SITE_TLS;
	if (e->library && in->mnemonic == ZYDIS_MNEMONIC_MOV && rw == MEM_WRITE && in->raw.imm[0].size && !in->raw.imm[0].value.u)
		a.flags |= MEM_ZERO;
	if (can_split(in, l->op, &a))
		l->out->flags |= I_SPLIT;
	if (*first) {
		l->out->ref = (int32_t)e->accesses.n;
		l->out->flags |= I_ACCESS;
	} else {
		VEC_AT(&e->accesses, struct access, e->accesses.n - 1)->more = true;
	}
	*first = false;
	VEC_PUSH(&e->accesses, struct access, a);
}

/* Of two accesses (movs): what a store writes is known only when nothing is announced between it and the instruction. */
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

static bool get_operands(struct look *l)
{
	return ZYAN_SUCCESS(l->e->decoder->operands(&l->e->decoder->zydis, &l->context, &l->in, l->op, l->in.operand_count));
}

/* Does the instruction copy a stack address out of the stack pointer (or the frame pointer)? */
static bool takes_stack(struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	bool frame = l->f->frame;
	if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && in->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT) {
		if (in->opcode == 0x54)
			return true; /* push rsp */
		if (in->opcode == 0x55)
			return false;
	}
	if (!(in->attributes & ZYDIS_ATTRIB_HAS_MODRM))
		return false;
	unsigned r = in->raw.modrm.reg, m = in->raw.modrm.rm;
	if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY) {
		r |= in->raw.rex.R << 3;
		m |= in->raw.rex.B << 3;
	}
	if (in->raw.modrm.mod != 3)
		m = 99;
	bool any = r == REG_RSP_ || m == REG_RSP_ || (frame && (r == REG_RBP_ || m == REG_RBP_));
	if (!any)
		return false;
	if (in->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY && in->opcode != 0x6e && in->opcode != 0x22)
		return false;
	if (in->meta.category != ZYDIS_CATEGORY_DATAXFER && in->meta.category != ZYDIS_CATEGORY_BINARY && in->meta.category != ZYDIS_CATEGORY_SSE
		&& in->meta.category != ZYDIS_CATEGORY_AVX && in->meta.category != ZYDIS_CATEGORY_AVX512 && in->meta.category != ZYDIS_CATEGORY_CMOV
		&& in->meta.category != ZYDIS_CATEGORY_LOGICAL)
		return false;
	if (in->mnemonic == ZYDIS_MNEMONIC_CMP || in->mnemonic == ZYDIS_MNEMONIC_TEST || !get_operands(l))
		return false;
	for (unsigned i = 0; i < in->operand_count_visible; i++) {
		const ZydisDecodedOperand *o = &l->op[i];
		if (o->type != ZYDIS_OPERAND_TYPE_REGISTER || o->reg.value < ZYDIS_REGISTER_RAX || o->reg.value > ZYDIS_REGISTER_R15)
			continue;
		unsigned g = gpr(o->reg.value);
		if (!(o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) || o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			continue;
		if (g != REG_RSP_ && !(frame && g == REG_RBP_))
			continue;
		if (i > 0 && l->op[0].type == ZYDIS_OPERAND_TYPE_REGISTER) {
			unsigned to = gpr(l->op[0].reg.value);
			if (to == REG_RSP_ || (to == REG_RBP_ && frame))
				continue; /* from one to the other */
		}
		return true;
	}
	return false;
}

static void take_lea(struct look *l)
{
	const ZydisDecodedInstruction *in = &l->in;
	struct engine *e = l->e;
	unsigned base = in->raw.modrm.rm, to = in->raw.modrm.reg | in->raw.rex.R << 3;
	if (base == 4)
		base = in->raw.sib.base;
	else if (base == 5 && in->raw.modrm.mod == 0) {
		uint64_t target = l->next + (uint64_t)in->raw.disp.value;
		if (target - e->image.lo < e->image.hi - e->image.lo)
			VEC_PUSH(&e->taken, uint32_t, (uint32_t)(target - e->image.lo));
		else
			VEC_PUSH(&e->tables, uint64_t, target);
		return;
	}
	base |= in->raw.rex.B << 3;
	if (to != REG_RSP_ && (base == REG_RSP_ || (base == REG_RBP_ && l->f->frame && to != REG_RBP_)))
		l->f->escapes = true;
}

/* Constants that may be addresses of code. */
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

static enum patch_reason take(struct look *l)
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
		take_fence(l, true);
	else if (in->mnemonic == ZYDIS_MNEMONIC_SFENCE)
		take_fence(l, false);
	else if (in->mnemonic == ZYDIS_MNEMONIC_STD)
		l->f->backwards = true;
	else if (in->mnemonic == ZYDIS_MNEMONIC_LEA)
		take_lea(l);
	if ((modrm && !only_names(in)) || hidden_memory(in)) {
		if (!get_operands(l))
			return PATCH_UNDECODED;
		if (is_repeated(in) && in->meta.category == ZYDIS_CATEGORY_STRINGOP) {
			if (in->attributes & ZYDIS_ATTRIB_HAS_ADDRESSSIZE)
				return PATCH_UNSUPPORTED;
			if (in->opcode == 0xa6 || in->opcode == 0xa7 || in->opcode == 0xae || in->opcode == 0xaf) {
				o->flags |= I_SCAN;
				o->rep = in->attributes & ZYDIS_ATTRIB_HAS_REPNE ? 0xf2 : 0xf3;
			}
		}
		bool first = true;
		for (unsigned i = 0; i < in->operand_count; i++)
			if (l->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
				take_operand(l, &l->op[i], &first);
		if (o->flags & I_ACCESS)
			read_first(VEC_AT(&l->e->accesses, struct access, o->ref));
		if (first && modrm && is_locked(in))
			take_fence(l, true);
	}
	if (!l->f->escapes && in->mnemonic != ZYDIS_MNEMONIC_LEA && takes_stack(l))
		l->f->escapes = true;
	return PATCH_OK;
}

/* Accesses to a stack of which nobody else knows an address get no hook, except for what is a fence as well. */
static void drop_private(struct engine *e, struct func *f)
{
	bool keep = f->escapes || e->config.all_stack;
	f->accesses = 0;
	for (uint32_t i = f->first; i < f->last; i++) {
		struct insn *in = VEC_AT(&e->insns, struct insn, i);
		if (!(in->flags & I_ACCESS))
			continue;
		struct access *a = VEC_AT(&e->accesses, struct access, in->ref);
		if (!keep && a->flags & MEM_STACK && !a->more && !(a->flags & MEM_ATOMIC && fence_of(e, true, a))) {
			in->flags &= (uint16_t)~(I_ACCESS | I_SPLIT); /* the rare one with two stays */
			continue;
		}
		for (f->accesses++; a->more; a++)
			f->accesses++;
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
		f->reason = (uint8_t)take(l);
		if (f->reason)
			break;
		e->boundary[off >> 6] |= 1ull << (off & 63);
		off += l->in.length;
		e->insns.n++;
	}
	f->last = (uint32_t)e->insns.n;
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
		stubs += jumps && p[in.length - 6] == 0xff && p[in.length - 5] == 0x25; /* jmp [rip+x] */
		returns += in.mnemonic == ZYDIS_MNEMONIC_RET;
		if (in.meta.category != ZYDIS_CATEGORY_NOP && in.meta.category != ZYDIS_CATEGORY_WIDENOP && in.mnemonic != ZYDIS_MNEMONIC_INT3
			&& *p)
			bytes += in.length;
	}
	return bytes > 200 && returns && returns >= stubs && bytes > (hi - lo) / 4;
}

bool decode_split(struct engine *e, const struct insn *at, struct split *s)
{
	struct look l = { .e = e, .p = e->image.text + at->off };
	if (!ZYAN_SUCCESS(e->decoder->instruction(&e->decoder->zydis, &l.context, l.p, at->len, &l.in)) || !get_operands(&l))
		return false;
	const ZydisDecodedInstruction *in = &l.in;
	unsigned used = 0;
	*s = (struct split){ 0 };
	for (unsigned i = 0; i < in->operand_count; i++) {
		const ZydisDecodedOperand *o = &l.op[i];
		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			used |= 1u << gpr(o->reg.value);
		} else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			used |= 1u << gpr(o->mem.base) | 1u << gpr(o->mem.index);
			s->size = (uint8_t)(o->size / 8);
		}
	}
	static const uint8_t order[] = { 0, 2, 1, 3 };
	unsigned i = 0;
	while (used & 1u << order[i])
		if (++i == sizeof order)
			return false;
	s->temp = order[i];
	s->carry = in->cpu_flags && in->cpu_flags->tested;
	/* The prefixes and the opcode as they are, ModRM naming the register, then the constant. */
	unsigned n = in->raw.modrm.offset, end = n + 1u + (in->attributes & ZYDIS_ATTRIB_HAS_SIB ? 1 : 0) + in->raw.disp.size / 8u;
	memcpy(s->bytes, l.p, n);
	if (in->attributes & ZYDIS_ATTRIB_HAS_REX)
		s->bytes[in->raw.rex.offset] &= 0xfc; /* no X, no B */
	s->bytes[n] = (uint8_t)(0xc0 | in->raw.modrm.reg << 3 | s->temp);
	memcpy(s->bytes + n + 1, l.p + end, at->len - end);
	s->n = (uint8_t)(n + 1 + at->len - end);
	return true;
}
