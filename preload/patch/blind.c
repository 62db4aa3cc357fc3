/*
 * Code without unwind information: assembly without .cfi, or compiled with -fno-asynchronous-unwind-tables. It is not patched, so it must be
 * reported if the program may run it. Between functions there is also code that does not matter: the compiler's start-up code, which the loader
 * calls, the linker's stubs, padding. So only code counts to which other code or data of the module leads, and which accesses memory.
 */
#include <elf.h>
#include <string.h>

#include "preload/accesses/mem.h"
#include "preload/patch/library.h"
#include "preload/base/rules.h"

enum { MOST_PLACES = 1 << 16, MOST_BYTES = 1 << 16 };

struct search {
	struct engine *e;
	struct vec places; /* uint32_t: places to look at, and those that were looked at before */
	struct vec seen;   /* bitmap of these, by place */
	void (*found)(struct engine *e, uint32_t off);
};

/* ---- one piece of code ---- */

/* Returns the end of the code without unwind information that contains the place: the next function, or the end of the segment. 0: the place is
   in a function, or in no code. */
static uint32_t hole_end(const struct engine *e, uint32_t off)
{
	uint64_t addr = e->image.lo + off, end = 0, i, n = 0;
	struct func f;
	for (unsigned k = 0; k < e->image.segs; k++)
		if (e->image.seg[k].exec && addr - e->image.seg[k].lo < e->image.seg[k].hi - e->image.seg[k].lo)
			end = e->image.seg[k].hi - e->image.lo;
	if (!end || !module_table(&e->image, &n))
		return 0;
	if (!module_entry(&e->image, addr, &i))
		i = UINT64_MAX;
	else if (module_peek((struct engine *)e, i, &f) && off < f.hi)
		return 0;
	if (i + 1 < n && module_peek((struct engine *)e, i + 1, &f) && f.lo > off && f.lo < end)
		end = f.lo;
	return (uint32_t)end;
}

static void look_later(void *ctx, int64_t off)
{
	struct search *s = ctx;
	if (off >= 0 && off < (int64_t)(s->e->image.hi - s->e->image.lo))
		VEC_PUSH(&s->places, uint32_t, (uint32_t)off);
}

/* Looks at the place without a trace in the engine. */
static bool look_at(struct search *s, uint32_t off)
{
	struct engine *e = s->e;
	struct vec *kept[] = { &e->candidates, &e->taken, &e->tables, &e->text_data, &e->accesses };
	struct vec before[sizeof kept / sizeof *kept];
	struct func f = { .lo = off, .hi = hole_end(e, off) };
	uint32_t not_hooked = e->m->not_hooked;
	bool accesses = false;
	for (uint32_t at = off; e->library && at < f.hi && at - off < MOST_BYTES + BLOCK; at += BLOCK)
		block_copy(e->library, block_of(e->library, at));
	if (e->library && f.hi && f.hi - off < MOST_BYTES)
		block_copy(e->library, block_of(e->library, f.hi - 1));
	if (f.hi < off + 4 || code_is_stub(e->image.text + off, f.hi - off))
		return false;
	for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
		before[i] = *kept[i];
	size_t places = s->places.n;
	bool code = decode_walk(e, &f, MOST_BYTES, &accesses, look_later, s);
	for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
		*kept[i] = before[i];
	e->m->not_hooked = not_hooked;
	if (!code)
		s->places.n = places;
	return code && accesses;
}

static void run(struct search *s)
{
	uint64_t *seen = s->seen.at;
	for (size_t i = 0; i < s->places.n; i++) {
		uint32_t off = *VEC_AT(&s->places, uint32_t, i);
		if (seen[off >> 6] >> (off & 63) & 1)
			continue;
		seen[off >> 6] |= UINT64_C(1) << (off & 63);
		if (look_at(s, off))
			s->found(s->e, off);
	}
}

static bool begin(struct search *s, struct engine *e, void (*found)(struct engine *e, uint32_t off))
{
	*s = (struct search){ .e = e, .found = found };
	return vec_make(&s->places, 4, MOST_PLACES) && vec_make(&s->seen, 8, (e->image.hi - e->image.lo) / 64 + 1);
}

static void end(struct search *s)
{
	vec_free(&s->places);
	vec_free(&s->seen);
}

/* ---- what leads there ---- */

/* Adds the targets of branches, and the addresses that instructions take. */
static void add_code(struct search *s)
{
	const struct engine *e = s->e;
	for (size_t i = 0; i < e->insns.n; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i);
		if ((in->kind == K_CALL || in->kind == K_JMP || in->kind == K_JCC) && !analyse_func(e, in->ref))
			look_later(s, in->ref);
	}
	for (size_t i = 0; i < e->taken.n; i++)
		look_later(s, *VEC_AT(&e->taken, uint32_t, i));
	for (size_t i = 0; i < e->candidates.n; i++)
		look_later(s, *VEC_AT(&e->candidates, uint32_t, i));
}

/* What the dynamic section says. */
struct dynamic {
	const Elf64_Sym *symbols;
	const uint32_t *hash, *gnu_hash;
	uint64_t init, fini, list[3], bytes[3]; /* what the loader calls: two functions, and lists of functions */
};

