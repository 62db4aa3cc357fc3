/*
 * Files and shared memory that the program has mapped. Mappings of one page with MAP_SHARED are one memory (shared_pages.h). simul does not see that a
 * private mapping of the page shows what is written to it, nor that `read` and `write` of the file read and write the memory. The verdict says so if
 * several threads live (control/exceptions.h).
 *
 * Calls that change the length of a file, or make a hole, are different: they count as changes of the memory (preload/memory/changes.h).
 *
 * A file is known by the device and inode number of statx. In /proc/self/maps both may be others, so the table here has both.
 * It is private memory. All functions are called inside simul, except where it says otherwise.
 */
#ifndef SIMUL_MAPPED_FILES_H
#define SIMUL_MAPPED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the program has mapped a file, and whether it has mapped shared memory. */
extern bool mapped_any, mapped_shared;

/* The program has mapped these bytes with mmap. fd: the file; -1: none. pc: the return address of the call, here and below. */
void mapped_new(const void *p, size_t size, int fd, bool shared, const void *pc);
/* The program is about to unmap these bytes, or may be. */
void mapped_unmaps(const void *p, size_t size, const void *pc);
/* shmat has mapped these bytes. */
void mapped_attached(const void *p, size_t size, const void *pc);
/* mremap has changed the mapping at `old` to the one at p. `remains`: the old one still has the same pages. */
void mapped_moved(const void *old, size_t old_size, const void *p, size_t size, bool remains, const void *pc);
/* Returns the number of bytes from here to the end of the mapping; 0: nothing is mapped here. */
size_t mapped_size(const void *p);
/* The call at the return address pc reads or writes the contents of the file with this device and inode number, not through a mapping. */
void mapped_used(uint64_t device, uint64_t inode, bool writes, uint64_t pc);

/*
 * Not inside simul, right before a call that sets the length of a file. The file is `path` relative to dir; "": the file of descriptor dir. All
 * its mapped memory counts as changed (mem_unmaps_ranges): which part of it appears or vanishes depends on what other threads do first.
 */
void mapped_cut(int dir, const char *path, const void *pc);
/* The same for fallocate. */
void mapped_allocated(int fd, int mode, uint64_t offset, uint64_t size, const void *pc);

#endif
