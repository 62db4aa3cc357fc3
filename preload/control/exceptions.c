#include "preload/control/exceptions.h"

#include "preload/control/ctl.h"

#include "preload/base/rules.h"

static uint32_t lasting;

void except_for(enum session_exception what)
{
	if (ctl_past_checkpoint && world_live_threads(ctl_world) > 1)
		ctl_session->ctl.exceptions |= what;
}

void except_from_now(enum session_exception what)
{
	lasting |= what;
	except_for(what);
}

void except_thread_created(void)
{
	if (lasting)
		except_for(lasting);
}