static struct dynamic read_dynamic(const struct image *im)
{
	struct dynamic out = { 0 };
	for (const Elf64_Dyn *d = im->dynamic; d && d->d_tag != DT_NULL; d++) {
		uint64_t v = d->d_un.d_ptr, at = v < im->base ? v + im->base : v;
		switch (d->d_tag) {
		case DT_SYMTAB: out.symbols = (const Elf64_Sym *)at; break;
		case DT_HASH: out.hash = (const uint32_t *)at; break;
		case DT_GNU_HASH: out.gnu_hash = (const uint32_t *)at; break;
		case DT_INIT: out.init = at; break;
		case DT_FINI: out.fini = at; break;
		case DT_INIT_ARRAY: out.list[0] = at; break;
		case DT_INIT_ARRAYSZ: out.bytes[0] = v; break;
		case DT_FINI_ARRAY: out.list[1] = at; break;
		case DT_FINI_ARRAYSZ: out.bytes[1] = v; break;
		case DT_PREINIT_ARRAY: out.list[2] = at; break;
		case DT_PREINIT_ARRAYSZ: out.bytes[2] = v; break;
		}
	}
	return out;
}

/* Adds the places to which words of the module's data point, except for the lists of what the loader calls. */
static void add_data(struct search *s, const struct dynamic *d)
{
	const struct image *im = &s->e->image;
	for (unsigned i = 0; i < im->segs; i++) {
		const struct segment *g = &im->seg[i];
		for (const uint64_t *p = (const uint64_t *)((g->lo + 7) & ~7ull); !g->exec && (uint64_t)(p + 1) <= g->hi; p++) {
			uint64_t at = (uint64_t)p;
			bool list = at - (uint64_t)im->dynamic < im->dynamic_bytes || *p == d->init || *p == d->fini;
			for (unsigned k = 0; k < 3; k++)
				list |= at - d->list[k] < d->bytes[k];
			if (!list && *p - im->lo < im->hi - im->lo && !analyse_func(s->e, (int64_t)(*p - im->lo)))
				look_later(s, (int64_t)(*p - im->lo));
		}
	}
}

/* Returns the number of symbols. The hash table for GNU's loader does not have it: the last chain ends there. */
static uint64_t count_symbols(const struct dynamic *d)
{
	const uint32_t *h = d->gnu_hash;
	if (d->hash)
		return d->hash[1];
	if (!h)
		return 0;
	const uint32_t *buckets = h + 4 + 2 * h[2], *chains = buckets + h[0];
	uint32_t last = 0;
	for (uint32_t i = 0; i < h[0]; i++)
		last = buckets[i] > last ? buckets[i] : last;
	if (last < h[1])
		return h[1];
	while (!(chains[last - h[1]] & 1))
		last++;
	return last + 1;
}

/* Adds the functions in [lo, hi) that other modules can call. */
static void add_symbols(struct search *s, const struct dynamic *d, uint32_t lo, uint32_t hi)
{
	const struct image *im = &s->e->image;
	uint64_t n = d->symbols ? count_symbols(d) : 0;
	for (uint64_t i = 0; i < n; i++) {
		const Elf64_Sym *y = &d->symbols[i];
		uint64_t off = im->base + y->st_value - im->lo;
		if (ELF64_ST_TYPE(y->st_info) == STT_FUNC && y->st_shndx != SHN_UNDEF && off >= lo && off < hi && im->base + y->st_value != d->init &&
			im->base + y->st_value != d->fini)
			look_later(s, (int64_t)off);
	}
}

/* ---- a whole module ---- */

static void note(struct engine *e, uint32_t off)
{
	for (size_t i = 0; i < e->blind.n; i++)
		if (*VEC_AT(&e->blind, uint32_t, i) == off)
			return;
	VEC_PUSH(&e->blind, uint32_t, off);
}

void blind_find(struct engine *e)
{
	struct dynamic d = read_dynamic(&e->image);
	struct search s;
	if (begin(&s, e, note)) {
		add_code(&s);
		add_data(&s, &d);
		add_symbols(&s, &d, 0, (uint32_t)(e->image.hi - e->image.lo));
		run(&s);
	}
	end(&s);
}

/* ---- a part of a library ---- */

void blind_reached(struct engine *e, void (*found)(struct engine *e, uint32_t off))
{
	struct search s;
	bool any = false;
	for (size_t i = 0; i < e->insns.n && !any; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i);
		any = (in->kind == K_CALL || in->kind == K_JMP) && in->ref >= 0 && !analyse_func(e, in->ref) && hole_end(e, (uint32_t)in->ref);
	}
	if (!any)
		return;
	if (begin(&s, e, found)) {
		for (size_t i = 0; i < e->insns.n; i++) {
			const struct insn *in = VEC_AT(&e->insns, struct insn, i);
			if ((in->kind == K_CALL || in->kind == K_JMP) && !analyse_func(e, in->ref))
				look_later(&s, in->ref);
		}
		run(&s);
	}
	end(&s);
}

void blind_at(struct engine *e, uint32_t off, void (*found)(struct engine *e, uint32_t off))
{
	struct dynamic d = read_dynamic(&e->image);
	struct search s;
	uint64_t addr = e->image.lo + off;
	bool loader = addr == d.init || addr == d.fini;
	for (unsigned k = 0; k < 3; k++)
		for (const uint64_t *p = (const uint64_t *)d.list[k]; (uint64_t)p < d.list[k] + d.bytes[k]; p++)
			loader |= *p == addr;
	if (!hole_end(e, off) || loader)
		return;
	if (begin(&s, e, found)) {
		look_later(&s, off);
		run(&s);
	}
	end(&s);
}

void blind_exported(struct engine *e, uint32_t lo, uint32_t hi, void (*found)(struct engine *e, uint32_t off))
{
	struct dynamic d = read_dynamic(&e->image);
	struct search s;
	if (begin(&s, e, found)) {
		add_symbols(&s, &d, lo, hi);
		run(&s);
	}
	end(&s);
}
