/*
 * Virtual signals: simul keeps masks, dispositions and pending signals itself, not in the kernel. A handler runs at a scheduling point of
 * its thread. Signal sets are 64-bit masks, bit (sig - 1). All functions are called inside simul unless they say otherwise.
 */
#ifndef SIMUL_SIGNALS_H
#define SIMUL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/event.h"
#include "sched/ids.h"

#define SIG_BIT(sig) (UINT64_C(1) << ((sig) - 1))
#define N_SIG 65 /* signals are numbered from 1 to below this */

/* Like ctl_perform, for an interruptible operation. A handler interrupts it only where it would wait; then it is also tried just before the call
   (ALT_BEFORE). `restartable`: handlers with SA_RESTART do not end it. This holds for read and wait,
   not for sleeps, poll, sigwait, and what has a timeout (signal(7)). tests/interrupts.sh compares all calls with the kernel. */
int64_t signals_perform(struct op *op, bool restartable);
/* The same for EV_FUTEX_WAIT: a handler that runs before the thread waits does not end it. If one ends it and restarts it, the result is CTL_RESTART,
   and the caller performs it again, since the kernel looks at the word again. */
int64_t signals_perform_wait(struct op *op, bool restartable);

/* Returns the object of every SIGNAL_SEND to the process and every SIGNAL_WAIT: the signals of the process. */
object_id signals_process_object(void);

/* Takes the pending signal with the lowest number in `set`, for t or the process. Returns false if there is none. */
bool signals_take(thread_id t, uint64_t set, siginfo_t *out);
/* Returns the signals that are pending for t or for the process. */
uint64_t signals_pending(thread_id t);

/* The program's disposition of a signal; handler is SIG_DFL, SIG_IGN or a function. */
struct disposition {
	void *handler;
	unsigned flags; /* SA_* */
	uint64_t mask;
};
struct disposition *signals_disposition(int sig);
/* Returns the signals that the program handles or ignores. */
uint64_t signals_survived(void);
/* Call it when the disposition of sig has changed. Drops pending signals that are ignored now, and updates the kernel's disposition of
   SIGCHLD. */
void signals_changed(int sig);

/* Adopts the kernel's dispositions, mask, pending signals, alternate stack and timers. Once, in the constructor, after the world exists and
   before simul installs its own handlers. */
void signals_adopt(void);

/* Call it when a siglongjmp at pc leaves handlers. Drops those whose frames lie below stack address `sp`. */
void signals_unwind_to(uintptr_t sp, const void *pc);

/* Returns the virtual mask of a thread. */
uint64_t signals_mask(thread_id t);
/* Call it before the running thread's mask becomes `mask`. This is the last scheduling point at which handlers run whose signals the new
   mask blocks. */
void signals_before_mask(uint64_t mask, const void *pc);
/* Begins a call that waits with this signal mask (sigsuspend, ppoll), and returns the thread's mask. Handlers of
   signals that the thread did not block run before the call at this place, handlers of the others only in the call.
   Sends SIGCHLD for children that have ended. */
uint64_t signals_begin_masked(uint64_t mask, const void *pc);
/* Ends it: sets the mask that the thread had, and runs the handlers that became due. */
void signals_end_masked(uint64_t was);
/* Sets the mask of the running thread, without SIGKILL and SIGSTOP. */
void signals_set_mask(uint64_t mask);
/* The same while a handler of a fault runs: pending signals stay where they are. */
void signals_swap_mask(uint64_t mask);
/* Like signals_set_mask, but then runs the handlers that became due. */
void signals_set_mask_and_run(uint64_t mask);

/* Gives a new thread the mask of its creator. Called by the hook of pthread_create. */
void signals_thread_created(thread_id child, thread_id parent);

/* For a certificate: records that a timer, a child or another process has sent a signal. */
void signals_come_from_outside(void);
/* Makes a signal from outside pending for thread t (NO_THREAD: for the process) without an event, or drops it if it is ignored. Also legal in
   scheduler context, unless the signal would kill the program. */
void signals_post(thread_id t, const siginfo_t *info);
/* Returns the thread that a signal to the process goes to; NO_THREAD: all threads block it. */
thread_id signals_choose_target(int sig);
/* Sends a signal with a SIGNAL_SEND event, and runs handlers that are due on the running thread. `process`: sends it to the process; t is
   ignored. */
void signals_send(thread_id t, bool process, const siginfo_t *info, const void *pc);
/* Sends a signal from outside to the process with a SIGNAL_SEND event of the running thread, which has noticed it. The
   handler runs when the running thread, or one that continues after this event, leaves simul (signals_returning), or
   before. */
void signals_arrive(const siginfo_t *info, const void *pc);
/* operations.returning: the running thread is about to leave simul. Runs the handlers that are due on it if one of them
   is for a signal from outside whose arrival happens before this: a thread that was blocked meanwhile handles it before
   it continues. Keeps errno. */
void signals_returning(void);
/* Sends a signal to the running thread (SIGPIPE, raise), and runs its handler at once. */
void signals_send_self(const siginfo_t *info);

/* These return whether the program has a handler for sig, and whether sig is ignored, explicitly or by default. */
bool signals_has_handler(int sig);
bool signals_is_ignored(int sig);
/* Returns whether a sig that is sent to the process now does nothing: it is ignored, and not kept because all threads
   block it. */
bool signals_is_dropped(int sig);
/* Returns whether a thread waits for sig in sigwait or a similar call. */
bool signals_is_awaited(int sig);

/* Returns whether the SIGNAL_WAIT operation of t is ready. */
bool signals_wait_ready(thread_id t, const struct op *op);

/* Performs a tgkill or tkill system call of the program. Returns 0 or -errno. */
long signals_tgkill(int tgid, int tid, int sig, const void *pc);

/* signals_native_begin gives the kernel the program's ignored signals and mask, so that a child that is about to start inherits them.
   signals_native_end undoes this. */
void signals_native_begin(void);
void signals_native_end(void);
/* Call it in a native child. Gives the kernel all dispositions and the mask. */
void signals_become_native(void);

/* Returns whether thread t runs a handler that interrupted it: for a signal that it did not send itself. */
bool signals_interrupt(thread_id t);

/* operations.run_signals: runs the handlers that are due on the running thread. Returns whether the interrupted operation restarts. */
bool signals_run_pending(void);

/* Calls the program's handler for a signal by which the running thread ends itself. Returns true after a handler of the
   program ran and returned: the thread continues. */
bool signals_user_handler(int sig);
/* Makes the running thread, which an instruction has interrupted with this signal, run the program's handler when
   simul's own one returns to *uc (signal_frame.h). Returns false if the program has none, it is masked, or there is no
   room for it on the stack. */
bool signals_enter_handler(int sig, const siginfo_t *si, ucontext_t *uc, const void *restorer);

#endif
