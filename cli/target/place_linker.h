/*
 * The dynamic linker maps the table of libraries (/etc/ld.so.cache), and the list of libraries to preload, only while it looks for libraries. These lie
 * below, so their addresses would depend on the size of files that change when any package is installed. Therefore the linker's mmap gets a detour:
 * a whole file that it maps to be read lies at a place of its own (FIXED_START_FILE).
 */
#ifndef SIMUL_PLACE_LINKER_H
#define SIMUL_PLACE_LINKER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Makes that detour in a stopped process, whose memory is written through mem_fd. [lo, hi) is its linker; a page of executable memory is mapped at
 * FIXED_START_DETOUR. Nothing happens if the linker is one that simul does not know: addresses then depend on these files. false: the process is damaged.
 */
bool place_linker_detour(int mem_fd, uint64_t lo, uint64_t hi);

#endif
