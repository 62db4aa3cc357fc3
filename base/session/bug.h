/* The failure of an execution, and how it differs from a forced schedule. */
#ifndef SIMUL_SESSION_BUG_H
#define SIMUL_SESSION_BUG_H

#include <signal.h>
#include <stdint.h>

#include "base/session/limits.h"
#include "base/session/schedule.h"

#define SIGNAL_HANG (SIGRTMAX - 2) /* sent by the supervisor to the target: the running execution hangs and must end */

enum bug_kind {
	BUG_NONE = 0,
	BUG_DEADLOCK,
	BUG_ASSERT,   /* failed assertion, abort, uncaught C++ exception */
	BUG_CRASH,    /* SIGSEGV, SIGBUS, SIGFPE, SIGILL, stack overflow, killed */
	BUG_EXIT,     /* non-zero exit status */
	BUG_MISUSE,   /* of a synchronisation object */
	BUG_HANG,     /* no scheduling point for too long */
	BUG_LIVELOCK, /* (awaiting threads only) */
	BUG_RACE,
	BUG_ROBUSTNESS,
	BUG_MEMORY,   /* invalid use of memory, see enum memory_error */
	BUG_KINDS
};

/* The kind of a BUG_MEMORY. */
enum memory_error {
	MEMORY_NONE = 0,
	MEMORY_FREED,        /* access to a block that was freed */
	MEMORY_BEYOND,       /* access beyond the end of a block */
	MEMORY_BEFORE,       /* access before the beginning of a block */
	MEMORY_DOUBLE_FREE,
	MEMORY_INVALID_FREE, /* free of a pointer that is not a block */
	MEMORY_STACK,        /* access to the frame of a function that returned, or to the stack of a thread that ended */
	MEMORY_ERRORS
};

/* Details of a memory error. */
struct session_block {
	uint32_t error;      /* enum memory_error */
	uint32_t write;      /* 1: the access is a write */
	uint32_t object;     /* enum object_kind: a call uses such an object in these bytes; 0: it is an ordinary access, or a free */
	uint32_t pad_;
	uint64_t addr, size; /* the accessed bytes; for a free: the argument, and size 0 */
	uint64_t block, block_size; /* the block concerned; 0, 0: not known. Not used by MEMORY_STACK */
	uint32_t owner[2];   /* thread_id of the allocating and of the freeing thread, or 0xffff; MEMORY_STACK: [0] owns the stack */
	struct session_stack stack[2]; /* stacks of the allocation and of the free; only confirmations and replays record them */
};

/* The failure of the execution that just ended. */
struct session_bug {
	uint32_t kind;         /* enum bug_kind; BUG_NONE: no failure */
	uint32_t thread;       /* thread_id in which it happened */
	int32_t signal;        /* BUG_CRASH, BUG_ASSERT: signal number, or 0 */
	int32_t status;        /* BUG_EXIT: exit status */
	uint32_t misuse;       /* BUG_MISUSE: enum misuse */
	uint32_t object;       /* object concerned, or 0 */
	uint64_t fault_addr;   /* BUG_CRASH; BUG_RACE of processes: the word on which they race */
	struct session_block memory; /* BUG_MEMORY */
	uint64_t signature;    /* equal bugs have equal signatures; never 0 for a bug */
	char process[SESSION_LABEL_TEXT]; /* what the program's own scheduler ran, such as a SystemC process; "":
					     nothing */
	char message[SESSION_MESSAGE]; /* the text of the program's assertion, or a text of simul */
	struct session_stack stack;    /* of the thread */
	uint32_t cycle_n;              /* BUG_ROBUSTNESS: length of a shortest cycle, see struct robust_cycle (sched/robust.h) */
	/* Lower and upper bound of the preemptions that the execution needs, each + 1 (explore_need); 0: not known. Set in STATE_BUG_EXPLAINED */
	uint32_t needs, enough;
	uint32_t pad_;
	struct {
		uint32_t event, step;
	} cycle[SESSION_CYCLE];
};

/* Divergence of a forced schedule. */
struct session_divergence {
	uint32_t happened; /* 1 */
	uint32_t step;     /* index into the schedule */
	uint32_t reason;   /* enum divergence_reason */
	uint32_t pad_;
	struct forced_step expected;
	struct forced_step found;
	uint64_t enabled_mask; /* threads 0..63 that were enabled */
	uint64_t draining_mask; /* threads 0..63 that had a buffered store which could reach memory */
};
enum divergence_reason {
	DIVERGED_OTHER_EVENT = 1, /* the thread's operation differs from the recorded one */
	DIVERGED_NOT_ENABLED,     /* the thread to run was blocked or had ended */
	DIVERGED_ENDED_EARLY,     /* the program ended before the schedule did */
	DIVERGED_WENT_ON,         /* the schedule ended before the program did */
};

#endif
