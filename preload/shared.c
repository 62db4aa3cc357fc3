/*
 * See shared.h. Memory of tmpfs has pages that were never touched, and reading one of them makes it: so only pages in memory are
 * looked at (mincore). A file may be shorter than its mapping: what lies behind its end cannot be read, which a copy by the kernel
 * finds out without a signal.
 */
#include "preload/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include "preload/core.h"
#include "preload/ctl.h"
#include "preload/maps.h"
#include "preload/sys.h"
#include "preload/rules.h"

#define MAX_REGIONS 32
#define MOST_BYTES (UINT64_C(64) << 20) /* kept at most */
#define AT_ONCE 1024u                   /* pages that mincore is asked about at a time */

/* A mapping. Private memory, made before the first fork and not written afterwards. */
static struct region {
	uint64_t lo, hi;
	uint64_t dev, ino;
	bool of_file; /* not tmpfs: each page below `hi` is there */
	char *copy;   /* of all of it; takes room where it is not zero */
} regions[MAX_REGIONS];
static unsigned n_regions;
static uint64_t kept; /* bytes */

bool shared_any(void)
{
	return n_regions != 0;
}

/* ---- which mappings ---- */

static bool is_file(const struct mapping *m, int fd)
{
	struct stat st;
	return fd >= 0 && !sys_call2(SYS_fstat, fd, (long)&st) && st.st_ino == m->ino &&
	       ((uint64_t)major(st.st_dev) << 32 | minor(st.st_dev)) == m->dev;
}

static bool is_simuls(const struct mapping *m)
{
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

/* What a device shows there is not memory of the program. */
static bool is_memory(const struct mapping *m)
{
	return m->shared && m->writable && m->name[0] && (on_tmpfs(m) || !begins(m->name, "/dev/")) && !is_simuls(m);
}

/* Does the process with this number, which is not this one, map any of the regions? */
static bool holds(const char *pid)
{
	struct maps maps;
	struct mapping m;
	bool found = false;
	if (maps_open_of(&maps, pid))
		while (!found && maps_next(&maps, &m))
			for (unsigned i = 0; m.shared && i < n_regions; i++)
				found |= regions[i].dev == m.dev && regions[i].ino == m.ino;
	maps_close(&maps);
	return found;
}

static bool is_me(const char *pid)
{
	char me[16];
	snprintf(me, sizeof me, "%d", sys_getpid());
	return !strcmp(pid, me);
}

struct dirent64 { /* the kernel's struct linux_dirent64 */
	uint64_t ino, off;
	uint16_t size;
	uint8_t type;
	char name[];
};

static bool others_hold(void)
{
	static char buf[4096] __attribute__((aligned(8)));
	long fd = sys_open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), n;
	bool found = false;
	if (sys_failed(fd))
		return false;
	while (!found && (n = sys_call3(SYS_getdents64, fd, (long)buf, sizeof buf)) > 0)
		for (long at = 0; at < n && !found;) {
			const struct dirent64 *d = (const struct dirent64 *)(buf + at);
			found = d->name[0] >= '1' && d->name[0] <= '9' && !is_me(d->name) && holds(d->name);
			at += d->size;
		}
	sys_close((int)fd);
	return found;
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
			regions[n_regions++] = (struct region){ m.lo, m.hi, m.dev, m.ino, !on_tmpfs(&m), NULL };
		else
			all = false;
	}
	maps_close(&maps);
	if (!all)
		ctl_uncontrolled("more than 32 mappings of shared memory, of which the others are not put back between executions");
}

/* ---- its pages ---- */

static char *page_of(const struct region *r, uint64_t page)
{
	return (char *)r->lo + page * PAGE_BYTES;
}

/* Calls f for each page that is there; stops when it returns false. */
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

/* Through the kernel: how many bytes of [lo, hi) can be read. A negative errno value: it does not do that. */
static long readable(uint64_t lo, uint64_t hi, char *to)
{
	struct iovec from = { (void *)lo, hi - lo }, into = { to, hi - lo };
	long n = sys_call6(SYS_process_vm_readv, sys_getpid(), (long)&into, 1, (long)&from, 1, 0);
	return n == -EFAULT ? 0 : n;
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
	long n = readable(r->lo, r->hi, r->copy);
	if (n < 0)
		return false;
	r->hi = r->lo + (uint64_t)n / PAGE_BYTES * PAGE_BYTES;
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
	if (n_regions && others_hold()) {
		ctl_uncontrolled("memory that another process has mapped too, and that is therefore not put back between executions");
		n_regions = 0;
	}
	keep_all();
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
		if (r->of_file && readable(r->hi - 1, r->hi, &last) != 1)
			ctl_uncontrolled("a file that is mapped with MAP_SHARED became shorter");
		else
			each_page(r, put_page);
	}
}
