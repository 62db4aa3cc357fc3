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
	unsigned popped_methods, popped_threads; /* numbers of methods and threads that came from the pop lists */
	bool full;                               /* more processes are runnable than fit; the queues are unchanged */
};

/* The library's functions behind the interposed ones of systemc.def. */
#define INTERPOSED(result, name, arguments, symbol) extern result(*systemc_real_##name) arguments;
#include "preload/cooperative/systemc.def"
#undef INTERPOSED

/* Finds the loaded module of libsystemc, which contains the code at `pc`; NULL: finds it by its name. Records in the session if its build
   is unknown. */
void systemc_find(const void *pc);
/* Calls systemc_find if no libsystemc was found yet, because the program opened it with dlopen or simul does not control this process.
   Afterwards the real functions can be called. */
void systemc_look(const void *pc);
/* Returns whether the queues of the libsystemc that was found can be read. */
bool systemc_known(void);

/* Returns whether an exception or an error ends this simulation. */
bool systemc_failed(void);
/* Returns the coroutine of the kernel itself. */
void *systemc_main_coroutine(void);
/* Returns the process that the kernel runs, or is about to run. */
void *systemc_current(void);

/* Returns whether the kernel's pop list has a thread. */
bool systemc_thread_waits(void);
/* Moves all processes from the queues to *r. Drops threads that have no coroutine, as the kernel does. */
void systemc_take(struct systemc_runnable *r);
/* Puts the processes of *r back into the push lists, except for number `at`, the chosen one. This goes alone into the pop list of its kind,
   or into no list if it is `running`. */
void systemc_put(const struct systemc_runnable *r, unsigned at, bool running);

/* Returns the hierarchical name of a process. */
const char *systemc_name(const void *process);
/* Returns the coroutine of a process that is a thread. */
void *systemc_coroutine(const void *process);
/* Returns the stack pointer that a coroutine which does not run had when it was left, or when it was made. */
uint64_t systemc_left_at(const void *coroutine);
/* Finds the words that the kernel writes when it switches from the running coroutine to another one, on the stack of the latter: the running
   coroutine, and where the other one was left. Returns their number. */
unsigned systemc_switch_words(uint64_t word[2]);
/* Returns the address of the word that holds whether the resolution of time is fixed, if it is; 0: it is not. Each use of a time writes there
   that it is, and it stays so. */
uint64_t systemc_resolution_word(void);
/* The program may wait for an event or a timeout, whichever comes first. */
extern bool systemc_time_outs;
/* The program may reset processes by a signal that changes. A method then runs while channels are updated, and sees
   their order. */
extern bool systemc_resets;
/* Returns the address of a word that changes when an event is put into the queue of timed events. */
uint64_t systemc_timed_word(void);
/* Returns the address of the pointer to the parent of an sc_object. */
uint64_t systemc_parent_word(uint64_t object);
/* Returns the function that lists the children of this sc_object, which the program may have overridden. */
const void *systemc_lists_children(const void *object);
/* Returns the children of this sc_object, and their number. */
void *const *systemc_children_of(const void *object, size_t *n);
/* Calls f for each event that can make the process runnable. Returns whether a timeout can as well. */
bool systemc_waits_for(const void *process, void (*f)(uint64_t event));
/* Returns the address of the kernel's variable that holds the list of channels to be updated. */
uint64_t systemc_update_list(void);
/* Returns the next channel in that list, and the address where the channel has its link; `last`: the end of the list. */
uint64_t systemc_next_update(uint64_t channel, uint64_t *link);
/* Returns whether updates of this channel and of others like it commute: its class is one of SystemC's own. */
bool systemc_plain_channel(uint64_t channel);
/* Returns the address of the word of an event that all operations on it access. */
uint64_t systemc_event_word(uint64_t event);
/* Returns the stack of a coroutine, and its size; NULL for the coroutine of the kernel itself. */
void *systemc_stack(const void *coroutine, size_t *size);
/* Returns the number of delta cycles so far. */
uint64_t systemc_delta(void);
/* Returns the simulated time in femtoseconds. */
uint64_t systemc_now(void);

#endif
