#include "preload/control/exceptions.h"

#include "preload/control/ctl.h"

#include "preload/base/rules.h"

void except_for(enum session_exception what)
{
	if (ctl_past_checkpoint && world_live_threads(ctl_world) > 1)
		ctl_session->ctl.exceptions |= what;
}
