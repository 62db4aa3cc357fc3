/* Counting executions by how they ended. */
#include "explore/account.h"

void account_execution(struct search *s, const struct trace *trace, enum run_verdict verdict)
{
	struct explore_stats *st = &s->stats;
	if (s->redundant || verdict == RUN_COVERED)
		st->blocked++;
	else if (verdict == RUN_CUT)
		st->cut += !st->diverged; /* a diverged execution was not cut by a bound */
	else if (verdict == RUN_ASSUMED)
		st->assumed++;
	else
		st->executions++;
	st->events += trace->n;
	if (trace->n > st->max_depth)
		st->max_depth = trace->n;
	s->running = 0;
}
