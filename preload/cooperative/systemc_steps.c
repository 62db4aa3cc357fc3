/*
 * Steps of SystemC's processes, for strategies that need their footprints (systemc_steps.h).
 *
 * What the kernel does on behalf of a process has no place in the footprint: two processes that begin to wait for one event both write to the
 * event's list of waiting processes, and yet their order does not matter. So the functions by which a process notifies events and waits are
 * interposed. Their accesses do not count, and the footprint gets the operation instead (sched/step.h). An access to the event's own
 * state counts as a read, in case other code of the kernel, which is inlined in the program, writes it.
 */
#include "preload/cooperative/systemc_steps.h"

#include <string.h>

#include "explore/explore.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/cooperative/systemc_hooks.h"
#include "preload/cooperative/systemc_kernel.h"
#include "preload/cooperative/systemc_phase.h"
#include "preload/cooperative/systemc_races.h"
#include "preload/memory/footprint.h"
#include "sched/step.h"
#include "sched/world.h"
#include "preload/base/operations.h"
#include "preload/base/rules.h"

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	uint32_t choices;   /* choices of a process in this execution */
	void *process;      /* the process whose step is open; NULL: none is */
	bool chosen;        /* the search chose it among several: its footprint is published */
	uint32_t events;    /* events when the step began */
	uint64_t updates;   /* the first channel in the list of those to be updated, when the step began */
	uint64_t kernel;    /* frame of the latest function that the kernel called on its own stack */
} step;

#define UPDATE_ORDER 2 /* stands for the order of channels in the list of those to be updated: the address of no word */

static struct step_table *table(void)
{
	return ctl_segment(ctl_session->layout.steps_off);
}

bool steps_wanted(void)
{
	const struct session_config *c = &ctl_session->config;
	return c->mode == MODE_EXPLORE ? c->strategy == STRATEGY_STEPS : c->race != 0;
}

/* ---- the end of a step ---- */

static void waits_for(uint64_t event)
{
	if (event)
		footprint_operation(event, DID_WAIT);
}

/*
 * Something was put into the kernel's queues of delayed notifications. Where two of them are due at the same time, their order there decides which
 * comes first, and the queue of timed ones is a heap, so any earlier one may change that order. A process sees it only if it waits for an
 * event and a timeout: then the first one decides whether it timed out.
 */
static void queued(void)
{
	if (systemc_time_outs)
		footprint_word(systemc_timed_word() & ~UINT64_C(7), 0xff, true);
}

static uint64_t first_update(void)
{
	uint64_t first;
	memcpy(&first, (const void *)systemc_update_list(), sizeof first);
	return first;
}

/* Channels ask the kernel for an update at the end of the phase by code that is inlined in the program: it puts them into a list, and the link
   is in the channel. Whether a channel is in the list does not depend on the order of the steps. The order in the list matters only for channels
   of the program. */
static void record_updates(void)
{
	unsigned most = 100000;
	for (uint64_t channel = first_update(), link, next; channel != step.updates; channel = next) {
		if (!channel || channel == 0xdb || !most--) {
			footprint_unknown();
			return;
		}
		next = systemc_next_update(channel, &link);
		footprint_forget(link);
		bool delays = systemc_time_outs; /* updates notify with delay */
		footprint_word(UPDATE_ORDER, 1, delays || systemc_resets || !systemc_plain_channel(channel));
	}
}

void steps_end(bool by_itself)
{
	if (!steps_wanted())
		return;
	struct step_table *t = table();
	if (!step.process)
		return;
	if (!by_itself || ctl_entered || !ctl_session->config.settings.patch || ctl_trace.n != step.events || world_live_threads(ctl_world) != 1)
		footprint_unknown();
	if (systemc_waits_for(step.process, waits_for))
		queued();
	record_updates();
	static struct step_word forced[STEP_WORDS];
	struct step_word *word = step.chosen ? t->word : forced;
	uint32_t n = footprint_end(word);
	if (step.chosen) {
		t->unknown = n == UINT32_MAX;
		t->words = t->unknown ? 0 : n;
		t->ended = step.choices;
	}
	phase_end(word, n);
	step.process = NULL;
}

void steps_first(void)
{
	if (steps_wanted())
		process_races_start();
}

void steps_forced(void)
{
	if (ctl_session->config.mode == MODE_EXPLORE && steps_wanted() &&
		explore_asleep(ctl_segment(ctl_session->layout.explore_off), &ctl_trace))
		operations.over(RUN_COVERED);
}

/* ---- the choice ---- */

/* FNV-1a. */
static uint64_t name_hash(const char *name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
	return h;
}

void steps_choice(void *const *process, unsigned n, unsigned first)
{
	if (!steps_wanted())
		return;
	struct step_table *t = table();
	for (unsigned value = 0; value < n; value++)
		t->process[value] = name_hash(systemc_name(process[!value ? first : value <= first ? value - 1 : value]));
	t->runnable = n;
	t->choices = ++step.choices;
	if (step.choices == 1)
		t->ended = 0;
}

void steps_kernel_at(const void *frame)
{
	step.kernel = (uint64_t)frame;
}

