/*
 * Executions: how they start (the checkpoint), how they end, and which process accounts for them.
 *
 * ISOLATION_FORK: at the checkpoint the process becomes the zygote (zygote.c). It forks a child for each execution, and the child
 * returns into the program. ISOLATION_EXEC: the process itself is one execution, and the supervisor starts the next process.
 *
 * The trace and the strategy's state lie in the session segment, so any process can account for an execution. A process that dies in the
 * middle leaves FLIGHT_RUNNING behind; the next process ends that execution on its behalf.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/check.h"
#include "explore/explore.h"
#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/control/run_on.h"
#include "preload/control/step_loop.h"
#include "preload/failure/bug.h"
#include "preload/failure/debug.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_restore.h"
#include "preload/base/guard.h"
#include "preload/life/rewind.h"
#include "preload/life/run.h"
#include "preload/life/warm_up.h"
#include "preload/life/lock_watch.h"
#include "preload/accesses/mem.h"
#include "preload/base/real.h"
#include "preload/life/zygote.h"
#include "preload/modules/sensors.h"
#include "preload/kernel/process.h"
#include "preload/kernel/signals.h"
#include "preload/kernel/stuck_processes.h"
#include "preload/memory/child_reads.h"
#include "preload/life/worker.h"
#include "preload/life/snapshot.h"
#include "preload/memory/interrupt.h"
#include "preload/memory/round_state.h"
#include "preload/memory/spin.h"
#include "preload/base/sys.h"
#include "replay/forced.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

static uint32_t labels_before; /* session.labels at the checkpoint */

void run_ring(void)
{
	struct session_control *c = &ctl_session->ctl;
	__atomic_add_fetch(&c->handshake.doorbell, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&c->handshake.doorbell, 1);
	worker_ring();
}

void run_set_state(enum session_state state)
{
	__atomic_store_n(&ctl_session->ctl.handshake.state, state, __ATOMIC_RELEASE);
	run_ring();
}

void run_described(void)
{
	struct session_control *c = &ctl_session->ctl;
	run_set_state(STATE_DESCRIBED);
	for (;;)
		sys_futex_wait(&c->requests.release, __atomic_load_n(&c->requests.release, __ATOMIC_ACQUIRE), NULL);
}

/* ---- after an execution ---- */

/* Returns the index of a known bug in session.seen; SESSION_SIGNATURES: it is not known. */
static unsigned find_signature(uint64_t signature)
{
	const struct session *s = ctl_session;
	for (unsigned i = 0; i < s->signatures && i < SESSION_SIGNATURES; i++)
		if (s->seen[i].signature == signature)
			return i;
	return SESSION_SIGNATURES;
}

/* Returns whether known bug i was handed over completely. A process may have died while it handed the bug over. */
static bool handed_over(unsigned i)
{
	return i != SESSION_SIGNATURES && ctl_session->seen[i].handed_over;
}

bool run_known_bug(void)
{
	return handed_over(find_signature(ctl_session->bug.signature));
}

static void note_handed_over(uint64_t signature)
{
	unsigned i = find_signature(signature); /* not found: the supervisor removed the bug, so that it is handed over again */
	if (i != SESSION_SIGNATURES)
		ctl_session->seen[i].handed_over = 1;
}

static void count_sighting(struct session_sighting *seen)
{
	const struct explore_stats *st = explore_stats(ctl_segment(ctl_session->layout.explore_off));
	uint32_t bound = st->bound;
	if (st->sampled) {
		seen->sampled++;
		return;
	}
	if (!bound) {
		seen->count++;
		return;
	}
	if (seen->bound != bound)
		seen->bounded = 0;
	seen->bound = bound;
	seen->bounded++;
	if (!seen->least)
		seen->least = bound;
}

/* Computes how many preemptions the bug needs. Called after the bug was handed over to the supervisor, because this takes long. */
static void explain(struct session_bug *b)
{
	struct explore_need need;
	if (ctl_session->config.mode != MODE_EXPLORE || !explore_need(ctl_segment(ctl_session->layout.explore_off), &ctl_trace, &need))
		return;
	b->needs = need.least + 1;
	b->enough = need.enough + 1;
}

/* Counts this bug. Returns whether it must still be handed over. */
static bool new_signature(uint64_t signature)
{
	struct session *s = ctl_session;
	unsigned i = find_signature(signature);
	bool new = i == SESSION_SIGNATURES, again = !new && !handed_over(i);
	if (new && s->signatures >= SESSION_SIGNATURES)
		return true;
	if (new) {
		i = s->signatures++;
		s->seen[i] = (struct session_sighting){ .signature = signature };
	}
	if (!again)
		count_sighting(&s->seen[i]);
	return new || again;
}

