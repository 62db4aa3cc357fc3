/*
 * Ranges of private memory of which the kernel notes the pages that are written to: userfaultfd in its asynchronous mode of write
 * protection, asked by the ioctl PAGEMAP_SCAN (Linux 6.7; Documentation/admin-guide/mm/pagemap.rst, userfaultfd.rst). A page
 * costs a page fault when it is written to for the first time after watch_start, and next to nothing when it is not.
 *
 * This is of one process. A child has the memory, but nothing of it is watched. Memory that is moved by mremap, or mapped anew, is not
 * watched any more: the hooks of such calls end the process's rewinding.
 */
#ifndef SIMUL_PAGE_WATCH_H
#define SIMUL_PAGE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Can this kernel do it, and may this process (seccomp filters)? */
bool watch_possible(void);

/* Two descriptors, far from those of the program. */
struct watch {
	int uffd, pagemap;
};

/* false: it is not possible. */
bool watch_open(struct watch *w);
void watch_close(struct watch *w);
/* Pages of the mapping lo .. hi (whole, or the kernel would split it) can be watched from now on. false: not in this one. */
bool watch_mapping(const struct watch *w, uint64_t lo, uint64_t hi);
/* From now on it is noted who of lo .. hi, whole pages of such a mapping, is written to. */
bool watch_start(const struct watch *w, uint64_t lo, uint64_t hi);

/* Calls page(ctx, addr, written) for each page of lo .. hi, in order, that was written to since watch_start, or is not in memory (written: false):
   taken away, or swapped out. false: the kernel did not tell. */
bool watch_look(const struct watch *w, uint64_t lo, uint64_t hi, void (*page)(void *ctx, uint64_t addr, bool written), void *ctx);

#endif
