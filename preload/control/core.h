/*
 * Functions that the rooms control/, failure/ and life/ offer to each other and to the few hooks that start or end threads and
 * processes. All other hooks use ctl.h only.
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

/* ---- ctl_start.c ---- */

/* Makes ctl_trace the trace in the segment. Called once, in the constructor, before ctl_start. */
void ctl_attach_trace(void);
/* Creates the world, the happens-before relation and T0. Called once, in the constructor. */
void ctl_start(void);

/* ---- ctl.c ---- */

/* Appends *e to the trace, and passes it to the data race check, happens-before and the strategy. Ends the execution as cut when the
   trace is full. Inside simul. */
void ctl_append(const struct event *e);
/* See ctl_opaque. */
void ctl_call_opaque(void);
/* Announces the running thread's last operation. The thread never runs program code again, except for signal handlers. Inside simul. */
void ctl_gone(const struct op *op) __attribute__((noreturn));

/* ---- run.c: executions ---- */

/* The checkpoint. Call it when the program is about to involve a second thread. Returns once for each execution, in the process that runs
   it. Later calls do nothing. */
void run_checkpoint(void);
/* Ends the running execution with verdict v, and continues with the next one. */
void run_over(enum run_verdict v) __attribute__((noreturn));
/* Ends a process that never created a thread, with the program's exit status, after its only execution. */
void run_without_threads(int status) __attribute__((noreturn));
/* Accounts for an execution that an earlier process left unfinished when it died. In the constructor. */
void run_adopt(void);
/* The strategy of this session; its state lies in the segment. */
extern struct strategy run_strategy;

/* Publishes the state of the session and wakes the supervisor. */
void run_set_state(enum session_state state);
/* Wakes the supervisor; the state stays. */
void run_ring(void);
/* Publishes the state, waits until the supervisor releases it, and continues. */
void run_hand_over(enum session_state state);
/* For describe_only: reports that the session holds the description of the sensors, and waits to be killed. */
void run_described(void) __attribute__((noreturn));
/* Sets ctl_trace to the trace of an execution that another process ran. Ends the session if its description is out of bounds. */
void run_adopt_trace(void);
/* Accounts for the execution that has ended: hands over its bug, and ends it for the strategy. */
void run_account(void);
/* Returns whether a bug with the same signature as that of the ended execution was handed over before. */
bool run_known_bug(void);
/* Like run_account, for an execution whose process died with `wstatus` (waitpid). known: whether that status is reliable. */
void run_account_dead(int wstatus, bool known);
/* Restarts the search if a process died while it changed the strategy's state, which is inconsistent then. */
void run_mend(void);
/* Plans the next execution. Ends the process when there is none. */
void run_plan(void);
/* Starts the planned execution. Called in the process that runs it. */
void run_start(void);
/* Starts the planned execution from a snapshot (snapshot.h). ctl_trace must hold the trace of the snapshot; `current` is the thread that
   runs. */
void run_resume(uint32_t current);

/* ---- zygote.c: a process for each execution ---- */

/* Returns once for each execution, in the process that runs it; never in the zygote. */
void zygote(void);
/* Returns whether this process, or one that was forked from it, may run executions now. */
bool zygote_has_turn(void);
/* Returns the turn of this process, or of the one that it was forked from; 0 in the zygote. */
uint32_t zygote_turn(void);
/* Call it when the running execution has ended. Starts the next one from this process if possible. */
void zygote_pass_on(void);

/* ---- bug.c: the bug of the running execution, in the session. All of these are called inside simul ---- */

/* Clears the session's bug, and sets its kind and its thread, the running one. */
struct session_bug *bug_begin(enum bug_kind kind);
/* Sets the message, printf-like. A message that is too long is cut. */
void bug_message(struct session_bug *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Sets the signature from kind, message and stack. Call it last. */
void bug_sign(struct session_bug *b);
/* Adds to the message of bug_deadlock that thread t waits for process `pid` (0: any child), which has not ended for `ms` of real time. lock: that
   process waits for ever for a lock. */
void bug_waits_for_process(thread_id t, pid_t pid, uint64_t ms, bool lock);
/* Makes the present state, in which no thread is enabled, a deadlock or livelock. */
void bug_deadlock(void);
/* Returns whether some threads wait for each other in a cycle. */
bool bug_circle(void);
/* Returns whether the trace of the ended execution is impossible under sequential consistency. If it is, records this as the bug. */
bool bug_robustness(void);
/* Writes the tables of objects and threads into the segment. */
void bug_objects(void);
/* Ends the execution as failed, after a DEATH event of the bug's thread. */
void bug_die(void) __attribute__((noreturn));
#define SIMUL_DIED 134 /* exit status when a program fails before it created a thread */

/* ---- crash.c: fatal signals ---- */

/* Installs the handlers of fatal signals. Once, in the constructor. */
void crash_init(void);
/* Reports a crash, for a fatal signal that the program got. Returns only when a handler of the program ran instead. */
void crash_signal(int sig, siginfo_t *si, void *ucontext);

/* ---- hook_exit.c ---- */

/* Registers simul's exit handler, which must run last. Call it before the program can register its own handlers. */
void exit_init(void);
/* Ends the execution as abort() does, with this message. Inside simul. */
void exit_aborted(const char *text) __attribute__((noreturn));

/* ---- hook_malloc.c ---- */

/* Makes blocks come from heap.h, if possible, as soon as the state is CTL_ON. Once, in the constructor. */
void heap_begin(void);

/* ---- stack.c: return addresses, from the innermost frame outwards, without the frames of libsimul.so ---- */

/* Prepares both unwinders. Called once, in the constructor, before the program maps anything. */
void stack_init(void);
/* Writes the caller's stack to pc, up to max addresses (at least 1), and returns their number. Allocates nothing. */
unsigned stack_here(uint64_t *pc, unsigned max);
/* Like stack_here, for each event of a confirmation or replay: slower, but it survives a broken stack. above[i]: bytes from the end of
   frame i to the end of the running thread's stack; 0: unknown. */
unsigned stack_at_event(uint64_t *pc, uint32_t *above, unsigned max);
/* Writes the stack of the context that a signal handler interrupted to pc. pc[0] is the exact instruction. *n counts the addresses during
   the walk. */
void stack_of_context(const ucontext_t *uc, uint64_t *pc, uint32_t *n, unsigned max);
/* Returns whether an unwinder gets through f's frames to the end of its stack; false also when that is not known. *slot, unless slot is NULL:
   where the return address of the frame that holds addr lies; 0: not known. Inside simul. */
bool stack_reaches_end(const struct fiber *f, uint64_t addr, uint64_t *slot);
/* Returns whether pc is in the code of libsimul.so. */
bool stack_is_simul(uint64_t pc);
/* Returns the offset of pc, which is in the code of libsimul.so, from the place where that library is loaded: addr2line takes it. */
uint64_t stack_simul_offset(uint64_t pc);
/* The return address of signal handlers that do not return into libc. */
void crash_restorer(void) __asm__("__restore_rt");

#endif
