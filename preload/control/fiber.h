/*
 * Fibers: the threads of the program as contexts that run on the one carrier thread.
 *
 * A fiber is a real glibc thread, with its own stack, TLS block and pthread_t, whose kernel thread parks
 * at once and for good (fiber_park). Its context is then run on the carrier, the process's first
 * kernel thread. Measured: 30 ns a switch, against 4 to 15 µs between kernel threads; and a raw fork
 * of the carrier clones the whole multithreaded program. With THREADS_KERNEL each fiber runs on its own
 * kernel thread instead and a baton is passed; everything else is the same code.
 *
 * All of it lies in private memory: a fork carries it along, a rewind restores it.
 */
#ifndef SIMUL_FIBER_H
#define SIMUL_FIBER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/state.h"
#include "sched/ids.h"

struct mem_regs;

/* Layout known to fiber_x86_64.S. */
struct fiber_ctx {
	uint64_t rsp, fsbase, rbx, rbp, r12, r13, r14, r15, rip;
	uint32_t mxcsr;
	uint16_t x87;
	uint16_t pad_;
};
_Static_assert(offsetof(struct fiber_ctx, rip) == 64, "fiber_x86_64.S");
_Static_assert(offsetof(struct fiber_ctx, x87) == 76, "fiber_x86_64.S");

/* What a fiber finds when it is switched to. */
enum fiber_action {
	ACTION_RETURN = 0, /* its operation is complete: return `result` to the hook */
	ACTION_HANDLER,    /* run pending signal handlers, then the operation goes on */
	ACTION_CANCEL,     /* act on the cancellation request */
};

struct fiber {
	struct fiber_ctx ctx;  /* where it goes on */
	struct fiber_ctx park; /* where its kernel thread parked, and leaves from at the end */
	thread_id id;          /* NO_THREAD before its THREAD_CREATE event */
	uint8_t action;        /* enum fiber_action */
	bool ended;            /* its THREAD_EXIT happened */
	bool detached, joined;
	int64_t result;        /* of the operation, for ACTION_RETURN */
	pthread_t handle;
	void *(*start)(void *); /* NULL while parked in the pool */
	void *arg;
	void *value;           /* what it returned, or gave to pthread_exit */
	int exit_status;       /* of the process, when this thread ends it */
	int cancel_state, cancel_type;
	uint32_t parked, leave, go; /* futex words between it and its kernel thread */
	int tid;               /* of its kernel thread, when it runs on that (THREADS_KERNEL) */
	int home_pid;          /* process in which its kernel thread is parked */
	size_t stack_size, guard_size;
	const char *path;      /* the thread that it is kept for, in the session; NULL: made when it was wanted */
	char *stack_lo;        /* lowest address of its stack; NULL for T0 */
	uint64_t own_lo, own_hi; /* its stack as mem.h sees it, T0's too */
	uint64_t top;          /* of what simul has on its stack since its last scheduling point; see ctl.c */
	uint64_t sp;           /* while it does not run: ctl_sp of when it did */
	bool users_stack;      /* its stack is memory that the program gave it */
	const struct mem_regs *access; /* its registers while it stands at an access of patched code; NULL: at a call */
	char name[16];         /* pthread_setname_np */
	char selector;         /* see dispatch.h; with fibers only T0's is in use */
	struct fiber *next;    /* all fibers, T0 first, then in order of creation */
};

/* Makes T0 of the calling thread. Once, in the constructor. */
void fiber_init(bool kernel_threads);

/* The fiber of a live or unjoined thread, by handle or by id; NULL when there is none. */
struct fiber *fiber_by_handle(pthread_t handle);
struct fiber *fiber_by_id(thread_id id);

/* A fiber that will run start(arg) once it is switched to, as thread `id`: from the pool when one for that thread is
   parked there, else created now. Its own id is NO_THREAD until the caller sets it. 0, or an errno value as of
   pthread_create. */
int fiber_create(thread_id id, const pthread_attr_t *attr, void *(*start)(void *), void *arg, struct fiber **out);

/* Brings the parked pool up to what the session says it should hold. Before an execution starts. */
void fiber_pool_fill(void);

/* Runs `to` and returns when somebody runs the calling fiber again. */
void fiber_switch(struct fiber *to);

/* Saves where the caller stands in *from, and goes on at *to; returns when somebody enters *from. No change of fiber: for
   stacks of simul's own. fsbase is not saved: the caller sets it. */
void fiber_jump(struct fiber_ctx *from, const struct fiber_ctx *to);

/* Is the calling kernel thread the one that runs program code now? (No system call.) */
bool fiber_is_running(void);

/* The thread has ended and nobody will ask for it again: give its stack back where that is possible. */
void fiber_release(struct fiber *f);

/* Calls a routine of the program in the running thread, whose own_hi is given, and returns its result. What the program does on its stack
   lies below that from now on; what is above differs from process to process: libc's and the kernel's
   own data, and jump buffers, which libc scrambles with a random number. Registers that are no arguments are 0: what they would hold
   differs as well, and they are a part of what a thread knows (spin_state.c). */
uint64_t fiber_call_clean(const void *routine, const uint64_t arg[3], uint64_t *own_hi);

/* Gives the calling kernel thread a stack for signals: a stack overflow is a bug report like any other. */
void fiber_signal_stack(void);

/* In a child of a raw fork: the parked kernel threads are not here. */
void fiber_after_fork(void);

/* glibc's registration of an unwind target, which is what pthread_cleanup_push is in C without exceptions:
   save the context with unwind_target, and if that returned 0 register the buffer. pthread_exit and
   cancellation unwind to the innermost one, where unwind_target returns again, not 0. */
int unwind_target(void *jmp_buf, int save_mask) __asm__("__sigsetjmp") __attribute__((returns_twice));
void __pthread_register_cancel(__pthread_unwind_buf_t *);
void __pthread_unregister_cancel(__pthread_unwind_buf_t *);

/* The body of a thread whose start routine has returned or was unwound: destructors, keys, THREAD_EXIT.
   Provided by hook_thread.c. */
void thread_end(struct fiber *f) __attribute__((noreturn));

#endif
