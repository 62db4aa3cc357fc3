/*
 * Places stacks where they were in the search. Some programs sort addresses of stacks or of thread descriptors (Rust's standard library
 * does), so the order of these addresses decides what they do.
 */
#ifndef SIMUL_ENFORCE_STACK_PLACE_H
#define SIMUL_ENFORCE_STACK_PLACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Makes *placed: the attributes attr (NULL: the default) with the stack that the certificate has for this thread of the plan (PLAN_NONE:
   none). Returns false, and leaves *placed unset, if the certificate has no stack, if the program chose one, or if something else is
   mapped there. */
bool stack_place(pthread_attr_t *placed, const pthread_attr_t *attr, uint32_t thread);
/* After the thread was created. */
void stack_place_done(pthread_attr_t *placed, const pthread_attr_t *attr);
/* Sets the size of the guard in the result of pthread_getattr_np. To the C library, a stack that it did not map has no guard, and Rust's
   standard library asks for it. */
void stack_place_guard(pthread_attr_t *attr);

#endif
