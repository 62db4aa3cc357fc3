/*
 * See shared_memory.h. Reading a page of tmpfs that was never touched allocates it, so only pages in memory are looked at (mincore). A file
 * may be shorter than its mapping. Reading beyond the end of the file would raise SIGBUS. So a system call copies the pages, which returns
 * an error instead.
 */
#include "preload/kernel/shared_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "preload/base/thread.h"
#include "preload/base/guard.h"
#include "preload/control/ctl.h"
#include "preload/base/maps.h"
#include "preload/base/safe_read.h"
#include "preload/kernel/other_processes.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MAX_REGIONS 32
#define MOST_BYTES (UINT64_C(64) << 20) /* kept at most */
#define AT_ONCE 1024u                   /* pages in one call of mincore */

/* A mapping. This is private memory, filled before the first fork and not written afterwards. */
static struct region {
	uint64_t lo, hi;
	struct others_file file;
	bool of_file; /* of a file that is not on tmpfs: every page below `hi` exists */
	char *copy;   /* the saved content, as large as the mapping; zero pages take no memory */
} regions[MAX_REGIONS];
static unsigned n_regions;
static uint64_t kept; /* bytes */
static bool held;     /* another process had mapped one of these files at the checkpoint */

bool shared_any(void)
{
	return n_regions != 0;
}

bool shared_is_mapped(uint64_t ino)
{
	unsigned i = 0;

	while (i < n_regions && regions[i].file.ino != ino)
		i++;
	return i < n_regions;
}

/* ---- the mappings ---- */

static bool is_file(const struct mapping *m, int fd)
{
	struct stat st;
	return fd >= 0 && !sys_call2(SYS_fstat, fd, (long)&st) && st.st_ino == m->ino &&
	       ((uint64_t)major(st.st_dev) << 32 | minor(st.st_dev)) == m->dev;
}

static bool is_simuls(const struct mapping *m)
{
	if (guard_owns(m->lo))
		return true;
	return is_file(m, ctl_session_fd) || (ctl_session->layout.common_size && is_file(m, ctl_session->config.common_fd));
}

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool on_tmpfs(const struct mapping *m)
{
	return begins(m->name, "/dev/zero") || begins(m->name, "/memfd:") || begins(m->name, "/dev/shm/") || begins(m->name, "/SYSV") ||
	       begins(m->name, "/anon_hugepage");
}

/* Returns whether a mapping is shared, writable memory of the program. Mappings of devices are not. */
static bool is_memory(const struct mapping *m)
{
	return m->shared && m->writable && m->name[0] && (on_tmpfs(m) || !begins(m->name, "/dev/")) && !is_simuls(m);
}

static bool others_hold(void)
{
	struct others_file file[MAX_REGIONS];
	for (unsigned i = 0; i < n_regions; i++)
		file[i] = regions[i].file;
	return n_regions && others_map(file, n_regions);
}

static void find_regions(void)
{
	struct maps maps;
	struct mapping m;
	bool all = true;
	if (!maps_open(&maps))
		return;
	while (maps_next(&maps, &m)) {
		if (!is_memory(&m))
			continue;
		if (n_regions < MAX_REGIONS)
			regions[n_regions++] = (struct region){ m.lo, m.hi, { m.dev, m.ino }, !on_tmpfs(&m), NULL };
		else
			all = false;
	}
	maps_close(&maps);
	if (!all)
		ctl_uncontrolled("shared mappings beyond the first 32, which are not restored between executions");
}

/* ---- their pages ---- */

static char *page_of(const struct region *r, uint64_t page)
{
	return (char *)r->lo + page * PAGE_BYTES;
}

/* Calls f for each page that exists. Stops and returns false as soon as f returns false. */
static bool each_page(const struct region *r, bool (*f)(const struct region *r, uint64_t page))
{
	unsigned char there[AT_ONCE];
	uint64_t pages = (r->hi - r->lo) / PAGE_BYTES;
	for (uint64_t at = 0; at < pages; at += AT_ONCE) {
		uint64_t n = pages - at < AT_ONCE ? pages - at : AT_ONCE;
		if (!r->of_file && sys_call3(SYS_mincore, (long)page_of(r, at), (long)(n * PAGE_BYTES), (long)there))
			return false;
		for (uint64_t i = 0; i < n; i++)
			if ((r->of_file || (there[i] & 1)) && !f(r, at + i))
				return false;
	}
	return true;
}

