/* What the library enforce/lib can hold back. */
#ifndef SIMUL_SUPPORTED_H
#define SIMUL_SUPPORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are these all kinds of events (bits) that can be enforced under this memory model? false: why. */
bool supported_kinds(const uint64_t kinds[2], unsigned model, const char *program, char *why, size_t size);

/* Writes to `why` when an object of this kind in this file cannot be enforced. */
void supported_object(unsigned kind, const char *module, char *why, size_t size);

#endif
