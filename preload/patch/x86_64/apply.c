/* Turns the old code into jumps to the new code. The module is unchanged before this step. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/exit_codes.h"
#include "preload/patch/engine.h"
#include "preload/patch/trap.h"
#include "preload/patch/x86_64/encode.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define REACH 0x7ff00000ull

/* Maps e->region at this address. */
static bool take_at(struct engine *e, uint64_t at, uint64_t bytes)
{
	void *p = sys_mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (sys_failed((long)p))
		return false;
	if ((uint64_t)p != at) { /* old kernels use the address only as a hint */
		sys_munmap(p, bytes);
		return false;
	}
	e->region = p;
	e->region_bytes = bytes;
	return true;
}

/* Maps e->region at an address that the kernel chooses, if it is near enough. For a large region, a search step by step would take
   thousands of calls. */
static bool take_anywhere(struct engine *e, uint64_t lowest, uint64_t highest, uint64_t bytes)
{
	uint8_t *p = sys_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	bool near = !sys_failed((long)p) && (uint64_t)p >= lowest && (uint64_t)p <= highest;
	if (!sys_failed((long)p) && !near)
		sys_munmap(p, bytes);
	if (!near)
		return false;
	e->region = p;
	e->region_bytes = bytes;
	return true;
}

/* Prefers room below the module, since the heap may grow above it. A module at a fixed address has no room below it, so its region lies far
   above its heap. */
bool apply_reserve(struct engine *e, uint64_t bytes)
{
	const struct image *im = &e->image;
	const uint64_t step = 1 << 18;
	if (im->all_hi - im->all_lo + bytes > REACH)
		return false;
	uint64_t lowest = im->all_hi > REACH ? im->all_hi - REACH : 0x10000, highest = im->all_lo + REACH - bytes;
	uint64_t low_start = im->all_lo & ~4095ull;
	if (e->library && take_anywhere(e, lowest, highest, bytes))
		return true;
	if (im->fixed && im->all_hi < 0x40000000) {
		for (uint64_t at = 0x60000000 - (bytes & ~4095ull) - 4096; at > im->all_hi + 0x10000000; at -= step * 16)
			if (at <= highest && take_at(e, at, bytes))
				return true;
	}
	if (low_start > bytes)
		for (uint64_t at = low_start - bytes; at >= lowest && at <= low_start; at -= step)
			if (take_at(e, at, bytes))
				return true;
	for (uint64_t at = ((im->all_hi + 0xfff) & ~4095ull) + 0x1000000; at <= highest; at += step)
		if (take_at(e, at, bytes))
			return true;
	return false;
}

/* What a byte of the old code is used for. */
enum use { USE_OTHER, USE_FREE, USE_TAKEN, USE_SECOND /* a byte of an entry that will get a short jump */ };

struct work {
	struct engine *e;
	uint8_t *text, *use; /* by offset */
};

/* Marks the padding after a function as free. */
static void free_padding(struct work *w, const struct func *f)
{
	uint32_t to = f->next;
	if (to <= f->hi || to - f->hi > 15 || to > w->e->image.hi - w->e->image.lo)
		return;
	uint8_t first = w->text[f->hi];
	if (first == 0x90 || first == 0x66 || first == INT3 || (first == 0x0f && w->text[f->hi + 1] == 0x1f) || first == 0x2e)
		memset(w->use + f->hi, USE_FREE, to - f->hi);
}

static bool is_boundary(const struct engine *e, int64_t off)
{
	return e->boundary[off >> 6] >> (off & 63) & 1;
}

/* Returns whether an instruction begins in the n - 1 bytes after `off`, so that unknown code could jump there. With `leaders`, only
   instructions to which a branch leads count. */
static bool begins_inside(const struct engine *e, uint32_t off, uint32_t n, bool leaders)
{
	for (uint32_t k = 1; k < n; k++) {
		const struct insn *in = analyse_find(e, off + k, NULL);
		if (in && (!leaders || in->flags & I_LEADER))
			return true;
	}
	return false;
}

static void put_jump(struct work *w, uint32_t at, uint32_t to_insn)
{
	struct engine *e = w->e;
	int32_t d = (int32_t)((uint64_t)e->region + e->new_off[to_insn] - (e->image.lo + at + 5));
	w->text[at] = JMP;
	memcpy(w->text + at + 1, &d, 4);
}

/* Finds a board: five free bytes that a short jump at `at` reaches. With `strict`, the board must lie within an instruction or in padding. */
static bool find_board(struct work *w, uint32_t at, bool strict, uint32_t *board)
{
	int64_t lo = (int64_t)at + 2 - 128, hi = (int64_t)at + 2 + 127, size = (int64_t)(w->e->image.hi - w->e->image.lo);
	unsigned run = 0;
	for (int64_t i = lo < 0 ? 0 : lo; i < hi + 5 && i < size; i++) {
		run = w->use[i] != USE_FREE || (strict && is_boundary(w->e, i)) ? 0 : run + 1;
		if (run < 5 || i - 4 > hi)
			continue;
		*board = (uint32_t)(i - 4);
		return true;
	}
	return false;
}

/* Puts a short jump at `at`, and the jump to the new code on a board. */
static bool put_board(struct work *w, uint32_t at, uint32_t insn, bool strict)
{
	uint32_t board;
	if (!find_board(w, at, strict, &board))
		return false;
	put_jump(w, board, insn);
	memset(w->use + board, USE_TAKEN, 5);
	w->text[at] = 0xeb;
	w->text[at + 1] = (uint8_t)(int8_t)((int64_t)board - (at + 2));
	return true;
}

