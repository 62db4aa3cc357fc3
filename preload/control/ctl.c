/*
 * The step loop inside the program. A thread announces its next operation. The strategy picks one of the enabled operations, the world
 * performs it, and the thread whose operation is complete continues.
 *
 * The loop runs in the fiber that reached its scheduling point last. It switches only when the completed operation belongs to another
 * thread.
 */
#include "preload/control/ctl.h"

#include <errno.h>

#include "base/check.h"
#include "preload/base/access.h"
#include "preload/base/aside.h"
#include "preload/base/running.h"
#include "preload/control/ending.h"
#include "preload/control/exceptions.h"
#include "preload/control/fiber.h"
#include "preload/control/run_on.h"
#include "preload/control/step_loop.h"
#include "preload/failure/bug.h"
#include "preload/failure/debug.h"
#include "preload/base/guard.h"
#include "preload/failure/stack.h"
#include "preload/memory/blocks.h"
#include "preload/memory/data_races.h"
#include "preload/memory/object_memory.h"
#include "preload/memory/round_state.h"
#include "preload/memory/shadow.h"
#include "preload/base/outside.h"
#include "preload/memory/full_order.h"
#include "preload/memory/spin.h"
#include "preload/memory/window.h"
#include "preload/control/whole_calls.h"
#include "preload/base/sys.h"
#include "preload/failure/values.h"
#include "replay/forced.h"
#include "sched/hb.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

#define MAX_CHOICES (MAX_THREADS * ALT_COUNT + MAX_AGENTS)

struct strategy run_strategy;
uint64_t ctl_moment;

static struct choice choices[MAX_CHOICES];
static unsigned n_choices; /* those of the latest step */
static thread_id last_thread = NO_THREAD;
static bool last_yielded;
static thread_id going = NO_THREAD; /* the chosen thread, while it makes elided accesses before the operation for which it was chosen */

/* ---- the step loop ---- */

/* Records a memory event in the shadow. This comes before hb_event, which adds the order that the event creates. */
static void note_access(const struct event *e)
{
	uint64_t lo, hi;
	unsigned flags = 0;
	if (e->kind == EV_UPDATE || !event_bytes(e, &lo, &hi)) /* an update is no new access: its store was recorded */
		return;
	unsigned mode = event_bytes_mode(e);
	object_id first = object_is_memory(e->obj[0]) ? e->obj[0] : e->obj[1];
	flags |= mode == M_READ || e->kind == EV_RMW ? MEM_READ : 0;
	flags |= mode_changes_bytes(mode) || mode == M_BUFFER ? MEM_WRITE : 0;
	bool call = event_kind_object(e->kind) != OBJ_MEMORY; /* a library call; its own accesses are atomic */
	flags |= call || (e->flags & EVF_ATOMIC) ? MEM_ATOMIC : 0;
	flags |= !call && (e->flags & EVF_PLAIN) ? MEM_PLAIN : 0;
	uint64_t addr = memory_address(ctl_segment(ctl_session->layout.memory_off), first) + (e->span & 15);
	shadow_event(e->thread, addr, hi - lo + 1, flags, e->pc);
}

/* For a certificate: records the kind of the event as one that occurs in some execution, and the place of the first one. */
static void note_kind(const struct event *e)
{
	struct session_sensors *sensors = ctl_segment(ctl_session->layout.sensors_off);
	uint64_t bit = UINT64_C(1) << e->kind % 64, *word = &sensors->kinds[e->kind / 64];
	if (*word & bit)
		return;
	*word |= bit;
	sensors->place[e->kind] = e->pc;
}

/* Returns whether the thread gave up the processor voluntarily. A poll that failed found nothing in its time. */
static bool gives_way(const struct event *e)
{
	return e->kind == EV_YIELD || e->kind == EV_SLEEP || e->kind == EV_GIVE_WAY ||
	       (e->kind == EV_FD_POLL && event_failed(e));
}

void ctl_ordered(void)
{
	if (!run_strategy.ops->ordered || run_on_active())
		return;
	ctl_session->ctl.execution.deciding = 1;
	run_strategy.ops->ordered(run_strategy.self,
		&(struct sched_view){.world = ctl_world, .seen = world_seen});
	ctl_session->ctl.execution.deciding = 0;
}

