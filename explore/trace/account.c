/* Counting executions by how they ended. */
#include "explore/trace/account.h"

#include "explore/dpor/spine.h"
#include "explore/trace/blocks.h"

void account_execution(struct search *s, const struct trace *trace, enum run_verdict verdict)
{
	struct explore_stats *st = &s->core.stats;
	if (s->tree.redundant || verdict == RUN_COVERED)
		st->blocked++;
	else if (verdict == RUN_CUT)
		st->cut += !st->diverged; /* a diverged execution was not cut by a bound */
	else if (verdict == RUN_ASSUMED)
		st->assumed++;
	else {
		st->executions++;
		blocks_count(s, trace);
	}
	if (s->core.config.keep_passing && verdict == RUN_OK && !s->tree.redundant && !s->spine.events.n && !s->spine.lacks_events)
		spine_keep(s, trace->event, trace->n);
	s->spine.lacks_events = 0;
	st->events += trace->n;
	if (trace->n > st->max_depth)
		st->max_depth = trace->n;
	s->core.running = 0;
}
