/* What the supervisor wants of the target, and what the target must know of the supervisor. */
#ifndef SIMUL_SESSION_REQUESTS_H
#define SIMUL_SESSION_REQUESTS_H

#include <stdint.h>

#include "base/session/limits.h"

struct session_requests {
	uint32_t release;       /* futex: bumped to end the wait of STATE_BUG_WAIT, STATE_BUG_EXPLAINED, STATE_PAUSED or pause_at_end */
	uint32_t stop_request;  /* finish the running execution, then stop */
	uint32_t pause_request; /* finish the running execution, then wait in STATE_PAUSED */
	int32_t supervisor;     /* the supervisor's pid as the target sees it */
	int32_t main_pid;       /* process that runs the program up to the checkpoint */
	int32_t ended_status;   /* from waitpid: the status with which the last target ended, if session_handshake.ended */
	uint64_t may;           /* config.machines and max_executions: the worker may make executions until it has made this many; lowered only while
	                           the target is paused */
	uint32_t shared_search; /* 1: other workers run; set while the target is paused or before it starts */
	uint32_t common_granted; /* futex; 1: the target may change the common part until its next pause. It pauses by itself */
	uint64_t keep_ns;       /* how long it may keep the common part for several executions; set before common_granted */
	uint32_t pages_when_shared; /* memory_table.n when the search got several workers; they would give later pages different numbers */
	char unplaced[SESSION_MESSAGE]; /* why memory of the main process was not placed at fixed addresses; "": it was */
	uint32_t race_is_own; /* answer to STATE_RACE. 1: the program itself made both accesses */
};

#endif