/* Returns the number of bytes from `off` on that a jump may use, at most 5. */
static uint32_t room_at(const struct work *w, uint32_t off)
{
	uint32_t n = 1;
	while (n < 5 && off + n < w->e->image.hi - w->e->image.lo && w->use[off + n] == USE_FREE)
		n++;
	return n;
}

static bool is_entry(const struct engine *e, size_t k)
{
	const struct insn *in = VEC_AT(&e->insns, struct insn, k);
	return in->flags & I_EXTERNAL && !(in->flags & I_IN_PLACE) && e->new_off[k];
}

/* Makes an entry whose five bytes hold several instructions, or are not all free. Uses a short jump to a board, because that covers the
   fewest places to which unknown code may lead: only the two bytes of the jump and the five of the board are not int3. */
static void put_entry(struct work *w, uint32_t at, uint32_t insn)
{
	if (put_board(w, at, insn, true))
		return;
	w->use[at + 1] = USE_FREE;
	bool room = room_at(w, at) == 5;
	w->use[at + 1] = USE_SECOND;
	if (room && !begins_inside(w->e, at, 5, true)) {
		put_jump(w, at, insn);
		memset(w->use + at, USE_TAKEN, 5);
	} else if (!put_board(w, at, insn, false) && room) {
		put_jump(w, at, insn);
		memset(w->use + at, USE_TAKEN, 5);
	}
}

static void lay_out(struct work *w)
{
	struct engine *e = w->e;
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		if (!f->moved)
			continue;
		code_fill(w->text + f->lo, f->hi - f->lo);
		memset(w->use + f->lo, USE_FREE, f->hi - f->lo);
		free_padding(w, f);
		for (uint32_t k = f->first; k < f->last; k++) {
			const struct insn *in = VEC_AT(&e->insns, struct insn, k);
			if (in->flags & I_IN_PLACE || ((in->kind == K_CALL || in->kind == K_CALL_INDIRECT) && !(in->flags & I_AWAY))) {
				memcpy(w->text + in->off, e->image.text + in->off, in->len);
				memset(w->use + in->off, USE_TAKEN, in->len);
			} else if (in->flags & I_EXTERNAL) {
				w->use[in->off] = USE_TAKEN;
			}
		}
	}
	/* First makes the entries whose jump covers only one instruction: for these there is nothing to choose. */
	for (size_t k = 0; k < e->insns.n; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (!is_entry(e, k))
			continue;
		uint32_t room = room_at(w, in->off);
		if (room == 5 && !begins_inside(e, in->off, 5, false)) {
			put_jump(w, in->off, (uint32_t)k);
			memset(w->use + in->off, USE_TAKEN, 5);
		} else if (room >= 2) {
			w->use[in->off + 1] = USE_SECOND;
		}
	}
	for (size_t k = 0; k < e->insns.n; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (is_entry(e, k) && w->text[in->off] != JMP && w->use[in->off + 1] == USE_SECOND)
			put_entry(w, in->off, (uint32_t)k);
		/* if there is no board, the place stays int3 */
	}
}

void make_executable(const struct patch_report *report, uint64_t lo, uint64_t bytes)
{
	if (!sys_failed(sys_mprotect((void *)lo, bytes, PROT_READ | PROT_EXEC)))
		return;
	if (report->stuck)
		report->stuck(report->ctx);
	sys_exit_group(SIMUL_EXIT_INTERNAL);
}

/* Writes n bytes of code. Returns false when the memory cannot be written. */
static bool write_code(const struct engine *e, uint64_t at, const void *from, uint64_t n)
{
	uint64_t lo = at & ~4095ull, hi = (at + n + 4095) & ~4095ull;
	if (!sys_failed(sys_mprotect((void *)lo, hi - lo, PROT_READ | PROT_WRITE))) {
		memcpy((void *)at, from, n);
		make_executable(&e->config.report, lo, hi - lo);
		return true;
	}
	int fd = (int)sys_open("/proc/self/mem", O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	long done = sys_call4(SYS_pwrite64, fd, (long)from, (long)n, (long)at);
	sys_close(fd);
	return done == (long)n;
}

static bool write_text(struct work *w)
{
	const struct image *im = &w->e->image;
	for (unsigned i = 0; i < im->segs; i++) {
		const struct segment *s = &im->seg[i];
		if (s->exec && !write_code(w->e, s->lo, w->text + (s->lo - im->lo), s->hi - s->lo))
			return false;
	}
	return true;
}

void apply_part(struct engine *e, uint8_t *use)
{
	struct work w = { e, (uint8_t *)e->image.lo, use };
	lay_out(&w);
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		memset(use + f->lo, USE_OTHER, (f->next - f->hi <= 15 ? f->next : f->hi) - f->lo);
	}
}

bool apply(struct engine *e)
{
	struct vec text, use;
	const struct image *im = &e->image;
	uint64_t used = ((uint64_t)(e->out - e->region) + 4095) & ~4095ull, size = im->hi - im->lo;
	if (!vec_make(&text, 1, size + 16) || !vec_make(&use, 1, size + 16)) {
		strcpy(e->m->refused, "out of memory");
		return false;
	}
	struct work w = { e, text.at, use.at };
	for (unsigned i = 0; i < im->segs; i++)
		if (im->seg[i].exec)
			memcpy(w.text + (im->seg[i].lo - im->lo), (const void *)im->seg[i].lo, im->seg[i].hi - im->seg[i].lo);
	lay_out(&w);
	bool ok = !sys_failed(sys_mprotect(e->region, used, PROT_READ | PROT_EXEC)) && write_text(&w);
	if (!ok)
		strcpy(e->m->refused, "its code cannot be changed (memory protection)");
	sys_munmap(e->region + used, e->region_bytes - used);
	e->region_bytes = used;
	vec_free(&text);
	vec_free(&use);
	return ok;
}
