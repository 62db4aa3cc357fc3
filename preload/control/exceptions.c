#include "preload/control/exceptions.h"

#include "base/callers.h"
#include "preload/control/ctl.h"

#include "preload/base/rules.h"

static struct session_callers lasting[EXCEPTIONS];
static bool some_last;

void except_for_past(enum session_exception what, uint64_t pc)
{
	callers_add(&ctl_session->ctl.facts.exception[what], pc);
}

void except_for(enum session_exception what, uint64_t pc)
{
	if (ctl_past_checkpoint && world_live_threads(ctl_world) > 1)
		except_for_past(what, pc);
}

void except_from_now(enum session_exception what, uint64_t pc)
{
	callers_add(&lasting[what], pc);
	some_last = true;
	except_for(what, pc);
}

void except_thread_created(void)
{
	if (some_last && ctl_past_checkpoint && world_live_threads(ctl_world) > 1)
		for (unsigned i = 0; i < EXCEPTIONS; i++)
			callers_absorb(&ctl_session->ctl.facts.exception[i], &lasting[i]);
}
