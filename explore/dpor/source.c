/*
 * Source-DPOR: every trace is explored, none twice, but executions may be redundant (sleep-set blocked).
 *
 * Paper: Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4), 2017, Algorithm 1.
 *   backtrack(E) = what sleeps at node i because it was explored, what is being explored, and node.wut
 *   I(v)         = items of v that no earlier item of v conflicts with
 *
 * Differences from the paper: a choice that already sleeps when node i is reached counts as explored (it was, from an earlier state). Races
 * are analysed once per execution, all of them: v includes what comes after e', because e' may conflict with it once it is reversed (a
 * failing compare-and-swap does not, a successful one does).
 */
#include "explore/trace/await_past.h"
#include "explore/trace/buffer.h"
#include "explore/dpor/dpor.h"
#include "explore/tree/wakeup.h"

/* Returns whether choice q is a first step of v. */
static bool initial(struct search *s, const struct event *q, const struct forward *f, bool deadly, struct sequence *v)
{
	uint32_t at;
	if (!weak_initial(s, q, f, deadly, v, USE_LEFT, &at) || at == NO_INDEX)
		return false;
	sequence_depends(v, q, f, at);
	return true;
}

void source_insert(struct search *s, uint32_t i, struct sequence *v)
{
	struct node *n = node_at(s, i);
	const struct sleeper *x = sleepers(s, i);
	s->trace.scratch[SCRATCH_PATH].n = 0;
	for (uint32_t k = 0; k < n->sleep_n; k++)
		if (initial(s, &x[k].ev, &x[k].forward, x[k].deadly, v))
			return;
	struct forward f;
	forward_of_node(s, i, &f);
	if (initial(s, &n->ev, &f, n->deadly, v))
		return;
	for (aref r = n->wut; r; r = wakeup_at(&s->core, r)->next) {
		struct event e = wakeup_event(&s->core, r);
		if (initial(s, &e, &wakeup_at(&s->core, r)->forward, false, v))
			return;
	}
	const struct event *first = sequence_event(s, v, 0);
	forward_in_sequence(s, v, 0, USE_LEFT, &f);
	wakeup_append(&s->core, &n->wut, first, &f);
	sequence_depends(v, first, &f, 0);
}

const struct strategy_ops source_ops = {
	.name = "source",
	.begin = dpor_begin,
	.pick = dpor_pick,
	.observe = dpor_observe,
	.look = awaits_look_back,
	.end = dpor_end,
	.again = dpor_again,
};
