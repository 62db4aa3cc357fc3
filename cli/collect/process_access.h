/* Which accesses of a SystemC process are its own, and which the kernel makes for it. */
#ifndef SIMUL_PROCESS_ACCESS_H
#define SIMUL_PROCESS_ACCESS_H

#include <stdbool.h>

#include "base/session.h"
#include "recorder/symbols/symbols.h"

/* Returns whether the access with this stack, in a step of a process, is the process's own. It is not when a function
   of SystemC's kernel or of one of its channels (sc_fifo, sc_signal) made it. Functions of plain values (sc_time,
   sc_uint, a TLM payload, the C++ library) work for their callers. `symbols` may be NULL: then it is not known, and the
   result is false. */
bool process_access(const struct session_stack *stack, struct symbols *symbols);

#endif
