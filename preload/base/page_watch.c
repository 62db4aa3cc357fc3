#include "preload/base/page_watch.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stddef.h>
#include <sys/ioctl.h>

#include "preload/base/maps.h"
#include "preload/base/far_fd.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* Definitions that are missing in older kernel headers. */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#define FEATURE_WP_UNPOPULATED (UINT64_C(1) << 13)
#define FEATURE_WP_ASYNC (UINT64_C(1) << 15)

struct scan_region {
	uint64_t lo, hi, categories;
};

struct scan {
	uint64_t size, flags, lo, hi, walked_to;
	uint64_t regions, n_regions, max_pages;
	uint64_t inverted, all_of, any_of, returned; /* masks of page categories */
};

#define PAGEMAP_SCAN_IOCTL _IOWR('f', 16, struct scan)
#define SCAN_PROTECT 1u /* write-protects the pages that were found */
#define CATEGORY_WRITTEN 2u
#define CATEGORY_PRESENT 8u
_Static_assert(sizeof(struct scan) == 96, "struct pm_scan_arg of linux/fs.h");

#define REGIONS 128

/* Moves `fd` to a high number. Returns -1, with `fd` closed, if the limit is too low. */
static int move_away(int fd)
{
	int far = fd < 0 ? -1 : far_fd(fd);
	if (far < 0 || far >= FAR_FD)
		return far;
	sys_close(far);
	return -1;
}

static int open_uffd(void)
{
	struct uffdio_api api = { .api = UFFD_API, .features = FEATURE_WP_ASYNC | FEATURE_WP_UNPOPULATED };
	long fd = sys_call1(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (sys_failed(fd))
		return -1;
	if (sys_call3(SYS_ioctl, fd, UFFDIO_API, (long)&api)) {
		sys_close((int)fd);
		return -1;
	}
	return (int)fd;
}

void watch_close(struct watch *w)
{
	if (w->uffd >= 0)
		sys_close(w->uffd);
	if (w->pagemap >= 0)
		sys_close(w->pagemap);
	w->uffd = w->pagemap = -1;
}

bool watch_open(struct watch *w)
{
	w->uffd = move_away(open_uffd());
	w->pagemap = move_away(pages_open());
	if (w->uffd >= 0 && w->pagemap >= 0)
		return true;
	watch_close(w);
	return false;
}

bool watch_possible(void)
{
	struct watch w;
	char page[2 * PAGE_BYTES];
	uint64_t lo = ((uintptr_t)page + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	struct scan scan = { .size = sizeof scan, .lo = lo, .hi = lo + PAGE_BYTES, .all_of = CATEGORY_PRESENT };
	if (!watch_open(&w))
		return false;
	bool scans = !sys_failed(sys_call3(SYS_ioctl, w.pagemap, PAGEMAP_SCAN_IOCTL, (long)&scan));
	watch_close(&w);
	return scans;
}

bool watch_mapping(const struct watch *w, uint64_t lo, uint64_t hi)
{
	struct uffdio_register r = { .range = { .start = lo, .len = hi - lo }, .mode = UFFDIO_REGISTER_MODE_WP };
	return !sys_call3(SYS_ioctl, w->uffd, UFFDIO_REGISTER, (long)&r);
}

bool watch_start(const struct watch *w, uint64_t lo, uint64_t hi)
{
	struct scan scan = { .size = sizeof scan, .flags = SCAN_PROTECT, .lo = lo, .hi = hi,
		.all_of = CATEGORY_WRITTEN, .returned = CATEGORY_WRITTEN };
	return !sys_failed(sys_call3(SYS_ioctl, w->pagemap, PAGEMAP_SCAN_IOCTL, (long)&scan));
}

bool watch_look(const struct watch *w, uint64_t lo, uint64_t hi, void (*page)(void *ctx, uint64_t addr, bool written), void *ctx)
{
	struct scan_region region[REGIONS];
	struct scan scan = { .size = sizeof scan, .lo = lo, .hi = hi, .regions = (uintptr_t)region, .n_regions = REGIONS,
		.inverted = CATEGORY_PRESENT, .any_of = CATEGORY_WRITTEN | CATEGORY_PRESENT, .returned = CATEGORY_WRITTEN };
	for (; scan.lo < hi; scan.lo = scan.walked_to) {
		long n = sys_call3(SYS_ioctl, w->pagemap, PAGEMAP_SCAN_IOCTL, (long)&scan);
		if (sys_failed(n) || scan.walked_to <= scan.lo)
			return false;
		for (long i = 0; i < n; i++)
			for (uint64_t at = region[i].lo; at < region[i].hi; at += PAGE_BYTES)
				page(ctx, at, region[i].categories & CATEGORY_WRITTEN);
	}
	return true;
}
