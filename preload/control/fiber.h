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

/* What a fiber does when it is switched to. */
enum fiber_action {
	ACTION_RETURN = 0, /* its operation is complete: return `result` to the hook */
	ACTION_HANDLER,    /* run pending signal handlers, then continue the operation */
	ACTION_CANCEL,     /* act on the cancellation request */
};

struct fiber {
	struct fiber_ctx ctx;  /* the context in which the fiber continues */
	struct fiber_ctx park; /* the context in which its kernel thread parked, and in which that thread ends */
	struct fiber *next;    /* all fibers, T0 first, then in order of creation */
	thread_id id;          /* NO_THREAD before its THREAD_CREATE event */
	uint8_t action;        /* enum fiber_action */
	bool ended;            /* its THREAD_EXIT happened */
	bool detached, joined;
	int64_t result;        /* result of the operation, for ACTION_RETURN */
	pthread_t handle;
	void *(*start)(void *); /* NULL while parked in the pool */
	void *arg;
	void *value;           /* the value that the thread returned or passed to pthread_exit */
	int exit_status;       /* exit status of the process, if this thread ends it */
	int cancel_state, cancel_type;
	uint32_t parked, leave, go; /* futex words between it and its kernel thread */
	int tid;               /* id of its kernel thread, with THREADS_KERNEL */
	int home_pid;          /* process in which its kernel thread is parked */
	size_t stack_size, guard_size;
	const char *path;      /* name of the thread for which the pool keeps this fiber; NULL: it is not from the pool */
	char *stack_lo;        /* lowest address of its stack; NULL for T0 */
	uint64_t own_lo, own_hi; /* bounds of the program's part of the thread's stack, for mem.h; also set for T0 */
	uint64_t top;          /* upper end of simul's frames on its stack at the last scheduling point (top_of in ctl.c) */
	uint64_t sp;           /* value of ctl_sp when the thread last entered simul; valid while it does not run */
	struct frames_then *frames_then; /* replaced_frame.h; NULL: there is none */
	bool users_stack;      /* its stack is memory that the program gave it */
	uint64_t unforeseen;   /* number of actions of the thread that its state does not show (round_state.h), except for */
	uint64_t unseen_writes; /* its writes to memory that is not visible */
	uint64_t local_then, unseen_then; /* its state at the latest place where a round may begin, without these writes, and their number */
	bool reveals;          /* these writes become visible */
	uint32_t idle;         /* operations in a row that may be part of a waiting loop */
	uint32_t waits;        /* the same; a read-modify-write does not end it */
	const struct mem_regs *access; /* the thread's registers, if it is about to make an access of patched code; NULL: it is in a call */
	uint32_t task_yields;  /* yields of the task library's code since its latest piece began (kernel/task_order.h) */
	uint64_t read_pc;      /* the place of its latest event, if that is a read whose repetitions may be left out (repeat.h); else 0 */
	uint64_t call_sp;      /* whole_calls.h: the stack pointer when the running call that is taken as one step began; 0: there is none */
	uint64_t call_mutex;   /* the address that stands for its mutex, and */
	uint64_t call_block;   /* the block of the heap that it uses; 0: none */
	uint32_t call_owner;   /* who says that it is one step (base/lock_owners.h) */
	bool call_has;         /* the thread has the mutex */
	bool call_gave;        /* it had it, and gave it back to wait */
	bool call_operation;   /* the call is no such one, but an operation of a reader-writer lock (lock_ops.h), and */
	bool call_waits;       /* waits until the lock is free */
	uint64_t lock_op;      /* the thread's latest event was an operation of the lock with its words here; 0: it was not */
	uint32_t lock_op_waits; /* the thread is about to announce such an operation that waits; who says so */
	const void *fork_pc;   /* its call of fork, whose event comes after the program's handlers of pthread_atfork; NULL: none */
	char name[16];         /* pthread_setname_np */
	char selector;         /* see dispatch.h; with fibers only T0's is used */
};

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
   fiber_cur does not change, and the caller sets fsbase, which is not saved. */
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

/* hook_thread.c: ends a thread whose start routine has returned or was unwound: destructors, keys, THREAD_EXIT. */
void thread_end(struct fiber *f) __attribute__((noreturn));

#endif
