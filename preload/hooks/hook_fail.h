/* How a hook fails. */
#ifndef SIMUL_HOOK_FAIL_H
#define SIMUL_HOOK_FAIL_H

#include <errno.h>

#include "preload/base/state.h"

/* Leaves simul (ctl_leave), sets errno to `err` and returns -1. Call it after ctl_enter. */
static inline int hook_fail(int err)
{
	ctl_leave();
	errno = err;
	return -1;
}

#endif
