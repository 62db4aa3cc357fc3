/* Patches the functions of a library that are reached together; see lazy.c. */
#include "preload/patch/library.h"

#include <string.h>
#include <sys/mman.h>

#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* Limits on functions that are patched together. The memory for these is only reserved. */
enum { MOST_FUNCTIONS = 4096, MOST_INSNS = 1 << 19, MOST_PLACES = 1 << 16 };

struct engine *lazy_engine;
static struct vec far;  /* uint32_t: places in functions that must be patched together */
static struct vec news; /* engine.new_off */

bool reach_prepare(void)
{
	struct vec own = { 0 };
	if (lazy_engine)
		return true;
	if (!vec_make(&own, sizeof(struct engine), 1))
		return false;
	struct engine *e = own.at;
	bool ok = vec_make(&e->funcs, sizeof(struct func), MOST_FUNCTIONS) && vec_make(&e->insns, sizeof(struct insn), MOST_INSNS) &&
		  vec_make(&e->accesses, sizeof(struct access), 2 * MOST_INSNS) && vec_make(&e->candidates, 4, MOST_INSNS) &&
		  vec_make(&e->taken, 4, MOST_PLACES) && vec_make(&e->tables, 8, MOST_PLACES) && vec_make(&e->text_data, 4, MOST_PLACES) &&
		  vec_make(&e->fixups, FIXUP_BYTES, MOST_INSNS) && vec_make(&e->map, sizeof(struct map_entry), 4 * MOST_INSNS) &&
		  vec_make(&far, 4, MOST_INSNS) && vec_make(&news, 4, MOST_INSNS);
	lazy_engine = ok ? e : NULL;
	return ok;
}

/* ---- functions that are reached together ---- */

/* Sets *f to the function that contains the place, and *i to its number. Returns false when there is none. */
static bool function_at(struct engine *e, uint32_t off, struct func *f, uint64_t *i)
{
	return module_entry(&e->image, e->image.lo + off, i) && module_peek(e, *i, f) && off < f->hi;
}

/* Returns whether the function is among those that are reached now. These are not sorted yet. */
static bool is_now(const struct engine *e, uint32_t lo)
{
	for (size_t k = 0; k < e->funcs.n; k++)
		if (VEC_AT(&e->funcs, struct func, k)->lo == lo)
			return true;
	return false;
}

/* Records that code of f jumps to the place. If the place is in the middle of another function, that function is patched too. The start of
   a function is always known as a target. */
static void leads_to(struct engine *e, struct func *f, int64_t off)
{
	struct func g;
	uint64_t i;
	if ((off >= f->lo && off < f->hi) || off < 0 || off >= (int64_t)(e->image.hi - e->image.lo) ||
		!function_at(e, (uint32_t)off, &g, &i) || g.lo == off || g.foreign)
		return;
	if (bit(e->library->known, g.lo) && !is_now(e, g.lo))
		f->pulled = true; /* the place was moved already: only a jump in new code can reach it */
	else
		VEC_PUSH(&far, uint32_t, (uint32_t)off);
}

/* Adds the function at the place to those that are reached now, decodes it, and records the targets of its jumps. */
static void add_reached(struct engine *e, uint32_t off)
{
	struct library *l = e->library;
	struct func found, *f = VEC_AT(&e->funcs, struct func, e->funcs.n);
	uint64_t i;
	size_t pads = e->candidates.n;
	if (!function_at(e, off, &found, &i) || found.foreign || bit(l->known, found.lo) || e->funcs.n == e->funcs.max ||
		!module_function(e, i, f))
		return;
	size_t pads_end = e->candidates.n;
	set_bit(l->known, f->lo);
	if (bit(l->left, f->lo))
		f->reason = PATCH_UNSUPPORTED;
	for (uint64_t b = block_of(l, f->lo); b <= block_of(l, f->hi - 1); b++)
		block_copy(l, b);
	e->funcs.n++;
	if (e->insns.max - e->insns.n < f->hi - f->lo)
		f->reason = PATCH_FULL;
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

/* Leaves a function at its original bytes, because code reads data from it or takes an address inside it. */
static void keep_original(struct engine *e, uint32_t off, bool address)
{
	struct library *l = e->library;
	struct func g;
	uint64_t i;
	if (analyse_func(e, off) || !function_at(e, off, &g, &i) || g.foreign || bit(l->left, g.lo) || (address && g.lo == off))
		return;
	set_bit(l->left, g.lo);
	for (uint64_t b = block_of(l, g.lo); b <= block_of(l, g.hi - 1); b++)
		if (bit(l->open, b) && !block_unlock(l, b))
			return;
	for (uint64_t b = block_of(l, g.lo); b <= block_of(l, g.hi - 1); b++) {
		uint64_t lo = l->image.lo + g.lo, hi = l->image.lo + g.hi;
		if (bit(l->open, b) && block_within(l, b, &lo, &hi))
			memcpy((void *)lo, l->copy + (lo - l->lo), hi - lo);
	}
	library_hole(l, g.lo, PATCH_UNSUPPORTED);
}

/* Collects all functions that must be patched together with the one at the place. */
static void gather(struct engine *e, uint32_t off)
{
	struct vec *all[] = { &e->funcs, &e->insns, &e->accesses, &e->candidates, &e->taken, &e->tables, &e->text_data,
		&e->fixups, &e->map, &far };
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		all[i]->n = 0;
		all[i]->lost = false;
	}
	VEC_PUSH(&far, uint32_t, off);
	for (size_t i = 0; i < far.n; i++)
		add_reached(e, *VEC_AT(&far, uint32_t, i));
	for (size_t i = 0; i < far.n; i++)
		VEC_PUSH(&e->candidates, uint32_t, *VEC_AT(&far, uint32_t, i));
	sort(e);
	for (size_t i = 0; i < e->text_data.n; i++)
		keep_original(e, *VEC_AT(&e->text_data, uint32_t, i), false);
	for (size_t i = 0; i < e->taken.n; i++)
		keep_original(e, *VEC_AT(&e->taken, uint32_t, i), true);
}

