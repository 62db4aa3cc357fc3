/* swapcontext. The hook records that the program switches between coroutines, whose order its own code decides. */
#include <ucontext.h>

#include "base/session.h"
#include "preload/base/real.h"
#include "preload/control/ctl.h"
#include "preload/base/rules.h"

int swapcontext(struct ucontext_t *restrict from, const struct ucontext_t *restrict to)
{
	if (ctl_session && !(ctl_session->ctl.facts.cooperative & COROUTINES_RAN))
		ctl_session->ctl.facts.cooperative |= COROUTINES_RAN;
	return real_swapcontext(from, to);
}