void run_hand_over(enum session_state state)
{
	struct session_control *c = &ctl_session->ctl;
	uint32_t release = __atomic_load_n(&c->requests.release, __ATOMIC_ACQUIRE);
	run_set_state(state);
	while (__atomic_load_n(&c->requests.release, __ATOMIC_ACQUIRE) == release)
		sys_futex_wait(&c->requests.release, release, NULL);
	run_set_state(STATE_RUNNING);
}

void run_account(void)
{
	struct session *s = ctl_session;
	/* An execution that only found the number of threads is repeated unchanged, so its bug is met again. */
	bool repeated = s->ctl.execution.executions_started == 1 && s->pool.n != s->ctl.execution.pool_parked;
	if (s->bug.kind != BUG_NONE && !(repeated && s->config.mode == MODE_EXPLORE) && new_signature(s->bug.signature) && !s->config.pause_at_end) {
		files_set_aside(); /* new processes confirm the bug, and need the files from before the program started */
		run_hand_over(STATE_BUG_WAIT);
		note_handed_over(s->bug.signature);
		if (run_known_bug()) { /* the supervisor did not postpone the bug */
			explain(&s->bug);
			run_hand_over(STATE_BUG_EXPLAINED);
		}
		if (!__atomic_load_n(&s->ctl.requests.stop_request, __ATOMIC_ACQUIRE))
			files_bring_back();
	}
	run_on_end();
	lock_watch_see();
	bool again = rounds_make_again(round_limits());
	if (warm_up_ended())
		return;
	if (again && run_strategy.ops->again(run_strategy.self)) {
		s->ctl.execution.begun = 1;
		s->ctl.execution.flight = FLIGHT_NONE;
		return;
	}
	uint64_t before = explore_stats(ctl_segment(s->layout.explore_off))->executions;
	s->ctl.execution.accounting = 1;
	run_strategy.ops->end(run_strategy.self, &ctl_trace, s->ctl.execution.flight_verdict);
	s->ctl.execution.flight = FLIGHT_NONE;
	s->ctl.execution.lost_in_a_row = 0;
	worker_ended(explore_stats(ctl_segment(s->layout.explore_off))->executions > before);
	s->ctl.execution.accounting = 0;
}

void run_adopt_trace(void)
{
	const struct session_execution *c = &ctl_session->ctl.execution;
	if (c->trace_n > ctl_trace.cap || c->trace_threads > MAX_THREADS || c->trace_agents > MAX_AGENTS || c->current >= MAX_THREADS)
		ctl_refuse("the description of the last execution is damaged: the program has overwritten simul's memory; try again, or with "
			   "--isolation exec");
	ctl_trace.n = c->trace_n;
	ctl_trace.threads = c->trace_threads;
	ctl_trace.agents = c->trace_agents;
}

#define LOST_IN_A_ROW 3 /* after this many kills in a row, the program itself is assumed to cause them */

/* Plans the execution again if its process was ended by a SIGKILL. That signal comes from the kernel, when memory is short, or from
   outside, and says nothing about the program. Returns false if the process ended otherwise, or the execution cannot be planned again. */
static bool broken_off(int wstatus, bool known)
{
	struct session_control *c = &ctl_session->ctl;
	if (!known || !WIFSIGNALED(wstatus) || WTERMSIG(wstatus) != SIGKILL || c->handshake.hang_request || c->execution.lost_in_a_row >= LOST_IN_A_ROW ||
		!run_strategy.ops->again || !run_strategy.ops->again(run_strategy.self))
		return false;
	c->execution.lost_in_a_row++;
	c->execution.lost++;
	c->execution.begun = 1;
	c->execution.flight = FLIGHT_NONE;
	return true;
}

/* Returns whether another process must have sent the signal that ended the execution, or the process that its threads
   take for theirs (getpid): the program handles or ignores it, and its threads send it by the model. The kernel and
   abort send the other ones. */
static bool from_outside(int sig)
{
	const uint64_t faults = SIG_BIT(SIGSEGV) | SIG_BIT(SIGBUS) | SIG_BIT(SIGFPE) | SIG_BIT(SIGILL) |
				SIG_BIT(SIGTRAP) | SIG_BIT(SIGABRT) | SIG_BIT(SIGSYS) | SIG_BIT(SIGXFSZ) |
				SIG_BIT(SIGXCPU);

	return SIG_BIT(sig) & ctl_session->ctl.execution.survived & ~faults;
}

