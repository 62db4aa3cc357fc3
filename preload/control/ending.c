/* How an execution ends: see ending.h. */
#include "preload/control/ending.h"

#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/control/run_on.h"
#include "preload/control/whole_calls.h"
#include "preload/base/real.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"
#include "preload/memory/object_memory.h"
#include "preload/memory/spin.h"
#include "sched/circle.h"
#include "preload/base/rules.h"

/* If the memory of the object is gone as well, that is the bug. */
void ending_misuse(const struct step *st)
{
	struct session_bug *b = object_memory_bug(st->misuse_obj);
	if (!b) {
		b = bug_begin(BUG_MISUSE);
		b->misuse = st->misuse;
		b->object = st->misuse_obj;
		bug_message(b, "%s", misuse_text(st->misuse));
	}
	b->thread = st->event.thread;
	if (st->event.thread == fiber_cur->id)
		b->stack.n = stack_here(b->stack.pc, SESSION_STACK);
	else
		b->stack.pc[0] = st->event.pc, b->stack.n = st->event.pc != 0;
	bug_sign(b);
	bug_die();
}

/* Returns whether no other execution covers what follows if a thread in a spin loop iterates once more. */
static bool is_the_only_one(void)
{
	const struct session *s = ctl_session;
	return s->config.mode != MODE_EXPLORE || s->ctl.execution.sample || run_on_active();
}

unsigned ending_nothing_enabled(struct choice *choices)
{
	unsigned spinning;
	if (run_on_probes())
		operations.over(RUN_COVERED);
	if (world_rounds_covered(ctl_world)) {
		if (operations.wait_external())
			return 0;
		if (!run_on_begin())
			operations.over(RUN_COVERED);
		world_rounds_go_on(ctl_world);
		return 0;
	}
	if (world_stuck(ctl_world, &spinning) && world_exit(ctl_world, choices))
		return 1;
	if (operations.wait_external())
		return 0;
	if (world_stuck(ctl_world, &spinning) && world_late(ctl_world, choices))
		return 1;
	if (world_rounds_go_on(ctl_world))
		return 0;
	if (!ctl_past_checkpoint)
		operations.checkpoint(); /* T0 is blocked forever, so there is only one execution, which ends in this deadlock */
	if (!world_live_threads(ctl_world))
		real_exit(0); /* all threads have ended: exit handlers run on the last one's stack, without scheduling points */
	if (is_the_only_one() && world_spins_again(ctl_world))
		return 0;
	if (!world_stuck(ctl_world, &spinning))
		operations.over(RUN_COVERED);
	if (spin_disturbed()) /* a spin loop did not behave as recorded: restarts the search if this execution found the reason, else cuts it */
		operations.over(operations.news() ? RUN_COVERED : RUN_CUT);
	if (whole_calls_refuse())
		operations.over(RUN_COVERED);
	if (trace_assumed(&ctl_trace) && !bug_circle())
		operations.over(RUN_ASSUMED);
	if (operations.may_be_woken())
		ctl_uncontrolled("a wait for a lock or semaphore in memory that another process has mapped too, and that nothing but this process can end");
	else
		bug_deadlock();
	operations.over(RUN_DEADLOCK);
}

/* Records that the exit stops thread t, which could have continued. NO_THREAD: there is no such thread. */
static void note_cut_short(thread_id t, enum cut_short how)
{
	if (t == NO_THREAD || !ctl_past_checkpoint)
		return;
	ctl_session->ctl.facts.cut_short |= how;
	ctl_session->ctl.facts.cut_short_thread = t;
}

static uint64_t waits_at(thread_id t)
{
	const struct op *op = world_pending(ctl_world, t);
	return op ? op->pc : 0;
}

/* Counts an execution at whose end threads wait for each other, and keeps the first circle. */
static void note_circle(void)
{
	struct session_circles *c = &ctl_session->ctl.facts.circles;
	thread_id t[SESSION_CIRCLE];
	unsigned n = world_circle(ctl_world, t, SESSION_CIRCLE);
	if (!n || !ctl_past_checkpoint || run_on_active() || trace_assumed(&ctl_trace))
		return;
	for (unsigned i = 0; i < n && i < SESSION_CIRCLE; i++) {
		c->others |= c->executions && (c->thread[i].id != t[i] || c->thread[i].pc != waits_at(t[i]));
		if (c->executions)
			continue;
		c->thread[i].id = t[i];
		c->thread[i].pc = waits_at(t[i]);
	}
	c->others |= c->executions && c->n != n;
	c->n = c->executions ? c->n : n;
	c->executions++;
}

void ending_exit(const struct fiber *f)
{
	note_cut_short(world_cut_short(ctl_world), CUT_RUNNING);
	if (!f->exit_status)
		note_circle();
	if (!f->exit_status)
		note_cut_short(operations.awaits_process(), CUT_WAITING);
	if (!f->exit_status)
		operations.over(trace_assumed(&ctl_trace) ? RUN_ASSUMED : RUN_OK);
	struct session_bug *b = bug_begin(BUG_EXIT);
	b->thread = f->id;
	b->status = f->exit_status;
	bug_message(b, "the program exited with status %d", f->exit_status);
	bug_sign(b);
	if (ctl_session->config.keep_stacks && f->id < ctl_session->layout.threads_cap)
		b->stack = ((struct session_thread *)ctl_segment(ctl_session->layout.threads_off))[f->id].frames.stack;
	operations.over(RUN_FAILED);
}