void ctl_append(const struct event *e)
{
	struct trace *t = &ctl_trace;
	struct session *s = ctl_session;
	if (t->n >= t->cap)
		operations.over(RUN_CUT);
	/* The first access to a page is a read: the kernel maps neighbouring pages for a read fault, not for a write fault. */
	if (t->n % (4096 / sizeof *e) == 0)
		(void)*(volatile const uint8_t *)&t->event[t->n].kind;
	t->event[t->n] = *e;
	if (s->config.keep_stacks && t->n < s->layout.stacks_cap) {
		struct session_frames *to = ctl_segment(s->layout.stacks_off);
		struct session_thread *threads = ctl_segment(s->layout.threads_off);
		to[t->n] = threads[event_owner(e)].frames;
		values_none(t->n);
	}
	t->n++;
	s->ctl.execution.trace_threads = t->threads;
	s->ctl.execution.trace_agents = t->agents;
	s->ctl.execution.trace_n = t->n; /* must come last: if the process dies in this function, the supervisor sees only complete events */
	last_thread = event_owner(e);
	last_yielded = gives_way(e) || spin_goes_round();
	note_access(e);
	if (s->config.certify)
		note_kind(e);
	full_order_event(e);
	mem_budget = window_event();
	if (run_on_active())
		return;
	s->ctl.execution.deciding = 1;
	run_strategy.ops->observe(run_strategy.self, e);
	s->ctl.execution.deciding = 0;
	if (e->kind != EV_FENCE)
		ctl_ordered();
}

/* Returns the strategy's choice. Sets *pass if the chosen thread is to make its pending load without an event. */
static struct choice pick(unsigned n, bool *pass)
{
	if (!ctl_past_checkpoint)
		return choices[0]; /* T0 alone */
	struct sched_view view = {
		.choices = choices,
		.n = n,
		.current = last_thread,
		.current_yielded = last_yielded,
		.atomic = world_atomic(ctl_world),
		.interrupted = world_interrupted(ctl_world),
		.closed = world_closed(ctl_world),
		.trace = &ctl_trace,
		.preview = world_preview,
		.object_name = world_object_name,
		.access = world_access_order,
		.world = ctl_world,
	};
	if (ctl_trace.n >= ctl_session->config.settings.max_steps)
		operations.over(RUN_CUT);
	if (run_on_active())
		return choices[run_on_pick(choices, n)];
	snapshot_point();
	ctl_session->ctl.execution.deciding = 1;
	int i = run_strategy.ops->pick(run_strategy.self, &view);
	ctl_session->ctl.execution.deciding = 0;
	*pass = i <= PICK_PASS(0);
	if (*pass)
		i = PICK_PASS(i); /* PICK_PASS is its own inverse */
	if (i < 0)
		operations.over(RUN_CUT);
	INVARIANT((unsigned)i < n, "the strategy picked %d of %u", i, n);
	return choices[i];
}

/* Returns the strategy's choice among the stores that the chosen access may read, or come after. */
static struct choice pick_store(struct choice c)
{
	unsigned n = world_stores(ctl_world, c.thread, choices, shadow_order_unseen ? 1 : MAX_CHOICES);
	if (n < 2 || !run_strategy.ops->pick_store || run_on_active())
		return c;
	struct sched_view view = { .choices = choices, .n = n, .current = last_thread, .trace = &ctl_trace };
	view.preview = world_preview;
	view.object_name = world_object_name;
	view.world = ctl_world;
	ctl_session->ctl.execution.deciding = 1;
	int i = run_strategy.ops->pick_store(run_strategy.self, &view);
	ctl_session->ctl.execution.deciding = 0;
	if (i < 0)
		operations.over(RUN_CUT);
	INVARIANT((unsigned)i < n, "the strategy picked store %d of %u", i, n);
	return choices[i];
}

static void start_created(const struct step *st)
{
	struct op op = ctl_op(EV_THREAD_START, NULL);
	world_set_cancelable(ctl_world, st->created, true);
	world_announce(ctl_world, st->created, &op);
}

