#include "preload/failure/debug.h"

#include <sys/prctl.h>

#include "base/processor.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/base/thread.h"
#include "preload/failure/bug.h"
#include "preload/base/rules.h"

struct debug_area simul_debug;

/* The debugger sets its breakpoint on this function. */
void simul_debug_stop(void);
void __attribute__((noinline, used)) simul_debug_stop(void)
{
	compiler_barrier();
}

void debug_init(void)
{
	const struct session_config *c = &ctl_session->config;
	if (c->debug == DEBUGGED_BY_NOBODY)
		return;
	simul_debug.version = DEBUG_VERSION;
	simul_debug.stop_at = c->stop_at;
}

static void note_threads(void)
{
	for (const struct fiber *f = fiber_first; f; f = f->next)
		if (f->id < MAX_THREADS)
			simul_debug.tid[f->id] = f->ended ? -f->kernel.tid : f->kernel.tid;
}

static void describe(enum debug_reason reason, thread_id who)
{
	const struct session_bug *b = &ctl_session->bug;
	simul_debug.reason = reason;
	simul_debug.thread = is_agent(who) ? update_owner(&ctl_trace.pending[who]) : who;
	simul_debug.bug_kind = b->kind;
	simul_debug.message = (uintptr_t)b->message;
	simul_debug.running = (uintptr_t)&ctl_session->ctl.execution.current;
	simul_debug.tables = operations.code_tables(&simul_debug.table_n, &simul_debug.table_bytes);
	note_threads();
}

/* Waits until the user attaches a debugger (--stop-at). Lets any process attach, even where Yama allows only a parent to trace its
   children. */
static void wait_for_user(void)
{
	sys_prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0);
	bug_objects();
	operations.hand_over(STATE_AT_STEP);
}

void debug_stop(enum debug_reason reason, thread_id who)
{
	uint32_t by = ctl_session->config.debug;
	if (by == DEBUGGED_BY_USER && reason == DEBUG_STEP)
		wait_for_user();
	if (by != DEBUGGED_BY_GDB)
		return;
	describe(reason, who);
	simul_debug_stop();
}

void debug_at(uint32_t step, thread_id who)
{
	simul_debug.step = step;
	note_threads(); /* now, because the debugger may stop next at a breakpoint in the program */
	if (step == simul_debug.stop_at)
		debug_stop(DEBUG_STEP, who);
}

void debug_over(enum run_verdict v)
{
	const struct session *s = ctl_session;
	thread_id last = (thread_id)(s->bug.kind != BUG_NONE ? s->bug.thread : s->ctl.execution.current);
	if (s->config.debug != DEBUGGED_BY_GDB)
		return;
	if (s->bug.kind != BUG_NONE)
		debug_stop(DEBUG_FAILURE, last);
	else
		debug_stop(s->divergence.happened ? DEBUG_DIVERGED : DEBUG_END, last);
}
