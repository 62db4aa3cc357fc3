/*
 * The requests of include/simul.h. Choosing a value is an event with one alternative for each value (sched/choice.h). An assumption is an
 * event only when it does not hold, and that event is never enabled. A label is no event. The begin and the end of the outermost region of
 * a thread are events (sched/region.h).
 */
#include <string.h>

#include "base/check.h"
#include "include/simul.h"
#include "preload/control/ctl.h"
#include "explore/explore.h"
#include "preload/hooks/choose.h"
#include "preload/base/hook_types.h"
#include "preload/life/run.h"
#include "sched/choice.h"
#include "sched/memory.h"
#include "sched/policy.h"
#include "sched/step.h"
#include "preload/base/rules.h"

int choose_value(long n, const void *pc)
{
	if (n < 1 || n > (long)CHOOSE_MOST)
		ctl_bug(BUG_MISUSE, "simul_choose(%ld): it chooses among 1 to %u values", n, CHOOSE_MOST);
	struct chosen left = {(uint32_t)n, 0, (uint32_t)n};
	if (n > 1)
		run_checkpoint(); /* executions start here, and nothing before this point is explored */
	while (left.count > 1) {
		struct op op = ctl_op(EV_CHOOSE, pc);
		op.arg[0] = (uint64_t)choose_result(left);
		left = choose_chosen((int32_t)ctl_perform(&op));
	}
	return (int)left.first;
}

/* Stops the running thread for good, because an assumption does not hold. */
static void __attribute__((noreturn)) stop_here(const void *pc)
{
	run_checkpoint();
	struct op op = ctl_op(EV_ASSUME, pc);
	ctl_perform(&op);
	INVARIANT(0, "a thread continued after an assumption that does not hold");
	__builtin_unreachable();
}

/* Only confirmations and replays keep labels, because reports are made from them. */
int choose_labels_kept(void)
{
	return ctl_session->config.keep_stacks && ctl_session->labels < SESSION_LABELS;
}

void choose_label(enum label_kind kind, const char *text)
{
	struct session *s = ctl_session;
	if (!text || !choose_labels_kept())
		return;
	struct session_label *to = &s->label[s->labels];
	to->step = ctl_past_checkpoint ? ctl_trace.n : 0;
	to->thread = ctl_self();
	to->kind = kind;
	strncpy(to->text, text, sizeof to->text - 1);
	s->labels++;
}

/* Ends the session if the strategy cannot search programs with regions. Samples and replays have no such limit. */
static void check_strategy(void)
{
	const struct session_config *c = &ctl_session->config;
	if (c->mode == MODE_EXPLORE && (c->strategy == STRATEGY_TRUST || c->strategy == STRATEGY_BPOR))
		ctl_refuse("the program has regions (simul_atomic_begin or simul_explore_begin): they cannot be searched with "
			   "--strategy %s or with --preemptions; leave both out", explore_strategy_name(c->strategy));
	if (c->mode == MODE_EXPLORE && c->sections)
		ctl_refuse("the program has regions (simul_atomic_begin or simul_explore_begin): they cannot be searched with --sections yet; "
			   "leave it out");
}

static void region_begin(unsigned kind, const void *pc)
{
	check_strategy();
	ctl_session->ctl.discoveries.regions |= kind;
	*(ctl_past_checkpoint ? &ctl_session->ctl.discoveries.regions_begun : &ctl_session->ctl.discoveries.regions_before) |= kind;
	if (!world_region_begin(ctl_world, ctl_self(), kind))
		return;
	struct op op = ctl_op(kind == REGION_ATOMIC ? EV_ATOMIC_BEGIN : EV_EXPLORE_BEGIN, pc);
	ctl_perform(&op);
}

static void region_end(unsigned kind, const void *pc)
{
	const char *name = kind == REGION_ATOMIC ? "atomic" : "explore";
	int left = world_region_end(ctl_world, ctl_self(), kind);
	if (left < 0)
		ctl_bug(BUG_MISUSE, "simul_%s_end: this thread has not called simul_%s_begin before", name, name);
	if (left > 0)
		return;
	struct op op = ctl_op(kind == REGION_ATOMIC ? EV_ATOMIC_END : EV_EXPLORE_END, pc);
	ctl_perform(&op);
}

/* ---- threads that take turns (libfthread) ---- */

static struct policy_state fair = { .policy = POLICY_FAIR_ONE };
static uint32_t fair_memory; /* memory_table.changes when the first thread became a member */

/* Returns whether the running execution discovered that memory is shared. Accesses to it are missing in the trace then, and the search will restart. */
static bool accesses_missing(void)
{
	const struct memory_table *t = ctl_segment(ctl_session->layout.memory_off);
	return t->changes != fair_memory;
}

static long fair_request(int what, long number)
{
	if (what == SIMUL_ASK_FAIR_BEFORE)
		return number >= 0 ? (long)policy_before(&fair, (unsigned)number) : 0;
	bool any = what == SIMUL_ASK_FAIR_ANY;
	ctl_session->ctl.facts.policies.ran |= POLICY_BIT(any ? POLICY_FAIR_ANY : POLICY_FAIR_ONE);
	if (any)
		return 0;
	if (what == SIMUL_ASK_FAIR_JOIN) {
		((struct step_table *)ctl_segment(ctl_session->layout.steps_off))->turns = 1;
		const struct memory_table *t = ctl_segment(ctl_session->layout.memory_off);
		if (!fair.order.present)
			fair_memory = t->changes;
		return fixed_order_join(&fair.order, (uint64_t)number, ctl_self());
	}
	if (number == 0)
		fixed_order_begin(&fair.order, &ctl_trace);
	else
		fixed_order_end(&fair.order, &ctl_trace, accesses_missing());
	return 0;
}

HOOK_EXPORT long simul_request(int what, long number, const char *text);
long simul_request(int what, long number, const char *text)
{
	const void *pc = __builtin_return_address(0);
	long result = 0;
	if (!ctl_enter())
		return 0;
	switch (what) {
	case SIMUL_ASK_RUNNING:
		result = 1;
		break;
	case SIMUL_ASK_CHOOSE:
		result = choose_value(number, pc);
		break;
	case SIMUL_ASK_ASSUME:
		stop_here(pc);
	case SIMUL_ASK_LABEL:
		choose_label(LABEL_PROGRAM, text);
		break;
	case SIMUL_ASK_ATOMIC_BEGIN:
		region_begin(REGION_ATOMIC, pc);
		break;
	case SIMUL_ASK_ATOMIC_END:
		region_end(REGION_ATOMIC, pc);
		break;
	case SIMUL_ASK_EXPLORE_BEGIN:
		region_begin(REGION_EXPLORE, pc);
		break;
	case SIMUL_ASK_EXPLORE_END:
		region_end(REGION_EXPLORE, pc);
		break;
	case SIMUL_ASK_FAIR_JOIN:
	case SIMUL_ASK_FAIR_PASS:
	case SIMUL_ASK_FAIR_BEFORE:
	case SIMUL_ASK_FAIR_ANY:
		result = fair_request(what, number);
		break;
	default:
		ctl_refuse("the program was built with the simul.h of a later version of simul; use the one of this version");
	}
	ctl_leave();
	return result;
}
