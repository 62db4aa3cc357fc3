#include "preload/modules/library_locks.h"

#include <stddef.h>

#include "preload/accesses/mem.h"
#include "preload/base/state.h"
#include "preload/memory/lock_sites.h"
#include "preload/modules/runtimes.h"
#include "preload/patch/lazy.h"
#include "preload/base/rules.h"

#define DEPTH 24 /* this many functions of the library lie between the program and the lock at most */

#define MOST_PLACES 1024

#define BEFORE 512 /* bytes before the first of the functions of LOCK_WITHIN, in which functions without a name lie */

/* By the number of a library, from 1: its code, its functions that are patched, those of them that call others, those that begin with a push, and all functions
   from which the program takes a lock. */
static struct code_ranges libraries, patched, callers, pushing, from;

static bool wanted(uint64_t pc)
{
	return code_ranges_find(&patched, pc);
}

/* The instructions of a library that take or give back a lock, in the order of their addresses, if its own locks are seen as well. */
static struct {
	uint64_t pc;
	bool takes;
} place[MOST_PLACES];
static unsigned places;
static bool missed; /* a place has no room above, or lies in code that cannot be patched */

static void add_place(uint64_t pc, bool takes)
{
	missed |= places == MOST_PLACES;
	if (missed)
		return;
	place[places].pc = pc;
	place[places++].takes = takes;
}

static bool wanted_everywhere(uint64_t pc)
{
	unsigned lo = 0, hi = places;
	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;
		if (place[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo < places && place[lo].pc == pc) || wanted(pc);
}

static void note_hole(void *ctx, const struct patch_hole *hole)
{
	missed |= hole->reason != PATCH_NO_UNWIND;
}

/* Returns the function with that role; NULL: there is none. */
static const struct lock_function *with_role(const struct lock_function *f, unsigned n, enum lock_role role)
{
	for (unsigned i = 0; i < n; i++)
		if (f[i].role == role)
			return &f[i];
	return NULL;
}

/* Has all locks of the library seen, also those that it takes for itself. Returns false if its own ones cannot be found or patched. */
static bool see_all(const struct lock_function *f, unsigned n, const void *code, const struct patch_config *how)
{
	const struct lock_function *takes = with_role(f, n, LOCK_ALL_TAKE), *gives = with_role(f, n, LOCK_ALL_GIVE);
	if (!takes || !gives)
		return false;
	const struct patch_alike alike = { .takes = takes->lo, .gives = gives->lo, .found = add_place };
	struct patch_config all = *how;
	places = 0;
	missed = false;
	if (!patch_find_alike(code, &alike) || missed)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (f[i].role == LOCK_SEEN)
			code_ranges_add(&patched, f[i].lo, f[i].hi, f[i].owner);
	all.wanted = wanted_everywhere;
	all.waits = NULL;
	all.report = (struct patch_report){ .hole = note_hole, .stuck = how->report.stuck };
	if (!patch_module_at(code, &all) || missed)
		return false;
	for (unsigned i = 0; i < places; i++)
		if (place[i].takes)
			lock_site_add(place[i].pc, takes->owner);
	return true;
}

/* Returns false if the access is one of the library's own for sure. The functions that call no others have their return address on top of the stack, or below
   the frame pointer that they pushed. */
static bool counts(uint64_t pc, uint64_t sp)
{
	if (code_ranges_find(&callers, pc))
		return true;
	const uint64_t *top = (const uint64_t *)sp;
	uint64_t caller = top[code_ranges_find(&pushing, pc) ? 1 : 0] - 1;
	return code_ranges_find(&libraries, caller) != code_ranges_find(&libraries, pc) || code_ranges_find(&from, caller);
}

/* Returns whether the program called one of the functions that count. */
static bool is_from_program(uint64_t pc, const uint64_t *stack, unsigned n)
{
	uint32_t library = code_ranges_find(&libraries, pc);
	for (unsigned i = 1; i < n; i++)
		if (code_ranges_find(&libraries, stack[i] - 1) != library)
			return code_ranges_find(&from, stack[i - 1] - 1);
	return false;
}

static bool counts_here(const struct mem_access *a)
{
	uint64_t stack[DEPTH];
	if (!mem_on || !ctl_enter_unnoticed())
		return true;
	unsigned n = lock_stack_of(a, stack, DEPTH);
	ctl_leave();
	return is_from_program(a->pc - 1, stack, n);
}

/* Returns whether the function begins with a push of the frame pointer. */
static bool begins_with_push(uint64_t function)
{
	const uint8_t *code = (const uint8_t *)function, endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	return code[__builtin_memcmp(code, endbr64, sizeof endbr64) ? 0 : sizeof endbr64] == 0x55;
}

/* Adds the functions with that role to the ranges, and to those to be patched. Returns how many these are then. */
static unsigned add(const struct lock_function *f, unsigned n, enum lock_role role, uint64_t *at, unsigned to)
{
	for (unsigned i = 0; i < n; i++) {
		if (f[i].role != role)
			continue;
		code_ranges_add(&from, f[i].lo, f[i].hi, f[i].owner);
		code_ranges_add(&patched, f[i].lo, f[i].hi, f[i].owner);
		if (role == LOCK_CALLS)
			code_ranges_add(&callers, f[i].lo, f[i].hi, f[i].owner);
		else if (begins_with_push(f[i].lo))
			code_ranges_add(&pushing, f[i].lo, f[i].hi, f[i].owner);
		at[to++] = f[i].lo;
	}
	return to;
}

/* Adds the functions of LOCK_WITHIN. They call functions without a name, which lie between them or just before, if the linker keeps the order of the source
   files. */
static void add_within(const struct lock_function *f, unsigned n)
{
	uint64_t lo = UINT64_MAX, hi = 0, bytes = 0;
	uint32_t owner = 0;
	for (unsigned i = 0; i < n; i++) {
		if (f[i].role != LOCK_WITHIN)
			continue;
		code_ranges_add(&from, f[i].lo, f[i].hi, owner = f[i].owner);
		lo = f[i].lo < lo ? f[i].lo : lo;
		hi = f[i].hi > hi ? f[i].hi : hi;
		bytes += f[i].hi - f[i].lo;
	}
	if (hi && hi - lo < 4 * bytes)
		code_ranges_add(&from, lo - BEFORE, hi, owner);
}

bool library_locks_see(const char *path, uint64_t base, uint64_t code, uint64_t end, const struct patch_config *how)
{
	struct lock_function function[MOST_LOCK_FUNCTIONS];
	uint64_t at[MOST_LOCK_FUNCTIONS];
	unsigned n = ctl_session->config.settings.known_locks ? runtimes_locks_of(path, base, function) : 0, others, all;

	if (!n || from.n + n + 1 > MOST_CODE_RANGES)
		return false;
	if (see_all(function, n, (const void *)code, how))
		return true;
	others = add(function, n, LOCK_CALLS, at, add(function, n, LOCK_SEEN, at, 0));
	all = add(function, n, LOCK_TAKES, at, others); /* last: if they are seen, the release is */
	add_within(function, n);
	if (!others || others == all)
		return false;
	code_ranges_add(&libraries, code, end, libraries.n + 1);
	struct patch_config part = *how;
	part.wanted = wanted;
	part.waits = NULL;
	part.counts = counts;
	part.counts_here = counts_here;
	part.report = (struct patch_report){ .stuck = how->report.stuck };
	if (lazy_part((const void *)code, &part, at, all) < all)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (function[i].role == LOCK_TAKES)
			code_ranges_add(&library_lock_functions, function[i].lo, function[i].hi, function[i].owner);
	return true;
}
