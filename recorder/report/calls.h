/* The calls of the program's functions that the steps of a thread belong to. */
#ifndef SIMUL_CALLS_H
#define SIMUL_CALLS_H

#include "recorder/recording.h"

/* Returns the innermost function of the user's code, or NULL. */
const char *call_function(const struct rec_stack *stack);

/* Returns whether one of the words, in lower case, begins a word of the function's own name: "close" does in
   Queue::close_all and in queue::doClose. `function` may be NULL. */
bool call_is_named(const char *function, const char *const *words, size_t n);

/* Returns the last step of thread t before step `end`, or NO_STEP. */
size_t call_last_step(const struct recording *r, thread_id t, size_t end);

/* Returns the first of the steps that thread t did, up to step `last` of it, in the same call of the function: all of
   them have it on their stacks. NO_STEP if step `last` has not. */
size_t call_first_step(const struct recording *r, thread_id t, size_t last, const char *function);

/* Returns whether both steps were done by the same instruction. */
bool call_same_place(const struct rec_step *a, const struct rec_step *b);

#endif
