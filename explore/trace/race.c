/*
 * Races and their reversal.
 *
 * Paper: Abdulla, Aronis, Jonsson, Sagonas, "Source sets: a foundation for optimal dynamic partial order reduction" (JACM 64(4), 2017),
 * Algorithm 2 lines 3 to 8. Here: E = the nodes, e = node d, e' = event j or a pending operation, pre(E, e) = the state of node d,
 * notdep(e, E) = the events after d that do not happen after it.
 *
 * Differences from the paper:
 *  - e' may be blocked in pre(E, e).notdep(e, E): feasible() replays the objects. An infeasible
 *    reversal does not hide earlier ones (an unlock does not hide the lock before it).
 *  - Operations pending at the end take part as if they came next.
 *  - The other alternatives of an executed operation conflict with it: they are reversed like a race.
 *  - A late timeout (sched/patience.h) is never on either side of a race, because no other choice was enabled where it happened.
 *    Instead the operation that it ended takes part, as if it had come there. A late exit (sched/late_exit.h), which ends no
 *    operation, takes no part either.
 *  - A write lock may need several readers out of the way at once: several events are cut out.
 */
#include "explore/trace/race.h"

#include <string.h>

#include "base/check.h"
#include "explore/trace/barrier.h"
#include "explore/dpor/bpor.h"
#include "explore/trace/buffer.h"
#include "explore/dpor/dpor.h"
#include "explore/trace/feasible.h"
#include "explore/trace/unit.h"
#include "explore/trace/vclock.h"
#include "explore/trace/waiting_outcome.h"

/* The event whose races are searched. */
struct suspect {
	struct event ev;
	uint32_t at;  /* its index; NO_INDEX: pending */
	bool blocked; /* see struct cut */
	const struct await_table *await; /* see struct cut */
	uint32_t *settled; /* node.settled of it, as far as is known; each race raises it. NULL: not wanted */
};

static bool is_bpor(const struct search *s)
{
	return s->core.config.strategy == STRATEGY_BPOR;
}

static bool mode_within(unsigned m, unsigned of)
{
	return m == of || m == M_NONE || (m == M_READ && (of == M_WRITE || of == M_ACQ || of == M_REL));
}

static bool is_numbered(unsigned mode)
{
	return mode == M_SEND || mode == M_LAST || mode == M_PASS || mode == M_MEET || mode == M_POKE;
}

/* Returns whether everything that `e`, the reversed event, is dependent with is also dependent with the event as it is in the trace. See
   struct verdict. */
static bool stays_within(const struct event *e, const struct event *was)
{
	if (e->kind != was->kind || e->alt != was->alt || e->span != was->span || e->obj[0] != was->obj[0] ||
		e->obj[1] != was->obj[1])
		return false;
	if (!mode_within(e->mode[0], was->mode[0]) || !mode_within(e->mode[1], was->mode[1]))
		return false;
	if (is_numbered(e->mode[0]) && e->seq != was->seq)
		return false;
	if (e->mode[0] == M_RECV && event_token(e) > event_token(was)) /* an earlier token was already there */
		return false;
	if (e->kind == EV_FUTEX_WAKE && e->result && !was->result)
		return false;
	return !event_forwarded(was); /* at the end its own stores may be in memory */
}

/* Returns whether a part of an execution determines the event's races and their reversals. It does not when later events of other
   threads matter: arrivals at a barrier, and spin loops, about which more may be known later. Units (unit.h) are compared as a whole. */
static bool can_settle(const struct search *s, const struct event *e)
{
	bool barrier = barrier_arrives(e) || e->mode[0] == M_LAST || e->mode[0] == M_PASS;
	return !barrier && !is_waiting(e) && !search_atomic(s) && !event_late(e);
}

static void raise_settled(const struct suspect *x, uint32_t until)
{
	if (x->settled && until > *x->settled)
		*x->settled = until;
}

/* Plans the reversal: from the state of the first root, everything that is left, then the suspect. What is left of the events after the
   suspect in the trace is added only when it is needed. */
