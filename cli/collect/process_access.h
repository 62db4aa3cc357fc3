/* Which accesses of a SystemC process are its own, and which the kernel makes for it. */
#ifndef SIMUL_PROCESS_ACCESS_H
#define SIMUL_PROCESS_ACCESS_H

#include "base/session.h"
#include "recorder/symbols/symbols.h"

enum process_access {
	ACCESS_OWN,     /* the process's own */
	ACCESS_KERNEL,  /* a function of SystemC's kernel or of one of its channels (sc_fifo, sc_signal) made it */
	ACCESS_UNNAMED, /* its code has no names of functions, so it is not known */
};

/* Returns what the access with this stack, in a step of a process, is. Functions of plain values (sc_time, sc_uint, a
   TLM payload, the C++ library) work for their callers. `symbols` may be NULL: then nothing has a name. */
enum process_access process_access(const struct session_stack *stack, struct symbols *symbols);

/* Returns what the race of two processes is: ACCESS_OWN if both accesses are, ACCESS_KERNEL if one is. */
enum process_access process_race_access(const struct session_race *race, struct symbols *symbols);

#endif
