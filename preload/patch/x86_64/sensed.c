/*
 * Finds the functions that report their accesses by themselves, because compilers made them call the functions of a
 * sensor, and the accesses that such a function does not report.
 *
 * A compiler puts the call right before the statement with the access. So a call announces bytes, and the accesses
 * between it and the next call use them up: those whose operand names the announced place first, then others. Compilers
 * announce no accesses that appear only when they make instructions: copies of arguments and results that are
 * structures, string functions that become stores. And clang leaves out reads that a write of the same variable
 * follows. Such an access finds no bytes that were announced. If it is not clear which access of several is the one,
 * all of them get a hook. An access that is reported twice makes no wrong result.
 */
#include <string.h>

#include "preload/accesses/mem.h"
#include "preload/patch/x86_64/decode.h"
#include "preload/patch/x86_64/site.h"
#include "preload/base/rules.h"

#define MOST_ENTRIES 1024
#define MANY UINT16_MAX /* bytes: a range of unknown length */

struct entry {
	uint64_t place;         /* where the module has the function's address */
	uint16_t reads, writes; /* bytes that it announces */
};

/* ---- the functions of the sensor ---- */

/* Returns how many bytes a function of the sensor announces if its name has this word; 0: it does not have it. */
static uint16_t bytes_of(const char *name, const char *word)
{
	const char *at = strstr(name, word);
	unsigned n = 0;
	if (!at)
		return 0;
	for (at += strlen(word); *at >= '0' && *at <= '9' && n < 1000; at++)
		n = n * 10 + (unsigned)(*at - '0');
	return n ? (uint16_t)n : MANY;
}

static void note_entry(void *ctx, uint64_t place, const char *name)
{
	struct engine *e = ctx;
	struct entry x = { .place = place };
	if (strncmp(name, e->config.sensor, strlen(e->config.sensor)))
		return;
	if (strstr(name, "_atomic")) {
		bool leaves_load = e->config.sensor_leaves_loads && strstr(name, "_load");
		x.reads = leaves_load ? bytes_of(name, "_atomic") / 8 : 0;
	} else if (strstr(name, "vptr")) {
		x.reads = strstr(name, "read") ? sizeof(void *) : 0;
		x.writes = strstr(name, "update") ? sizeof(void *) : 0;
	} else if (strstr(name, "read_write")) {
		x.reads = x.writes = bytes_of(name, "read_write");
	} else {
		x.reads = bytes_of(name, "read");
		x.writes = bytes_of(name, "write");
	}
	VEC_PUSH(&e->sensor, struct entry, x);
}

bool sensed_begin(struct engine *e)
{
	if (!e->config.sensor)
		return true;
	if (!vec_make(&e->sensor, sizeof(struct entry), MOST_ENTRIES))
		return false;
	imports_each(&e->image, note_entry, e);
	return true;
}

/* The function's address may also be loaded into a register for several calls. NULL: the instruction leads to no
   function of the sensor. */
static const struct entry *entry_of(const struct engine *e, const struct insn *in)
{
	bool direct = in->kind == K_CALL || in->kind == K_JMP;
	uint64_t place;
	if (!(direct ? code_stub_entry(e, in->ref, &place) : code_names(e, in, &place)))
		return NULL;
	for (size_t i = 0; i < e->sensor.n; i++)
		if (VEC_AT(&e->sensor, struct entry, i)->place == place)
			return VEC_AT(&e->sensor, struct entry, i);
	return NULL;
}

/* ---- places ---- */

/* An address as an instruction computes it. */
struct place {
	bool known;
	uint8_t base, index, scale; /* REG_NONE: none; so `at` is the address if both are */
	int64_t at;
};

static bool is_constant(const struct place *p)
{
	return p->known && p->base == REG_NONE && p->index == REG_NONE;
}

static struct place place_of_access(const struct engine *e, const struct insn *in, const struct access *a)
{
	struct place p = { true, a->base, a->index, a->scale, a->disp };
	if (a->kind != SITE_PLAIN)
		p.known = false;
	if (a->base == REG_RIP_) {
		p.base = REG_NONE;
		p.at += (int64_t)(e->image.lo + in->off + in->len);
	}
	return p;
}

