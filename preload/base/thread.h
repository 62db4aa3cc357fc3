/*
 * What simul keeps for each thread of the program: its fiber (preload/control/fiber.h). fiber_cur and fiber_first are in state.h.
 */
#ifndef SIMUL_THREAD_H
#define SIMUL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/registers.h"
#include "sched/ids.h"

/* What a fiber does when it is switched to. */
enum fiber_action {
	ACTION_RETURN = 0, /* its operation is complete: return `result` to the hook */
	ACTION_HANDLER,    /* run pending signal handlers, then continue the operation */
	ACTION_CANCEL,     /* act on the cancellation request */
};

/* Its kernel thread; control/fiber.h has it. */
struct fiber_kernel {
	struct fiber_ctx park; /* the context in which the kernel thread parked, and in which it ends */
	uint32_t parked, leave, go; /* futex words between it and the fiber */
	int tid;               /* its id, with THREADS_KERNEL */
	int home_pid;          /* process in which it is parked */
};

/* Its stack. */
struct fiber_stack {
	size_t size, guard_size;
	char *lo;              /* lowest address; NULL for T0 */
	uint64_t own_lo, own_hi; /* bounds of the program's part, for mem.h; also set for T0 */
	uint64_t top;          /* upper end of simul's frames at the last scheduling point (top_of in ctl.c) */
	uint64_t sp;           /* value of ctl_sp when the thread last entered simul; valid while it does not run */
	struct frames_then *frames_then; /* memory/replaced_frame.h; NULL: there is none */
	bool users;            /* it is memory that the program gave the thread */
};

/* Its state for waiting loops; memory/round_state.h has it. */
struct fiber_rounds {
	uint64_t unforeseen;   /* number of actions of the thread that its state does not show, except for */
	uint64_t unseen_writes; /* its writes to memory that is not visible */
	uint64_t numbers;      /* sum of the descriptors' numbers that it opened, without those that it closed, each one hashed */
	uint64_t local_then, unseen_then; /* its state at the latest place where a round may begin, without these writes, and their number */
	bool reveals;          /* these writes become visible, from the next execution on */
	uint32_t idle;         /* operations in a row that may be part of a waiting loop */
	uint32_t waits;        /* the same; a read-modify-write does not end it */
};

/* The running call that is taken as one step; control/whole_calls.h has it. */
struct fiber_call {
	uint64_t sp;           /* the stack pointer when it began; 0: there is none */
	uint64_t mutex;        /* the address that stands for its mutex, and */
	uint64_t block;        /* the block of the heap that it uses; 0: none */
	uint32_t owner;        /* who says that it is one step (base/lock_owners.h) */
	bool has;              /* the thread has the mutex */
	bool gave;             /* it had it, and gave it back to wait */
	bool operation;        /* the call is no such one, but an operation of a reader-writer lock (lock_ops.h), and */
	bool waits;            /* waits until the lock is free */
};

#define FIBER_AT_START 1u /* `place` of T0 before its first operation */

struct fiber {
	struct fiber_ctx ctx;  /* the context in which the fiber continues */
	struct fiber *next;    /* all fibers, T0 first, then in order of creation */
	thread_id id;          /* NO_THREAD before its THREAD_CREATE event */
	uint8_t action;        /* enum fiber_action */
	bool ended;            /* its THREAD_EXIT happened */
	bool detached, joined;
	int64_t result;        /* result of the operation, for ACTION_RETURN */
	uint64_t place;        /* of its latest operation, or FIBER_AT_START; 0: it has not begun to run */
	uint32_t operations;   /* their number; both for control/thread_pointer.h */
	pthread_t handle;
	void *(*start)(void *); /* NULL while parked in the pool */
	void *arg;
	void *value;           /* the value that the thread returned or passed to pthread_exit */
	int exit_status;       /* exit status of the process, if this thread ends it */
	int cancel_state, cancel_type;
	const char *path;      /* name of the thread for which the pool keeps this fiber; NULL: it is not from the pool */
	struct fiber_kernel kernel;
	struct fiber_stack stack;
	struct fiber_rounds rounds;
	struct fiber_call call;
	const struct mem_regs *access; /* the thread's registers, if it is about to make an access of patched code; NULL: it is in a call */
	uint32_t task_yields;  /* yields of the task library's code since its latest piece began (kernel/task_order.h) */
	uint64_t read_pc;      /* the place of its latest event, if that is a read whose repetitions may be left out (memory/repeat.h); else 0 */
	uint64_t lock_op;      /* the thread's latest event was an operation of the lock with its words here; 0: it was not (lock_ops.h) */
	uint32_t lock_op_waits; /* the thread is about to announce such an operation that waits; who says so */
	const void *fork_pc;   /* its call of fork, whose event comes after the program's handlers of pthread_atfork; NULL: none */
	char name[16];         /* pthread_setname_np */
	char selector;         /* see dispatch.h; with fibers only T0's is used */
};

#endif