/* Returns the next choice. */
static struct choice choose(bool *pass)
{
	unsigned n;
	if (going != NO_THREAD) {
		struct choice c = { .thread = going, .alt = ALT_NORMAL };
		if (world_diverged(ctl_world, going))
			operations.over(RUN_CUT);
		return c;
	}
	run_on_probe();
	do
		ctl_moment++;
	while ((n = world_choices(ctl_world, choices, MAX_CHOICES)) == 0 && (n = ending_nothing_enabled(choices)) == 0);
	if (ctl_session->config.settings.discrete_time && ctl_past_checkpoint && world_time_forced(ctl_world))
		ctl_session->ctl.facts.time_forced = 1;
	n_choices = n;
	return pick(n, pass);
}

static struct fiber *fiber_of(thread_id t)
{
	struct fiber *f = fiber_by_id(t);
	INVARIANT(f, "thread %u runs, but has no fiber", t);
	return f;
}

/* Returns t's fiber, set up to make its pending access without an event. */
static struct fiber *make_access(thread_id t)
{
	struct fiber *f = fiber_of(t);
	f->result = 0;
	f->action = ACTION_RETURN;
	return f;
}

/* Lets t make its pending access without an event. t then runs up to its next event, without a choice of the strategy. */
static struct fiber *go_elided(thread_id t)
{
	world_pass(ctl_world, t);
	going = t;
	return make_access(t);
}

/* Like go_elided, in a replay: the recording decides when t makes its next event. */
static struct fiber *go_unseen(thread_id t)
{
	world_withdraw(ctl_world, t);
	return make_access(t);
}

/* Returns whether another thread, or the same one if it was woken, could have run instead of the step *st, which time ended. */
static bool could_run(const struct choice *c, const struct step *st)
{
	return !is_agent(c->thread) && (c->thread != st->event.thread || (c->alt == ALT_NORMAL && st->event.alt == ALT_TIMEOUT));
}

/* Notes that time passed although a thread could have run. */
static void note_timed_out(const struct step *st)
{
	struct session_timed_out *longest = &ctl_session->timed_out;
	if (!ctl_past_checkpoint || st->timed_out <= longest->ns)
		return;
	for (unsigned i = 0; i < n_choices; i++)
		if (could_run(&choices[i], st)) {
			*longest = (struct session_timed_out){ .ns = st->timed_out, .step = ctl_trace.n, .other = choices[i].thread };
			return;
		}
}

/* Notes that an atomic access was offered the latest store only. */
static void note_gap(const struct step *st)
{
	enum session_exception what = EXCEPT_OTHER_SIZES;
	if (!st->gap)
		return;
	if (st->gap != GAP_SIZES)
		what = st->gap == GAP_LONG ? EXCEPT_LONG_GRAPH : EXCEPT_NO_ORDERS;
	except_for(what, st->event.pc);
}

#define FRAMES UINT64_C(65536) /* the most bytes of a thread's stack that simul uses */

/*
 * Takes f's buffered stores off memory. The buffer may hold stores to dead stack frames of the program, at addresses where simul's own
 * frames are now. Hiding or showing the buffer must not overwrite these frames, so their stores are dropped first. Nothing below `top`
 * belongs to the program.
 */
static void hide_buffer(struct fiber *f)
{
	if (ctl_session->config.settings.model == MODEL_SC)
		return;
	uint64_t lo = f->stack.top - f->stack.own_lo < f->stack.own_hi - f->stack.own_lo ? f->stack.own_lo : f->stack.top - FRAMES;
	world_pop_stack(ctl_world, f->id, lo, f->stack.top);
	world_hide_buffer(ctl_world, f->id);
}

/* Returns where simul's frames on f's stack begin: below the program's red zone at a patched access, else at the hook that owns `op`. Simul
   does not use stack bytes above this address while the buffer is hidden. */
static uint64_t top_of(const struct fiber *f, const struct op *op, const void *frame)
{
	uint64_t below = (uintptr_t)frame, at = (uintptr_t)(op + 1);
	if (f->access)
		return f->access->sp - RED_ZONE;
	return at - below < FRAMES ? at : below;
}