static void reverse(struct search *s, const struct suspect *x, const struct cut *c)
{
	if (is_bpor(s)) { /* bpor_plan plans when all predecessors are known */
		s->core.stats.races++;
		return;
	}
	struct event last = x->ev;
	outcome(s, &last, c);
	if (search_atomic(s)) {
		s->core.stats.races++;
		unit_plan(s, c, &last);
		return;
	}
	uint32_t start = cut_start(c);
	struct vec *at = &s->trace.scratch[SCRATCH_SEQUENCE], *state = &s->trace.scratch[SCRATCH_STATE];
	uint32_t most = s->trace.analysed - start;
	if (!vec_reserve(&s->core, at, most, sizeof(uint32_t)) || !vec_reserve(&s->core, state, most + 1, sizeof(uint32_t)))
		return;
	struct sequence v = {.start = start, .at = vec_data(&s->core, at), .last = &last, .last_at = x->at,
		.state = vec_data(&s->core, state)};
	v.state[0] = ITEM_LEFT;
	v.verdict.last_stays = stays_within(&last, &x->ev);
	if (x->at != NO_INDEX && v.verdict.last_stays && can_settle(s, &x->ev))
		v.rest = c;
	sequence_add(s, &v, c, start, v.rest ? x->at : s->trace.analysed);
	s->core.stats.races++;
	dpor_insert(s, start, &v);
	raise_settled(x, v.verdict.until);
}

/* Returns whether the cut leaves the program-order past of the suspect, and the events with forced edges to it. */
static bool past_left(struct search *s, const struct suspect *x, const struct cut *c)
{
	uint32_t before = x->at == NO_INDEX ? thread_last(s, x->ev.thread) : node_at(s, x->at)->thread_prev, d;
	struct forced f;
	for (forced_start(s, &f, &x->ev, x->at); forced_next(s, &f, &d);)
		if (cut_removes(s, c, d))
			return false;
	return !f.pending && (before == 0 || !cut_removes(s, c, before - 1));
}

/* What must be taken out so that the suspect comes before event d. The process exits when all buffers are empty, so an EXIT needs the
   STORE of an UPDATE taken out, too. */
static uint32_t root_of(struct search *s, const struct suspect *x, uint32_t d)
{
	bool store_too = x->ev.kind == EV_EXIT && node_at(s, d)->ev.kind == EV_UPDATE;
	return store_too ? buffer_store_of(s, d) : d;
}

/* Tries to reverse the suspect with the roots of c, and takes out more where readers block a writer. Returns false when earlier events
   must be considered too, because the reversal was impossible or is not certain. */
static bool try_reverse(struct search *s, const struct suspect *x, struct cut *c, bool latest)
{
	uint32_t blocker;
	bool sure, units = search_atomic(s);
	if (units && s->trace.interrupted) {
		unit_plan_all(s, cut_start(c));
		return false;
	}
	if (units && !unit_cut(s, c))
		return false;
	while (!feasible(s, &x->ev, c, latest, &blocker, &sure)) {
		bool felt = units && x->at != NO_INDEX && unit_is_felt(s, unit_first(s, x->at), x->at);
		if (felt && !node_at(s, c->from)->closed)
			unit_plan(s, c, &x->ev); /* the region up to the blocked lock */
		if (blocker == NO_INDEX || !cut_add(c, blocker) || (units && !unit_cut(s, c)) || !past_left(s, x, c))
			return false;
	}
	if (node_at(s, cut_start(c))->closed && x->ev.kind != EV_CHOOSE)
		return false; /* no other thread had a choice there */
	reverse(s, x, c);
	return sure;
}

/* Returns whether event d is in the fixed part before the first region to explore. Then everything before it is, too, and nothing can be
   reversed there. */
static bool is_fixed(struct search *s, uint32_t d)
{
	uint32_t at = s->trace.last_all;
	while (at > d || (at && event_drains_all(&node_at(s, at - 1)->ev)))
		at = node_at(s, at - 1)->poke_prev;
	return node_at(s, d)->closed && !at;
}

/* Finds all races (d, x), latest d first. acc is the clock of what happens before x by program order and by the races found so far. A d
   that it covers is no immediate conflict. */
static void races_of(struct search *s, const struct suspect *x, struct preds *p, uint32_t before)
{
	struct vec *acc = &s->trace.scratch[SCRATCH_CLOCK];
	uint32_t w = s->trace.slots.n, d;
	if (!vec_reserve(&s->core, acc, w, sizeof(uint32_t)))
		return;
	uint32_t *c = vec_data(&s->core, acc);
	memset(c, 0, w * sizeof *c);
	if (before)
		clock_join(s, c, before - 1);
	struct forced f;
	for (forced_start(s, &f, &x->ev, x->at); forced_next(s, &f, &d);)
		clock_join(s, c, d);
	if (f.pending)
		return; /* the execution was cut off before it could be performed */
	p->past = c;
	p->past_w = w;
	for (bool latest = true; !s->core.failed && preds_next(s, p, &d) && !is_fixed(s, d); latest = false) {
		bool covered = clock_covers(s, c, w, d);
		if (!covered && !event_late(&node_at(s, d)->ev)) {
			struct cut cut = {.root = {root_of(s, x, d)}, .n = 1, .self = x->at, .blocked = x->blocked, .await = x->await};
			covered = try_reverse(s, x, &cut, latest);
			for (uint32_t k = 0; k < cut.n && is_bpor(s); k++)
				bpor_note(s, cut.root[k]);
			if (covered)
				clock_join(s, c, d);
		}
		if (covered)
			preds_cut(s, p, d);
	}
	if (is_bpor(s))
		bpor_plan(s, &x->ev, c, w);
}

