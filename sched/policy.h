/*
 * Which of its threads the scheduler of a program may take next: the rules of programs that schedule threads of their
 * own (SystemC processes, FairThreads), one policy for each (sched/policies.def). docs/policies.md says how to add
 * one.
 *
 * A scheduler that takes one thread at a time comes to a point with some ready threads. The policy says among how
 * many of them the search chooses, and which thread each value of this choice is. Value 0 is always the thread that
 * the scheduler itself would take. Where threads have turns side by side in passes, the policy says which turns must
 * come before a turn, and the search orders the others.
 *
 * A phase is a part of the execution that the scheduler itself ends: a delta cycle, an instant. The policy counts
 * what runs in it, because a phase may never end.
 */
#ifndef SIMUL_POLICY_H
#define SIMUL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/fixed_order.h"

enum policy_rule {
	RULE_ANY,       /* any ready thread */
	RULE_OWN,       /* the thread that the scheduler itself takes */
	RULE_ONE_ORDER, /* turns in passes, in one order that is the same in all phases but unknown */
};

enum policy_number {
#define POLICY(name, ...) POLICY_##name,
#include "sched/policies.def"
	POLICIES
};

#define POLICY_BIT(number) (UINT32_C(1) << (number))

/* A line of sched/policies.def. */
struct policy {
	const char *name;
	enum policy_rule rule;
	const char *scheduler, *threads, *phase, *words, *itself;
};

/* Returns the line of a policy. */
const struct policy *policy_of(enum policy_number number);
/* Returns whether the scheduler itself never does what the policy allows. */
bool policy_what_if(enum policy_number number);

/* Where the scheduler takes its next thread: one of `ready` threads, numbered from 0. It would itself take number
   `own`. */
struct policy_point {
	uint32_t ready, own;
};

/* What the policy knows in the running execution. All zero but `policy` at its start. */
struct policy_state {
	enum policy_number policy;
	uint32_t runs, choices;   /* in this phase: threads that ran; those that were chosen among several */
	struct fixed_order order; /* RULE_ONE_ORDER: what is decided of the order */
};

/* Returns the number of values among which the search chooses the next thread; 0 if there are more than a choice can
   have (sched/choice.h). */
unsigned policy_values(const struct policy_state *s, struct policy_point at);
/* Returns the number of the thread that is value `value` of the choice. */
unsigned policy_thread(struct policy_point at, unsigned value);
/* Returns the members whose turns come before that of member m in each pass, one bit each. Only some may be known
   yet. */
uint64_t policy_before(const struct policy_state *s, unsigned m);

/* The scheduler begins a new phase. */
void policy_phase(struct policy_state *s);

#define PHASE_MOST 300000u /* threads that run in one phase */
#define PHASE_LAST 16u     /* before a phase counts as endless, as many runs are PHASE_LONG */

enum phase_length {
	PHASE_SHORT,
	PHASE_LONG,    /* what runs now is worth a place in the report */
	PHASE_ENDLESS, /* the phase does not end */
};

/* A thread runs next; `choice`: it was chosen among several. An execution has at most `most_choices` choices. */
enum phase_length policy_runs(struct policy_state *s, bool choice, uint32_t most_choices);

#endif
