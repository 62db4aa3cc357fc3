/*
 * Every interleaving, by depth-first search over the choices: the oracle for tests. Node i tries its choices in view order; `tried` is the
 * one being explored. No dependence, no reduction.
 */
#include "explore/dpor/exhaustive.h"

#include "explore/trace/account.h"
#include "explore/trace/distinct.h"
#include "explore/tree/estimate.h"
#include "explore/tree/prefix.h"
#include "explore/trace/vclock.h"

/* Goes back to the deepest node with a choice left, and advances it to that choice. Returns false when there is none. */
static bool advance(struct search *s)
{
	while (s->trace.nodes.n) {
		struct node *n = node_at(s, s->trace.nodes.n - 1);
		if (n->tried + 1 < n->choice_n) {
			n->tried++;
			return true;
		}
		prefix_truncate(s, s->trace.nodes.n - 1);
	}
	return false;
}

static bool exhaustive_begin(void *self)
{
	struct search *s = self;
	if (s->core.failed)
		return false;
	if (s->tree.started && !advance(s)) {
		s->core.stats.finished = 1;
		estimate_done(s);
		return false;
	}
	s->tree.started = 1;
	prefix_begin(s, s->trace.nodes.n ? s->trace.nodes.n - 1 : 0);
	return true;
}

static int exhaustive_pick(void *self, const struct sched_view *view)
{
	struct search *s = self;
	if (s->tree.pos < s->tree.prefix)
		return prefix_pick(s, view);
	if (s->core.failed)
		return s->core.stats.diverged ? PICK_DIVERGED : PICK_STOP;
	if (s->tree.pos < s->trace.nodes.n) {
		struct node *n = node_at(s, s->tree.pos);
		const struct event *c = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at + n->tried;
		return view_find(view, c->thread, c->alt);
	}
	return prefix_push(s, view, false) ? 0 : PICK_STOP;
}

void exhaustive_observe(void *self, const struct event *e)
{
	struct search *s = self;
	if (s->tree.pos < s->tree.prefix) {
		prefix_observe(s, e);
		return;
	}
	if (s->tree.pos >= s->trace.nodes.n) /* it was not picked: the process died */
		return;
	if (s->tree.pos < s->trace.analysed)
		clocks_truncate(s, s->tree.pos);
	node_at(s, s->tree.pos++)->ev = *e;
}

void exhaustive_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	while (s->tree.pos < trace->n && s->tree.pos < s->trace.nodes.n)
		exhaustive_observe(s, &trace->event[s->tree.pos]);
	account_execution(s, trace, verdict);
	s->core.stats.depth = s->trace.nodes.n;
	estimate_add(s);
	if (!verdict_is_whole(verdict) || s->core.failed)
		return;
	/* An event that was not picked (DEATH) has no node; it gets one until the hash is computed. */
	uint32_t nodes = s->trace.nodes.n;
	for (uint32_t i = nodes; i < trace->n; i++) {
		struct node *n = vec_push(&s->core, &s->trace.nodes, sizeof *n);
		if (!n)
			return;
		n->ev = trace->event[i];
	}
	if (clocks_extend(s, trace->n))
		distinct_count(s);
	clocks_truncate(s, nodes < s->trace.analysed ? nodes : s->trace.analysed);
	s->trace.nodes.n = nodes;
}

const struct strategy_ops exhaustive_ops = {
	.name = "exhaustive",
	.begin = exhaustive_begin,
	.pick = exhaustive_pick,
	.observe = exhaustive_observe,
	.end = exhaustive_end,
};
