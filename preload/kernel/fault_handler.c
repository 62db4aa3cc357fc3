/* The program's handlers for signals that an instruction or a call of the running thread causes: see signals.h and signal_frame.h. */
#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include "base/registers.h"
#include "preload/base/running.h"
#include "preload/control/ctl.h"
#include "preload/kernel/signal_frame.h"
#include "preload/kernel/signal_stack.h"
#include "preload/kernel/signals.h"

#include "preload/base/rules.h"

static bool may_handle(int sig)
{
	return signals_has_handler(sig) && !(signals_mask(ctl_self()) & SIG_BIT(sig));
}

/* Calls the program's handler for a fault of the running thread. */
static void call_fault_handler(int sig, siginfo_t *si, void *uc)
{
	struct disposition d = *signals_disposition(sig);
	uint64_t old = signals_mask(ctl_self());
	int saved = errno;

	if (d.flags & SA_RESETHAND)
		signals_disposition(sig)->handler = (void *)SIG_DFL;
	signals_swap_mask(old | d.mask | (d.flags & SA_NODEFER ? 0 : SIG_BIT(sig)));
	if (d.flags & SA_SIGINFO)
		((void (*)(int, siginfo_t *, void *))d.handler)(sig, si, uc);
	else
		((void (*)(int))d.handler)(sig);
	signals_swap_mask(old);
	errno = saved;
}

/* Returns where the frame of a handler of the running thread goes that was at `sp`, and the end of the room for it. */
static uint64_t frame_top(int sig, uint64_t sp, uint64_t *lo)
{
	const stack_t *other = signal_stack_of(ctl_self());
	bool on_other = other->ss_sp && sp - (uintptr_t)other->ss_sp < other->ss_size;
	*lo = mem_on_own_stack(sp) ? mem_stack_lo : 0;
	if (on_other)
		*lo = (uintptr_t)other->ss_sp;
	if (on_other || !other->ss_sp || !(signals_disposition(sig)->flags & SA_ONSTACK))
		return sp - RED_ZONE;
	*lo = (uintptr_t)other->ss_sp;
	return (uintptr_t)other->ss_sp + other->ss_size;
}

bool signals_enter_handler(int sig, const siginfo_t *si, ucontext_t *uc, const void *restorer)
{
	uint64_t lo, top;
	if (ctl_inside || !may_handle(sig))
		return false;
	top = frame_top(sig, context_sp(uc), &lo);
	return signal_frame_push(uc, si, top, lo, call_fault_handler, restorer);
}

bool signals_user_handler(int sig)
{
	if (ctl_inside || !may_handle(sig))
		return false;
	call_fault_handler(sig, NULL, NULL);
	return true;
}
