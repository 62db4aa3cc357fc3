#include "preload/kernel/older_mappings.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "preload/kernel/made_mappings.h"
#include "preload/base/rules.h"

#define MAX_OLDER 1024
#define MAX_MOVED 128
#define MAX_CHANGED 64
#define MOST_DISCARDED (UINT64_C(1) << 30) /* bytes of one call that discards memory; looking at more pages takes too long */

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

struct range {
	uint64_t lo, hi;
};

static struct older {
	uint64_t lo, hi;
	uint8_t prot;
	bool mine; /* private memory of the program, apart from the first thread's stack: it can be moved and put back */
} older[MAX_OLDER];
static unsigned n_older;
static bool known; /* older[] has all mappings */

static struct moved {
	uint64_t home, at, bytes;
} moved[MAX_MOVED];
static unsigned n_moved;
static uint64_t room; /* bytes in use from MOVED_TO on */

static struct range changed[MAX_CHANGED]; /* where rights were changed */
static unsigned n_changed;

#define MOVED_TO ((uint64_t)(uintptr_t)SYS_AWAY(4096))

void older_begin(void)
{
	n_older = n_moved = n_changed = 0;
	room = 0;
	known = true;
}

void older_add(const struct mapping *m)
{
	if (n_older == MAX_OLDER) {
		known = false;
		return;
	}
	older[n_older++] = (struct older){
		.lo = m->lo, .hi = m->hi,
		.prot = (uint8_t)((m->readable ? PROT_READ : 0) | (m->writable ? PROT_WRITE : 0) | (m->executable ? PROT_EXEC : 0)),
		.mine = !m->shared && !m->stack && (m->name[0] != '[' || !strncmp(m->name, "[anon:", 6)),
	};
}

/* ---- ranges ---- */

/* Returns the whole pages; nothing (lo == hi) if the kernel would refuse them. */
static struct range pages_of(const void *addr, size_t size)
{
	uint64_t lo = (uintptr_t)addr, hi = (lo + size + PAGE_BYTES - 1) & -(uint64_t)PAGE_BYTES;
	return lo % PAGE_BYTES || hi < lo ? (struct range){ 0, 0 } : (struct range){ lo, hi };
}

static struct range both(struct range a, struct range b)
{
	struct range r = { a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi };
	return r.lo < r.hi ? r : (struct range){ 0, 0 };
}

/* Returns the part of r that lies in mapping i. */
static struct range part(unsigned i, struct range r)
{
	return both(r, (struct range){ older[i].lo, older[i].hi });
}

bool older_changed_any(void)
{
	return n_moved || n_changed;
}

static bool overlaps_changed(struct range r)
{
	for (unsigned i = 0; i < n_changed; i++)
		if (both(r, changed[i]).hi)
			return true;
	return false;
}

/* Returns the old place of the first memory from `at` on that was moved away; lo is UINT64_MAX if there is none. */
static struct range next_moved(uint64_t at)
{
	struct range first = { UINT64_MAX, UINT64_MAX };
	for (unsigned i = 0; i < n_moved; i++)
		if (moved[i].home + moved[i].bytes > at && moved[i].home < first.lo)
			first = (struct range){ moved[i].home, moved[i].home + moved[i].bytes };
	return first;
}

/* Returns whether all that is mapped there is memory from before the execution that can be put back. */
static bool usable(struct range r)
{
	if (!known || r.lo == r.hi || made_overlaps((void *)r.lo, r.hi - r.lo))
		return false;
	for (unsigned i = 0; i < n_older; i++)
		if (!older[i].mine && part(i, r).hi)
			return false;
	return true;
}

/* ---- unmapping ---- */