/* Performs steps until a thread has to run program code, and returns its fiber. */
static struct fiber *next(void)
{
	hide_buffer(fiber_cur);
	ctl_moment++;
	for (;;) {
		struct step st;
		bool pass = false;
		struct choice c = choose(&pass);
		if (pass)
			return go_unseen(c.thread);
		if (c.alt == ALT_NORMAL && world_silent(ctl_world, c.thread))
			return go_elided(c.thread);
		going = NO_THREAD;
		if (c.alt == ALT_NORMAL && ctl_past_checkpoint && ctl_session->config.settings.model == MODEL_RC11) {
			world_strengthen(ctl_world, c.thread, forced_order(c.thread));
			c = pick_store(c);
		}
		if (ctl_session->config.keep_stacks)
			values_coming(c.thread);
		if (ctl_past_checkpoint)
			debug_step(ctl_trace.n + 1, c.thread);
		world_step(ctl_world, c, &st);
		if (ctl_past_checkpoint)
			ctl_append(&st.event);
		note_timed_out(&st);
		note_gap(&st);
		if (ctl_session->config.keep_stacks)
			values_performed(&st);
		ctl_session->ctl.execution.progress += st.event.kind != EV_GIVE_WAY; /* EV_GIVE_WAY is no progress: an endless loop produces it too */
		if (st.misuse)
			ending_misuse(&st);
		if (st.outcome == STEP_MORE || st.outcome == STEP_ENDED)
			continue;
		struct fiber *f = fiber_of(c.thread);
		if (st.outcome == STEP_OVER)
			ending_exit(f);
		f->result = st.result;
		f->action = st.outcome == STEP_HANDLER ? ACTION_HANDLER
			  : st.outcome == STEP_CANCEL  ? ACTION_CANCEL
						       : ACTION_RETURN;
		if (st.event.kind == EV_THREAD_CREATE) {
			start_created(&st);
			f->result = st.created;
		}
		return f;
	}
}

static void *next_aside(void *unused)
{
	return next();
}

static void run_fiber(struct fiber *f)
{
	ctl_session->ctl.execution.current = f->id;
	if (ctl_session->config.settings.model != MODEL_SC) {
		world_show_buffer(ctl_world, f->id);
		mem_dirty = world_fence_needed(ctl_world, f->id);
	}
	values_before();
	round_begins(f);
	fiber_switch(f);
}

static void run_next(void)
{
	run_fiber(aside(next_aside, NULL));
}

/* Notes the stack of the running thread for reports: it is about to perform op. */
static void note_stack(const struct fiber *me, const struct op *op)
{
	struct session *s = ctl_session;
	if (!s->config.keep_stacks || me->id >= s->layout.threads_cap)
		return;
	struct session_thread *t = (struct session_thread *)ctl_segment(s->layout.threads_off) + me->id;
	t->stack_hi = me->stack.own_hi;
	t->tls = (uint64_t)me->handle;
	/* the program called a function, which has a return address */
	bool own = op->kind != EV_THREAD_EXIT && op->kind != EV_THREAD_START;
	t->frames.stack.n = own ? stack_at_event(t->frames.stack.pc, t->frames.above, SESSION_STACK) : 0;
	bug_objects(); /* now, because the process may die before it reaches the end of the execution */
}

static void announce(const struct op *op)
{
	if (event_kind_object(op->kind) != OBJ_MEMORY)
		spin_other(op);
	struct fiber *me = fiber_cur;
	note_stack(me, op);
	values_after();
	hide_buffer(me);
	world_announce(ctl_world, me->id, op);
}

/* Runs the program's signal handlers. The running thread's pending operation is suspended meanwhile. Returns whether the operation restarts
   (SA_RESTART). */
static bool run_handlers(struct fiber *me)
{
	world_suspend(ctl_world, me->id);
	const struct mem_regs *access = me->access;
	me->access = NULL;
	bool restart = operations.run_signals();
	values_after(); /* of the handler's last access */
	me->access = access;
	world_resume(ctl_world, me->id);
	const struct op *pending = world_pending(ctl_world, me->id);
	if (pending)
		note_stack(me, pending);
	return restart;
}

