/*
 * What lower rooms of preload/ ask of higher ones. init.c sets all of it before control begins, and it is sealed then.
 * Calls go down the order of the rooms (tests/layers.sh rooms); these are the only ones that go up.
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

struct operations {
	/* ---- control/ ---- */

	/* Appends to the trace and notifies the strategy. */
	void (*append)(const struct event *e);

	/* ---- patch/ ---- */

	uint64_t (*original_pc)(uint64_t pc);                       /* patch_original */
	uint64_t (*code_tables)(uint32_t *n, uint32_t *entry_bytes); /* patch_tables */

	/* ---- kernel/ ---- */

	/* Is this descriptor, process or signal operation ready to be performed without blocking? */
	bool (*ready)(void *ctx, thread_id t, const struct op *op);
	/* No thread is enabled but some wait for something outside the process: waits (really) until
	   one becomes ready. false: none of the pending operations can ever become ready from outside. */
	bool (*wait_external)(void);
	/* Returns a thread whose pending operation another process may end; NO_THREAD: there is none. */
	thread_id (*awaits_process)(void);
	/* Runs the pending handlers of the running thread on its own stack, left and entered again
	   around each. true: every one of them was installed with SA_RESTART; false: an interruptible operation
	   returns EINTR. */
	bool (*run_signals)(void);
	/* Does a thread wait for something in memory that another process has mapped too? That process may end the wait. */
	bool (*may_be_woken)(void);

	/* ---- life/ ---- */

	void (*checkpoint)(void);                                                     /* run_checkpoint */
	void (*over)(enum run_verdict v) __attribute__((noreturn));                   /* run_over */
	void (*without_threads)(int status) __attribute__((noreturn));                /* run_without_threads */
	void (*hand_over)(enum session_state state);                                  /* run_hand_over */
	bool (*news)(void);                                                           /* warm_up_news */
	void (*snapshot)(void);                                                       /* snapshot_look */
	void (*fatal_signal)(int sig, siginfo_t *si, void *ucontext);                 /* crash_signal */

	/* ---- hooks/ ---- */

	/* Does the futex word hold the value that a pending FUTEX_WAIT or CMP_REQUEUE expects? */
	bool (*futex_matches)(void *ctx, const struct op *op);
	/* The body of a thread whose start routine has returned or was unwound: destructors, keys, THREAD_EXIT. */
	void (*thread_end)(struct fiber *f) __attribute__((noreturn));
};

extern struct operations operations;

#endif
