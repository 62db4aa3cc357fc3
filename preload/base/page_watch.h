/*
 * Watched memory: the kernel records which pages of private memory are written to. This uses userfaultfd in its asynchronous mode of write
 * protection, and the ioctl PAGEMAP_SCAN (Linux 6.7; Documentation/admin-guide/mm/pagemap.rst, userfaultfd.rst). The first write to a
 * page after watch_start costs a page fault. Other pages cost almost nothing.
 *
 * A child process inherits the memory, but none of it is watched. Memory that is moved by mremap or mapped again is not watched any more;
 * the hooks of such calls stop rewinding in this process.
 */
#ifndef SIMUL_PAGE_WATCH_H
#define SIMUL_PAGE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether this kernel can watch memory, and allows it to this process (seccomp filters). */
bool watch_possible(void);

/* Two descriptors, with numbers far above those of the program. */
struct watch {
	int uffd, pagemap;
};

/* Opens the descriptors. Returns false if that is not possible. */
bool watch_open(struct watch *w);
void watch_close(struct watch *w);
/* Prepares the mapping lo .. hi. It must be a whole mapping, or the kernel would split it. Returns false if it cannot be watched. */
bool watch_mapping(const struct watch *w, uint64_t lo, uint64_t hi);
/* Starts recording writes to lo .. hi, whole pages of a mapping that watch_mapping has prepared. Returns false if the kernel fails. */
bool watch_start(const struct watch *w, uint64_t lo, uint64_t hi);

/* Calls page(ctx, addr, written), in ascending order, for each page of lo .. hi that was written to since watch_start, or is not in memory
   because it was discarded or swapped out (written: false). Returns false if the kernel fails. */
bool watch_look(const struct watch *w, uint64_t lo, uint64_t hi, void (*page)(void *ctx, uint64_t addr, bool written), void *ctx);

#endif