void ctl_gone(const struct op *op)
{
	struct fiber *me = fiber_cur;
	const void *frame = __builtin_dwarf_cfa();
	if (what_if_on)
		operations.what_if_op(op);
	if (whole_call_running(me))
		whole_call_pause(op, UINT64_MAX);
	me->stack.top = top_of(me, op, frame);
	announce(op);
	for (run_next(); me->action == ACTION_HANDLER; run_next()) {
		me->ended = false; /* the handler runs before THREAD_EXIT */
		run_handlers(me);
		me->ended = true;
	}
	INVARIANT(0, "an ended thread was run again");
	__builtin_unreachable();
}

static bool is_of_memory(const struct op *op)
{
	return event_kind_accesses(op->kind);
}

static void *announce_aside(void *arg)
{
	const struct op *op = arg;
	announce(op);
	return next();
}

/* Called when the running thread's operation was performed and the thread runs again. */
static void *performed_aside(void *arg)
{
	const struct op *op = arg;
	if (races_open)
		races_settle();
	if (!is_of_memory(op))
		spin_back(op->kind);
	return NULL;
}

/* Runs the handlers after a futex wait, and returns the result of the wait. */
static int64_t handled(struct fiber *me, const struct op *op)
{
	ctl_note_handler(HANDLER_INTERRUPTS, (const void *)op->pc);
	bool woken = me->result == 0, restart = run_handlers(me);
	return woken ? 0 : restart ? CTL_RESTART : CTL_EINTR;
}

#define CALLERS 4096 /* bytes; more than the frames of the functions that call main or the start routine of a thread */

/* Returns whether a scheduling point finds the thread on a stack that is not its own. */
static bool on_other_stack(const struct fiber *f)
{
	return f->stack.top - f->stack.own_lo > f->stack.own_hi - f->stack.own_lo + CALLERS && f->stack.own_hi;
}

/* frame: the end of the frames of simul's functions on the stack. */
static int64_t perform(struct op *op, const void *frame)
{
	struct fiber *me = fiber_cur;
	bool concerned = object_memory_concerns(ctl_world, op);
	if (concerned)
		object_memory_read(op);
	uint64_t changes = block_changes;
	me->stack.top = top_of(me, op, frame);
	if (on_other_stack(me))
		operations.other_stack(me->stack.top);
	if (me->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS)
		op->flags |= OPF_CANCELPOINT;
	round_announce(op);
	int64_t result;
	bool interrupts;
	for (struct fiber *f = aside(announce_aside, op);; f = aside(next_aside, NULL)) {
		me->place = op->pc ? op->pc : FIBER_AT_START;
		me->operations++;
		run_fiber(f);
		switch ((enum fiber_action)me->action) {
		case ACTION_RETURN:
			if (races_open || op->kind == EV_YIELD || op->kind == EV_SLEEP)
				aside(performed_aside, op);
			result = me->result; /* now, because checking the objects may perform a load */
			if (concerned)
				object_memory_performed(op, changes);
			return result;
		case ACTION_CANCEL:
			ctl_act_cancel();
		case ACTION_HANDLER:
			if (!world_pending(ctl_world, me->id)) /* a futex wait, which is over: woken, or ended by the signal */
				return handled(me, op);
			interrupts = me->result == EINTR;
			if (interrupts)
				ctl_note_handler(HANDLER_INTERRUPTS, (const void *)op->pc);
			if (!run_handlers(me) && interrupts) {
				world_withdraw(ctl_world, me->id);
				return CTL_EINTR;
			}
			break;
		}
	}
}

int64_t ctl_perform(struct op *op)
{
	const void *frame = __builtin_dwarf_cfa();
	if (what_if_on)
		return operations.what_if_op(op);
	fiber_cur->lock_op = 0;
	bool paused = whole_call_running(fiber_cur) && whole_call_pause(op, top_of(fiber_cur, op, frame));
	int64_t result = perform(op, frame);
	if (paused)
		whole_call_resume();
	return result;
}
