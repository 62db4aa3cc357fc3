/*
 * The libraries that are loaded and not patched, but for those of the C and C++ runtime: whose code is at an address?
 */
#ifndef SIMUL_UNSEEN_H
#define SIMUL_UNSEEN_H

#include <stdint.h>

/* The code [lo, hi) of the library `path` is not patched. When it is loaded; a later one at the same place counts. */
void unseen_add(const char *path, uint64_t lo, uint64_t hi);
/* The path of the library that the address is in, or NULL: it is none of them. */
const char *unseen_at(uint64_t pc);

#endif
