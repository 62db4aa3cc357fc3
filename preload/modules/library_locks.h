/*
 * Locks of libraries whose accesses are not seen otherwise, since they order threads by instructions of their own (GLib, libgomp): only these locks are patched
 * (base/runtimes.def). The rest of the library keeps its code, and the verdict still says that it is not seen.
 *
 * If all locks of the library are one kind, and each place that takes or gives back one is known (libgomp), all are seen.
 *
 * Otherwise the exported functions of the locks are patched, and seen when the program calls them. A library also takes such locks for itself, to allocate memory for example; those stay unseen like the data that
 * they protect. The stack decides: the function of the library that the program called must be one of the lock, or one whose lock counts as the program's
 * (WITHIN). So all accesses of a word are seen, or none, unless the program hands its lock over to another function of the library. The library's own code then
 * runs as it is: each execution is one of the program, but orders may be missed, which the verdict says.
 */
#ifndef SIMUL_LIBRARY_LOCKS_H
#define SIMUL_LIBRARY_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/patch/patch.h"

/* Has the locks of the library seen that is loaded at `base`, with its code in [code, end). how: as other modules are patched. Returns false if it has no such
   lock, or one of the functions cannot be patched: then nothing of it is taken as a lock. Call it once for a library, before threads run its code. */
bool library_locks_see(const char *path, uint64_t base, uint64_t code, uint64_t end, const struct patch_config *how);

#endif
