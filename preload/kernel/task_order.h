/*
 * The order of tasks of oneTBB, whose own accesses are not seen (docs/locks.md, "Tasks of TBB").
 *
 * Threads of the library hand tasks to each other by memory of the library. To the search all of that memory is one resource (resources.h). A piece of the library's code
 * runs from an event to the next one. Where such a piece begins, there is an event that changes the resource: where the program calls one of the functions
 * in hooks/tbb.def, and after each call by which the library itself creates, joins, wakes or waits for threads. So all orders of these pieces are explored. Each piece is one step.
 *
 * The library's waiting loops yield some 100 times, look for tasks in between, and then sleep. Looking again is no new piece: such yields are no events, and a thread that
 * finds no task falls asleep at once.
 */
#ifndef SIMUL_TASK_ORDER_H
#define SIMUL_TASK_ORDER_H

#include <stdbool.h>

/* A piece of the library's code begins. pc: the call at which it begins. Other threads of the program run here. Not called inside simul. Does
   nothing without such a library. */
void task_order_piece(const void *pc);
/* The same for a call that only looks. */
void task_order_look(const void *pc);
/* task_order_piece if `pc` is in the library: for the end of a call that is an event. */
void task_order_after(const void *pc);
/* Returns whether a yield at pc is no event: it is one of the first since a piece began. */
bool task_order_yields(const void *pc);

#endif
