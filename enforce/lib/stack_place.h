/*
 * Stacks where the search had them: some programs keep addresses of stacks or of thread descriptors in sorted containers (Rust's standard library does), so the
 * order of these addresses decides what they do.
 */
#ifndef SIMUL_ENFORCE_STACK_PLACE_H
#define SIMUL_ENFORCE_STACK_PLACE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Makes *placed of attr (NULL: the default) with a stack at the certificate's place for this thread of the plan (PLAN_NONE: none). false: the certificate
   has none, the program chose its own, or something else is there; *placed is not set then. */
bool stack_place(pthread_attr_t *placed, const pthread_attr_t *attr, uint32_t thread);
/* After the thread was created. */
void stack_place_done(pthread_attr_t *placed, const pthread_attr_t *attr);
/* Sets the size of the guard, after pthread_getattr_np: for the C library a stack that it was given has none. Rust's standard library asks for it. */
void stack_place_guard(pthread_attr_t *attr);

#endif
