/*
 * Libraries whose functions are patched when they are reached; see lazy.h.
 *
 * The code of such a library is divided into blocks. A block is closed (it cannot be executed) until the program comes to a function in it. Then it is opened:
 * it can be executed, but its functions that were not reached are int3 from end to end. The functions that are reached together, and patched together, are
 * one and those into whose middle it leads (a function and what the compiler has moved out of it): apply.c must know each
 * place that is jumped to. What lies between functions stays as it is.
 */
#include "preload/patch/lazy.h"

#include <string.h>
#include <sys/mman.h>

#include "preload/patch/engine.h"
#include "preload/patch/site.h"
#include "preload/patch/trap.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define LIBRARIES 128
#define PAGE 4096ull
#define BLOCK (8 * PAGE)
#define PLAIN 320 /* bytes without unwind information in one place that are too few to matter, as in patch.c */

/* At most, of what is patched together. Memory is taken for what is touched only. */
enum { MOST_FUNCTIONS = 4096, MOST_INSNS = 1 << 19, MOST_PLACES = 1 << 16 };

struct library {
	struct image image;
	struct patch_config config;
	struct patch_module info;
	uint64_t lo, bytes;                  /* its code, in whole pages; what follows is by place in it, from image.lo on, or by block */
	uint8_t *copy;                       /* as it was when its block was opened */
	uint64_t *known;                     /* bits: a function that begins there was reached */
	uint64_t *left;                      /* bits: a function that begins there stays as it is: data is read from it */
	uint64_t *pointed;                   /* bits: a word of its data points there */
	uint64_t *boundary;                  /* as in struct engine; all 0 between two uses, like `use` */
	uint8_t *use;
	uint64_t copied[64], open[64], writable[64]; /* bits, by block */
	uint8_t *code_at, *code_end;         /* room for new code */
	struct map_entry *map_at, *map_end;
	bool closed, data_read;
};

static struct library *library; /* LIBRARIES of them */
static unsigned libraries;
static bool closing;
static struct engine *engine;   /* scratch, for one use after the other */
static struct vec far;          /* uint32_t: places in functions that have to be reached as well */
static struct vec news;         /* engine.new_off */

static bool bit(const uint64_t *bits, uint64_t i)
{
	return bits[i >> 6] >> (i & 63) & 1;
}

