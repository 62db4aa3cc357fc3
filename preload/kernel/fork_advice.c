#include "preload/kernel/fork_advice.h"

#include <stdint.h>
#include <sys/mman.h>

#include "preload/base/maps.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MAX_ADVICE 256

/* Ranges of one kind do not overlap. A range may have both kinds. */
static struct range {
	uint64_t lo, hi;
	bool wiped; /* the child finds zeros; else it has no memory there */
} list[MAX_ADVICE];
static unsigned n_list;
static bool followed; /* this process is a child, and its kernel follows advice */

static struct range pages_of(const void *addr, size_t size, bool wiped)
{
	uint64_t lo = (uintptr_t)addr;
	return (struct range){ lo, (lo + size + PAGE_BYTES - 1) & -(uint64_t)PAGE_BYTES, wiped };
}

/* Removes the range from those of its kind. Returns false, with nothing changed for the pages that it could not remove, if the list is full. */
static bool cut_out(struct range r)
{
	for (unsigned i = 0; i < n_list; i++) {
		struct range *at = &list[i], behind = { r.hi, at->hi, at->wiped };
		if (at->wiped != r.wiped || at->hi <= r.lo || r.hi <= at->lo)
			continue;
		if (at->lo < r.lo && r.hi < at->hi) {
			if (n_list == MAX_ADVICE)
				return false;
			list[n_list++] = behind;
			at->hi = r.lo;
		} else if (at->lo < r.lo) {
			at->hi = r.lo;
		} else if (r.hi < at->hi) {
			at->lo = r.hi;
		} else {
			list[i--] = list[--n_list];
		}
	}
	return true;
}

/* Adds the range, joined with the neighbours of its kind. */
static bool put(struct range r)
{
	if (!cut_out(r))
		return false;
	for (unsigned i = 0; i < n_list; i++) {
		if (list[i].wiped != r.wiped || (list[i].hi != r.lo && list[i].lo != r.hi))
			continue;
		r.lo = list[i].hi == r.lo ? list[i].lo : r.lo;
		r.hi = list[i].lo == r.hi ? list[i].hi : r.hi;
		list[i--] = list[--n_list];
	}
	if (n_list == MAX_ADVICE)
		return false;
	list[n_list++] = r;
	return true;
}

bool fork_advice_is(int advice)
{
	return !followed && (advice == MADV_DONTFORK || advice == MADV_DOFORK || advice == MADV_WIPEONFORK || advice == MADV_KEEPONFORK);
}

bool fork_advice_set(const void *addr, size_t size, int advice)
{
	struct range r = pages_of(addr, size, advice == MADV_WIPEONFORK || advice == MADV_KEEPONFORK);
	if (r.lo == r.hi)
		return true;
	return advice == MADV_DONTFORK || advice == MADV_WIPEONFORK ? put(r) : cut_out(r);
}

void fork_advice_forget(const void *addr, size_t size)
{
	if (!n_list)
		return;
	cut_out(pages_of(addr, size, false));
	cut_out(pages_of(addr, size, true));
}

void fork_advice_follow(void)
{
	for (unsigned i = 0; i < n_list; i++) {
		size_t size = list[i].hi - list[i].lo;
		/* Reads of cleared memory give zeros: the kernel accepts MADV_WIPEONFORK for private anonymous memory only. */
		if (list[i].wiped)
			sys_call3(SYS_madvise, (long)list[i].lo, (long)size, MADV_DONTNEED);
		else
			sys_munmap((void *)list[i].lo, size);
	}
	n_list = 0;
	followed = true;
}
