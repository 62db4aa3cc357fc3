/*
 * Decides which functions move, and where the old code must lead to the new code.
 *
 * A place is external when something other than moved code may lead to it: a function's start, the return of a call, a landing pad, and
 * every constant in code or data that equals the address of an instruction. A superfluous external place only costs time. If one is
 * missing, an int3 in the old code catches the jump there.
 */
#include <string.h>

#include "preload/patch/engine.h"
#include "preload/base/rules.h"

struct func *analyse_func(const struct engine *e, int64_t off)
{
	size_t lo = 0, hi = e->funcs.n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		struct func *f = VEC_AT(&e->funcs, struct func, mid);
		if (off < f->lo)
			hi = mid;
		else if (off >= f->hi)
			lo = mid + 1;
		else
			return f;
	}
	return NULL;
}

static bool is_boundary(const struct engine *e, int64_t off)
{
	return off >= 0 && off < (int64_t)(e->image.hi - e->image.lo) && e->boundary[off >> 6] >> (off & 63) & 1;
}

struct insn *analyse_find(const struct engine *e, int64_t off, struct func **func)
{
	if (!is_boundary(e, off))
		return NULL;
	struct func *f = analyse_func(e, off);
	if (func)
		*func = f;
	size_t lo = f->first, hi = f->last;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		struct insn *in = VEC_AT(&e->insns, struct insn, mid);
		if (off < in->off)
			hi = mid;
		else if (off > in->off)
			lo = mid + 1;
		else
			return in;
	}
	return NULL;
}

/* Makes the place external if an instruction of a function that moves begins there. */
static void external(struct engine *e, int64_t off)
{
	struct func *f;
	struct insn *in = analyse_find(e, off, &f);
	if (in && f->moved && !(in->flags & I_EXTERNAL)) {
		in->flags |= I_EXTERNAL;
		f->dirty = true;
	}
}

static bool ends_block(const struct insn *in)
{
	return in->kind == K_JMP || in->kind == K_RET || in->kind == K_STOP || in->kind == K_JMP_INDIRECT;
}

/* Refuses functions with a branch into the middle of an instruction, and functions whose code is read as data. Marks targets of branches.
   */
static void check_targets(struct engine *e)
{
	for (size_t i = 0; i < e->insns.n; i++) {
		struct insn *in = VEC_AT(&e->insns, struct insn, i);
		if (ends_block(in) && i + 1 < e->insns.n) /* the next instruction, if reached, is reached from elsewhere */
			in[1].flags |= I_LEADER;
		if (in->kind != K_JCC && in->kind != K_JMP && in->kind != K_LOOP && in->kind != K_CALL)
			continue;
		struct func *f = NULL;
		struct insn *to = analyse_find(e, in->ref, &f);
		if (to)
			to->flags |= I_LEADER;
		else if ((f = analyse_func(e, in->ref)) && !f->reason && !f->foreign)
			f->reason = PATCH_INTO_MIDDLE;
	}
	for (size_t i = 0; i < e->taken.n; i++) {
		uint32_t off = *VEC_AT(&e->taken, uint32_t, i);
		struct func *f = is_boundary(e, off) ? NULL : analyse_func(e, off);
		if (f && !f->reason && !f->foreign)
			f->reason = PATCH_INTO_MIDDLE;
	}
	for (size_t i = 0; i < e->text_data.n; i++) {
		struct func *f = analyse_func(e, *VEC_AT(&e->text_data, uint32_t, i));
		if (f && !f->reason && !f->foreign)
			f->reason = PATCH_UNSUPPORTED;
	}
}

/* Reads a table of 32-bit distances from its own start. Position-independent code has such tables for switch statements. */
static void read_table(struct engine *e, uint64_t at)
{
	const struct segment *s = NULL;
	for (unsigned i = 0; i < e->image.segs; i++)
		if (at - e->image.seg[i].lo < e->image.seg[i].hi - e->image.seg[i].lo)
			s = &e->image.seg[i];
	if (!s || at & 3)
		return;
	int64_t rel = (int64_t)(at - e->image.lo);
	for (const int32_t *p = (const int32_t *)at; (uint64_t)(p + 1) <= s->hi && is_boundary(e, rel + *p); p++)
		external(e, rel + *p);
}

/* Makes each place to which a word in [lo, hi) points external. */
static void read_data(struct engine *e, uint64_t lo, uint64_t hi)
{
	const struct image *im = &e->image;
	uint64_t span = im->hi - im->lo;
	for (const uint64_t *p = (const uint64_t *)((lo + 7) & ~7ull); (uint64_t)(p + 1) <= hi; p++)
		if (*p - im->lo < span)
			external(e, (int64_t)(*p - im->lo));
}

void analyse_pointers(const struct image *im, uint64_t *pointed)
{
	uint64_t span = im->hi - im->lo;
	for (unsigned i = 0; i < im->segs; i++) {
		const struct segment *s = &im->seg[i];
		if (s->exec)
			continue;
		for (const uint64_t *p = (const uint64_t *)((s->lo + 7) & ~7ull); (uint64_t)(p + 1) <= s->hi; p++)
			if (*p - im->lo < span)
				pointed[(*p - im->lo) >> 6] |= UINT64_C(1) << ((*p - im->lo) & 63);
	}
}

/* Like read_data, with the bitmap of analyse_pointers. */
static void find_pointed(struct engine *e)
{
	for (size_t i = 0; i < e->funcs.n; i++) {
		const struct func *f = VEC_AT(&e->funcs, struct func, i);
		for (uint32_t off = f->lo & ~63u; off < f->hi; off += 64)
			for (uint64_t bits = e->pointed[off >> 6]; bits; bits &= bits - 1)
				external(e, off + __builtin_ctzll(bits));
	}
}

