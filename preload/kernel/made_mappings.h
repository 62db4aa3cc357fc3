/*
 * The private mappings that the running execution made and that are still there. They are taken away before it is rewound, so that an
 * execution which maps memory, changes it and unmaps it, as every thread of Rust does, needs no new process.
 *
 * The list is private memory: a rewind empties it.
 */
#ifndef SIMUL_MADE_MAPPINGS_H
#define SIMUL_MADE_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>

/* In a child, before its executions: what is mapped now stays. */
void made_begin(void);
/* [addr, addr + size) has been mapped, privately. false: there is no room to note it. */
bool made_add(const void *addr, size_t size);
/* Is all of it in a mapping that this execution made? */
bool made_has(const void *addr, size_t size);
/* [addr, addr + size), of which made_has is true, is about to be unmapped. false: there is no room to note it. */
bool made_remove(const void *addr, size_t size);
/* At the end of the execution: unmaps what is left of them. */
void made_unmap(void);

#endif