/* The suspect at node j: its event, or for a late timeout the blocked operation that it ended. */
static struct event suspected(struct search *s, uint32_t j)
{
	const struct node *n = node_at(s, j);
	if (!event_late(&n->ev))
		return n->ev;
	INVARIANT(n->choice_n == 1 && n->blocked_n == 1, "a late timeout among other choices");
	return ((struct event *)vec_data(&s->core, &s->trace.choices))[n->choice_at + n->choice_n];
}

static void races_of_node(struct search *s, const struct trace *trace, uint32_t j)
{
	struct suspect x = {.ev = suspected(s, j), .at = j, .await = trace->await};
	struct node *n = node_at(s, j);
	uint32_t settled = can_settle(s, &n->ev) ? j + 1 : NO_INDEX;
	x.settled = &settled;
	struct preds p;
	preds_of_node(s, &p, &x.ev, j);
	uint32_t before = n->thread_prev;
	if (j > 0 && node_at(s, j - 1)->deadly)
		before = j; /* death comes right after the event before it */
	races_of(s, &x, &p, before);
	node_at(s, j)->settled = settled;
}

/* Returns whether the execution ended outside of the regions to explore. Then a thread that did nothing more there may never have had a
   choice. */
static bool ended_closed(struct search *s)
{
	uint32_t n = s->trace.analysed;
	if (n > 1 && node_at(s, n - 1)->choice_n == 0)
		n--; /* a death that was not picked */
	return n && node_at(s, n - 1)->closed;
}

/* Operations that were still blocked at the end take part as if they came next. */
static void races_of_blocked(struct search *s, const struct trace *trace)
{
	bool closed = ended_closed(s);
	for (uint32_t t = 0; t < trace->threads && !s->core.failed; t++) {
		bool blocked = !(trace->alts[t] & (1u << ALT_NORMAL));
		/* with bpor, the bound may have stopped other threads */
		if (trace->pending[t].kind == EV_NONE || event_exits_late(&trace->pending[t]) || (!blocked && !closed && !is_bpor(s)))
			continue;
		struct suspect x = {.ev = trace->pending[t], .at = NO_INDEX, .blocked = blocked, .await = trace->await};
		x.ev.thread = (thread_id)t;
		x.ev.alt = ALT_NORMAL;
		struct preds p;
		preds_of_next(s, &p, &x.ev);
		races_of(s, &x, &p, thread_last(s, (thread_id)t));
	}
}

/* Reverses an event with another alternative of its operation, executed at node i. When the alternative is blocked at the end of what is
   left, some event after i took what it needs. Then that event is taken out too. */
static void reverse_alternative(struct search *s, const struct trace *trace, uint32_t i, const struct event *other)
{
	struct suspect x = {.ev = *other, .at = NO_INDEX, .await = trace->await};
	struct cut c = {.root = {i}, .n = 1, .self = NO_INDEX, .await = trace->await};
	if (try_reverse(s, &x, &c, false))
		return;
	struct preds p;
	uint32_t d;
	preds_of_next(s, &p, &x.ev);
	p.own_past = false;
	while (!s->core.failed && preds_next(s, &p, &d) && d > i) {
		struct cut two = {.root = {i, d}, .n = 2, .self = NO_INDEX, .await = trace->await};
		if (!happens_before(s, i, d))
			try_reverse(s, &x, &two, false);
	}
}

/* Another value (CHOOSE) is independent of everything in the sequence. It was planned once, when the node was made, so it is planned or
   asleep. */
