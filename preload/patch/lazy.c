/*
 * Libraries whose functions are patched when they are reached; see lazy.h.
 *
 * The code of such a library is divided into blocks. A closed block is not executable. When the program reaches a function in a closed
 * block, the block is opened: it becomes executable, but all bytes of its functions that were not reached are int3. A function is patched
 * together with those into whose middle it jumps (parts of it that the compiler has moved elsewhere), because apply.c must know every
 * target of a jump. Bytes between functions stay as they are.
 */
#include "preload/patch/lazy.h"

#include <string.h>
#include <sys/mman.h>

#include "base/registers.h"
#include "preload/patch/library.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define LIBRARIES 128

static struct library *library; /* an array of LIBRARIES entries */
static unsigned libraries;
static bool closing;

/* ---- adding ---- */

static bool make_table(void)
{
	struct vec all = { 0 };
	if (!library && vec_make(&all, sizeof(struct library), LIBRARIES))
		library = all.at;
	return library && reach_prepare();
}

/* Returns the segment with code; NULL: there are several, or it is writable. */
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

/* Fills in *l. Returns NULL, or the reason why the library is refused. */
static const char *add_patched(struct library *l, struct engine *e, const void *addr)
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

/* Returns the library whose code contains addr, or NULL. */
static struct library *find_library(uint64_t addr)
{
	for (unsigned i = 0; i < libraries; i++)
		if (addr - library[i].lo < library[i].bytes)
			return &library[i];
	return NULL;
}

void library_report(const struct library *l)
{
	if (l->config.report.module)
		l->config.report.module(l->config.report.ctx, &l->info);
}

/* Makes the library's code non-executable. */
static void close_library(struct library *l)
{
	l->closed = l->closed || (!l->part && !sys_failed(sys_mprotect((void *)l->lo, l->bytes, PROT_READ)));
}

/* Reports that the library at `addr` is refused, before it has an entry. */
static bool refuse(const void *addr, const struct patch_config *config, const char *why)
{
	struct library l = { .config = *config };
	struct engine e = { .m = &l.info };
	module_find(&e, addr); /* finds the name of the module */
	strcpy(l.info.refused, why);
	library_report(&l);
	return false;
}

static bool busy;

bool lazy_add(const void *addr, const struct patch_config *config)
{
	if (busy || find_library((uint64_t)addr))
		return true;
	if (libraries == LIBRARIES)
		return refuse(addr, config, "too many libraries are loaded");
	if (!make_table())
		return refuse(addr, config, "out of memory");
	struct library *l = &library[libraries];
	*l = (struct library){ .config = *config, .info.lazy = true };
	lazy_engine->m = &l->info;
	busy = true; /* loading the decoder calls dlopen, which calls this function again */
	const char *why = add_patched(l, lazy_engine, addr);
	busy = false;
	if (why && why != l->info.refused)
		strcpy(l->info.refused, why);
	libraries += !why;
	library_report(l);
	if (closing && !why)
		close_library(l);
	return !why;
}

unsigned lazy_part(const void *addr, const struct patch_config *config, const uint64_t *function, unsigned n)
{
	unsigned done = 0;
	if (busy || libraries == LIBRARIES || find_library((uint64_t)addr) || !make_table())
		return 0;
	struct library *l = &library[libraries];
	*l = (struct library){ .config = *config, .part = true };
	lazy_engine->m = &l->info;
	busy = true;
	const char *why = add_patched(l, lazy_engine, addr);
	busy = false;
	if (why)
		return 0;
	libraries++;
	for (; done < n && l->info.functions == l->info.covered; done++)
		if (reach_is_new(l, (uint32_t)(function[done] - l->image.lo)))
			reach(l, (uint32_t)(function[done] - l->image.lo));
	return l->info.functions == l->info.covered ? done : done - 1;
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

/* ---- when the program reaches a function ---- */

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

/* Opens the block that contains the address. The address may be in a stub of the linker, or in an instruction that began in the previous
   block. */
static bool open_block(struct library *l, uint64_t addr)
{
	uint64_t b = (addr - l->lo) / BLOCK;
	bool ok = bit(l->open, b) || block_unlock(l, b);
	block_lock(l, b);
	return ok;
}

void lazy_reach(uint64_t addr)
{
	struct library *l = find_library(addr);
	if (!l || !l->closed)
		return;
	if (addr >= l->image.lo && reach_is_new(l, (uint32_t)(addr - l->image.lo)))
		reach_at(l, addr);
	open_block(l, addr);
}

static void report_reached(const struct library *l, uint64_t addr)
{
	if (l->config.report.reached)
		l->config.report.reached(l->config.report.ctx, addr);
}

bool lazy_fault(ucontext_t *uc, uint64_t addr)
{
	struct library *l = find_library(addr);
	uint64_t pc = context_pc(uc), b = l ? (addr - l->lo) / BLOCK : 0;
	if (!l || !l->closed || bit(l->open, b))
		return false;
	if (pc - l->image.lo < l->image.hi - l->image.lo && reach_is_new(l, (uint32_t)(pc - l->image.lo)))
		reach_at(l, pc);
	else if (pc - l->image.lo < l->image.hi - l->image.lo)
		library_executes(l, (uint32_t)(pc - l->image.lo));
	if (!open_block(l, addr)) {
		strcpy(l->info.refused, "its code cannot be changed (memory protection)");
		library_report(l);
		make_executable(&l->config.report, l->lo, l->bytes);
		return true;
	}
	report_reached(l, pc);
	if ((pc - l->lo) / BLOCK != b)
		report_reached(l, addr);
	uint64_t to = trap_moved(pc);
	if (to)
		context_set_pc(uc, to);
	return true;
}

bool lazy_trap(ucontext_t *uc)
{
	uint64_t pc = context_breakpoint(uc), to;
	struct library *l = find_library(pc);
	if (!l || !l->closed || pc < l->image.lo || !reach_is_new(l, (uint32_t)(pc - l->image.lo)))
		return false;
	reach_at(l, pc);
	report_reached(l, pc);
	to = trap_moved(pc);
	context_set_pc(uc, to ? to : pc);
	return true;
}

void lazy_release(void)
{
	for (unsigned i = 0; i < libraries; i++) {
		struct library *l = &library[i];
		for (uint64_t b = 0; l->closed && b * BLOCK < l->bytes; b++) {
			if (bit(l->open, b) && block_unlock(l, b))
				block_fill(l, b, true);
			block_lock(l, b);
		}
		if (l->closed)
			make_executable(&l->config.report, l->lo, l->bytes);
		l->closed = false;
	}
	closing = false;
}