/* Sets *p to what the instruction loads into the register of the first argument. Returns whether it is one that does
   so. */
static bool loads_argument(const struct engine *e, const struct insn *in, struct place *p)
{
	ZydisDecoderContext context;
	ZydisDecodedInstruction d;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	const struct decoder *z = e->decoder;
	*p = (struct place){ .base = REG_NONE, .index = REG_NONE };
	if (!ZYAN_SUCCESS(z->instruction(&z->zydis, &context, e->image.text + in->off, in->len, &d)) ||
		!ZYAN_SUCCESS(z->operands(&z->zydis, &context, &d, op, d.operand_count)) || !d.operand_count_visible)
		return false;
	if (op[0].type != ZYDIS_OPERAND_TYPE_REGISTER || decode_gpr(op[0].reg.value) != REG_RDI_ ||
		!(op[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return false;
	const ZydisDecodedOperand *from = &op[1];
	if (d.mnemonic == ZYDIS_MNEMONIC_MOV && from->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		p->known = true;
		p->base = (uint8_t)decode_gpr(from->reg.value);
	} else if (d.mnemonic == ZYDIS_MNEMONIC_MOV && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		p->known = true;
		p->at = (int64_t)from->imm.value.u;
	} else if (d.mnemonic == ZYDIS_MNEMONIC_LEA) {
		bool rip = from->mem.base == ZYDIS_REGISTER_RIP;
		p->known = true;
		p->base = rip ? REG_NONE : (uint8_t)decode_gpr(from->mem.base);
		p->index = (uint8_t)decode_gpr(from->mem.index);
		p->scale = from->mem.scale ? (uint8_t)__builtin_ctz(from->mem.scale) : 0;
		p->at = from->mem.disp.value + (rip ? (int64_t)(e->image.lo + in->off + in->len) : 0);
	}
	return true;
}

#define LOOK_BACK 6u /* instructions */

/* Returns the first argument of the call that is instruction i of the function. */
static struct place argument_of(const struct engine *e, const struct func *f, uint32_t i)
{
	struct place p;
	for (uint32_t k = 1; k <= LOOK_BACK && i >= f->first + k; k++)
		if (loads_argument(e, VEC_AT(&e->insns, struct insn, i - k), &p))
			return p;
	return (struct place){ .known = false };
}

/* ---- a walk through a function ---- */

#define MOST_PIECES 16
#define MOST_USES 64

/* Bytes that were announced, for reads or for writes. */
struct piece {
	struct place at;
	uint16_t bytes, left; /* left: MANY or what no access has used up */
	bool write;
};

struct use {
	struct access *a;
	struct place at;
	bool loose; /* it used up bytes of another place, or of one that is not known */
};

struct walk {
	struct engine *e;
	bool by_register;    /* the function may call the sensor by a register */
	bool unknown;        /* it may have done so since the last call that is known */
	unsigned n, uses;
	struct piece piece[MOST_PIECES];
	struct use use[MOST_USES]; /* accesses since the latest call */
};

static bool take(struct piece *p, uint32_t bytes)
{
	if (p->left < bytes)
		return false;
	p->left -= p->left == MANY ? 0 : bytes;
	return true;
}

static uint32_t bytes_used(const struct access *a)
{
	return a->kind == SITE_REPEAT ? 1 : a->size;
}

static bool same_place(const struct piece *p, const struct use *u)
{
	const struct place *a = &p->at, *b = &u->at;
	bool registers = a->base == b->base && a->index == b->index && a->scale == b->scale;
	return a->known && b->known && registers && a->at <= b->at &&
	       (p->bytes == MANY || b->at + u->a->size <= a->at + p->bytes);
}

/* Uses up bytes of the access's place. */
static bool use_exact(struct walk *w, const struct use *u, bool write)
{
	for (struct piece *p = w->piece; p < w->piece + w->n; p++)
		if (p->write == write && same_place(p, u) && take(p, bytes_used(u->a)))
			return true;
	return false;
}

/* Uses up bytes of any place that may be that of the access: compilers keep one address in several registers. */
static bool use_loose(struct walk *w, const struct use *u, bool write)
{
	uint32_t bytes = bytes_used(u->a);
	for (struct piece *p = w->piece; p < w->piece + w->n && bytes; p++) {
		if (p->write != write || (is_constant(&p->at) && is_constant(&u->at)))
			continue;
		uint32_t some = p->left < bytes ? p->left : bytes;
		bytes -= take(p, some) ? some : 0;
	}
	return !bytes;
}

static bool writes(const struct use *u)
{
	return u->a->flags & MEM_WRITE;
}

/* Two accesses of one kind: one of them is not announced, but perhaps it is the other one. */
static void hook_doubtful(struct walk *w, bool write)
{
	bool missing = false;
	for (const struct use *u = w->use; u < w->use + w->uses; u++)
		missing |= writes(u) == write && !u->a->reported;
	for (const struct use *u = w->use; u < w->use + w->uses && missing; u++)
		if (writes(u) == write && u->loose)
			u->a->reported = false;
}

/* Decides on the accesses since the latest call. */
static void decide(struct walk *w)
{
	for (struct use *u = w->use; u < w->use + w->uses; u++) {
		u->a->reported = use_exact(w, u, writes(u)) || w->unknown;
		if (u->a->reported && writes(u) && u->a->flags & MEM_READ)
			use_exact(w, u, false);
	}
	for (struct use *u = w->use; u < w->use + w->uses; u++)
		if (!u->a->reported)
			u->a->reported = u->loose = use_loose(w, u, writes(u));
	hook_doubtful(w, false);
	hook_doubtful(w, true);
	w->uses = 0;
}

static void announce(struct walk *w, const struct place *at, uint16_t bytes, bool write)
{
	if (!bytes)
		return;
	if (w->n == MOST_PIECES) { /* the oldest one is least likely to be used */
		memmove(w->piece, w->piece + 1, (MOST_PIECES - 1) * sizeof w->piece[0]);
		w->n--;
	}
	w->piece[w->n++] = (struct piece){ .at = *at, .bytes = bytes, .left = bytes, .write = write };
}

static void walk_call(struct walk *w, const struct func *f, uint32_t i)
{
	const struct insn *in = VEC_AT(&w->e->insns, struct insn, i);
	const struct entry *x = entry_of(w->e, in);
	decide(w);
	if (!x || (!x->reads && !x->writes)) {
		w->n = 0;
		w->unknown = !x && in->kind == K_CALL_INDIRECT && w->by_register;
		return;
	}
	struct place at = argument_of(w->e, f, i);
	announce(w, &at, x->reads, false);
	announce(w, &at, x->writes, true);
}

static void walk_accesses(struct walk *w, const struct insn *in)
{
	for (struct access *a = insn_access(w->e, in); a; a = a->more ? a + 1 : NULL) {
		a->reported = a->flags & MEM_STACK; /* a register that was spilled */
		if (a->flags & (MEM_STACK | MEM_ATOMIC | MEM_FENCE))
			continue;
		if (w->uses == MOST_USES)
			decide(w);
		w->use[w->uses++] = (struct use){ .a = a, .at = place_of_access(w->e, in, a) };
	}
}

bool sensed_function(struct engine *e, const struct func *f)
{
	struct walk w = { .e = e };
	bool any = false;
	for (uint32_t i = f->first; e->sensor.n && i < f->last; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i);
		bool leads = entry_of(e, in);
		any |= leads;
		w.by_register |= leads && in->kind == K_PLAIN;
	}
	for (uint32_t i = f->first; any && i < f->last; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i);
		walk_accesses(&w, in);
		if (in->kind == K_CALL || in->kind == K_CALL_INDIRECT)
			walk_call(&w, f, i);
	}
	decide(&w);
	return any;
}
