/* The steps of load-time relocation for a module; see patch.h. */
#include "preload/patch/patch.h"

#include <string.h>
#include <sys/mman.h>

#include "preload/patch/engine.h"
#include "preload/patch/trap.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* Finds code between the functions. Every program has a little of it: the compiler's start-up code. */
static void find_blind(struct engine *e)
{
	enum { ALWAYS = 320 };
	const struct image *im = &e->image;
	for (unsigned i = 0; i < im->segs; i++) {
		const struct segment *s = &im->seg[i];
		uint64_t at = s->lo;
		for (size_t k = 0; s->exec && k <= e->funcs.n; k++) {
			const struct func *f = k < e->funcs.n ? VEC_AT(&e->funcs, struct func, k) : NULL;
			uint64_t lo = f ? im->lo + f->lo : s->hi;
			if (f && (lo < s->lo || lo >= s->hi))
				continue;
			if (lo > at + ALWAYS && decode_is_code(e, at, lo))
				VEC_PUSH(&e->blind, uint32_t, (uint32_t)(at - im->lo));
			at = f ? im->lo + f->hi : lo;
		}
	}
}

enum { MOST_BLIND = 4096 }; /* pieces of code without unwind information between two functions each, beside the first */

static bool decode(struct engine *e)
{
	const struct image *im = &e->image;
	uint64_t bytes = im->hi - im->lo;
	struct vec bits = { 0 };
	/* Upper bounds: an instruction has at least one byte (movs, which has two accesses), and one with a displacement has at least six. */
	if (!vec_make(&e->insns, sizeof(struct insn), bytes) || !vec_make(&e->accesses, sizeof(struct access), 2 * bytes)
		|| !vec_make(&e->taken, 4, bytes / 4) || !vec_make(&e->tables, 8, bytes / 4) || !vec_make(&e->text_data, 4, bytes / 4)
		|| !vec_make(&e->blind, 4, e->funcs.n + e->image.segs + MOST_BLIND)
		|| !vec_make(&bits, 8, bytes / 64 + 2)) {
		strcpy(e->m->refused, "out of memory");
		return false;
	}
	e->boundary = bits.at;
	if (!sensed_begin(e)) {
		strcpy(e->m->refused, "out of memory");
		return false;
	}
	if (!decode_open(e)) {
		strcpy(e->m->refused, "the decoder (libZydis.so.4.0) cannot be loaded");
		return false;
	}
	decode_functions(e);
	find_blind(e);
	blind_find(e);
	if (e->insns.lost || e->accesses.lost || e->taken.lost || e->tables.lost || e->text_data.lost || e->candidates.lost) {
		strcpy(e->m->refused, "it is beyond the patcher's tables");
		return false;
	}
	return true;
}

static void report_hole(struct engine *e, uint64_t off, enum patch_reason reason)
{
	struct patch_hole h = { .addr = e->image.lo + off, .reason = reason };
	e->m->uncovered++;
	if (e->config.report.hole)
		e->config.report.hole(e->config.report.ctx, &h);
}

static void report_functions(struct engine *e)
{
	struct patch_module *m = e->m;
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		if (f->foreign)
			continue;
		m->functions++;
		if (f->reason) {
			report_hole(e, f->lo, f->reason);
			continue;
		}
		m->covered++;
		m->accesses += f->moved ? f->accesses : 0;
	}
	for (size_t i = 0; i < e->blind.n; i++)
		report_hole(e, *VEC_AT(&e->blind, uint32_t, i), PATCH_NO_UNWIND);
}

static uint64_t now_us(void)
{
	struct timespec t;
	sys_clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* True while a module is read, which may be damaged. The module is not changed meanwhile. */
static bool reading;
static void *stopped_reading[5];

void patch_read_fault(void)
{
	if (reading)
		__builtin_longjmp(stopped_reading, 1);
}

/* Determines the changes to the module. Returns false with the reason in e->m->refused. */
static bool read_module(struct engine *e)
{
	if (__builtin_setjmp(stopped_reading)) {
		reading = false;
		e->m->damaged = true;
		strcpy(e->m->refused, "its headers or its unwind information are damaged");
		return false;
	}
	reading = true;
	bool ok = module_functions(e) && decode(e);
	if (ok) {
		analyse(e);
		acquire_find(e);
		pairs_find(e);
		lock_op_find(e);
	}
	reading = false;
	return ok;
}

static bool patch(struct engine *e, const void *addr)
{
	struct patched *p = trap_new();
	if (!module_find(e, addr))
		return false;
	if (!p || !hook_init(&e->config)) {
		strcpy(e->m->refused, p ? "this processor has no XSAVE" : "too many modules");
		return false;
	}
	if (!read_module(e))
		return false;
	*p = (struct patched){ 0 };
	if (!emit(e))
		return false;
	p->old_lo = e->image.lo;
	p->old_hi = e->image.hi;
	p->new_lo = (uint64_t)e->region;
	p->new_hi = p->new_lo + e->region_bytes;
	p->map = e->map.at;
	p->entries = (uint32_t)e->map.n;
	uint64_t used = (e->map.n * sizeof(struct map_entry) + 4095) & ~4095ull;
	if (used < e->map.bytes)
		sys_munmap((uint8_t *)e->map.at + used, e->map.bytes - used);
	e->map.at = NULL;
	report_functions(e);
	return true;
}

static void free_tables(struct engine *e)
{
	struct vec *all[] = { &e->funcs, &e->insns, &e->accesses, &e->candidates, &e->taken, &e->tables, &e->text_data,
		&e->blind, &e->sensor, &e->fixups, &e->map };
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		vec_free(all[i]);
	if (e->boundary)
		sys_munmap(e->boundary, ((e->image.hi - e->image.lo) / 64 + 3) * 8);
}

static bool patch_module(const void *addr, const struct patch_config *config)
{
	struct patch_module info = { .refused = "" };
	struct engine engine = { .config = *config, .m = &info }, *e = &engine;
	uint64_t start = now_us();
	bool ok = patch(e, addr);
	if (!ok && e->region)
		sys_munmap(e->region, e->region_bytes);
	free_tables(e);
	info.microseconds = (uint32_t)(now_us() - start);
	if (ok)
		trap_add();
	if (config->report.module)
		config->report.module(config->report.ctx, &info);
	return ok;
}

static bool busy;

bool patch_module_at(const void *addr, const struct patch_config *config)
{
	if (busy || trap_old((uint64_t)addr))
		return true; /* busy: loading the decoder calls dlopen, which calls this function again */
	busy = true;
	bool ok = patch_module(addr, config);
	busy = false;
	return ok;
}

bool patch_find_alike(const void *addr, const struct patch_alike *alike)
{
	struct patch_module info = { .refused = "" };
	struct engine engine = { .m = &info }, *e = &engine;
	if (busy)
		return false;
	busy = true;
	bool ok = module_find(e, addr) && read_module(e) && alike_find(e, alike);
	busy = false;
	free_tables(e);
	return ok;
}
