/*
 * The data of SystemC's kernel that simul reads and writes: the queues of runnable processes.
 *
 * The kernel keeps methods and threads in two singly linked lists each. It removes processes from the *pop* list and appends those that become
 * runnable to the *push* list; when a pop list is empty, the push list becomes the pop list. The offsets are known for certain builds of
 * libsystemc only, which are recognised by their build-id.
 */
#ifndef SIMUL_SYSTEMC_KERNEL_H
#define SIMUL_SYSTEMC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/choice.h"

/* The runnable processes: first the methods, then the threads, each in the order in which they became runnable. */
struct systemc_runnable {
	void *process[CHOOSE_MOST];
	unsigned methods, n;
	unsigned popped_methods, popped_threads; /* how many of each came from the pop lists */
	bool full;                               /* there are more; the queues are unchanged then */
};

/* The real functions behind those of systemc.def. */
#define INTERPOSED(result, name, arguments, symbol) extern result(*systemc_real_##name) arguments;
#include "preload/cooperative/systemc.def"
#undef INTERPOSED

/* Finds the loaded module that contains `pc`, code of libsystemc; NULL: the module with that name. Notes in the session if it is of an unknown
   build. */
void systemc_find(const void *pc);
/* Does the same if no libsystemc was found yet: the program opened it with dlopen, or simul does not control this process. The real
   functions can be called afterwards. */
void systemc_look(const void *pc);
/* Returns whether the queues of the libsystemc that was found can be read. */
bool systemc_known(void);

/* Returns whether an exception or an error ends this simulation. */
bool systemc_failed(void);
/* Returns the coroutine of the kernel itself. */
void *systemc_main_coroutine(void);
/* Returns the process that the kernel runs, or is about to run. */
void *systemc_current(void);

/* Removes all processes from the queues. Threads that have no coroutine are left out, as the kernel does. */
void systemc_take(struct systemc_runnable *r);
/* Puts them back into the push lists, but `chosen`, number `at`, alone into the pop list of its kind; with `running` into none. */
void systemc_put(const struct systemc_runnable *r, unsigned at, bool running);

/* Returns the hierarchical name of a process. */
const char *systemc_name(const void *process);
/* Returns the stack of a coroutine, and its size; NULL for that of the kernel itself. */
void *systemc_stack(const void *coroutine, size_t *size);
/* Returns the number of delta cycles so far. */
uint64_t systemc_delta(void);

#endif
