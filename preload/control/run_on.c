/* Executions that run on after the search has left them; see run_on.h. */
#include "preload/control/run_on.h"

#include <string.h>

#include "preload/control/ctl.h"
#include "preload/control/step_loop.h"
#include "preload/memory/round_state.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

/* A probe leaves this part of the events up to --max-steps: others may have to run for the loop's next turn. */
#define ROOM_LEFT 8

_Static_assert(sizeof(struct event) <= SESSION_RUN_ON_EVENT, "too little room for an event");

bool run_on_begin(void)
{
	struct session *s = ctl_session;
	struct session_run_on *r = &s->run_on;
	s->ctl.facts.ran_on = 1;
	if (ctl_trace.threads > SESSION_RUN_ON_THREADS) {
		s->ctl.facts.endless = 1;
		return false;
	}
	r->n = ctl_trace.n;
	r->threads = ctl_trace.threads;
	memcpy(r->pending, ctl_trace.pending, r->threads * sizeof *ctl_trace.pending);
	memcpy(r->alts, ctl_trace.alts, r->threads);
	r->random = UINT64_C(0x9e3779b97f4a7c15) + r->n;
	r->active = 1;
	return true;
}

bool run_on_active(void)
{
	return ctl_session->run_on.active;
}

unsigned run_on_pick(const struct choice *choices, unsigned n)
{
	struct rounds_limits *l = round_limits();
	for (unsigned i = 0; l->probe == PROBE_RUNS && i < n; i++)
		if (choices[i].thread == l->thread && (choices[i].alt == ALT_NORMAL || choices[i].alt == ALT_TIMEOUT))
			return i;
	for (unsigned i = 0; endless_limits()->probe == ENDLESS_RUNS && i < n; i++)
		if (choices[i].thread == endless_limits()->thread)
			return i;
	l->help |= l->probe == PROBE_RUNS;
	if (l->help)
		rounds_probe_forget(l);
	uint64_t *x = &ctl_session->run_on.random;
	*x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((*x >> 33) % n);
}

/* The same for a thread that runs when the process would exit (sched/endless.h). */
static void probe_endless(void)
{
	struct session *s = ctl_session;
	const struct endless_limits *l = endless_limits();
	bool changes = l->probe == ENDLESS_OFF && ctl_past_checkpoint && !run_on_active() && ctl_trace.threads <= SESSION_RUN_ON_THREADS &&
		       world_endless_probe(ctl_world, s->config.settings.max_steps - ctl_trace.n);
	if (l->probe == ENDLESS_OVER)
		operations.over(RUN_COVERED);
	if (changes)
		run_on_begin();
}

/* Returns whether this execution has found spin loops or shared memory. With them the search may stop the thread, or see that it writes. */
static bool news(void)
{
	const struct session *s = ctl_session;
	const struct await_table *awaits = ctl_segment(s->layout.await_off);
	const struct memory_table *memory = ctl_segment(s->layout.memory_off);
	return awaits->changes != s->ctl.discoveries.applied_awaits || memory->changes != s->ctl.discoveries.applied_memory;
}

void run_on_probe(void)
{
	struct rounds_limits *l = round_limits();
	probe_endless();
	if (l->probe == PROBE_OFF)
		return;
	if (l->early && (news() || !run_strategy.ops->again || ctl_trace.threads > SESSION_RUN_ON_THREADS))
		rounds_probe_forget(l);
	if (l->probe == PROBE_OFF)
		return;
	if (l->probe == PROBE_RUNS)
		return;
	uint32_t ran_on = ctl_session->ctl.facts.ran_on;
	if (l->probe == PROBE_OVER || !run_on_begin())
		operations.over(RUN_COVERED);
	if (l->early) /* the search makes this execution again */
		ctl_session->ctl.facts.ran_on = ran_on;
	uint32_t room = ctl_session->config.settings.max_steps - ctl_trace.n;
	room -= room / ROOM_LEFT;
	l->enough = ctl_trace.n + (room < ROUNDS_MANY ? room : ROUNDS_MANY);
	l->probe = PROBE_RUNS;
}

bool run_on_probes(void)
{
	return round_limits()->probe != PROBE_OFF || endless_limits()->probe != ENDLESS_OFF;
}

void run_on_end(void)
{
	rounds_probe_end(round_limits());
	if (ctl_world)
		world_endless_end(ctl_world);
	else /* this process only reports that the one before it was killed */
		endless_limits()->probe = ENDLESS_OFF;
	struct session *s = ctl_session;
	struct session_run_on *r = &s->run_on;
	if (!r->active)
		return;
	if (!round_limits()->early)
		s->ctl.facts.endless |= !verdict_is_whole((enum run_verdict)s->ctl.execution.flight_verdict);
	s->ctl.execution.flight_verdict = RUN_COVERED;
	for (uint32_t t = r->threads; t < ctl_trace.threads; t++) {
		ctl_trace.pending[t] = (struct event){ .kind = EV_NONE };
		ctl_trace.alts[t] = 0;
	}
	memcpy(ctl_trace.pending, r->pending, r->threads * sizeof *ctl_trace.pending);
	memcpy(ctl_trace.alts, r->alts, r->threads);
	ctl_trace.n = s->ctl.execution.trace_n = r->n;
	ctl_trace.threads = s->ctl.execution.trace_threads = r->threads;
	r->active = 0;
}