static void set_bit(uint64_t *bits, uint64_t i)
{
	bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

static void clear_bit(uint64_t *bits, uint64_t i)
{
	bits[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

/* ---- adding ---- */

static bool make_engine(void)
{
	struct vec own = { 0 }, all = { 0 };
	if (engine)
		return true;
	if (!vec_make(&own, sizeof(struct engine), 1) || !vec_make(&all, sizeof(struct library), LIBRARIES))
		return false;
	struct engine *e = own.at;
	library = all.at;
	bool ok = vec_make(&e->funcs, sizeof(struct func), MOST_FUNCTIONS) && vec_make(&e->insns, sizeof(struct insn), MOST_INSNS) &&
		  vec_make(&e->accesses, sizeof(struct access), 2 * MOST_INSNS) && vec_make(&e->candidates, 4, MOST_INSNS) &&
		  vec_make(&e->taken, 4, MOST_PLACES) && vec_make(&e->tables, 8, MOST_PLACES) && vec_make(&e->text_data, 4, MOST_PLACES) &&
		  vec_make(&e->fixups, FIXUP_BYTES, MOST_INSNS) && vec_make(&e->map, sizeof(struct map_entry), 4 * MOST_INSNS) &&
		  vec_make(&far, 4, MOST_INSNS) && vec_make(&news, 4, MOST_INSNS);
	engine = ok ? e : NULL;
	return ok;
}

/* The one segment with code; NULL when there are several, or it can be written to. */
static const struct segment *code_of(const struct image *im)
{
	const struct segment *code = NULL;
	for (unsigned i = 0; i < im->segs; i++) {
		if (!im->seg[i].exec)
			continue;
		if (code || im->seg[i].write)
			return NULL;
		code = &im->seg[i];
	}
	return code;
}

static const char *add(struct library *l, struct engine *e, const void *addr)
{
	struct vec data = { 0 };
	uint64_t entries;
	if (!hook_init(&l->config))
		return "this processor has no XSAVE";
	if (!module_find(e, addr))
		return l->info.refused;
	l->image = e->image;
	const struct segment *code = code_of(&l->image);
	if (!code)
		return "its code is in several parts, or can be written to";
	if (!module_table(&l->image, &entries))
		return "its table of functions (.eh_frame_hdr) has an unknown form";
	l->lo = code->lo & -PAGE;
	l->bytes = ((code->hi + PAGE - 1) & -PAGE) - l->lo;
	if (l->bytes > sizeof l->open * 8 * BLOCK)
		return "it has too much code";
	if (!decode_open(e))
		return "the decoder (libZydis.so.4.0) cannot be loaded";
	uint64_t room = 10 * l->bytes + 65536, maps = 4 * l->bytes + 65536, bits = l->bytes / 8;
	room = room < (600u << 20) ? room : 600u << 20;
	if (!vec_make(&data, 1, 2 * l->bytes + PAGE + 4 * bits + maps))
		return "out of memory";
	e->library = l;
	if (!apply_reserve(e, room)) {
		vec_free(&data);
		return "no room for its new code within 2 GiB";
	}
	uint8_t *at = data.at;
	l->copy = at, at += l->bytes;
	l->use = at, at += l->bytes + PAGE;
	l->known = (uint64_t *)at, at += bits;
	l->left = (uint64_t *)at, at += bits;
	l->pointed = (uint64_t *)at, at += bits;
	l->boundary = (uint64_t *)at, at += bits;
	l->map_at = (struct map_entry *)at, at += maps;
	l->map_end = (struct map_entry *)at;
	l->code_at = e->region;
	l->code_end = e->region + room;
	l->image.text = l->copy + (l->image.lo - l->lo);
	return NULL;
}

static struct library *find(uint64_t addr)
{
	for (unsigned i = 0; i < libraries; i++)
		if (addr - library[i].lo < library[i].bytes)
			return &library[i];
	return NULL;
}

static void tell(const struct library *l)
{
	if (l->config.report.module)
		l->config.report.module(l->config.report.ctx, &l->info);
}

static void close_library(struct library *l)
{
	l->closed = l->closed || !sys_failed(sys_mprotect((void *)l->lo, l->bytes, PROT_READ));
}

/* Reports that the library at `addr` stays as it is, before there is an entry for it. */
static bool refuse(const void *addr, const struct patch_config *config, const char *why)
{
	struct library l = { .config = *config };
	struct engine e = { .m = &l.info };
	module_find(&e, addr); /* its name */
	strcpy(l.info.refused, why);
	tell(&l);
	return false;
}

bool lazy_add(const void *addr, const struct patch_config *config)
{
	static bool busy;
	if (busy || find((uint64_t)addr))
		return true;
	if (libraries == LIBRARIES)
		return refuse(addr, config, "too many libraries are loaded");
	if (!make_engine())
		return refuse(addr, config, "out of memory");
	struct library *l = &library[libraries];
	*l = (struct library){ .config = *config, .info.lazy = true };
	engine->m = &l->info;
	busy = true; /* loading the decoder is a dlopen, too */
	const char *why = add(l, engine, addr);
	busy = false;
	if (why && why != l->info.refused)
		strcpy(l->info.refused, why);
	libraries += !why;
	tell(l);
	if (closing && !why)
		close_library(l);
	return !why;
}

bool lazy_any(void)
{
	return libraries;
}

void lazy_close(void)
{
	closing = true;
	for (unsigned i = 0; i < libraries; i++)
		close_library(&library[i]);
}

/* ---- blocks ---- */

static uint64_t block_of(const struct library *l, uint32_t off)
{
	return (l->image.lo + off - l->lo) / BLOCK;
}

static uint64_t block_lo(const struct library *l, uint64_t b)
{
	return l->lo + b * BLOCK;
}

static uint64_t block_bytes(const struct library *l, uint64_t b)
{
	return l->bytes - b * BLOCK < BLOCK ? l->bytes - b * BLOCK : BLOCK;
}

static void copy(struct library *l, uint64_t b)
{
	if (!bit(l->copied, b))
		memcpy(l->copy + b * BLOCK, (const void *)block_lo(l, b), block_bytes(l, b));
	set_bit(l->copied, b);
}

static void hole(struct library *l, uint32_t off, enum patch_reason reason)
{
	struct patch_hole h = { .addr = l->image.lo + off, .reason = reason, .lazy = true };
	l->info.uncovered++;
	tell(l);
	if (l->config.report.hole)
		l->config.report.hole(l->config.report.ctx, &h);
}

/* The part of [lo, hi) in the block; false: there is none. */
static bool within(const struct library *l, uint64_t b, uint64_t *lo, uint64_t *hi)
{
	uint64_t start = block_lo(l, b), end = start + block_bytes(l, b);
	*lo = *lo > start ? *lo : start;
	*hi = *hi < end ? *hi : end;
	return *lo < *hi;
}

/* The functions in the block that were not reached: int3 from end to end, or (`back`) as they were. The bytes between functions stay. */
static void fill(struct library *l, uint64_t b, bool back)
{
	uint64_t i = 0, n, at = block_lo(l, b);
	struct func f;
	if (!module_table(&l->image, &n))
		return;
	engine->image = l->image;
	if (!module_entry(&l->image, block_lo(l, b), &i))
		i = 0;
	for (; i < n; i++) {
		if (!module_peek(engine, i, &f))
			continue;
		uint64_t lo = l->image.lo + f.lo, hi = l->image.lo + f.hi;
		if (lo >= block_lo(l, b) + block_bytes(l, b))
			break;
		if (!back && lo > at + PLAIN && decode_is_code(engine, at, lo))
			hole(l, (uint32_t)(at - l->image.lo), PATCH_NO_UNWIND);
		at = hi > at ? hi : at;
		if (f.foreign || bit(l->known, f.lo) || bit(l->left, f.lo) || !within(l, b, &lo, &hi))
			continue;
		if (back)
			memcpy((void *)lo, l->copy + (lo - l->lo), hi - lo);
		else
			memset((void *)lo, 0xcc, hi - lo);
	}
}

/* Makes a block writable, and opens it. */
static bool unlock(struct library *l, uint64_t b)
{
	if (bit(l->writable, b))
		return true;
	copy(l, b);
	if (sys_failed(sys_mprotect((void *)block_lo(l, b), block_bytes(l, b), PROT_READ | PROT_WRITE)))
		return false;
	set_bit(l->writable, b);
	if (!bit(l->open, b))
		fill(l, b, false);
	set_bit(l->open, b);
	return true;
}

static void lock(struct library *l, uint64_t b)
{
	if (bit(l->writable, b))
		sys_mprotect((void *)block_lo(l, b), block_bytes(l, b), PROT_READ | PROT_EXEC);
	clear_bit(l->writable, b);
}

/* ---- what is reached together ---- */

/* The function at the place; false: none. */
static bool function_at(struct engine *e, uint32_t off, struct func *f, uint64_t *i)
{
	return module_entry(&e->image, e->image.lo + off, i) && module_peek(e, *i, f) && off < f->hi;
}

/* Among those that are reached now? They are not sorted yet. */
static bool is_now(const struct engine *e, uint32_t lo)
{
	for (size_t k = 0; k < e->funcs.n; k++)
		if (VEC_AT(&e->funcs, struct func, k)->lo == lo)
			return true;
	return false;
}

/* Code of f leads to the place, somewhere else. Where a function begins is known anyway. */
static void leads_to(struct engine *e, struct func *f, int64_t off)
{
	struct func g;
	uint64_t i;
	if ((off >= f->lo && off < f->hi) || off < 0 || off >= (int64_t)(e->image.hi - e->image.lo) ||
		!function_at(e, (uint32_t)off, &g, &i) || g.lo == off || g.foreign)
		return;
	if (bit(e->library->known, g.lo) && !is_now(e, g.lo))
		f->pulled = true; /* the place has become new code: a jump in new code leads there */
	else
		VEC_PUSH(&far, uint32_t, (uint32_t)off);
}

static void take(struct engine *e, uint32_t off)
{
	struct library *l = e->library;
	struct func found, *f = VEC_AT(&e->funcs, struct func, e->funcs.n);
	uint64_t i;
	size_t pads = e->candidates.n;
	if (!function_at(e, off, &found, &i) || found.foreign || bit(l->known, found.lo) || e->funcs.n == e->funcs.max || !module_function(e, i, f))
		return;
	size_t pads_end = e->candidates.n;
	set_bit(l->known, f->lo);
	if (bit(l->left, f->lo))
		f->reason = PATCH_UNSUPPORTED;
	for (uint64_t b = block_of(l, f->lo); b <= block_of(l, f->hi - 1); b++)
		copy(l, b);
	e->funcs.n++;
	if (e->insns.max - e->insns.n < f->hi - f->lo)
		f->reason = PATCH_TOO_FAR;
	decode_one(e, f);
	for (size_t k = pads; k < pads_end; k++)
		leads_to(e, f, *VEC_AT(&e->candidates, uint32_t, k));
	for (uint32_t k = f->first; k < f->last; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->kind == K_JMP || in->kind == K_JCC || in->kind == K_LOOP)
			leads_to(e, f, in->ref);
	}
}

static void sort(struct engine *e)
{
	for (size_t i = 1; i < e->funcs.n; i++) {
		struct func f = *VEC_AT(&e->funcs, struct func, i);
		size_t k = i;
		for (; k && VEC_AT(&e->funcs, struct func, k - 1)->lo > f.lo; k--)
			*VEC_AT(&e->funcs, struct func, k) = *VEC_AT(&e->funcs, struct func, k - 1);
		*VEC_AT(&e->funcs, struct func, k) = f;
	}
}

/* Data is read from another function, or an address inside of it taken: it must be what it was. */
static void leave(struct engine *e, uint32_t off, bool address)
{
	struct library *l = e->library;
	struct func g;
	uint64_t i;
	if (analyse_func(e, off) || !function_at(e, off, &g, &i) || g.foreign || bit(l->left, g.lo) || (address && g.lo == off))
		return;
	set_bit(l->left, g.lo);
	for (uint64_t b = block_of(l, g.lo); b <= block_of(l, g.hi - 1); b++)
		if (bit(l->open, b) && !unlock(l, b))
			return;
	for (uint64_t b = block_of(l, g.lo); b <= block_of(l, g.hi - 1); b++) {
		uint64_t lo = l->image.lo + g.lo, hi = l->image.lo + g.hi;
		if (bit(l->open, b) && within(l, b, &lo, &hi))
			memcpy((void *)lo, l->copy + (lo - l->lo), hi - lo);
	}
	hole(l, g.lo, PATCH_UNSUPPORTED);
}

static void gather(struct engine *e, uint32_t off)
{
	struct vec *all[] = { &e->funcs, &e->insns, &e->accesses, &e->candidates, &e->taken, &e->tables, &e->text_data, &e->fixups, &e->map, &far };
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		all[i]->n = 0;
		all[i]->lost = false;
	}
	VEC_PUSH(&far, uint32_t, off);
	for (size_t i = 0; i < far.n; i++)
		take(e, *VEC_AT(&far, uint32_t, i));
	for (size_t i = 0; i < far.n; i++)
		VEC_PUSH(&e->candidates, uint32_t, *VEC_AT(&far, uint32_t, i));
	sort(e);
	for (size_t i = 0; i < e->text_data.n; i++)
		leave(e, *VEC_AT(&e->text_data, uint32_t, i), false);
	for (size_t i = 0; i < e->taken.n; i++)
		leave(e, *VEC_AT(&e->taken, uint32_t, i), true);
}

/* ---- patching ---- */

static void put_back(struct library *l, const struct func *f)
{
	uint64_t lo = l->image.lo + f->lo;
	memcpy((void *)lo, l->copy + (lo - l->lo), f->hi - f->lo);
}

/* The new code of those that move, and its map. false: there is no room. */
static bool write_part(struct engine *e)
{
	struct library *l = e->library;
	uint64_t room = (emit_room(e) + 15) & ~15ull;
	struct patched *p = trap_new();
	if (!p || room > (uint64_t)(l->code_end - l->code_at))
		return false;
	uint8_t *page = (uint8_t *)((uint64_t)l->code_at & -PAGE);
	uint64_t bytes = ((uint64_t)(l->code_at - page) + room + PAGE - 1) & -PAGE;
	bytes = bytes < (uint64_t)(l->code_end - page) ? bytes : (uint64_t)(l->code_end - page);
	if (sys_failed(sys_mprotect(page, bytes, PROT_READ | PROT_WRITE)))
		return false;
	e->region = l->code_at;
	e->region_bytes = room;
	e->new_off = news.at;
	e->too_far = false;
	memset(e->new_off, 0, 4 * (e->insns.n + 1));
	bool ok = emit_at(e) && e->map.n <= (size_t)(l->map_end - l->map_at);
	if (ok) {
		memcpy(l->map_at, e->map.at, e->map.n * sizeof(struct map_entry));
		*p = (struct patched){ .old_lo = l->image.lo, .old_hi = l->image.hi, .new_lo = (uint64_t)e->region, .new_hi = (uint64_t)e->out,
			.map = l->map_at, .entries = (uint32_t)e->map.n };
		l->map_at += e->map.n;
		l->code_at = (uint8_t *)(((uint64_t)e->out + 15) & ~15ull);
		trap_add();
		apply_part(e, l->use);
	}
	l->info.refused[0] = 0;
	return !sys_failed(sys_mprotect(page, bytes, PROT_READ | PROT_EXEC)) && ok;
}

static void read_data(struct library *l)
{
	if (!l->data_read)
		analyse_pointers(&l->image, l->pointed);
	l->data_read = true;
}

static void reach(struct library *l, uint32_t off)
{
	struct engine *e = engine;
	bool any = false, ok = true;
	e->image = l->image;
	e->config = l->config;
	e->m = &l->info;
	e->library = l;
	e->boundary = l->boundary;
	e->pointed = l->pointed;
	read_data(l);
	gather(e, off);
	bool lost = far.lost || e->insns.lost || e->accesses.lost || e->taken.lost || e->tables.lost || e->text_data.lost || e->candidates.lost;
	analyse(e);
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		any |= f->moved;
		for (uint64_t b = block_of(l, f->lo); b <= block_of(l, f->hi - 1); b++)
			ok = ok && unlock(l, b);
	}
	bool written = ok && !lost && (!any || write_part(e));
	for (size_t i = 0; i < e->funcs.n; i++) {
		struct func *f = VEC_AT(&e->funcs, struct func, i);
		if (ok && (!f->moved || !written))
			put_back(l, f);
		if (!f->reason && !written)
			f->reason = PATCH_TOO_FAR;
		l->info.functions++;
		if (f->reason) {
			hole(l, f->lo, f->reason);
		} else {
			l->info.covered++;
			l->info.accesses += f->moved ? f->accesses : 0;
		}
		for (uint32_t k = f->lo >> 6; k <= f->hi >> 6; k++)
			l->boundary[k] = 0;
	}
	for (uint64_t b = 0; b * BLOCK < l->bytes; b++)
		lock(l, b);
	tell(l);
}

