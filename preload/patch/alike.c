/*
 * Finds all places of a module that take or give back locks of one kind. The compiler puts copies of both into many functions, which have no names in a stripped
 * library. All of them call one function if they have to wait, and one if another thread waits. Two functions that are known show which:
 *
 *	lock cmpxchg; jne L; ... L: ... call wait
 *	xchg; test; js L; ...    L: ... call wake
 */
#include "preload/accesses/mem.h"
#include "preload/patch/engine.h"
#include "preload/base/rules.h"

#define MOST_CALLS 4096

enum { WAIT = 1, WAKE = 2 };

static uint64_t function[3];        /* WAIT, WAKE: their addresses */
static uint64_t known_lo, known_hi; /* the known function, while the one that it calls is looked for */

static uint32_t is_outside(uint64_t addr, bool *until)
{
	return addr < known_lo || addr >= known_hi;
}

static uint32_t is_found(uint64_t addr, bool *until)
{
	return addr == function[WAIT] ? WAIT : addr == function[WAKE] ? WAKE : 0;
}

static uint64_t target(const struct engine *e, const struct insn *in)
{
	return e->image.lo + (uint64_t)(int64_t)in->ref;
}

/* Returns what config.waits says of the i-th instruction if it takes (WAIT) or gives back (WAKE) a lock; 0: it does neither. *by: the call that shows it. */
static uint32_t shows(const struct engine *e, size_t i, unsigned what, const struct insn **by)
{
	const struct insn *in = VEC_AT(&e->insns, struct insn, i), *jump;
	if (what == WAIT) {
		int64_t fails = acquire_fails(e, i);
		return fails < 0 ? 0 : acquire_leads(e, fails, by);
	}
	if (!acquire_exchanges(e, in))
		return 0;
	jump = acquire_branch(e, i, true);
	if (!jump)
		return 0;
	uint32_t says = acquire_leads(e, jump->ref, by);
	return says ? says : acquire_leads(e, (int64_t)jump->off + jump->len, by);
}

/* Finds the function that the known one at `addr` calls to wait or to wake. */
static bool find_function(struct engine *e, uint64_t addr, unsigned what)
{
	const struct func *f = analyse_func(e, (int64_t)(addr - e->image.lo));
	const struct insn *by;
	if (!f || f->reason)
		return false;
	known_lo = e->image.lo + f->lo;
	known_hi = e->image.lo + f->hi;
	e->config.waits = is_outside;
	for (size_t i = f->first; i < f->last; i++)
		if (shows(e, i, what, &by)) {
			function[what] = by->kind == K_CALL || by->kind == K_JMP ? target(e, by) : 0;
			return function[what];
		}
	return false;
}

/* Returns whether each function was decoded, so that no call is missed. */
static bool all_decoded(const struct engine *e)
{
	for (size_t i = 0; i < e->funcs.n; i++)
		if (VEC_AT(&e->funcs, struct func, i)->reason)
			return false;
	return true;
}

/* Returns whether each call and jump to the two functions is among those. */
static bool are_all(const struct engine *e, const struct vec *calls)
{
	for (size_t i = 0; i < e->insns.n; i++) {
		const struct insn *in = VEC_AT(&e->insns, struct insn, i);
		bool there = !((in->kind == K_CALL || in->kind == K_JMP || in->kind == K_JCC) && is_found(target(e, in), NULL));
		for (size_t k = 0; k < calls->n && !there; k++)
			there = *VEC_AT(calls, uint32_t, k) == in->off;
		if (!there)
			return false;
	}
	return true;
}

bool alike_find(struct engine *e, const struct patch_alike *alike)
{
	struct vec calls = { 0 };
	if (!all_decoded(e) || !find_function(e, alike->takes, WAIT) || !find_function(e, alike->gives, WAKE) || function[WAIT] == function[WAKE] ||
		!vec_make(&calls, 4, MOST_CALLS))
		return false;
	e->config.waits = is_found;
	for (size_t i = 0; i < e->insns.n; i++)
		for (unsigned what = WAIT; what <= WAKE; what++) {
			const struct insn *by;
			if (shows(e, i, what, &by) != what)
				continue;
			alike->found(e->image.lo + VEC_AT(&e->insns, struct insn, i)->off, what == WAIT);
			VEC_PUSH(&calls, uint32_t, by->off);
		}
	bool all = !calls.lost && are_all(e, &calls);
	vec_free(&calls);
	return all;
}