/* Moves a mapping. The new place must be free. */
static bool move(uint64_t from, uint64_t to, uint64_t bytes)
{
	void *place = sys_mmap((void *)to, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (place != (void *)to) {
		if (!sys_failed((long)place))
			sys_munmap(place, bytes);
		return false;
	}
	if (!sys_failed(sys_call5(SYS_mremap, (long)from, (long)bytes, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (long)to)))
		return true;
	sys_munmap(place, bytes);
	return false;
}

static bool move_away(struct range r, int prot)
{
	struct moved m = { .home = r.lo, .at = MOVED_TO + room, .bytes = r.hi - r.lo };
	if (n_moved == MAX_MOVED)
		return false;
	if (overlaps_changed(r) && sys_mprotect((void *)r.lo, m.bytes, prot)) /* makes one mapping of it again */
		return false;
	if (!move(m.home, m.at, m.bytes))
		return false;
	moved[n_moved++] = m;
	room += m.bytes + PAGE_BYTES;
	return true;
}

bool older_unmap(const void *addr, size_t size)
{
	struct range r = pages_of(addr, size);
	if (rewind_tainted || !usable(r) || !operations.may_move(r.lo, r.hi))
		return false;
	for (unsigned i = 0; i < n_older; i++) {
		struct range p = part(i, r);
		while (p.lo < p.hi) {
			struct range gone = next_moved(p.lo), rest = { p.lo, gone.lo < p.hi ? gone.lo : p.hi };
			if (rest.lo < rest.hi && !move_away(rest, older[i].prot))
				return false;
			p.lo = gone.hi;
		}
	}
	return true;
}

unsigned older_moved(void)
{
	return n_moved;
}

static bool move_back(const struct moved *m)
{
	return move(m->at, m->home, m->bytes);
}

void older_undo(unsigned n)
{
	while (n_moved > n)
		if (!move_back(&moved[--n_moved]))
			rewind_prevent("change what is mapped");
}

/* ---- rights and advice ---- */

bool older_protect(const void *addr, size_t size, int prot)
{
	struct range r = pages_of(addr, size);
	if (!usable(r) || prot & ~(PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	for (unsigned i = 0; i < n_older; i++) /* only pages of writable mappings are copied */
		if (prot & PROT_WRITE && !(older[i].prot & PROT_WRITE) && part(i, r).hi)
			return false;
	for (unsigned i = 0; i < n_changed; i++)
		if (changed[i].lo <= r.lo && r.hi <= changed[i].hi)
			return true;
	if (n_changed == MAX_CHANGED)
		return false;
	changed[n_changed++] = r;
	return true;
}

/* Returns whether the contents of these pages are put back, or will be in the next process. */
static bool discard(struct range r)
{
	if (!usable(r) || r.hi - r.lo > MOST_DISCARDED)
		return false;
	for (unsigned i = 0; i < n_older; i++) {
		struct range p = part(i, r);
		if (p.hi && !operations.discards(p.lo, p.hi, older[i].prot & PROT_WRITE))
			return false;
	}
	return true;
}

bool older_advise(const void *addr, size_t size, int advice)
{
	switch (advice) {
	case MADV_DONTNEED:
	case MADV_FREE:
		return discard(pages_of(addr, size));
	/* Advice that the program cannot notice afterwards. It stays in force. */
	case MADV_NORMAL:
	case MADV_RANDOM:
	case MADV_SEQUENTIAL:
	case MADV_WILLNEED:
	case MADV_HUGEPAGE:
	case MADV_NOHUGEPAGE:
	case MADV_COLLAPSE:
	case MADV_DONTDUMP:
	case MADV_DODUMP:
	case MADV_COLD:
	case MADV_PAGEOUT:
	case MADV_POPULATE_READ:
	case MADV_POPULATE_WRITE:
		return true;
	default:
		return false;
	}
}

bool older_put_back(void)
{
	bool ok = true;
	for (unsigned i = n_moved; i;)
		ok &= move_back(&moved[--i]);
	for (unsigned k = 0; k < n_changed; k++)
		for (unsigned i = 0; i < n_older; i++) {
			struct range p = part(i, changed[k]);
			ok &= !p.hi || !sys_mprotect((void *)p.lo, p.hi - p.lo, older[i].prot);
		}
	return ok;
}
