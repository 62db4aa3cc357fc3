/* Cycles in traces: see robust.h. */
#include "sched/robust.h"

bool robust_check(const struct event *event, uint32_t n, struct arena *scratch, struct robust_cycle *cycle, bool *unknown)
{
	*unknown = n != 0;
	return true;
}