/* The function at the place is reached for the first time. */
static bool is_new(struct library *l, uint32_t off)
{
	struct func f;
	uint64_t i;
	engine->image = l->image;
	return function_at(engine, off, &f, &i) && !f.foreign && !bit(l->known, f.lo) && !bit(l->left, f.lo);
}

static uint64_t now_us(void)
{
	struct timespec t;
	sys_clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void reach_at(struct library *l, uint64_t addr)
{
	uint64_t start = now_us();
	reach(l, (uint32_t)(addr - l->image.lo));
	l->info.microseconds += (uint32_t)(now_us() - start);
}

/* Opens the block of the address: for the linker's stubs, or an instruction that goes on in it. */
static bool open_block(struct library *l, uint64_t addr)
{
	uint64_t b = (addr - l->lo) / BLOCK;
	bool ok = bit(l->open, b) || unlock(l, b);
	lock(l, b);
	return ok;
}

void lazy_reach(uint64_t addr)
{
	struct library *l = find(addr);
	if (!l || !l->closed)
		return;
	if (addr >= l->image.lo && is_new(l, (uint32_t)(addr - l->image.lo)))
		reach_at(l, addr);
	open_block(l, addr);
}

static void tell_reached(const struct library *l, uint64_t addr)
{
	if (l->config.report.reached)
		l->config.report.reached(l->config.report.ctx, addr);
}

bool lazy_fault(ucontext_t *uc, uint64_t addr)
{
	struct library *l = find(addr);
	uint64_t pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP], b = l ? (addr - l->lo) / BLOCK : 0;
	if (!l || !l->closed || bit(l->open, b))
		return false;
	if (pc - l->image.lo < l->image.hi - l->image.lo && is_new(l, (uint32_t)(pc - l->image.lo)))
		reach_at(l, pc);
	if (!open_block(l, addr)) {
		strcpy(l->info.refused, "its code cannot be changed (memory protection)");
		tell(l);
		sys_mprotect((void *)l->lo, l->bytes, PROT_READ | PROT_EXEC);
		return true;
	}
	tell_reached(l, pc);
	if ((pc - l->lo) / BLOCK != b)
		tell_reached(l, addr);
	uint64_t to = trap_moved(pc);
	if (to)
		uc->uc_mcontext.gregs[REG_RIP] = (greg_t)to;
	return true;
}

bool lazy_trap(ucontext_t *uc)
{
	uint64_t pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP] - 1, to;
	struct library *l = find(pc);
	if (!l || !l->closed || pc < l->image.lo || !is_new(l, (uint32_t)(pc - l->image.lo)))
		return false;
	reach_at(l, pc);
	tell_reached(l, pc);
	to = trap_moved(pc);
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)(to ? to : pc);
	return true;
}

void lazy_release(void)
{
	for (unsigned i = 0; i < libraries; i++) {
		struct library *l = &library[i];
		for (uint64_t b = 0; l->closed && b * BLOCK < l->bytes; b++) {
			if (bit(l->open, b) && unlock(l, b))
				fill(l, b, true);
			lock(l, b);
		}
		if (l->closed)
			sys_mprotect((void *)l->lo, l->bytes, PROT_READ | PROT_EXEC);
		l->closed = false;
	}
	closing = false;
}
