/*
 * A stack of simul's own. What simul leaves on the program's stacks and in registers, the program's next frames have in their
 * uninitialised places; a thread's state would look different each time, though the thread did the same (spin.h).
 * So all that depends on the search runs aside, and registers are left empty (ctl_leave).
 */
#ifndef SIMUL_ASIDE_H
#define SIMUL_ASIDE_H

#include <stdint.h>

/* Where it lies. aside_x86_64.S knows them too. */
extern uint64_t aside_lo, aside_hi, aside_size;

/* Makes the stack; before the first call. */
void aside_init(void);
/* Calls f(arg) there and returns what it returns. Calls nest. f may not switch to another fiber. */
void *aside(void *(*f)(void *), void *arg);

#endif
