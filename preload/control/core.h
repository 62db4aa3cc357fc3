/*
 * Internals shared by the core files of preload/ (ctl, fiber, run, crash, stack, hook_thread, init);
 * hooks use ctl.h only.
 */
#ifndef SIMUL_CORE_H
#define SIMUL_CORE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "base/session.h"
#include "preload/base/operations.h"
#include "preload/base/state.h"
#include "preload/control/fiber.h"
#include "sched/event.h"
#include "sched/strategy.h"

/* ---- ctl.c ---- */

void ctl_start(void);                /* makes the world; once, in the constructor */
void ctl_append(const struct event *e); /* appends to the trace and tells the strategy */
/* Announces the running thread's last operation, and schedules others for good. */
void ctl_gone(const struct op *op) __attribute__((noreturn));

/* ---- run.c: executions ---- */

/* Here the program is about to involve a second thread: executions start here. Returns once per
   execution, in the process that runs it. Does nothing when it was called before. */
void run_checkpoint(void);
/* The running execution is over. */
void run_over(enum run_verdict v) __attribute__((noreturn));
/* The process came to its end before any thread was created. */
void run_without_threads(int status) __attribute__((noreturn));
/* An execution was left in the middle by a process that died: account for it. In the constructor. */
void run_adopt(void);
extern struct strategy run_strategy;

/* For zygote.c. */
void run_set_state(enum session_state state);
/* Wakes the supervisor, so that it looks at the session. */
void run_ring(void);
/* Waits in this state until the supervisor has done what it wants to, and goes on. */
void run_hand_over(enum session_state state);
/* What the sensors see stands in the session, and that is all that was wanted (describe_only). */
void run_described(void) __attribute__((noreturn));
void run_account(void);                       /* the execution that has ended: bug, strategy's end */
bool run_known_bug(void);                     /* was a bug like that of the execution that has ended handed over before? */
void run_account_dead(int wstatus, bool known); /* ends it first: its process died in the middle */
/* When a process died while it asked or told the strategy something, half of the search is old: it starts again. */
void run_mend(void);
void run_plan(void);  /* returns when there is another execution; else the process ends */
void run_start(void); /* in the process that runs it, just before */
/* The same where an execution goes on in the middle (snapshot.h): ctl_trace is as it was there, `current` the thread that runs. */
void run_resume(uint32_t current);

/* ---- zygote.c: a process for each execution ---- */

/* Returns once for each execution, in the process that runs it; never in the zygote. */
void zygote(void);
/* Does this process, or one that was forked from it, run executions? */
bool zygote_has_turn(void);
/* The number of the turn of this process, or of the one that it was forked from; 0 in the zygote. */
uint32_t zygote_turn(void);
/* The running execution has ended: start the next one from here, where that is possible. */
void zygote_pass_on(void);

/* ---- bug.c: what went wrong ---- */

struct session_bug *bug_begin(enum bug_kind kind); /* clears the session's bug and fills kind and thread */
void bug_message(struct session_bug *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void bug_sign(struct session_bug *b);              /* computes the signature from kind, message, stack */
void bug_deadlock(void);                           /* fills the bug for the present state */
bool bug_circle(void);                             /* do some threads wait for each other? */
/* Is the trace of the execution that has ended impossible under sequential consistency? Then that is its bug. */
bool bug_robustness(void);
void bug_objects(void);                            /* writes the object and thread tables into the segment */
/* DEATH event of the running thread, then the end of the execution. */
void bug_die(void) __attribute__((noreturn));
#define SIMUL_DIED 134 /* exit status when a program fails before it created a thread */
/* ---- crash.c: fatal signals ---- */

void crash_init(void);
void crash_signal(int sig, siginfo_t *si, void *ucontext); /* the program got a fatal signal */

/* ---- hook_exit.c ---- */

void exit_init(void); /* before the program can register handlers of its own */
void exit_aborted(const char *text) __attribute__((noreturn)); /* what abort() does, in these words; inside simul */

/* ---- hook_malloc.c ---- */

void heap_begin(void); /* from CTL_ON on blocks come from heap.h, if that is possible; once, in the constructor */

/* ---- stack.c ---- */

void stack_init(bool at_events); /* at_events: stack_at_event will be called often */
/* Return addresses from the caller outwards, frames of libsimul.so left out. Returns how many. */
unsigned stack_here(uint64_t *pc, unsigned max);
unsigned stack_at_event(uint64_t *pc, unsigned max); /* the same, for every event of a confirmation or replay */
/* In a signal handler, from the interrupted context; pc[0] is the exact instruction. Counts in *n as it goes. */
void stack_of_context(const ucontext_t *uc, uint64_t *pc, uint32_t *n, unsigned max);
/* Do f's frames lead from where it stands up to the end of its stack? false: they do not, or that cannot be seen. Inside simul. */
bool stack_reaches_end(const struct fiber *f);
bool stack_is_simul(uint64_t pc); /* is it in libsimul.so's own code? */
void crash_restorer(void) __asm__("__restore_rt"); /* what signal handlers that do not return into libc return to */

#endif
