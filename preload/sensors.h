/*
 * Which code's accesses are seen: chooses the modules to patch, and writes into the session what came of it.
 */
#ifndef SIMUL_SENSORS_H
#define SIMUL_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

/* Patches what is loaded: in the constructor, before the program's main. */
void sensors_init(void);
/* Code may have been loaded since: patches what is new; true when there was some. Only the calling thread runs code of the
   program. */
bool sensors_loaded(void);
/* Code at pc makes threads wait for memory, or wakes them: when it is a library's that is not patched, the verdict will say so. Inside control. */
void sensors_waits(uint64_t pc);

#endif
