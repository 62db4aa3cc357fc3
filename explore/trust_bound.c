/*
 * Preemption bounding over TruSt.
 *
 * What F of a revisit brings about is never deleted below it, nor is what happens before. So each execution below contains
 * this part of the graph as a prefix, and needs at least as many preemptions (TACAS 2023, lemma 1). When those are too many nothing below is
 * within the bound: it is left out. Nothing else is, so the search is complete up to the bound. trust.md compares it with the paper's slack.
 */
#include "explore/preempt.h"
#include "explore/trust.h"

#include <string.h>

#include "explore/vclock.h"

static bool push(struct search *s, const struct event *e, const struct node *choices)
{
	struct node *n = vec_push(s, &s->nodes, sizeof *n);
	if (!n)
		return false;
	n->ev = *e;
	if (choices) {
		n->choice_at = choices->choice_at;
		n->choice_n = choices->choice_n;
		n->deadly = choices->deadly;
	}
	return true;
}

/* W and F as nodes for the time being; W's choices still lie where they were. */
static bool push_plan(struct search *s, const struct revisit *r)
{
	for (uint32_t k = 0; k < r->w + r->f; k++) {
		const struct planned *p = plan_at(s, k);
		uint32_t at = s->saved.n - r->deleted + (p->at - r->base);
		const struct node *was = k < r->w ? (struct node *)vec_data(s, &s->saved) + at : NULL;
		if (!push(s, &p->ev, was))
			return false;
	}
	return clocks_extend(s, s->nodes.n);
}

static bool flagged(struct search *s, const struct revisit *r, uint32_t i)
{
	if (i < r->base)
		return mark_at(s, i)->flagged;
	uint32_t k = i - r->base;
	if (k >= r->w)
		return true;
	uint32_t at = s->saved_marks.n - r->deleted + (plan_at(s, k)->at - r->base);
	return ((struct mark *)vec_data(s, &s->saved_marks))[at].flagged;
}

bool bound_exceeded(struct search *s, const struct revisit *r, const struct await_table *await)
{
	struct vec *v = &s->scratch[SCRATCH_COVER];
	bool exceeded = false;
	if (r->doubtful)
		return false;
	if (push_plan(s, r) && vec_reserve(s, v, s->slots.n, sizeof(uint32_t))) {
		uint32_t w = s->slots.n, *upto = vec_data(s, v);
		memset(upto, 0, w * sizeof *upto);
		for (uint32_t i = 0; i < s->nodes.n; i++)
			if (flagged(s, r, i))
				clock_join(s, upto, i);
		exceeded = preempt_within(s, upto, w, s->config.preemptions, await) == PREEMPT_NO;
	}
	clocks_truncate(s, r->base);
	s->nodes.n = r->base;
	return exceeded;
}

void bound_count(struct search *s, const struct await_table *await, enum run_verdict verdict)
{
	if (!s->config.bounded || s->config.uncounted) {
		s->stats.within_bound = s->stats.executions;
		return;
	}
	enum preempt_answer a = preempt_whole(s, s->config.preemptions, await);
	s->stats.within_bound += a == PREEMPT_YES;
	s->stats.failed_within += a == PREEMPT_YES && (verdict == RUN_FAILED || verdict == RUN_DEADLOCK);
	s->stats.bound_unknown += a == PREEMPT_UNKNOWN;
}
