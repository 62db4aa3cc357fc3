/*
 * A stack of simul's own. Data that simul leaves on the program's stacks and in registers would appear in uninitialised variables of the
 * program's next frames. A thread's state would then differ although the thread did the same (spin.h). So all code whose data depends on
 * the search runs on this stack, and ctl_leave clears the registers.
 */
#ifndef SIMUL_ASIDE_H
#define SIMUL_ASIDE_H

#include <stdint.h>

/* Bounds and size of the stack. x86_64/aside.S uses them too. */
extern uint64_t aside_lo, aside_hi, aside_size;

/* Maps the stack. Once, before the first call of aside. */
void aside_init(void);
/* Calls f(arg) on this stack and returns its result. Calls may nest. f must not switch to another fiber. */
void *aside(void *(*f)(void *), void *arg);

#endif
