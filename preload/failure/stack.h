/* Stacks: return addresses, from the innermost frame outwards, without the frames of libsimul.so. */
#ifndef SIMUL_STACK_H
#define SIMUL_STACK_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "preload/base/thread.h"

/* Prepares both unwinders. Called once, in the constructor, before the program maps anything. */
void stack_init(void);
/* Writes the caller's stack to pc, up to max addresses (at least 1), and returns their number. Allocates nothing. */
unsigned stack_here(uint64_t *pc, unsigned max);
/* Like stack_here, for each event of a confirmation or replay: slower, but it survives a broken stack. above[i]: bytes from the end of
   frame i to the end of the running thread's stack; 0: unknown. */
unsigned stack_at_event(uint64_t *pc, uint32_t *above, unsigned max);
/* Writes the stack of the context that a signal handler interrupted to pc. pc[0] is the exact instruction. *n counts the addresses during
   the walk. */
void stack_of_context(const ucontext_t *uc, uint64_t *pc, uint32_t *n, unsigned max);
/* Returns whether an unwinder gets through f's frames to the end of its stack; false also when that is not known. *slot, unless slot is NULL:
   where the return address of the frame that holds addr lies; 0: not known. Inside simul. */
bool stack_reaches_end(const struct fiber *f, uint64_t addr, uint64_t *slot);
/* Returns whether pc is in the code of libsimul.so. */
bool stack_is_simul(uint64_t pc);
/* Returns the offset of pc, which is in the code of libsimul.so, from the place where that library is loaded: addr2line takes it. */
uint64_t stack_simul_offset(uint64_t pc);
/* The return address of signal handlers that do not return into libc. */
void crash_restorer(void) __asm__("__restore_rt");

#endif
