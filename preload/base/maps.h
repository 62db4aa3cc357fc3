/*
 * The mappings of this process (/proc/self/maps), and the state of each page (/proc/self/pagemap). It does not use libc, so it also works
 * at the end of an execution, when no code of the program may run.
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
	bool stack; /* the first thread's stack; the kernel moves `lo` when the stack grows */
	uint64_t offset;   /* of its first byte in the file */
	uint64_t dev, ino; /* of the mapped file; ino 0: no file. dev is only fit for comparisons with other mappings */
	char name[48];     /* the beginning of the file's path, or the kernel's name such as [heap]; "": none */
};

struct maps {
	int fd;
	char buf[8192];
	size_t at, end;
};

/* Opens the list. Returns false without /proc. Call maps_close in both cases. */
bool maps_open(struct maps *m);
/* Like maps_open, for another process; `pid` is its number as text. Returns false if it is gone or may not be read. */
bool maps_open_of(struct maps *m, const char *pid);
/* Sets *out to the next mapping, in ascending order. Returns false after the last. */
bool maps_next(struct maps *m, struct mapping *out);
void maps_close(struct maps *m);

/* A page, as the kernel describes it (Documentation/admin-guide/mm/pagemap.rst). */
#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_SWAPPED (UINT64_C(1) << 62)
#define PAGE_FILE (UINT64_C(1) << 61)      /* the page belongs to a file or to shared memory */
#define PAGE_EXCLUSIVE (UINT64_C(1) << 56) /* no other process maps it */

/* Returns a descriptor for pages_read, or a negative errno value. Close it with sys_close. */
int pages_open(void);
/* Reads the entries of `n` pages from address `lo` on. Returns how many were read; 0: an error. */
uint64_t pages_read(int fd, uint64_t lo, uint64_t n, uint64_t *entry);

#endif
