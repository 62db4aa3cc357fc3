/*
 * Virtual signals: masks, dispositions and pending signals live here, not in the kernel; a handler
 * runs at a scheduling point of its thread. Signal sets are 64-bit masks, bit (sig - 1).
 */
#ifndef SIMUL_SIGNALS_H
#define SIMUL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/event.h"
#include "sched/ids.h"

#define SIG_BIT(sig) (UINT64_C(1) << ((sig) - 1))

/* ctl_perform for an interruptible operation. `restartable`: SA_RESTART handlers do not interrupt it (read
   and wait yes; sleeps, poll and sigwait never). */
int64_t signals_perform(struct op *op, bool restartable);

/* The object of SIGNAL_SEND to the process, and of every SIGNAL_WAIT: the signals of the process. */
object_id signals_process_object(void);

/* Pending for t (or for the process) within `set`: takes the first, lowest signal first; false: none. */
bool signals_take(thread_id t, uint64_t set, siginfo_t *out);
/* All that are pending for t or for the process. */
uint64_t signals_pending(thread_id t);

/* What the program has installed for a signal; handler is SIG_DFL, SIG_IGN or a function. */
struct disposition {
	void *handler;
	unsigned flags; /* SA_* */
	uint64_t mask;
};
struct disposition *signals_disposition(int sig);
/* The disposition of sig has changed: drops what is ignored now, tells the kernel what it must know. */
void signals_changed(int sig);

/* Takes over what is in the kernel: dispositions, the mask, pending signals, the alternate stack, timers. Once, in the constructor, when the
   world is there and before simul installs handlers of its own. */
void signals_adopt(void);
/* For signals_adopt: the alternate stack of the first thread. */
void signals_adopt_alt_stack(void);

/* A siglongjmp that leaves handlers: forgets those whose frames lie below stack address `sp`. */
void signals_unwind_to(uintptr_t sp);

/* The virtual mask of a thread. */
uint64_t signals_mask(thread_id t);
/* Before the running thread's mask becomes this one: a scheduling point, where handlers run whose signals are blocked from now on. Inside
   control. */
void signals_before_mask(uint64_t mask, const void *pc);
/* Sets the mask of the running thread (SIGKILL and SIGSTOP stay out) and says whether a handler is due. */
void signals_set_mask(uint64_t mask);
/* signals_set_mask, then runs what became deliverable. Inside control. */
void signals_set_mask_and_run(uint64_t mask);

/* A new thread starts with its creator's mask. Called by the hook of pthread_create. */
void signals_thread_created(thread_id child, thread_id parent);

/* Makes the signal pending for thread t (NO_THREAD: for the process) without an event, or drops it when
   it is ignored. Legal in scheduler context too, unless the signal would kill the program. */
void signals_post(thread_id t, const siginfo_t *info);
/* The thread that a signal to the process goes to. */
thread_id signals_choose_target(int sig);
/* Sends with a SIGNAL_SEND event and acts on it; `process`: to the process, t is ignored. Inside control. */
void signals_send(thread_id t, bool process, const siginfo_t *info, const void *pc);
/* A signal that the running thread causes to itself (SIGPIPE, raise): acts at once. */
void signals_send_self(const siginfo_t *info);

/* Would sending this signal run a handler? (false: ignored, or the default action) */
bool signals_has_handler(int sig);
bool signals_is_ignored(int sig);
/* Is a thread waiting for it in sigwait and the like? */
bool signals_is_awaited(int sig);

/* Is the SIGNAL_WAIT operation of t ready? */
bool signals_wait_ready(thread_id t, const struct op *op);

/* tgkill(getpid(), tid, sig) and tkill of the program's own code; 0 or -errno. Inside control. */
long signals_tgkill(int tgid, int tid, int sig, const void *pc);

/* Makes the kernel's ignored signals and mask what the program believes they are, as a child that is
   about to start inherits them; and back. */
void signals_native_begin(void);
void signals_native_end(void);
/* In a native child: the kernel takes over all dispositions and the mask. */
void signals_become_native(void);

/* operations.run_signals */
bool signals_run_pending(void);

#endif
