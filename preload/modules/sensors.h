/*
 * Which code's accesses are seen: chooses the modules to patch, and writes into the session what came of it.
 * The program and what is beside it are patched as a whole, before main.
 */
#ifndef SIMUL_SENSORS_H
#define SIMUL_SENSORS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Patches what is loaded: in the constructor, before the program's main. */
void sensors_init(void);
/* Code may have been loaded since: patches what is new; true when there was some. Only the calling thread runs code of the
   program. */
bool sensors_loaded(void);

/* Other libraries than those are patched function by function when an execution reaches them (patch/lazy.h), or, where that cannot be done, watched: is
   code of theirs executed (unseen.h)? At the checkpoint: that begins. */
void sensors_close(void);
/* The program's main is about to begin: what libraries initialise at their first use is initialised (libstdcxx.h). Outside of simul. */
void sensors_main(void);
/* Libraries that are loaded between these two are simul's own, and are never patched nor watched. Before sensors_init. */
void sensors_own_begin(void);
void sensors_own_end(void);
/* In the zygote, before each fork: what other processes have reached is patched here, too. */
void sensors_catch_up(void);
/* SIGSEGV at the context, where `addr` cannot be accessed. true: it was the first call of a function in a library, and goes on. In a signal handler. */
bool sensors_fault(ucontext_t *uc, uint64_t addr);
/* Another thread is about to begin, or the memory of this execution to be put back. */
void sensors_again(void);
/* In a forked process that runs by itself from now on: nothing is patched or watched any more. */
void sensors_release(void);

#endif
