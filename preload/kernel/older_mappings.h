/*
 * The mappings that existed before the executions of this process, and what the running execution has done to them. Before the execution is
 * rewound they are made as they were. So an execution can be rewound even if it unmaps, replaces, protects or discards private memory that
 * it did not map, as the end of each Rust program does.
 *
 * Memory that the program unmaps is moved to a place far from the program's addresses (mremap) instead of being unmapped. So its old place is
 * free, as after munmap, and the memory can be moved back with its contents and rights.
 *
 * The lists are private memory: a rewind restores them as they were at the checkpoint. All functions are called inside simul. They make no
 * difference in a process that is not rewound: there the mappings are not known, and they return false.
 */
#ifndef SIMUL_OLDER_MAPPINGS_H
#define SIMUL_OLDER_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/base/maps.h"

/* Call these in a process that will be rewound, just before its executions. older_begin empties the list; older_add adds a mapping, in ascending order. */
void older_begin(void);
void older_add(const struct mapping *m);

/* Moves away what is mapped in these bytes. Returns true if nothing is mapped there any more. Returns false if anything there cannot be moved and
   brought back, or if the execution made it; then the caller removes it, and the execution cannot be rewound. */
bool older_unmap(const void *addr, size_t size);
/* The number of ranges that were moved away. older_undo moves back those after the first `n`. */
unsigned older_moved(void);
void older_undo(unsigned n);
/* Records that the rights of these bytes are about to change to `prot`. Returns false if that cannot be reverted. */
bool older_protect(const void *addr, size_t size, int prot);
/* Call it before advice (madvise) about these bytes. Returns false if its effect cannot be reverted. */
bool older_advise(const void *addr, size_t size, int advice);

/* Returns whether the running execution has moved, replaced or protected any of them. */
bool older_changed_any(void);
/* Call it at the end of the execution, after made_unmap. Makes the mappings as they were. Returns false if that is not possible. Writes to no
   private memory. */
bool older_put_back(void);

#endif
