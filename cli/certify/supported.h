/* What the library in enforce/lib can hold back. */
#ifndef SIMUL_SUPPORTED_H
#define SIMUL_SUPPORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether all these kinds of events (a bit for each) can be enforced under this memory model. false: `why` gives the reason. */
bool supported_kinds(const uint64_t kinds[2], unsigned model, const char *program, char *why, size_t size);

/* If an object of this kind in this file cannot be enforced, writes the reason to `why`. */
void supported_object(unsigned kind, const char *module, char *why, size_t size);

#endif
