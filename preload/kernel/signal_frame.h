/*
 * Handlers of the program for faults (SIGSEGV and others that the kernel sends for an instruction).
 *
 * The kernel runs simul's own handler on a signal stack of simul's, which each fault uses from its start. The program's
 * handler may make scheduling points, and then another thread may fault. So it runs where the kernel would run it
 * without simul: on the thread's own stack, or on the thread's alternate stack.
 */
#ifndef SIMUL_SIGNAL_FRAME_H
#define SIMUL_SIGNAL_FRAME_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Changes the context of a signal handler so that it returns into `routine`, which gets the signal's number and copies
   of *si and *uc on the stack below `top`. When routine returns, `restorer`, libc's code that ends a handler, restores
   the copied context as routine left it. Nothing below `lo` is written. Returns false if there is no room; then nothing
   is changed. */
bool signal_frame_push(ucontext_t *uc, const siginfo_t *si, uint64_t top, uint64_t lo,
	void (*routine)(int, siginfo_t *, void *), const void *restorer);

#endif
