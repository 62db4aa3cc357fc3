/*
 * Coroutines of the program, whose order its own code decides. A program switches to them by swapcontext, or in a way
 * that simul does not see (setcontext, assembly). Then an operation finds the thread on another stack than its own.
 */
#include <ucontext.h>

#include "base/session.h"
#include "preload/base/real.h"
#include "preload/control/ctl.h"
#include "preload/hooks/context.h"
#include "preload/kernel/signal_stack.h"
#include "preload/base/rules.h"

static uintptr_t known_from, known_to;

void context_known(uintptr_t from, uintptr_t to)
{
	known_from = from;
	known_to = to;
}

static void coroutine_ran(void)
{
	if (!(ctl_session->ctl.facts.cooperative & COROUTINES_RAN))
		ctl_session->ctl.facts.cooperative |= COROUTINES_RAN;
}

void context_other_stack(uint64_t sp)
{
	const stack_t *of_handlers = signal_stack_of(ctl_self());
	bool known = known_to || ctl_session->ctl.facts.cooperative & SYSTEMC_LOADED;
	if (!known && sp - (uintptr_t)of_handlers->ss_sp >= of_handlers->ss_size)
		coroutine_ran();
}

int swapcontext(struct ucontext_t *restrict from, const struct ucontext_t *restrict to)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);
	bool known = pc - known_from < known_to - known_from;
	if (ctl_session && !known)
		coroutine_ran();
	return real_swapcontext(from, to);
}