/* ---- patching ---- */

/* Restores the original bytes of a function. */
static void put_back(struct library *l, const struct func *f)
{
	uint64_t lo = l->image.lo + f->lo;
	memcpy((void *)lo, l->copy + (lo - l->lo), f->hi - f->lo);
}

/* Writes the new code of the functions that move, and its map. Returns PATCH_OK, or the reason why it failed. */
static enum patch_reason write_part(struct engine *e)
{
	struct library *l = e->library;
	uint64_t room = (emit_room(e) + 15) & ~15ull;
	struct patched *p = trap_new();
	if (!p)
		return PATCH_FULL;
	if (room > (uint64_t)(l->code_end - l->code_at))
		return PATCH_TOO_FAR;
	uint8_t *page = (uint8_t *)((uint64_t)l->code_at & -PAGE);
	uint64_t bytes = ((uint64_t)(l->code_at - page) + room + PAGE - 1) & -PAGE;
	bytes = bytes < (uint64_t)(l->code_end - page) ? bytes : (uint64_t)(l->code_end - page);
	if (sys_failed(sys_mprotect(page, bytes, PROT_READ | PROT_WRITE)))
		return PATCH_TOO_FAR;
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
	make_executable(&l->config.report, (uint64_t)page, bytes); /* the page may hold code that is in use */
	return ok ? PATCH_OK : e->too_far ? PATCH_TOO_FAR : PATCH_FULL;
}

static void read_data(struct library *l)
{
	if (!l->data_read)
		analyse_pointers(&l->image, l->pointed);
	l->data_read = true;
}

static void note_blind(struct engine *e, uint32_t off)
{
	library_blind(e->library, off);
}

void reach(struct library *l, uint32_t off)
{
	struct engine *e = lazy_engine;
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
	blind_reached(e, note_blind);
	analyse(e);
	acquire_find(e);
	pairs_find(e);
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		any |= f->moved;
		for (uint64_t b = block_of(l, f->lo); b <= block_of(l, f->hi - 1); b++)
			ok = ok && block_unlock(l, b);
	}
	enum patch_reason failed = lost ? PATCH_FULL : !ok ? PATCH_TOO_FAR : any ? write_part(e) : PATCH_OK;
	for (size_t i = 0; i < e->funcs.n; i++) {
		struct func *f = VEC_AT(&e->funcs, struct func, i);
		if (ok && (!f->moved || failed))
			put_back(l, f);
		if (!f->reason)
			f->reason = (uint8_t)failed;
		l->info.functions++;
		if (f->reason) {
			library_hole(l, f->lo, f->reason);
		} else {
			l->info.covered++;
			l->info.accesses += f->moved ? f->accesses : 0;
		}
		for (uint32_t k = f->lo >> 6; k <= f->hi >> 6; k++)
			l->boundary[k] = 0;
	}
	for (uint64_t b = 0; b * BLOCK < l->bytes; b++)
		block_lock(l, b);
	library_report(l);
}

bool reach_is_new(struct library *l, uint32_t off)
{
	struct func f;
	uint64_t i;
	lazy_engine->image = l->image;
	return function_at(lazy_engine, off, &f, &i) && !f.foreign && !bit(l->known, f.lo) && !bit(l->left, f.lo);
}
