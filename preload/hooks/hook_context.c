/* swapcontext. The hook records that the program switches between coroutines, whose order its own code decides. */
#include <ucontext.h>

#include "base/session.h"
#include "preload/base/real.h"
#include "preload/control/ctl.h"
#include "preload/hooks/context.h"
#include "preload/base/rules.h"

static uintptr_t known_from, known_to;

void context_known(uintptr_t from, uintptr_t to)
{
	known_from = from;
	known_to = to;
}

int swapcontext(struct ucontext_t *restrict from, const struct ucontext_t *restrict to)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);
	bool known = pc - known_from < known_to - known_from;
	if (ctl_session && !known && !(ctl_session->ctl.facts.cooperative & COROUTINES_RAN))
		ctl_session->ctl.facts.cooperative |= COROUTINES_RAN;
	return real_swapcontext(from, to);
}
