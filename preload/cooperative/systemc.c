/*
 * The order of SystemC's processes.
 *
 * At each boundary between two processes, simul takes all runnable processes out of the kernel's queues, and the search chooses one. simul
 * puts the chosen process alone into the pop list of its kind, and the others into the push lists. So the kernel takes the chosen process
 * next. The kernel itself makes it the current process; simul never replaces the process of a call.
 *
 * The boundaries are
 *  - before a method, if nothing is chosen yet: a phase begins with a method. If another process is chosen, the method goes back to the
 *    queue, and the call returns without running it;
 *  - before the kernel switches to a thread, if nothing is chosen yet: a phase begins with a thread;
 *  - after a method;
 *  - where a thread waits or ends, in next_cor.
 *
 * A process that kills or resets another one, or throws an exception into it, makes it run at once. This run is part
 * of the step of the first process, so its ends are no boundaries. The kernel returns to the first process by itself:
 * a thread waits in the pop list, which is otherwise empty while a process runs; a method stays on the kernel's own
 * stack.
 */
#include "preload/cooperative/systemc.h"

#include <string.h>

#include "preload/cooperative/systemc_kernel.h"
#include "preload/cooperative/systemc_labels.h"
#include "preload/cooperative/systemc_steps.h"
#include "preload/control/ctl.h"
#include "preload/cooperative/systemc_hooks.h"
#include "preload/hooks/choose.h"
#include "preload/life/run.h"
#include "sched/policy.h"
#include "preload/base/rules.h"

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	void *chosen;        /* the process that the kernel will take next; NULL: not chosen yet */
	bool thread_runs;    /* a coroutine other than the kernel's runs */
	bool method_runs;    /* the kernel's coroutine is in a method, which may have made a thread run at once */
	bool kernel_orders;  /* the kernel keeps its own order for the rest of the execution */
	/* The numbers of methods and threads that the kernel itself would have in its pop lists. They are the first ones that simul takes
	   from the queues. */
	unsigned popped_methods, popped_threads;
} order;

static struct policy_state policy = { .policy = POLICY_SYSTEMC };

static struct systemc_runnable runnable;

/* Enters simul and returns true if the search orders the processes. If it returns false, the caller can call the real function. */
static bool enter(const void *pc)
{
	systemc_look(pc);
	return systemc_known() && !order.kernel_orders && ctl_enter_unnoticed();
}

/* ---- the kernel's own choice ---- */

/* Returns the number of the process that the kernel itself would take. The kernel switches from a thread to a thread while its pop list of
   threads is not empty. */
static unsigned kernels_choice(bool in_thread)
{
	unsigned methods = runnable.methods, threads = runnable.n - methods;
	if (in_thread && order.popped_threads)
		return methods;
	if (in_thread && !order.popped_methods)
		order.popped_methods = methods;
	if (order.popped_methods)
		return 0;
	if (!order.popped_threads)
		order.popped_threads = threads;
	if (order.popped_threads)
		return methods;
	order.popped_methods = methods;
	return 0;
}

/* Process number `at` leaves the queues. */
static void note_popped(unsigned at)
{
	if (at < order.popped_methods)
		order.popped_methods--;
	else if (at >= runnable.methods && at - runnable.methods < order.popped_threads)
		order.popped_threads--;
}

static void limit(unsigned *popped, unsigned most)
{
	if (*popped > most)
		*popped = most;
}

/* Takes the runnable processes from the queues. `popped` is a process that the kernel has already removed from its pop list; NULL: there is
   none. */
static void take_runnable(void *popped, bool thread)
{
	systemc_take(&runnable);
	if (runnable.full || (popped && runnable.n == CHOOSE_MOST)) {
		runnable.full = true;
		return;
	}
	order.popped_methods += runnable.popped_methods;
	order.popped_threads += runnable.popped_threads;
	if (popped) {
		unsigned at = thread ? runnable.methods : 0;
		memmove(&runnable.process[at + 1], &runnable.process[at], (runnable.n - at) * sizeof runnable.process[0]);
		runnable.process[at] = popped;
		runnable.n++;
		runnable.methods += !thread;
		*(thread ? &order.popped_threads : &order.popped_methods) += 1;
	}
	limit(&order.popped_methods, runnable.methods);
	limit(&order.popped_threads, runnable.n - runnable.methods);
}

/* ---- a phase without end ---- */

#define NAMES_MOST 4

/* The last processes of an endless phase. Private memory, as `order`. */
static struct {
	const void *process[NAMES_MOST];
	unsigned n;
} named;

static void note_name(const void *process)
{
	for (unsigned i = 0; i < named.n; i++)
		if (named.process[i] == process)
			return;
	if (named.n < NAMES_MOST)
		named.process[named.n++] = process;
}

/* Counts the process that runs next. Processes that make each other runnable by immediate notifications for ever never end the phase: time
   stands still, and no other call of simul's is reached. */
static void count_run(const void *process, bool choice)
{
	enum phase_length length = policy_runs(&policy, choice, ctl_session->config.settings.max_steps / 4 * 3);
	if (length == PHASE_SHORT)
		return;
	note_name(process);
	if (length != PHASE_ENDLESS)
		return;
	const char *name[NAMES_MOST] = {"", "", "", ""};
	for (unsigned i = 0; i < named.n; i++)
		name[i] = systemc_name(named.process[i]);
	ctl_bug(BUG_HANG, "no time passes: SystemC processes run again and again in one evaluation phase, by immediate notifications (%s%s%s%s%s%s%s)",
		name[0], named.n > 1 ? ", " : "", name[1], named.n > 2 ? ", " : "", name[2], named.n > 3 ? ", " : "", name[3]);
}

