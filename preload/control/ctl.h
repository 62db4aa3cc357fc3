/*
 * What every hook uses: are we in control, name the object, announce, schedule, return.
 *
 * A hook is thin and always has this shape:
 *
 *	int pthread_mutex_lock(pthread_mutex_t *m)
 *	{
 *		if (!ctl_enter())
 *			return real_pthread_mutex_lock(m);
 *		struct op op = ctl_op(EV_MUTEX_LOCK, __builtin_return_address(0));
 *		op.obj[0] = ctl_object(OBJ_MUTEX, m);
 *		...
 *		int r = (int)ctl_perform(&op);
 *		ctl_leave();
 *		return r;
 *	}
 *
 * Only one thread of the program runs at any time, so nothing here is atomic or locked. Between
 * ctl_enter and ctl_leave the code is *inside* simul: every hook that is reached from there
 * (by libunwind, by a real_ function) passes straight through. errno is the program's: a hook
 * changes it only when the real call would.
 */
#ifndef SIMUL_CTL_H
#define SIMUL_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/session.h"
#include "sched/event.h"
#include "sched/world.h"

enum ctl_state {
	CTL_OFF = 0, /* not started, a native child, or refused: hooks pass straight through */
	CTL_ON,      /* the main program is under control */
};

extern int ctl_state;
extern int ctl_inside;          /* 1 while inside simul */
extern char *ctl_selector;      /* of the running kernel thread, see dispatch.h: 0 while inside simul */
extern struct session *ctl_session; /* NULL when CTL_OFF from the start */
extern struct world *ctl_world;
extern struct hb *ctl_hb;           /* sched/hb.h: happens-before in the running execution */

/* true: the caller is a controlled thread of the program and is now inside simul. */
/* Where the running thread entered simul last: the stack of the program ends there or above. For dead_stack.h. */
extern uint64_t ctl_sp;

static inline bool ctl_enter(void)
{
	if (__builtin_expect(ctl_state != CTL_ON || ctl_inside, 0))
		return false;
	ctl_inside = 1;
	ctl_sp = (uintptr_t)__builtin_frame_address(0);
	*ctl_selector = 0;
	return true;
}

/* Inside simul from now on, whatever was before: at the ends of threads and processes. */
static inline void ctl_force_enter(void)
{
	ctl_inside = 1;
	*ctl_selector = 0;
}

extern bool ctl_avx; /* there are YMM registers */

/* Back to the program. Registers that a call may change are left empty: what simul had in them depends on the search, and the program
   would carry it on (aside.h). The vector registers are not used by simul's own code; what libc left there goes too. */
static inline void ctl_leave(void)
{
	ctl_inside = 0;
	*ctl_selector = ctl_state == CTL_ON;
	__asm__ volatile("xor %%ecx, %%ecx\n\txor %%edx, %%edx\n\txor %%esi, %%esi\n\txor %%edi, %%edi\n\t"
			 "xor %%r8d, %%r8d\n\txor %%r9d, %%r9d\n\txor %%r10d, %%r10d\n\txor %%r11d, %%r11d\n\t"
			 "pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
			 "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"
			 "pxor %%xmm8, %%xmm8\n\tpxor %%xmm9, %%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"
			 "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\tpxor %%xmm14, %%xmm14\n\tpxor %%xmm15, %%xmm15\n\t"
			 "cmpb $0, %0\n\tje 1f\n\tvzeroupper\n1:"
			 : : "m"(ctl_avx) : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory");
}

/* An operation of this kind without flags, objects or deadline. */
struct op ctl_op(enum event_kind kind, const void *pc);

/* The model object at this address (made at first use). Ends the execution when memory is used up. */
object_id ctl_object(enum object_kind kind, const void *addr);

/* The same for memory that is being initialised: what was destroyed there before is another object, so that
   names do not depend on which memory is used again. */
object_id ctl_object_new(enum object_kind kind, const void *addr);

/* The running thread. */
thread_id ctl_self(void);

/* Results of ctl_perform besides 0, errno values and kind-specific counts. */
#define CTL_EINTR (-4) /* an interruptible operation was interrupted by a signal handler; not performed */

/* Announces op for the running thread, lets the strategy schedule, and returns once op was performed.
   Signal handlers of the program run inside it; a thread that is cancelled does not return. */
int64_t ctl_perform(struct op *op);

/* Acts on the cancellation request of the running thread: unwinds to its start routine. */
void ctl_act_cancel(void) __attribute__((noreturn));

/* Ends the execution with a bug in the running thread. printf-like message in the user's words. */
void ctl_bug(enum bug_kind kind, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* Ends the whole session: the program does something that simul cannot control. The message names the
   call, says why, and what the user can do. */
void ctl_refuse(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Notes that a call that matters went through without being modelled; the verdict will say so. */
void ctl_uncontrolled(const char *what);

/* Ends the execution normally: EXIT event, then the end. `status` != 0 is a BUG_EXIT. */
void ctl_exit(int status) __attribute__((noreturn));

/* Private memory that is restored with the program before each execution: `size` zeroed bytes. Ends the
   session with a message when it is used up. ctl_free takes the same size. */
void *ctl_alloc(size_t size);
void ctl_free(void *p, size_t size);

/* ---- virtual time (ctl_time.c) ---- */

/* The virtual value of a clock for the running thread; every clock id runs on virtual time. */
void ctl_clock_read(clockid_t clock, struct timespec *out);
/* Virtual deadline (op.deadline) for an absolute time on a clock, or for a duration from now. */
uint64_t ctl_deadline_abs(clockid_t clock, const struct timespec *ts);
uint64_t ctl_deadline_rel(const struct timespec *ts);

/* ---- what hook families provide to the core ---- */

/* hook_fd.c: is this descriptor / process / signal operation ready to be performed without blocking? */
bool fd_ready(void *ctx, thread_id t, const struct op *op);
/* hook_fd.c: no thread is enabled but some wait for something outside the process: wait (really) until
   one becomes ready. false: none of the pending operations can ever become ready from outside. */
bool fd_wait_external(void);
/* hook_signal.c: runs the pending handlers of the running thread on its own stack, left and entered again
   around each. true: every one of them was installed with SA_RESTART; false: an interruptible operation
   returns EINTR. */
bool signals_run_pending(void);
/* hook_signal.c: the program's own disposition for a fatal signal that hit the running thread; true: a
   handler of the program ran and returned, resume. */
bool signals_user_handler(int sig, void *siginfo, void *ucontext);
/* hook_futex.c: does the futex word hold the value that a pending FUTEX_WAIT or CMP_REQUEUE expects? */
bool futex_word_matches(void *ctx, const struct op *op);
/* hook_key.c: what ends with a thread: its thread_local destructors, its pthread keys. On its own stack. */
void tls_dtors_run(thread_id t);
void keys_run_destructors(thread_id t);
/* hook_process.c: called in the child of a native fork; nothing is controlled there. */
void ctl_become_native(void);

#endif