static void find_externals(struct engine *e)
{
	for (size_t i = 0; i < e->funcs.n; i++) {
		struct func *f = VEC_AT(&e->funcs, struct func, i);
		if (f->moved)
			external(e, f->lo);
		for (uint32_t k = f->first; k < f->last; k++) {
			struct insn *in = VEC_AT(&e->insns, struct insn, k);
			if (f->moved && (in->kind == K_CALL || in->kind == K_CALL_INDIRECT))
				external(e, (int64_t)in->off + in->len);
			if (!f->moved && (in->kind == K_JCC || in->kind == K_JMP || in->kind == K_LOOP))
				external(e, in->ref);
			else if (in->kind == K_CALL)
				external(e, in->ref);
		}
		if (!f->moved) /* the function may fall through into the next one */
			external(e, f->hi);
	}
	for (size_t i = 0; i < e->candidates.n; i++)
		external(e, *VEC_AT(&e->candidates, uint32_t, i));
	for (size_t i = 0; i < e->taken.n; i++) {
		uint32_t off = *VEC_AT(&e->taken, uint32_t, i);
		external(e, off);
		if (!is_boundary(e, off))
			read_table(e, e->image.lo + off);
	}
	for (size_t i = 0; i < e->tables.n; i++)
		read_table(e, *VEC_AT(&e->tables, uint64_t, i));
	if (e->library) {
		find_pointed(e);
		return;
	}
	for (unsigned i = 0; i < e->image.segs; i++) {
		const struct segment *s = &e->image.seg[i];
		if (!s->exec) {
			read_data(e, s->lo, s->hi);
			continue;
		}
		uint64_t at = s->lo; /* reads the bytes between functions, where some linkers put all constants */
		for (size_t k = 0; k < e->funcs.n; k++) {
			struct func *f = VEC_AT(&e->funcs, struct func, k);
			uint64_t lo = e->image.lo + f->lo;
			if (lo >= s->lo && lo < s->hi) {
				if (lo > at)
					read_data(e, at, lo);
				at = e->image.lo + f->hi;
			}
		}
		if (at < s->hi)
			read_data(e, at, s->hi);
	}
}

/* Returns how many bytes an entry at instruction i may use, at most 5. It must end before the next place that must keep its bytes. */
static uint32_t entry_room(const struct engine *e, const struct func *f, uint32_t i)
{
	uint32_t from = VEC_AT(&e->insns, struct insn, i)->off;
	for (uint32_t k = i + 1; k < f->last; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->off - from >= 5)
			break;
		if (in->flags & (I_EXTERNAL | I_IN_PLACE) || in->kind == K_CALL || in->kind == K_CALL_INDIRECT)
			return in->off - from;
	}
	uint32_t room = f->hi - from;
	return room < 5 ? room : 5;
}

/* Leaves a short external block in the old code, unless it has hooks. Then the places to which the block leads become external. */
static void leave(struct engine *e, struct func *f, uint32_t i, uint32_t room)
{
	uint32_t from = VEC_AT(&e->insns, struct insn, i)->off, k = i;
	for (; k < f->last; k++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, k);
		if (in->off - from >= room)
			break;
		if (in->flags & I_HOOKED)
			return;
		if (ends_block(in)) {
			k++;
			break;
		}
	}
	for (uint32_t j = i; j < k; j++) {
		struct insn *in = VEC_AT(&e->insns, struct insn, j);
		in->flags |= I_IN_PLACE;
		if (in->kind == K_JCC || in->kind == K_JMP || in->kind == K_LOOP)
			external(e, in->ref);
	}
	const struct insn *last = VEC_AT(&e->insns, struct insn, k - 1);
	if (!ends_block(last))
		external(e, (int64_t)last->off + last->len);
}

/* Returns whether the new code can make this call, whose pointer lies in memory, in place of the old code. */
static bool can_go_away(const struct engine *e, const struct insn *in)
{
	const struct access *a = in->flags & I_ACCESS ? VEC_AT(&e->accesses, struct access, (size_t)in->ref) : NULL;
	return a && !a->more && a->kind == SITE_PLAIN && a->size == 8;
}

/* Decides for each external place of f whether its old bytes stay. */
static void choose_bytes(struct engine *e, struct func *f)
{
	for (uint32_t i = f->first; i < f->last; i++) {
		struct insn *in = VEC_AT(&e->insns, struct insn, i);
		if (!(in->flags & I_EXTERNAL) || in->flags & I_IN_PLACE)
			continue;
		if (in->kind == K_CALL_INDIRECT && can_go_away(e, in)) {
			in->flags |= I_AWAY; /* left in place, it would be reached without its hook */
		} else if (in->kind == K_CALL || in->kind == K_CALL_INDIRECT) {
			in->flags |= I_IN_PLACE;
		} else if (in->flags & I_ENDBR) { /* kept, because the processor may require an endbr at the target of an indirect branch */
			in->flags |= I_IN_PLACE;
			external(e, (int64_t)in->off + in->len);
		} else {
			uint32_t room = entry_room(e, f, i);
			if (room < 5)
				leave(e, f, i, room);
		}
	}
}

void analyse(struct engine *e)
{
	check_targets(e);
	for (size_t i = 0; i < e->funcs.n; i++) {
		struct func *f = VEC_AT(&e->funcs, struct func, i);
		f->moved = !f->reason && !f->foreign && (f->accesses > 0 || f->pulled);
	}
	find_externals(e);
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < e->funcs.n; i++) {
			struct func *f = VEC_AT(&e->funcs, struct func, i);
			if (f->dirty) {
				f->dirty = false;
				again = true;
				choose_bytes(e, f);
			}
		}
	}
}
