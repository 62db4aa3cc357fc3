/* What a sensor calls at each access (preload/accesses/mem.h). */
#ifndef SIMUL_NOTE_H
#define SIMUL_NOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/running.h"

/* The number of writes outside the writer's own stack that mem_note has seen. */
extern uint64_t mem_writes;
/* Of these, those to the writer's own thread-local variables (mem_is_local). */
extern uint64_t mem_local_writes;
/* Records the access. Returns true when it must be announced with mem_perform. May be called anywhere, on any stack; uses no vector
   register and calls nothing of libc. */
bool mem_note(uint64_t addr, uint64_t size, unsigned flags);

#endif
