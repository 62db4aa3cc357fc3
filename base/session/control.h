/* What the two sides tell each other while executions run, and the state of the search outside of explore/. */
#ifndef SIMUL_SESSION_CONTROL_H
#define SIMUL_SESSION_CONTROL_H

#include "base/session/discoveries.h"
#include "base/session/execution.h"
#include "base/session/facts.h"
#include "base/session/failure.h"
#include "base/session/handshake.h"
#include "base/session/requests.h"
#include "base/session/rewind.h"
#include "base/session/sides.h"
#include "base/session/warm_up.h"

struct session_control {
	struct session_handshake handshake;
	BY_SUPERVISOR struct session_requests requests;
	BY_TARGET struct session_execution execution;
	BY_TARGET struct session_warm_up warm_up;
	BY_TARGET struct session_discoveries discoveries;
	BY_TARGET struct session_rewind rewind;
	BY_TARGET struct session_facts facts;
	BY_TARGET struct session_failure failure;
};

#endif