static void alternatives_of_node(struct search *s, const struct trace *trace, uint32_t i)
{
	const struct node *n = node_at(s, i);
	for (uint32_t k = 0; k < n->choice_n + n->blocked_n; k++) {
		const struct event *c = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at + k;
		bool value = c->kind == EV_CHOOSE && n->ev.kind == EV_CHOOSE;
		if (c->thread != n->ev.thread || c->alt == n->ev.alt || (value && i < s->tree.prefix))
			continue;
		if (search_atomic(s) && k < n->choice_n)
			unit_plan_choice(s, i, c);
		else if (!n->atomic)
			reverse_alternative(s, trace, i, c);
		n = node_at(s, i);
	}
}

/* An event that ends the execution, or a region to explore, conflicts with everything that could have come instead. `i` is the node
   where it was chosen. */
static void races_with_end(struct search *s, uint32_t i)
{
	i = unit_first(s, i);
	const struct node *n = node_at(s, i);
	struct cut c = {.root = {i}, .n = 1, .self = NO_INDEX};
	if (is_bpor(s)) {
		bpor_plan_open(s, i);
		return;
	}
	for (uint32_t k = 0; k < n->choice_n && !s->core.failed; k++) {
		const struct event *e = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at + k;
		if (e->thread == n->ev.thread)
			continue;
		if (search_atomic(s)) {
			unit_plan_choice(s, i, e);
			continue;
		}
		uint32_t state[1] = {ITEM_LEFT};
		struct sequence v = {.start = i, .last = e, .last_at = NO_INDEX, .state = state};
		s->core.stats.races++;
		dpor_insert(s, cut_start(&c), &v);
	}
}

/*
 * An operation that was blocked at a late timeout, and was cancelled or interrupted later, is in no race: the event that replaced it comes
 * after the timeout. So that it also happens in another order, every choice is planned in the states before the timeout.
 */
static void plan_before_late(struct search *s, uint32_t j)
{
	const struct node *n = node_at(s, j);
	uint32_t at = s->trace.last_all;
	if (n->ev.alt != ALT_CANCEL && n->ev.alt != ALT_SIGNAL && n->ev.alt != ALT_BEFORE)
		return;
	while (at && (at > j || !event_late(&node_at(s, at - 1)->ev)))
		at = node_at(s, at - 1)->poke_prev;
	for (uint32_t i = 0; at && n->thread_prev < at && i + 1 < at && !s->core.failed; i++) {
		if (search_atomic(s))
			unit_plan_all(s, i);
		else
			dpor_plan_all(s, i);
	}
}

/* Looks at the nodes whose races are not settled, and drops those from the list that are settled then, whatever the prefix of later executions. */
static void races_of_unsettled(struct search *s, const struct trace *trace)
{
	uint32_t left = 0;
	for (uint32_t k = 0; k < s->trace.unsettled.n; k++) {
		uint32_t j = ((uint32_t *)vec_data(&s->core, &s->trace.unsettled))[k];
		if (!s->core.failed && node_at(s, j)->settled > s->tree.prefix && !event_exits_late(&node_at(s, j)->ev))
			races_of_node(s, trace, j);
		if (node_at(s, j)->settled > j + 1)
			((uint32_t *)vec_data(&s->core, &s->trace.unsettled))[left++] = j;
	}
	s->trace.unsettled.n = left;
}

void races_analyse(struct search *s, const struct trace *trace)
{
	uint32_t n = s->trace.analysed;
	for (uint32_t j = 0; s->trace.last_all && j < n && !s->core.failed; j++)
		plan_before_late(s, j);
	races_of_unsettled(s, trace);
	for (uint32_t at = s->trace.last_all; at && !s->core.failed; at = node_at(s, at - 1)->poke_prev)
		if (node_at(s, at - 1)->ev.kind == EV_EXPLORE_END)
			races_with_end(s, at - 1);
	for (uint32_t k = 0; k < s->trace.branching.n && !s->core.failed; k++) {
		uint32_t i = ((uint32_t *)vec_data(&s->core, &s->trace.branching))[k];
		if (event_late(&node_at(s, i)->ev))
			continue;
		if (is_bpor(s) && node_at(s, i)->ev.alt != ALT_NORMAL)
			bpor_plan_open(s, i);
		else if (!is_bpor(s))
			alternatives_of_node(s, trace, i);
	}
	races_of_blocked(s, trace);
	if (n && (event_kind_flags(node_at(s, n - 1)->ev.kind) & K_END) && !event_exits_late(&node_at(s, n - 1)->ev)) {
		bool unpicked = node_at(s, n - 1)->choice_n == 0;
		if (!unpicked)
			races_with_end(s, n - 1);
		else if (n > 1)
			races_with_end(s, n - 2);
	}
}