/* Lets the strategy look at the execution that has ended: it may learn what calls for a new search. */
static void look_back(void)
{
	if (ctl_session->config.mode != MODE_EXPLORE || !run_strategy.ops->look)
		return;
	ctl_trace.visible = ((struct memory_table *)ctl_segment(ctl_session->layout.memory_off))->changes;
	run_strategy.ops->look(run_strategy.self, &ctl_trace);
}

void run_account_dead(int wstatus, bool known)
{
	struct session *s = ctl_session;
	if (broken_off(wstatus, known))
		return;
	s->ctl.execution.begun = 0; /* this is still set if the process died in `start` */
	struct event e = { .thread = (thread_id)s->ctl.execution.current, .kind = EV_DEATH };
	run_adopt_trace();
	ctl_trace.n -= ctl_trace.n == ctl_trace.cap; /* room for the event below */
	struct session_bug *b = bug_begin(s->ctl.handshake.hang_request ? BUG_HANG : BUG_CRASH);
	b->thread = s->ctl.execution.current;
	if (s->ctl.handshake.hang_request) {
		bug_message(b, "no scheduling point for too long, and the thread did not react: killed");
	} else if (WIFSIGNALED(wstatus) && from_outside(WTERMSIG(wstatus))) {
		b->kind = BUG_NONE;
		ctl_uncontrolled("a signal from another process, which the program handles or ignores: it ended the "
				 "execution instead");
	} else if (!known) {
		bug_message(b, "the process died");
	} else if (WIFSIGNALED(wstatus)) {
		b->signal = WTERMSIG(wstatus);
		bug_message(b, "the process was killed by signal %d", b->signal);
	} else {
		e.kind = EV_EXIT;
		b->kind = WEXITSTATUS(wstatus) ? BUG_EXIT : BUG_NONE;
		b->status = WEXITSTATUS(wstatus);
		bug_message(b, "the process ended with status %d in a way that simul did not see", b->status);
		ctl_uncontrolled("the end of a process (it ended in a way that simul did not see)");
	}
	s->ctl.handshake.hang_request = 0;
	if (b->kind != BUG_NONE)
		bug_sign(b);
	ctl_trace.event[ctl_trace.n++] = e;
	s->ctl.execution.trace_n = ctl_trace.n;
	if (!run_on_active()) {
		s->ctl.execution.deciding = 1;
		run_strategy.ops->observe(run_strategy.self, &e);
		look_back();
		s->ctl.execution.deciding = 0;
	}
	s->ctl.execution.flight_verdict = b->kind != BUG_NONE ? RUN_FAILED : trace_assumed(&ctl_trace) ? RUN_ASSUMED : RUN_OK;
	s->ctl.execution.flight = FLIGHT_ENDED;
}

/* ---- the next execution ---- */

static void __attribute__((noreturn)) finish(enum session_state state)
{
	run_set_state(state);
	sys_exit_group(0);
}

/* Returns what is left of --executions. The supervisor looks too rarely to enforce this limit. */
static enum budget budget_left(struct session *s)
{
	uint64_t max = s->config.max_executions;
	if (!max || s->config.mode != MODE_EXPLORE || s->ctl.warm_up.running)
		return BUDGET_LEFT;
	if (s->ctl.requests.shared_search)
		return worker_count();
	return explore_stats(ctl_segment(s->layout.explore_off))->executions >= max ? BUDGET_USED : BUDGET_LEFT;
}

/* Returns whether threads that loop without end are not stopped in the planned execution: it is a sample. Those of a
   warm-up before a search look for what the search will meet, so they are stopped there, too. */
static bool goes_on_without_end(const struct session *s)
{
	if (s->ctl.warm_up.running)
		return explore_samples(s->config.strategy);
	return s->ctl.execution.sample;
}

/* Asks the strategy for the next execution. */
static void plan_next(struct session *s)
{
	s->ctl.execution.accounting = 1;
	s->ctl.execution.begun = run_strategy.ops->begin(run_strategy.self);
	struct explore_window w = { 0 };
	explore_window(ctl_segment(s->layout.explore_off), &w);
	s->ctl.execution.window = (struct session_window){ .slice = w.slice, .from = w.from, .to = w.to };
	s->ctl.execution.rounds = s->config.rounds && s->ctl.execution.begun && round_possible() && explore_all_traces(ctl_segment(s->layout.explore_off));
	s->ctl.execution.sample = s->ctl.execution.begun && explore_sample_next(ctl_segment(s->layout.explore_off));
	s->ctl.execution.stops = endless_possible() && s->ctl.execution.begun && !goes_on_without_end(s);
	__atomic_store_n(&s->ctl.execution.accounting, 0, __ATOMIC_RELEASE);
}

