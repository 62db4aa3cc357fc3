/*
 * Which code's accesses are seen: chooses the modules to patch, and writes into the session what came of it.
 */
#ifndef SIMUL_SENSORS_H
#define SIMUL_SENSORS_H

/* Patches what is loaded: in the constructor, before the program's main. */
void sensors_init(void);
/* Code may have been loaded since: patches what is new. Only the calling thread runs code of the program. */
void sensors_loaded(void);

#endif
