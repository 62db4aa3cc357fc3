/* How processes end (hook_exit.c). */
#ifndef SIMUL_EXIT_H
#define SIMUL_EXIT_H

/* Registers simul's exit handler, which must run last. Call it before the program can register its own handlers. */
void exit_init(void);
/* Ends the execution as abort() does, with this message. Inside simul. */
void exit_aborted(const char *text) __attribute__((noreturn));

#endif
