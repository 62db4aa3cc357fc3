/* Why the target, or simul in it, could not continue. */
#ifndef SIMUL_SESSION_FAILURE_H
#define SIMUL_SESSION_FAILURE_H

#include <stdint.h>

#include "base/session/limits.h"

struct session_failure {
	char refusal[SESSION_MESSAGE];            /* STATE_REFUSED: why the target cannot be run */
	char kernel_threads_for[SESSION_MESSAGE]; /* STATE_REFUSED: the call because of which the program needs kernel threads; "": none */
	char internal_error[SESSION_MESSAGE];     /* a failed INVARIANT inside the target */
	uint64_t own_fault; /* where simul's own code last faulted while it chose a step or accounted: an offset in libsimul.so; 0: nowhere */
};

#endif
