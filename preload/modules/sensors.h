/*
 * Chooses the modules to patch, so that simul sees the accesses of their code, and reports the result in the session. The program and
 * libraries beside it are patched as a whole before main.
 */
#ifndef SIMUL_SENSORS_H
#define SIMUL_SENSORS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Patches the modules that are loaded. Called in the constructor, before the program's main. */
void sensors_init(void);
/* Patches modules that were loaded since the last call. Returns true when there were some. Only the calling thread may run code of the
   program. */
bool sensors_loaded(void);

/* Called at the checkpoint. From here on the other libraries are patched function by function when an execution reaches them
   (patch/lazy.h). Libraries that cannot be patched are watched, so that simul notices when their code runs (unseen.h). */
void sensors_close(void);
/* Call it when the program's main is about to begin. Initializes data that libraries would initialize at their first use (libstdcxx.h). Not
   called inside simul. */
void sensors_main(void);
/* Libraries that are loaded between these two calls are simul's own: they are neither patched nor watched. Called before sensors_init. */
void sensors_own_begin(void);
void sensors_own_end(void);
/* Patches the library functions that other processes have reached. Called in the zygote, before each fork. */
void sensors_catch_up(void);
/* Handles a SIGSEGV at this context because of `addr`. Returns true when the program can continue: the fault was the first call of a
   function in a library. Only for signal handlers. */
bool sensors_fault(ucontext_t *uc, uint64_t addr);
/* Call it when another thread is about to begin, or the memory of this execution is about to be put back. */
void sensors_again(void);
/* Ends patching and watching, in a forked process that is not under control. */
void sensors_release(void);

#endif