void run_plan(void)
{
	struct session *s = ctl_session;
	for (;;) {
		uint32_t wakeup = worker_wakeup(); /* must be read before the requests, which are written before the wakeup is bumped */
		/* Pauses here, where no execution runs: the supervisor can save the search, or examine the process before the first
		   execution. */
		bool returns = worker_returns_common();
		if ((returns || __atomic_load_n(&s->ctl.requests.pause_request, __ATOMIC_ACQUIRE)) && ctl_past_checkpoint &&
			!__atomic_load_n(&s->ctl.requests.stop_request, __ATOMIC_ACQUIRE)) {
			run_hand_over(STATE_PAUSED);
			worker_attach();
		}
		if (__atomic_load_n(&s->ctl.requests.stop_request, __ATOMIC_ACQUIRE))
			finish(STATE_STOPPED);
		if (s->ctl.execution.begun)
			return;
		enum budget left = budget_left(s);
		if (left == BUDGET_USED)
			finish(STATE_STOPPED);
		if (left == BUDGET_TAKEN) {
			worker_await_budget(wakeup);
			continue;
		}
		plan_next(s);
		if (s->ctl.execution.begun)
			return;
		if (!worker_wait(wakeup)) {
			worker_ended(false); /* other workers may need this part of the budget */
			finish(STATE_DONE);
		}
	}
}

/* As in broken_off, a kill from outside says nothing about the program. The number of attempts is limited, because the program may have
   overwritten simul's memory. */
void run_mend(void)
{
	struct session_control *c = &ctl_session->ctl;
	bool half = c->execution.accounting || c->execution.deciding;
	if (half && c->handshake.hang_request)
		ctl_refuse("analysing an execution took longer than --hang-timeout: raise it, or shorten executions with --max-steps");
	if (half && c->failure.own_fault && c->execution.lost_in_a_row >= LOST_IN_A_ROW)
		ctl_refuse("simul's own code faulted at libsimul.so+0x%llx: either it has a fault (please report it), or the program has "
			   "overwritten simul's memory; try again with --isolation exec", (unsigned long long)c->failure.own_fault);
	if (worker_is_torn() || (half && c->execution.lost_in_a_row >= LOST_IN_A_ROW))
		ctl_refuse("the process of an execution died while it accounted for it: it was killed from outside (is memory "
			   "short?), or the program has overwritten simul's memory; try again, or with --isolation exec");
	if (!half)
		return;
	c->execution.accounting = c->execution.deciding = c->execution.begun = 0;
	worker_ended(false);
	if (ctl_session->config.mode != MODE_EXPLORE || !warm_up_restart())
		ctl_refuse("the process of an execution died while it accounted for it, and the search cannot begin again");
	c->execution.lost_in_a_row++;
	c->execution.lost++;
	c->execution.flight = FLIGHT_NONE;
}

void run_adopt(void)
{
	struct session *s = ctl_session;
	bool new_process = files_new_process();
	run_mend();
	if (s->ctl.execution.flight == FLIGHT_RUNNING)
		run_account_dead(s->ctl.requests.ended_status, s->ctl.handshake.ended);
	s->ctl.handshake.ended = 0;
	if (s->ctl.execution.flight != FLIGHT_NONE) {
		run_adopt_trace();
		run_account();
	}
	if (!new_process)
		return; /* this is the first process, or a wrapper that has become the program by exec */
	if (s->ctl.execution.executions_started)
		run_plan();
	files_restart();
}

void run_over(enum run_verdict v)
{
	struct session *s = ctl_session;
	interrupt_over();
	if (process_started)
		stuck_processes_kill();
	child_reads_over();
	ctl_arena_check();
	if (v == RUN_OK)
		spin_disturbed(); /* records whether a thread waited at a spin loop that it could have left */
	look_back();
	if (v == RUN_OK && s->bug.kind == BUG_NONE && s->config.settings.robustness && warm_up_settled() && bug_robustness())
		v = RUN_FAILED;
	s->ctl.execution.flight_verdict = v;
	if (v == RUN_CUT)
		s->bug.kind = BUG_NONE;
	if (s->bug.kind != BUG_NONE || s->config.pause_at_end)
		bug_objects();
	__atomic_store_n(&s->ctl.execution.flight, FLIGHT_ENDED, __ATOMIC_RELEASE);
	debug_over(v);
	if (s->config.pause_at_end && s->config.debug != DEBUGGED_BY_GDB) /* under gdb there is no supervisor to release the process */
		run_hand_over(STATE_BUG_WAIT);
	if (s->config.isolation == ISOLATION_EXEC) {
		run_account();
		if (s->config.mode == MODE_EXPLORE)
			run_plan();
	} else {
		zygote_pass_on();
	}
	sys_exit_group(0);
}