/* ---- the search's choice ---- */

/* Returns the number of the process that runs next. Value 0 is the kernel's own choice. */
static unsigned choose_process(bool in_thread, const void *pc)
{
	struct policy_point point = { runnable.n, kernels_choice(in_thread) };
	unsigned values = policy_values(&policy, point);
	if (values == 1) {
		steps_forced();
		return point.own;
	}
	steps_choice(runnable.process, runnable.n, point.own);
	labels_phase();
	unsigned value = (unsigned)choose_value(values, pc);
	labels_order(&runnable, point, value);
	return policy_thread(point, value);
}

/* Makes the search choose the next process. `popped` is as in take_runnable. If it is chosen, it goes into no queue. */
static void choose_next(void *popped, bool popped_thread, bool in_thread, const void *pc)
{
	if (!ctl_past_checkpoint)
		steps_first();
	run_checkpoint(); /* executions start no later than at the first process */
	steps_end(!popped);
	ctl_session->ctl.facts.policies.ran |= POLICY_BIT(POLICY_SYSTEMC);
	order.chosen = NULL;
	take_runnable(popped, popped_thread);
	if (runnable.full) {
		ctl_session->ctl.facts.policies.full |= POLICY_BIT(POLICY_SYSTEMC);
		order.kernel_orders = true;
		order.chosen = popped;
		return;
	}
	steps_runnable(runnable.process, runnable.n);
	if (!runnable.n) {
		order.popped_methods = order.popped_threads = 0; /* the next phase begins */
		policy_phase(&policy);
		labels_phase_over();
		return;
	}
	unsigned at = choose_process(in_thread, pc);
	order.chosen = runnable.process[at];
	count_run(order.chosen, runnable.n > 1);
	steps_begin(order.chosen, runnable.n, at >= runnable.methods, in_thread && order.chosen == systemc_current());
	note_popped(at);
	systemc_put(&runnable, at, order.chosen == popped);
}

/* Returns whether `popped`, which the kernel has removed from its queue, is the process that runs next. */
static bool may_run(void *popped, bool thread, const void *pc)
{
	if (order.chosen != popped)
		choose_next(popped, thread, false, pc); /* chooses again if the simulation stopped before the chosen process ran, and now continues */
	bool chosen = order.chosen == popped;
	if (chosen)
		order.chosen = NULL;
	return chosen;
}

/* ---- the interposed functions ---- */

/* Returns whether a process runs at once: the one that made it run waits until it is over. */
static bool nested(void)
{
	return order.method_runs || systemc_thread_waits();
}

/* A method runs at once: its caller is a process, and continues afterwards. */
static bool run_at_once(void *method)
{
	bool good = systemc_real_run_process(method);
	labels_runs(true);
	return good;
}

bool systemc_run_process(void *method)
{
	const void *pc = __builtin_return_address(0);
	systemc_look(pc);
	if (order.thread_runs || order.method_runs)
		return run_at_once(method);
	if (enter(pc)) {
		steps_kernel_at(__builtin_frame_address(0));
		bool run = may_run(method, false, pc);
		if (run)
			steps_method_runs();
		ctl_leave();
		if (!run)
			return true;
	}
	labels_runs(true);
	order.method_runs = true;
	bool good = systemc_real_run_process(method);
	order.method_runs = false;
	labels_runs(false);
	if (good && enter(pc)) {
		choose_next(NULL, false, false, pc);
		ctl_leave();
	}
	return good;
}

void *systemc_next_cor(void *context)
{
	const void *pc = __builtin_return_address(0);
	if (enter(pc)) {
		if (!systemc_failed() && !nested())
			choose_next(NULL, false, true, pc);
		ctl_leave();
	}
	void *to = systemc_real_next_cor(context);
	order.thread_runs = systemc_known() && to != systemc_main_coroutine();
	labels_runs(order.thread_runs || order.method_runs);
	if (order.thread_runs)
		order.chosen = NULL;
	return to;
}

void systemc_yield(void *package, void *coroutine)
{
	const void *pc = __builtin_return_address(0);
	systemc_look(pc);
	bool from_kernel = systemc_known() && !order.thread_runs && coroutine != systemc_main_coroutine();
	if (from_kernel && order.method_runs) {
		order.thread_runs = true; /* the method makes the thread run at once */
	} else if (from_kernel && enter(pc)) {
		steps_kernel_at(__builtin_frame_address(0));
		bool run = may_run(systemc_current(), true, pc);
		order.thread_runs = run;
		labels_runs(run);
		ctl_leave();
		if (!run)
			return;
	}
	systemc_real_yield(package, coroutine);
}

/* If no process runs, channels are updated, and a signal that changes resets the method, which runs at once. What it
   sees depends on the order of the updates. */
void systemc_preempt_with_method(void *context, void *method)
{
	const void *pc = __builtin_return_address(0);
	systemc_look(pc);
	bool in_update = systemc_known() && !systemc_current();
	if (in_update && !systemc_resets && enter(pc)) {
		ctl_session->ctl.facts.cooperative |= SYSTEMC_RESET_UNSEEN;
		order.kernel_orders = true;
		ctl_leave();
	}
	bool before = order.method_runs;
	order.method_runs |= in_update;
	systemc_real_preempt_with_method(context, method);
	if (in_update)
		order.method_runs = before;
}

void systemc_init(void)
{
	systemc_find(NULL);
}
