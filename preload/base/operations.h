/*
 * Functions of higher rooms of preload/ that lower rooms call. init.c sets them before control begins; then they are sealed. All other
 * calls go down the order of the rooms (tests/layers.sh rooms).
 */
#ifndef SIMUL_OPERATIONS_H
#define SIMUL_OPERATIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"
#include "sched/event.h"
#include "sched/strategy.h"

struct fiber;
struct mem_access;

/* What a thread would do if the load that it is about to make, at `pc` of `addr`, found `staying` in `turns` turns of its loop, and `leaving` in the next one. With
   turns 0, what it does after the loop is recorded, otherwise compared with what was recorded. */
struct what_if {
	uint64_t pc, addr, size;
	uint64_t staying, leaving;
	uint32_t turns;
};
enum what_if_result {
	WHAT_IF_UNKNOWN, /* the trial was ended early, or could not be made */
	WHAT_IF_STAYS,   /* the thread comes back to the load after it found `leaving` */
	WHAT_IF_LEAVES,  /* it leaves the loop; when comparing: and then comes to a state that was recorded */
	WHAT_IF_DIFFERS, /* it does not */
	WHAT_IF_GIVES_UP, /* it left the loop before it found `leaving` */
	WHAT_IF_CHILD,   /* this is the fork: the thread must run on */
};

struct operations {
	/* ---- control/ ---- */

	/* Appends *e to the trace and notifies the strategy. */
	void (*append)(const struct event *e);
	void (*opaque)(void);                                       /* ctl_call_opaque */

	/* ---- accesses/ ---- */

	void (*access)(const struct mem_access *a);                 /* mem_perform_inside */

	/* ---- patch/ ---- */

	uint64_t (*original_pc)(uint64_t pc);                       /* patch_original */
	uint64_t (*code_tables)(uint32_t *n, uint32_t *entry_bytes); /* patch_tables */

	/* ---- kernel/ ---- */

	/* Returns whether this descriptor, process or signal operation of t can be performed without blocking. */
	bool (*ready)(void *ctx, thread_id t, const struct op *op);
	bool (*waits)(void *ctx, thread_id t, const struct op *op);
	/* Called when no thread is enabled. Waits in real time for other processes, or fires a timer. Returns false if no pending operation
	   can become ready that way. */
	bool (*wait_external)(void);
	/* Returns a thread whose pending operation another process may end; NO_THREAD: there is none. */
	thread_id (*awaits_process)(void);
	/* Runs the pending signal handlers of the running thread on its stack, outside of simul. Returns whether all of them were installed
	   with SA_RESTART; else an interruptible operation returns EINTR. */
	bool (*run_signals)(void);
	void (*returning)(void);                                     /* signals_returning */
	/* Returns whether a thread waits for an object in memory that another process has mapped too. That process may end the wait. */
	bool (*may_be_woken)(void);

	void (*thread_begins)(const void *start);                                     /* task_order_after, in the new thread */

	/* ---- life/ ---- */

	void (*checkpoint)(void);                                                     /* run_checkpoint */
	void (*over)(enum run_verdict v) __attribute__((noreturn));                   /* run_over */
	void (*without_threads)(int status) __attribute__((noreturn));                /* run_without_threads */
	void (*hand_over)(enum session_state state);                                  /* run_hand_over */
	bool (*news)(void);                                                           /* warm_up_news */
	void (*snapshot)(void);                                                       /* run_look */
	/* For a process that is rewound. may_move returns whether these pages can be moved away and back (mremap). discards must be
	   called before their contents are lost; returns false if a rewind cannot restore the contents, neither in this process nor in the next one.
	   `writable`: pages can be copied. */
	bool (*may_move)(uint64_t lo, uint64_t hi);
	bool (*discards)(uint64_t lo, uint64_t hi, bool writable);
	void (*fatal_signal)(int sig, siginfo_t *si, void *ucontext);                 /* crash_signal */
	enum what_if_result (*what_if)(const struct what_if *q);                      /* life/what_if.h */
	void (*what_if_access)(const struct mem_access *a);
	int64_t (*what_if_op)(const struct op *op);

	/* ---- cooperative/ ---- */

	/* Returns the name of what the program's own scheduler runs now, which just failed; "": nothing. Labels where
	   that was. */
	const char *(*failing)(void);                                                 /* systemc_failing */

	/* ---- hooks/ ---- */

	/* Returns whether the futex word holds the value that a pending FUTEX_WAIT or CMP_REQUEUE expects. */
	bool (*futex_matches)(void *ctx, const struct op *op);
	/* Ends a thread whose start routine has returned or was unwound: destructors, keys, THREAD_EXIT. */
	void (*thread_end)(struct fiber *f) __attribute__((noreturn));
	void (*other_stack)(uint64_t sp);                                             /* context_other_stack */
};

extern struct operations operations;

#endif
