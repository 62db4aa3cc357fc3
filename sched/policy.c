#include "sched/policy.h"

#include "base/check.h"
#include "sched/choice.h"

static const struct policy policies[POLICIES] = {
#define POLICY(number, word, rule, scheduler, threads, phase, words, itself) \
	[POLICY_##number] = { #word, RULE_##rule, scheduler, threads, phase, words, itself },
#include "sched/policies.def"
};

const struct policy *policy_of(enum policy_number number)
{
	INVARIANT(number < POLICIES, "no such policy");
	return &policies[number];
}

bool policy_what_if(enum policy_number number)
{
	return policy_of(number)->itself[0];
}

unsigned policy_values(const struct policy_state *s, struct policy_point at)
{
	switch (policy_of(s->policy)->rule) {
	case RULE_ANY:
		return at.ready > CHOOSE_MOST ? 0 : at.ready;
	case RULE_OWN:
	case RULE_ONE_ORDER: /* the search orders turns, and chooses none at a point */
		break;
	}
	return 1;
}

unsigned policy_thread(struct policy_point at, unsigned value)
{
	if (value == 0)
		return at.own;
	return value <= at.own ? value - 1 : value;
}

uint64_t policy_before(const struct policy_state *s, unsigned m)
{
	bool one = policy_of(s->policy)->rule == RULE_ONE_ORDER && m < FIXED_ORDER_MEMBERS;
	return one ? s->order.before[m] : 0;
}

void policy_phase(struct policy_state *s)
{
	s->runs = s->choices = 0;
}

enum phase_length policy_runs(struct policy_state *s, bool choice, uint32_t most_choices)
{
	s->runs++;
	s->choices += choice;
	if (s->runs >= PHASE_MOST || s->choices >= most_choices)
		return PHASE_ENDLESS;
	return s->runs + PHASE_LAST >= PHASE_MOST || s->choices + PHASE_LAST >= most_choices ? PHASE_LONG : PHASE_SHORT;
}