void run_without_threads(int status)
{
	struct session *s = ctl_session;
	if (status && s->bug.kind == BUG_NONE) {
		struct session_bug *b = bug_begin(BUG_EXIT);
		b->status = status;
		bug_message(b, "the program exited with status %d", status);
		bug_sign(b);
	}
	run_set_state(STATE_NO_THREADS);
	sys_exit_group(status);
}

/* ---- before an execution ---- */

static void start(uint32_t current)
{
	struct session *s = ctl_session;
	s->bug.kind = BUG_NONE;
	s->ctl.execution.trace_n = ctl_trace.n;
	s->timed_out = (struct session_timed_out){ 0 };
	s->run_on.active = 0;
	s->labels = labels_before; /* only confirmations keep labels, and they start at the checkpoint */
	s->ctl.execution.trace_threads = ctl_trace.threads;
	s->ctl.execution.trace_agents = ctl_trace.agents;
	s->ctl.execution.current = current;
	s->ctl.execution.executions_started++;
	s->ctl.execution.exec_pid = fiber_first->kernel.tid;
	s->ctl.rewind.resume_level = 0; /* belongs to the execution before */
	s->ctl.execution.survived = signals_survived();
	/* The order matters: if the process is killed here, the planned execution is not lost. */
	__atomic_store_n(&s->ctl.execution.flight, FLIGHT_RUNNING, __ATOMIC_RELEASE);
	__atomic_store_n(&s->ctl.execution.begun, 0, __ATOMIC_RELEASE);
}

void run_start(void)
{
	files_restore(rewind_printed());
	world_begin_trace(ctl_world);
	ctl_session->ctl.execution.begun_nodes = ctl_trace.await->nodes;
	ctl_session->ctl.execution.begun_edges = ctl_trace.await->edges;
	struct memory_table *memory = ctl_segment(ctl_session->layout.memory_off);
	if (memory->changes != ctl_session->ctl.discoveries.applied_memory)
		memory_begin_again(memory);
	start(0);
	mem_start();
	snapshot_tainted = false;
	if (rewind_wanted())
		rewind_begin();
	else
		snapshot_begin();
}

void run_look(void)
{
	if (rewind_wanted())
		rewind_look();
	else
		snapshot_look();
}

void run_resume(uint32_t current)
{
	start(current);
	ctl_session->ctl.execution.deciding = 1;
	explore_resume(ctl_segment(ctl_session->layout.explore_off), ctl_trace.n);
	ctl_session->ctl.execution.deciding = 0;
}

/* Memory orders come from code that was built for ThreadSanitizer. */
static void need_orders(void)
{
	const struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);
	if (ctl_session->config.settings.model == MODEL_RC11 && !s->tsan)
		ctl_refuse("--model rc11 needs the memory orders of atomic accesses, which machine code does not have: "
			   "build the program with -fsanitize=thread (gcc, clang; Rust: -Zsanitizer=thread). "
			   "--model pso needs no special build");
}

void run_checkpoint(void)
{
	if (ctl_past_checkpoint)
		return;
	guard_open();
	/* Only the process that started children can wait for them, so executions must not be forked from it. */
	if (ctl_session->config.isolation == ISOLATION_AUTO && process_has_children()) {
		outside_note("started processes before its first thread");
		ctl_session->config.isolation = ISOLATION_EXEC;
	}
	files_remember();
	if (ctl_session->config.isolation != ISOLATION_EXEC)
		fd_remember();
	fiber_pool_fill();
	sensors_close();
	need_orders();
	labels_before = ctl_session->labels;
	ctl_past_checkpoint = true;
	guard_seal();
	run_set_state(STATE_RUNNING);
	if (ctl_session->config.isolation == ISOLATION_EXEC) {
		run_plan();
		ctl_session->ctl.execution.pool_parked = ctl_session->pool.n;
		run_start();
	} else {
		zygote();
	}
}
