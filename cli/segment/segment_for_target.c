#define SESSION_NO_TARGET_RUNS /* see the header */
#include "cli/segment/segment_for_target.h"

void segment_set_early_counts(struct segment *seg, uint32_t uncontrolled, uint32_t native_children)
{
	struct session_facts *facts = &seg->session->ctl.facts;

	facts->uncontrolled = uncontrolled;
	facts->native_children = native_children;
}

void segment_set_fork_sees(struct segment *seg, bool sees)
{
	struct session_discoveries *discoveries = &seg->session->ctl.discoveries;

	discoveries->fork_sees = discoveries->applied_fork_sees = sees;
}

void segment_share(struct segment *seg)
{
	seg->session->ctl.execution.counted = 0;
	seg->session->ctl.requests.shared_search = 1;
}

void segment_add_warm_up(struct segment *seg, uint64_t executions)
{
	seg->session->ctl.warm_up.executions += executions;
}

bool segment_drop_execution(struct segment *seg)
{
	struct session_control *ctl = &seg->session->ctl;
	bool flight = ctl->execution.flight != FLIGHT_NONE;

	ctl->execution.flight = FLIGHT_NONE;
	ctl->execution.begun = ctl->handshake.hang_request = 0;
	ctl->handshake.state = STATE_STARTING;
	return flight;
}
