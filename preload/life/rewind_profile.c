/* See rewind_profile.h. */
#include "preload/life/rewind_profile.h"

#include <stddef.h>

#include "preload/control/ctl.h"
#include "preload/memory/shadow.h"
#include "preload/base/sys.h"
#include "preload/life/written_pages.h"
#include "preload/base/rules.h"

#define BLOCK_BYTES (UINT64_C(1) << 24) /* bytes of memory whose shadow is contiguous */

struct rewind_profile *profile;

bool profile_init(void)
{
	profile = sys_map_shared(SYS_AWAY(2), sizeof *profile);
	return profile != NULL;
}

void profile_see(void *ctx, uint64_t addr)
{
	uint32_t *n = ctx;
	if (*n < PROFILE_PAGES)
		profile->seen[*n] = addr;
	++*n;
}

bool profile_news(const struct copied *c, uint32_t n)
{
	uint32_t k = 0;
	for (uint32_t i = 0; i < n; i++) {
		while (k < c->n && c->page[k] < profile->seen[i])
			k++;
		if (k == c->n || c->page[k] != profile->seen[i])
			return true;
	}
	return false;
}

bool profile_add(uint32_t n)
{
	uint32_t k = 0, more = 0;
	for (uint32_t i = 0; i < n; i++) { /* moves new pages to the front of `seen` */
		while (k < profile->n && profile->page[k] < profile->seen[i])
			k++;
		if (k == profile->n || profile->page[k] != profile->seen[i])
			profile->seen[more++] = profile->seen[i];
	}
	if (profile->n + more > PROFILE_PAGES)
		return false;
	uint32_t from = profile->n, to = profile->n + more;
	profile->n = to;
	while (more) /* merges from the end, in place */
		profile->page[--to] = from && profile->page[from - 1] > profile->seen[more - 1] ? profile->page[--from] : profile->seen[--more];
	return true;
}

bool profile_may_watch(void)
{
	if (profile->watch == WATCH_OPEN) {
		profile->watch = watch_possible() ? WATCH_ON : WATCH_OFF;
		if (profile->watch == WATCH_OFF)
			ctl_session->ctl.rewind.page_scan = PAGE_SCAN_MISSING;
	}
	return profile->watch == WATCH_ON;
}

/* ---- pages beside known ones ---- */

/* Returns whether the mapping is private memory of the program, not of simul. */
static bool programs(const struct mapping *m)
{
	uint64_t lo, hi;
	shadow_region(&lo, &hi);
	return m->writable && !m->shared && !m->stack && !(m->lo < hi && m->hi > lo) && m->lo != ctl_arena_start();
}

/* State of a walk that collects all pages in memory of those mappings of the program that have a known page. */
struct beside {
	uint32_t n, at; /* n: number of pages in profile->seen (profile_see); at: index into profile->page */
	bool wanted, shadow;
};

static void look_beside(void *ctx, const struct mapping *m)
{
	struct beside *b = ctx;
	while (b->at < profile->n && profile->page[b->at] < m->lo)
		b->at++;
	b->wanted = b->at < profile->n && profile->page[b->at] < m->hi && programs(m);
}

/* Returns the address of the shadow of the page at addr, and reserves the block of this memory. Returns 0 if there are too many blocks;
   then the shadow has no fixed address. */
static uint64_t place_shadow(uint64_t addr)
{
	uint64_t lo = addr & -BLOCK_BYTES;
	uint32_t i = 0;
	while (i < profile->n_blocks && profile->block[i] != lo)
		i++;
	if (i == KNOWN_BLOCKS)
		return 0;
	profile->block[i] = lo;
	profile->n_blocks += i == profile->n_blocks;
	return shadow_page(addr);
}

static void see_beside(void *ctx, uint64_t addr)
{
	struct beside *b = ctx;
	if (!b->wanted)
		return;
	if (b->shadow && !(addr = place_shadow(addr)))
		return;
	if (b->n && b->n <= PROFILE_PAGES && addr < profile->seen[b->n - 1]) { /* another leaf of the shadow */
		profile_add(b->n);
		b->n = 0;
	}
	profile_see(&b->n, addr);
}

static bool add_beside(bool shadow)
{
	struct beside b = { .shadow = shadow };
	const struct written_visitor visitor = { .ctx = &b, .mapping = look_beside, .page = see_beside, .others = true };
	uint64_t layout;
	if (!written_look(&visitor, &layout) || b.n > KNOWN_PROGRAMS || (b.n > KNOWN_MANY && !profile_may_watch()))
		return false;
	return profile_add(b.n);
}

void profile_widen(void)
{
	profile->widen = false;
	if (add_beside(false))
		add_beside(true);
}

