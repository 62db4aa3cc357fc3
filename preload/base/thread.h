/*
 * What simul keeps for each thread of the program: its fiber (preload/control/fiber.h). fiber_cur and fiber_first are in state.h.
 */
#ifndef SIMUL_THREAD_H
#define SIMUL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
