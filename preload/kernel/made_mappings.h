/*
 * The private mappings that the running execution created and that still exist. They are unmapped before the execution is rewound. So an
 * execution can be rewound even if it maps, changes and unmaps memory, as every Rust thread does.
 *
 * The list is private memory: a rewind empties it.
 */
#ifndef SIMUL_MADE_MAPPINGS_H
#define SIMUL_MADE_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Call it in a child, before its executions. Empties the list; existing mappings stay. */
void made_begin(void);
/* Returns whether any such mapping exists. */
bool made_any(void);
/* Adds a new private mapping of `size` bytes. Returns false if the list is full. */
bool made_add(const void *addr, size_t size);
/* Returns whether this execution created all of these bytes, in one mapping. */
bool made_has(const void *addr, size_t size);
/* Returns whether this execution created any of these bytes. */
bool made_overlaps(const void *addr, size_t size);
/* Removes these bytes, which are about to be unmapped; made_has must hold. Returns false if the list is full. */
bool made_remove(const void *addr, size_t size);
/* Call it at the end of the execution. Unmaps all mappings in the list. */
void made_unmap(void);

#endif