void steps_method_runs(void)
{
	if (step.process)
		footprint_continue();
}

void steps_runnable(void *const *process, unsigned n)
{
	if (!steps_wanted())
		return;
	if (n)
		phase_runnable(process, n);
	else
		phase_over();
}

void steps_begin(void *process, unsigned runnable, bool thread, bool running)
{
	if (!steps_wanted() || (runnable == 1 && !phase_wants_forced()))
		return;
	phase_begin(process);
	if (thread) {
		const void *coroutine = systemc_coroutine(process);
		size_t size;
		uint64_t lo = (uint64_t)systemc_stack(coroutine, &size), hi = lo + size;
		uint64_t live = running ? (uint64_t)__builtin_frame_address(0) : systemc_left_at(coroutine);
		footprint_begin(lo, live >= lo && live <= hi ? live & ~UINT64_C(7) : lo, hi);
		uint64_t word[2];
		for (unsigned n = systemc_switch_words(word); n; n--)
			footprint_ignore(word[n - 1]);
	} else {
		footprint_begin(fiber_cur->stack.own_lo, step.kernel & ~UINT64_C(7), step.kernel);
		footprint_pause((const void *)UINTPTR_MAX); /* until the kernel calls the method */
	}
	footprint_ignore(systemc_update_list());
	footprint_ignore(systemc_resolution_word());
	step.chosen = runnable > 1;
	if (step.chosen)
		table()->ended = 0; /* an execution that began from a snapshot finds what another one has left */
	ctl_entered = false;
	step.process = process;
	step.events = ctl_trace.n;
	step.updates = first_update();
}

/* ---- the interposed functions ---- */

#define FRAME __builtin_frame_address(0)
#define PC __builtin_return_address(0)

static void operation(long event, unsigned what)
{
	if (what == DID_DELAY)
		queued();
	footprint_operation((uint64_t)event, what);
	footprint_word(systemc_event_word((uint64_t)event) & ~UINT64_C(7), 0xff, false);
}

#define OPERATES(name, what)                                                                                           \
	long systemc_##name(long a, long b, long c)                                                                    \
	{                                                                                                              \
		systemc_look(PC);                                                                                      \
		if (!footprint_pause(FRAME))                                                                           \
			return systemc_real_##name(a, b, c);                                                           \
		operation(a, what);                                                                                    \
		long result = systemc_real_##name(a, b, c);                                                            \
		footprint_continue();                                                                                  \
		return result;                                                                                         \
	}

OPERATES(notify, DID_NOTIFY)
OPERATES(notify_at, DID_DELAY)
OPERATES(cancel, DID_CANCEL)
OPERATES(triggered, DID_ASK)

/* The step ends in the function. The process continues there, with its next step. */
#define WAITS(name)                                                                                                    \
	long systemc_##name(long a, long b, long c)                                                                    \
	{                                                                                                              \
		systemc_look(PC);                                                                                      \
		footprint_pause(FRAME);                                                                                \
		return systemc_real_##name(a, b, c);                                                                   \
	}

WAITS(wait_static)
WAITS(wait_or)
WAITS(wait_and)
WAITS(wait_time)
WAITS(wait_time_or)
WAITS(wait_time_and)
WAITS(wait_time_event)
WAITS(wait_event)
WAITS(wait_times)
WAITS(halt)

/* What the method or the process waits for is recorded when the step ends. */
#define TIDIES(name)                                                                                                   \
	long systemc_##name(long a, long b, long c)                                                                    \
	{                                                                                                              \
		systemc_look(PC);                                                                                      \
		bool paused = footprint_pause(FRAME);                                                                  \
		long result = systemc_real_##name(a, b, c);                                                            \
		if (paused)                                                                                            \
			footprint_continue();                                                                          \
		return result;                                                                                         \
	}

TIDIES(trigger_static)
TIDIES(trigger_or)
TIDIES(trigger_and)
TIDIES(trigger_time)
TIDIES(trigger_time_or)
TIDIES(trigger_time_and)
TIDIES(trigger_time_event)
TIDIES(trigger_event)
TIDIES(remove_static)
TIDIES(remove_dynamic)
TIDIES(collect)

/* These change which processes are runnable, run another process at once, or report an error that depends on what
   other processes did. */
#define CONTROLS(name)                                                                                                 \
	long systemc_##name(long a, long b, long c)                                                                    \
	{                                                                                                              \
		systemc_look(PC);                                                                                      \
		footprint_unknown();                                                                                   \
		return systemc_real_##name(a, b, c);                                                                   \
	}

CONTROLS(notify_delayed_at)
CONTROLS(notify_delayed)
CONTROLS(stop)
CONTROLS(reset_changed)
CONTROLS(reset_process)
CONTROLS(method_throw)
CONTROLS(method_reset)
CONTROLS(method_kill)
CONTROLS(method_enable)
CONTROLS(method_resume)
CONTROLS(method_disable)
CONTROLS(method_suspend)
CONTROLS(thread_throw)
CONTROLS(thread_reset)
CONTROLS(thread_kill)
CONTROLS(thread_enable)
CONTROLS(thread_resume)
CONTROLS(thread_disable)
CONTROLS(thread_suspend)
