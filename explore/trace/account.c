/* Counting executions by how they ended. */
#include "explore/trace/account.h"

#include "explore/dpor/spine.h"

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
	if (s->config.keep_passing && verdict == RUN_OK && !s->redundant && !s->spine.n && !s->lacks_events)
		spine_keep(s, trace->event, trace->n);
	s->lacks_events = 0;
	st->events += trace->n;
	if (trace->n > st->max_depth)
		st->max_depth = trace->n;
	s->running = 0;
}
