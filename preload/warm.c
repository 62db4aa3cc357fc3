#include "preload/warm.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/shadow.h"
#include "preload/sys.h"
#include "preload/rules.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

#define PAGE 4096u
#define MAX_RANGES 250
#define MAX_PAGES 512         /* more than that, and a program is not worth it */
#define LARGE (64u << 20)     /* mappings that are too large to look through */
#define SHADOW_PARTS 20       /* its four tables and 16 of its leaves */
#define PRESENT (UINT64_C(1) << 63)
#define EXCLUSIVE (UINT64_C(1) << 56)

/* Shared by the zygote and its children. */
static struct warm {
	uint32_t learnt, n;
	struct {
		uint64_t addr;
		uint32_t pages;
		uint32_t write;
	} range[MAX_RANGES];
} *warm;

void warm_init(void)
{
	void *p = sys_mmap(NULL, sizeof *warm, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	warm = sys_failed((long)p) ? NULL : p;
}

/* ---- learning ---- */

struct reader {
	int maps, pagemap;
	uint32_t pages;
	char buf[8192];
	size_t at, end;
};

/* The next byte of /proc/self/maps, or -1. */
static int next_byte(struct reader *r)
{
	if (r->at == r->end) {
		ssize_t n = sys_read(r->maps, r->buf, sizeof r->buf);
		if (n <= 0)
			return -1;
		r->at = 0;
		r->end = (size_t)n;
	}
	return (unsigned char)r->buf[r->at++];
}

static uint64_t hex(struct reader *r, int *last)
{
	uint64_t v = 0;
	int c;
	while ((c = next_byte(r)) > ' ' && c != '-')
		v = v << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	*last = c;
	return v;
}

static void add(struct reader *r, uint64_t addr, bool write)
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

/* Pages of a mapping that are here: `shared` ones were written, private ones when nobody else has them. */
static void look(struct reader *r, uint64_t lo, uint64_t hi, bool writable, bool shared)
{
	uint64_t entry[512];
	for (uint64_t at = lo; at < hi; at += sizeof entry / 8 * PAGE) {
		uint64_t n = (hi - at) / PAGE < 512 ? (hi - at) / PAGE : 512;
		long got = sys_call4(SYS_pread64, r->pagemap, (long)entry, (long)(n * 8), (long)(at / PAGE * 8));
		for (long i = 0; i < got / 8; i++) {
			if (!(entry[i] & PRESENT))
				continue;
			if (writable && (shared || (entry[i] & EXCLUSIVE)))
				add(r, at + (uint64_t)i * PAGE, true);
			else if (!shared && (at + (uint64_t)i * PAGE) % 65536 == 0)
				add(r, at + (uint64_t)i * PAGE, false); /* brings its neighbours */
		}
	}
}

static void look_at_line(struct reader *r, bool *more)
{
	int c;
	uint64_t lo = hex(r, &c), hi = hex(r, &c);
	*more = c == ' ';
	if (!*more)
		return;
	bool readable = next_byte(r) == 'r', writable = next_byte(r) == 'w';
	next_byte(r);
	bool shared = next_byte(r) == 's';
	while ((c = next_byte(r)) != '\n' && c != -1)
		;
	uint64_t session = (uintptr_t)ctl_session;
	if (lo == session) {
		look(r, lo, lo + ctl_session->layout.explore_off + (1u << 20), true, true);
		return;
	}
	if (!readable || shared || hi - lo > LARGE) {
		if (lo == ctl_arena_start())
			look(r, lo, lo + (1u << 20), true, false);
		return;
	}
	look(r, lo, hi, writable, false);
}

void warm_learn(void)
{
	struct reader r = { 0 };
	uint64_t lo, bytes;
	bool more = true;
	if (!warm || warm->learnt)
		return;
	warm->learnt = 1;
	r.maps = (int)sys_open("/proc/self/maps", O_RDONLY, 0);
	r.pagemap = (int)sys_open("/proc/self/pagemap", O_RDONLY, 0);
	while (more && r.maps >= 0 && r.pagemap >= 0)
		look_at_line(&r, &more);
	for (unsigned i = 0; i < SHADOW_PARTS && r.pagemap >= 0 && shadow_part(i, &lo, &bytes); i++)
		look(&r, lo, lo + (bytes + PAGE - 1) / PAGE * PAGE, true, false);
	if (r.pages > MAX_PAGES)
		warm->n = 0;
	if (r.maps >= 0)
		sys_close(r.maps);
	if (r.pagemap >= 0)
		sys_close(r.pagemap);
}

void warm_up(void)
{
	if (!warm)
		return;
	for (uint32_t i = 0; i < warm->n; i++) /* fails where there is nothing: then it is not needed */
		sys_call3(SYS_madvise, (long)warm->range[i].addr, (long)warm->range[i].pages * PAGE,
			warm->range[i].write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
}
