#include "preload/life/prefault.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/control/ctl.h"
#include "preload/base/maps.h"
#include "preload/memory/shadow.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

#define PAGE PAGE_BYTES
#define MAX_RANGES 250
#define MAX_PAGES 512         /* with more pages, preparing them takes longer than it saves */
#define LARGE (64u << 20)     /* mappings of more bytes are too large to be examined */
#define SHADOW_PARTS 21       /* the five tables of the shadow and 16 of its leaves */

/* The pages to prepare. Shared by the zygote and its children. */
static struct warm {
	uint32_t recorded, n;
	struct {
		uint64_t addr;
		uint32_t pages;
		uint32_t write;
	} range[MAX_RANGES];
} *warm;

void prefault_init(void)
{
	warm = sys_map_shared(SYS_AWAY(0), sizeof *warm);
}

/* ---- recording ---- */

struct reader {
	struct maps maps;
	int pagemap;
	uint32_t pages;
};

static void add_page(struct reader *r, uint64_t addr, bool write)
{
	uint32_t n = warm->n;
	r->pages++;
	if (n && warm->range[n - 1].addr + warm->range[n - 1].pages * (uint64_t)PAGE == addr &&
		warm->range[n - 1].write == write) {
		warm->range[n - 1].pages++;
	} else if (n < MAX_RANGES) {
		warm->range[n].addr = addr;
		warm->range[n].pages = 1;
		warm->range[n].write = write;
		warm->n++;
	}
}

/* Records the pages of lo .. hi that are in memory. A shared page counts as written, a private one if no other process maps it. */
static void record_range(struct reader *r, uint64_t lo, uint64_t hi, bool writable, bool shared)
{
	uint64_t entry[512];
	for (uint64_t at = lo; at < hi; at += sizeof entry / 8 * PAGE) {
		uint64_t n = pages_read(r->pagemap, at, (hi - at) / PAGE < 512 ? (hi - at) / PAGE : 512, entry);
		for (uint64_t i = 0; i < n; i++) {
			if (!(entry[i] & PAGE_PRESENT))
				continue;
			if (writable && (shared || (entry[i] & PAGE_EXCLUSIVE)))
				add_page(r, at + i * PAGE, true);
			else if (!shared && (at + i * PAGE) % 65536 == 0)
				add_page(r, at + i * PAGE, false); /* one read fault makes the kernel map the neighbouring pages as well */
		}
	}
}

static void look_at(struct reader *r, const struct mapping *m)
{
	if (m->lo == (uintptr_t)ctl_session) {
		record_range(r, m->lo, m->lo + ctl_session->layout.explore_off + (1u << 20), true, true);
		return;
	}
	if (!m->readable || m->shared || m->hi - m->lo > LARGE) {
		if (m->lo == ctl_arena_start())
			record_range(r, m->lo, m->lo + (1u << 20), true, false);
		return;
	}
	record_range(r, m->lo, m->hi, m->writable, false);
}

void prefault_record(void)
{
	struct reader r;
	struct mapping m;
	uint64_t lo, bytes;
	if (!warm || warm->recorded)
		return;
	warm->recorded = 1;
	r.pages = 0;
	r.pagemap = pages_open();
	bool open = maps_open(&r.maps) && r.pagemap >= 0;
	while (open && maps_next(&r.maps, &m))
		look_at(&r, &m);
	for (unsigned i = 0; i < SHADOW_PARTS && open && shadow_part(i, &lo, &bytes); i++)
		record_range(&r, lo, lo + (bytes + PAGE - 1) / PAGE * PAGE, true, false);
	if (r.pages > MAX_PAGES)
		warm->n = 0;
	maps_close(&r.maps);
	if (r.pagemap >= 0)
		sys_close(r.pagemap);
}

void prefault_up(void)
{
	if (!warm)
		return;
	for (uint32_t i = 0; i < warm->n; i++) /* madvise may fail: a range that is not mapped in this process needs no pages */
		sys_call3(SYS_madvise, (long)warm->range[i].addr, (long)warm->range[i].pages * PAGE,
			warm->range[i].write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
}
