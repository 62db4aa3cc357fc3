/*
 * Fibers: the threads of the program as contexts that run on one carrier thread, the process's first kernel thread.
 *
 * A fiber is a real glibc thread, with its own stack, TLS block and pthread_t. Its kernel thread parks at once and for good (fiber_park);
 * the carrier runs its context. This has two advantages. A switch takes 30 ns; between kernel threads it takes 4 to 15 µs. And a raw fork
 * of the carrier clones the whole multithreaded program. With THREADS_KERNEL each fiber runs on its own kernel thread instead, and they
 * pass a baton.
 *
 * All of this is in private memory: a fork copies it, a rewind restores it.
 */
#ifndef SIMUL_FIBER_H
#define SIMUL_FIBER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "sched/ids.h"

/* Makes the calling thread T0. Once, in the constructor. */
void fiber_init(bool kernel_threads);

/* Return the fiber of a live or unjoined thread, by handle or by id; NULL when there is none. */
struct fiber *fiber_by_handle(pthread_t handle);
struct fiber *fiber_by_id(thread_id id);

/* Gives a new thread its id. Once for each, before it runs. */
void fiber_name(struct fiber *f, thread_id id);

/* Returns the latest thread with this handle, even if it has ended and was joined; NO_THREAD if no thread had the handle. Calls that name a
   thread use this for their event, because it is known only when the event happens whether the thread still exists. */
thread_id fiber_thread_of(pthread_t handle);

/* Like fiber_thread_of, and crashes as libc does when the handle never was a thread's and is not a readable address, for example 0. */
thread_id fiber_thread_or_crash(pthread_t handle);

/* Returns whether this execution has created the thread. */
bool fiber_made(thread_id id);

/* Provides a fiber that runs start(arg) as thread `id` when it is first switched to. The pool provides it if a fiber is parked there for
   this thread; else it is created now. The fiber's id is NO_THREAD until the caller sets it. Returns 0, or an errno value of
   pthread_create. Inside simul. */
int fiber_create(thread_id id, const pthread_attr_t *attr, void *(*start)(void *), void *arg, struct fiber **out);

/* Creates the threads that the session's pool lists and that do not exist yet. Before an execution starts. */
void fiber_pool_fill(void);

/* Call it after code was loaded: makes the stacks of the pool executable if that code needs it. Inside simul. */
void fiber_code_loaded(void);

/* Runs `to`. Returns when another fiber switches back to the calling one. */
void fiber_switch(struct fiber *to);

/* Saves the calling context in *from and continues at *to. Returns when something enters *from. For contexts on simul's own stacks:
   fiber_cur does not change, and the caller sets tls, which is not saved, to that of fiber_cur. */
void fiber_jump(struct fiber_ctx *from, const struct fiber_ctx *to);

/* Returns whether the calling kernel thread is the one that runs program code now. Makes no system call. */
bool fiber_is_running(void);

/* Frees a fiber whose thread has ended and which no later call can name. Its stack goes back to glibc if possible. */
void fiber_release(struct fiber *f);

/* Calls a routine of the program in the running thread and returns its result. Sets own_hi of that thread to the current stack pointer:
   from now on the program's part of the stack lies below it. The part above differs from process to process: it holds data of libc and the
   kernel, and jump buffers that libc scrambles with a random number. All registers except for the arguments are 0, since their values would
   differ too and registers are part of a thread's state (spin_state.c). */
uint64_t fiber_call_clean(const void *routine, const uint64_t arg[3], uint64_t *own_hi);

/* Gives the calling kernel thread an alternate signal stack, so that a stack overflow can be reported. */
void fiber_signal_stack(void);

/* Call it in a child of a raw fork, where the parked kernel threads do not exist. */
void fiber_after_fork(void);

/* Registers an unwind target in glibc, as pthread_cleanup_push does in C without exceptions. Save the context with unwind_target; if that
   returns 0, register the buffer. pthread_exit and cancellation unwind to the innermost buffer: there unwind_target returns a second time,
   with another value. */
int unwind_target(void *jmp_buf, int save_mask) __asm__("__sigsetjmp") __attribute__((returns_twice));
void __pthread_register_cancel(__pthread_unwind_buf_t *);
void __pthread_unregister_cancel(__pthread_unwind_buf_t *);

#endif