static bool keep_page(const struct region *r, uint64_t page)
{
	const uint64_t *from = (const uint64_t *)page_of(r, page);
	unsigned i = 0;
	while (i < PAGE_BYTES / 8 && !from[i])
		i++;
	if (i == PAGE_BYTES / 8)
		return true;
	kept += PAGE_BYTES;
	if (kept > MOST_BYTES)
		return false;
	memcpy(r->copy + page * PAGE_BYTES, from, PAGE_BYTES);
	return true;
}

static bool keep_file(struct region *r)
{
	kept += r->hi - r->lo;
	if (kept > MOST_BYTES)
		return false;
	r->hi = r->lo + safe_read(r->lo, r->copy, r->hi - r->lo) / PAGE_BYTES * PAGE_BYTES;
	return true;
}

static bool keep(struct region *r, void *wish)
{
	void *p = sys_mmap(wish, r->hi - r->lo, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (sys_failed((long)p))
		return false;
	r->copy = p;
	return r->of_file ? keep_file(r) : each_page(r, keep_page);
}

static void keep_all(void)
{
	char *wish = SYS_AWAY(5);
	for (unsigned i = 0; i < n_regions; i++) {
		struct region *r = &regions[i];
		uint64_t bytes = r->hi - r->lo;
		if (!keep(r, wish)) {
			ctl_uncontrolled("memory mapped with MAP_SHARED that is too large to be put back between executions, or cannot be read");
			n_regions = i;
			return;
		}
		wish += bytes;
	}
}

void shared_remember(void)
{
	if (ctl_session->config.isolation == ISOLATION_EXEC || ctl_session->config.mode != MODE_EXPLORE)
		return;
	find_regions();
	held = others_hold();
	if (held) {
		ctl_uncontrolled("memory that another process has mapped too, and that is therefore not put back between executions");
		n_regions = 0;
	}
	keep_all();
}

/* Finds the shared mapping of the program that contains addr. Returns false if there is none. */
static bool find_shared(uint64_t addr, struct others_file *out)
{
	struct maps maps;
	struct mapping m = { 0 };
	bool found = false;
	if (maps_open(&maps))
		while (!found && maps_next(&maps, &m))
			found = m.shared && m.lo <= addr && addr < m.hi && !is_simuls(&m);
	maps_close(&maps);
	*out = (struct others_file){ m.dev, m.ino };
	return found;
}

bool shared_with_others(uint64_t addr)
{
	struct others_file file;
	return find_shared(addr, &file) && (held || others_map(&file, 1));
}

static bool put_page(const struct region *r, uint64_t page)
{
	char *to = page_of(r, page);
	const char *from = r->copy + page * PAGE_BYTES;
	if (memcmp(to, from, PAGE_BYTES))
		memcpy(to, from, PAGE_BYTES);
	return true;
}

void shared_restore(void)
{
	char last;
	for (unsigned i = 0; i < n_regions; i++) {
		const struct region *r = &regions[i];
		if (r->lo == r->hi)
			continue;
		if (r->of_file && !safe_read(r->hi - 1, &last, 1))
			ctl_uncontrolled("a file that is mapped with MAP_SHARED became shorter");
		else
			each_page(r, put_page);
	}
}

bool shared_may_be_woken(void)
{
	struct object_info in;
	for (struct fiber *f = fiber_first; f; f = f->next) {
		const struct op *op = f->id == NO_THREAD ? NULL : world_pending(ctl_world, f->id);
		for (unsigned k = 0; op && k < 2; k++)
			if (op->obj[k] && world_object_info(ctl_world, op->obj[k], &in) && in.addr && shared_with_others(in.addr))
				return true;
	}
	return false;
}
