/* How processes end (hook_exit.c). */
#ifndef SIMUL_EXIT_H
#define SIMUL_EXIT_H

/* Registers simul's exit handler, which must run last. Call it before the program can register its own handlers. */
void exit_init(void);
/* Writes out what the program has buffered, at the end of an execution. */
void exit_flush(void);
/* Ends the execution as abort() does, with this message. Inside simul. */
void exit_aborted(const char *text) __attribute__((noreturn));

#endif
