/*
 * What lies where in this process (/proc/self/maps), and the state of each page (/proc/self/pagemap). Without libc: also at the
 * end of an execution, when nothing of the program may be called.
 */
#ifndef SIMUL_MAPS_H
#define SIMUL_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_BYTES 4096u

struct mapping {
	uint64_t lo, hi;
	bool readable, writable, executable, shared;
	bool stack; /* of the first thread: the kernel moves `lo` when it grows */
	uint64_t dev, ino; /* of the file, as numbers that only stand for themselves; ino 0: there is none */
	char name[48];     /* the beginning of the file's path, or what the kernel says instead; "": nothing */
};

struct maps {
	int fd;
	char buf[8192];
	size_t at, end;
};

/* false: there is no /proc. To be closed in any case. */
bool maps_open(struct maps *m);
/* The same for another process: `pid` is its number as text. false: it is gone, or may not be seen. */
bool maps_open_of(struct maps *m, const char *pid);
/* The next mapping, in the order of addresses. false: there is none. */
bool maps_next(struct maps *m, struct mapping *out);
void maps_close(struct maps *m);

/* A page, as the kernel describes it (Documentation/admin-guide/mm/pagemap.rst). */
#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_SWAPPED (UINT64_C(1) << 62)
#define PAGE_FILE (UINT64_C(1) << 61)      /* of a file, or of shared memory */
#define PAGE_EXCLUSIVE (UINT64_C(1) << 56) /* no other process maps it */

/* A descriptor for pages_read, or a negative errno value; to be closed with sys_close. */
int pages_open(void);
/* The entries of `n` pages from address `lo` on. How many were read, 0 when none. */
uint64_t pages_read(int fd, uint64_t lo, uint64_t n, uint64_t *entry);

#endif
