/* Accesses to memory: which of them are events. */
#ifndef SIMUL_ENFORCE_MEMORY_H
#define SIMUL_ENFORCE_MEMORY_H

/* The modules of the plan are known (modules.h): where shared bytes lie, and objects. Patches the code that accesses them. */
void memory_init(void);

#endif
