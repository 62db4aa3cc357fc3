/* See known.h. */
#include "preload/known.h"

#include <stddef.h>

#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/shadow.h"
#include "preload/sys.h"
#include "preload/written.h"
#include "preload/rules.h"

#define BLOCK_BYTES (UINT64_C(1) << 24) /* of memory whose shadow lies together */

struct known *known;

bool known_init(void)
{
	known = sys_map_shared(SYS_AWAY(2), sizeof *known);
	return known != NULL;
}

void known_see(void *ctx, uint64_t addr)
{
	uint32_t *n = ctx;
	if (*n < KNOWN_PAGES)
		known->seen[*n] = addr;
	++*n;
}

bool known_news(const struct copied *c, uint32_t n)
{
	uint32_t k = 0;
	for (uint32_t i = 0; i < n; i++) {
		while (k < c->n && c->page[k] < known->seen[i])
			k++;
		if (k == c->n || c->page[k] != known->seen[i])
			return true;
	}
	return false;
}

bool known_learn(uint32_t n)
{
	uint32_t k = 0, more = 0;
	for (uint32_t i = 0; i < n; i++) { /* what is new is moved to the front of `seen` */
		while (k < known->n && known->page[k] < known->seen[i])
			k++;
		if (k == known->n || known->page[k] != known->seen[i])
			known->seen[more++] = known->seen[i];
	}
	if (known->n + more > KNOWN_PAGES)
		return false;
	uint32_t from = known->n, to = known->n + more;
	known->n = to;
	while (more) /* merged from behind */
		known->page[--to] = from && known->page[from - 1] > known->seen[more - 1] ? known->page[--from] : known->seen[--more];
	return true;
}

bool known_may_watch(void)
{
	if (known->watch == WATCH_OPEN) {
		known->watch = watch_possible() ? WATCH_ON : WATCH_OFF;
		if (known->watch == WATCH_OFF)
			ctl_session->ctl.page_scan = PAGE_SCAN_MISSING;
	}
	return known->watch == WATCH_ON;
}

/* ---- what lies beside known pages ---- */

/* Is it private memory of the program's, not of simul's? */
static bool programs(const struct mapping *m)
{
	uint64_t lo, hi;
	shadow_region(&lo, &hi);
	return m->writable && !m->shared && !m->stack && !(m->lo < hi && m->hi > lo) && m->lo != ctl_arena_start();
}

/* What lies beside known pages: all pages in memory of such mappings that have a known page. */
struct beside {
	uint32_t n, at; /* as known_see; in known->page */
	bool wanted, shadow;
};

static void look_beside(void *ctx, const struct mapping *m)
{
	struct beside *b = ctx;
	while (b->at < known->n && known->page[b->at] < m->lo)
		b->at++;
	b->wanted = b->at < known->n && known->page[b->at] < m->hi && programs(m);
}

/* The shadow of the page at addr; 0: it may lie anywhere, since there are too many. */
static uint64_t place_shadow(uint64_t addr)
{
	uint64_t lo = addr & -BLOCK_BYTES;
	uint32_t i = 0;
	while (i < known->n_blocks && known->block[i] != lo)
		i++;
	if (i == KNOWN_BLOCKS)
		return 0;
	known->block[i] = lo;
	known->n_blocks += i == known->n_blocks;
	return shadow_page(addr);
}

static void see_beside(void *ctx, uint64_t addr)
{
	struct beside *b = ctx;
	if (!b->wanted)
		return;
	if (b->shadow && !(addr = place_shadow(addr)))
		return;
	if (b->n && b->n <= KNOWN_PAGES && addr < known->seen[b->n - 1]) { /* another leaf of the shadow */
		known_learn(b->n);
		b->n = 0;
	}
	known_see(&b->n, addr);
}

static bool learn_beside(bool shadow)
{
	struct beside b = { .shadow = shadow };
	const struct written_tell tell = { .ctx = &b, .mapping = look_beside, .page = see_beside, .others = true };
	uint64_t layout;
	if (!written_look(&tell, &layout) || b.n > KNOWN_PROGRAMS || (b.n > KNOWN_MANY && !known_may_watch()))
		return false;
	return known_learn(b.n);
}

void known_widen(void)
{
	known->widen = false;
	if (learn_beside(false))
		learn_beside(true);
}

