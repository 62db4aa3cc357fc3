/*
 * The walk over TruSt's search tree: see trust.h and trust.md.
 *
 * An execution repeats the nodes that stay, then W and F of the latest revisit, and continues with plain steps to its end. `end` goes back
 * to the latest graph that allows another revisit. Only the first execution begins without a revisit.
 */
#include "explore/trust/trust.h"

#include <string.h>

#include "base/check.h"
#include "explore/trace/account.h"
#include "explore/trace/await_past.h"
#include "explore/tree/estimate.h"
#include "explore/trace/thread_events.h"
#include "explore/tree/next_thread.h"
#include "explore/tree/prefix.h"

/* ---- going back ---- */

static void truncate(struct search *s, uint32_t n)
{
	prefix_truncate(s, n);
	lines_truncate(&s->trace, n);
	s->trust.marks.n = s->trace.nodes.n;
	const struct mark *last = s->trust.marks.n ? mark_at(s, s->trust.marks.n - 1) : NULL;
	s->trust.others.n = last ? last->other_at + last->other_n : 0;
}

/* Appends n elements. */
static bool push_all(struct core *c, struct vec *to, const void *from, uint32_t n, uint32_t size)
{
	if (!vec_reserve(c, to, to->n + n, size))
		return false;
	memcpy((char *)vec_data(c, to) + (size_t)to->n * size, from, (size_t)n * size);
	to->n += n;
	return true;
}

/* Invalidates the cached results that depend on the path: what stays, and what is promised. */
static void forget_what_stays(struct trust_state *t)
{
	t->stays_known = t->open_known = 0;
}

/* Saves what revisit *r deletes, and deletes it. */
static bool make_revisit(struct search *s, struct revisit *r)
{
	uint32_t base = r->base, at = node_at(s, base)->choice_at;
	r->deleted = s->trace.nodes.n - base;
	r->choices = s->trace.choices.n - at;
	r->others = s->trust.others.n - mark_at(s, base)->other_at;
	struct revisit *x = vec_push(&s->core, &s->trust.revisits, sizeof *x);
	if (!x || !push_all(&s->core, &s->trust.saved, node_at(s, base), r->deleted, sizeof(struct node)) ||
		!push_all(&s->core, &s->trust.saved_marks, mark_at(s, base), r->deleted, sizeof(struct mark)) ||
		!push_all(&s->core, &s->trust.saved_choices, (struct event *)vec_data(&s->core, &s->trace.choices) + at, r->choices, sizeof(struct event)) ||
		!push_all(&s->core, &s->trust.saved_others, others_of(s, mark_at(s, base)), r->others, sizeof(struct event)))
		return false;
	*x = *r;
	promise_made(s);
	forget_what_stays(&s->trust);
	truncate(s, base);
	return true;
}

/* Moves the last n elements of *from to the end of *to. */
static bool take_back(struct core *c, struct vec *to, struct vec *from, uint32_t n, uint32_t size)
{
	from->n -= n;
	return push_all(c, to, (char *)vec_data(c, from) + (size_t)from->n * size, n, size);
}

/* Goes back to the graph from which the latest revisit was made, when everything below it is explored. */
static bool undo_revisit(struct search *s, struct cursor *c)
{
	struct revisit r = *revisit_at(s, s->trust.revisits.n - 1);
	truncate(s, r.base);
	s->trust.revisits.n--;
	forget_what_stays(&s->trust);
	*c = r.cursor;
	return take_back(&s->core, &s->trace.nodes, &s->trust.saved, r.deleted, sizeof(struct node)) &&
	       take_back(&s->core, &s->trust.marks, &s->trust.saved_marks, r.deleted, sizeof(struct mark)) &&
	       take_back(&s->core, &s->trace.choices, &s->trust.saved_choices, r.choices, sizeof(struct event)) &&
	       take_back(&s->core, &s->trust.others, &s->trust.saved_others, r.others, sizeof(struct event));
}

/* Takes back plain steps and revisits until there is another revisit to make, and makes it. Returns false when the search is over or has
   failed. */
static bool advance(struct search *s, const struct await_table *await)
{
	struct cursor c = {0};
	while (!s->core.failed && s->trace.nodes.n) {
		uint32_t floor = trust_floor(s);
		if (s->trace.nodes.n >= floor) {
			struct revisit r;
			if (!clocks_extend(s, s->trace.nodes.n) || !barrier_record(s))
				return false;
			if (revisit_next(s, &c, &r, await)) {
				r.cursor = c;
				return make_revisit(s, &r);
			}
			if (s->trace.nodes.n > floor) {
				truncate(s, s->trace.nodes.n - 1);
				c.a = 0;
				continue;
			}
		}
		if (!undo_revisit(s, &c))
			return false;
	}
	if (!s->core.failed) {
		s->core.stats.finished = 1;
		estimate_done(s);
	}
	return false;
}

void trust_again(struct search *s, uint32_t preemptions)
{
	INVARIANT(s->core.stats.finished && !s->trace.nodes.n && !s->trust.revisits.n, "a search begins again before its end");
	memset(&s->core.stats, 0, sizeof s->core.stats);
	s->core.config.preemptions = preemptions;
	forget_what_stays(&s->trust);
	s->tree.started = 0;
}

static bool trust_begin(void *self)
{
	struct search *s = self;
	if (s->core.failed || s->core.stats.finished)
		return false;
	s->tree.started = 1;
	prefix_begin(s, s->trace.nodes.n);
	return true;
}

/* What comes after the prefix follows from the revisits, so the repeated execution finds it again. */
static bool trust_retry(void *self)
{
	struct search *s = self;
	if (s->core.failed || s->tree.redundant)
		return false;
	truncate(s, s->tree.prefix);
	prefix_begin(s, s->tree.prefix);
	return true;
}

/* ---- one execution ---- */

static void note_names(const struct sched_view *view, const struct event *e, uint64_t name[2])
{
	for (unsigned k = 0; k < 2; k++)
		name[k] = e->obj[k] && view->object_name ? view->object_name(view->world, e->obj[k]) : e->obj[k];
}

/* Records the operation that the thread of the latest event announced after it. */
static void note_pending(struct search *s, const struct trace *trace, uint32_t i)
{
	if (i == 0) {
		s->trust.first_pending = trace->pending[0];
		s->trust.first_pending.thread = 0;
		return;
	}
	struct mark *m = mark_at(s, i - 1);
	thread_id t = node_at(s, i - 1)->ev.thread;
	m->pending = t < trace->threads ? trace->pending[t] : (struct event){0};
	m->pending.thread = t;
	m->pending.alt = ALT_NORMAL;
}

static const struct event *choices_of(struct search *s, uint32_t i)
{
	return (struct event *)vec_data(&s->core, &s->trace.choices) + node_at(s, i)->choice_at;
}

/* Records the other alternatives open after the latest event: choices of node i. */
static void note_others(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i), *before = node_at(s, i - 1);
	const struct event *c = choices_of(s, i);
	thread_id poked = before->ev.mode[0] == M_POKE ? event_poked(&before->ev) : NO_THREAD;
	for (uint32_t k = 0; n->alternatives && k < n->choice_n; k++) {
		if (c[k].alt == ALT_NORMAL || (c[k].thread != before->ev.thread && c[k].thread != poked))
			continue;
		struct event *other = vec_push(&s->core, &s->trust.others, sizeof *other);
		if (!other)
			return;
		*other = c[k];
		mark_at(s, i - 1)->other_n++;
	}
}

/* Appends the mark of the topmost node. Returns NULL when memory is used up. */
static struct mark *push_mark(struct search *s)
{
	struct mark *m = vec_push(&s->core, &s->trust.marks, sizeof *m);
	if (!m)
		return NULL;
	m->fresh = s->tree.pos;
	m->other_at = s->trust.others.n;
	return m;
}

/* Sets choosy and switches of the topmost node, whose event is one of thread t. */
static void note_switch(struct search *s, thread_id t)
{
	uint32_t i = s->trace.nodes.n - 1;
	struct mark *m = mark_at(s, i);
	m->choosy = choosy_before(s, i);
	m->switches = i ? mark_at(s, i - 1)->switches + (node_at(s, i - 1)->ev.thread != t) : 0;
}

static bool push_node(struct search *s, const struct sched_view *view)
{
	if (!prefix_push(s, view, true))
		return false;
	if (s->tree.pos > s->tree.prefix)
		note_others(s, s->tree.pos);
	return push_mark(s) && !s->core.failed;
}

/* Stops an execution which shows that its plan does not lead to a graph of its own. */
static int stop_redundant(struct search *s)
{
	s->tree.redundant = 1;
	return PICK_STOP;
}

bool alone(struct search *s, uint32_t i, thread_id t)
{
	const struct node *n = node_at(s, i);
	uint32_t count = 0;
	for (uint32_t k = 0; k < n->choice_n + n->blocked_n; k++)
		count += ((struct event *)vec_data(&s->core, &s->trace.choices))[n->choice_at + k].thread == t;
	return count < 2;
}

/* Picks choice k of the current state, whose node is the topmost one. */
static int choose_plain(struct search *s, const struct sched_view *view, int k)
{
	const struct event *e = choices_of(s, s->tree.pos) + k;
	note_names(view, e, mark_at(s, s->tree.pos)->name);
	note_switch(s, e->thread);
	if (!alone(s, s->tree.pos, e->thread))
		mark_at(s, s->tree.pos)->choosy = s->tree.pos + 1;
	s->tree.picked = view->choices[k];
	return k;
}

/* Repeats an event of W. */
static int pick_company(struct search *s, const struct sched_view *view, const struct planned *p)
{
	int k = view_find(view, p->ev.thread, p->ev.alt);
	if (k < 0) {
		prefix_diverged(s, p->ev.thread < view->trace->threads ? &view->trace->pending[p->ev.thread] : NULL);
		return PICK_DIVERGED;
	}
	choose_plain(s, view, k);
	const struct revisit *r = revisit_at(s, s->trust.revisits.n - 1);
	if (r->joint && p->ev.mode[0] == M_ARRIVE && p->ev.kind == r->a.kind)
		mark_at(s, s->tree.pos)->flagged = 1; /* it does not happen before F, but F needs it */
	const uint64_t *name = mark_at(s, s->tree.pos)->name;
	if (view->object_name && (name[0] != p->name[0] || name[1] != p->name[1]))
		s->core.stats.renamed = 1;
	return k;
}

/* Returns whether the events of F, as they are in this state, fulfil what the revisit assumed of them. All nodes have clocks. */
static bool verify_f(struct search *s, const struct revisit *r, const struct sched_view *view)
{
	uint32_t w = s->trace.slots.n;
	struct vec *v = &s->trust.scratch[SCRATCH_COVER], *one = &s->trust.scratch[SCRATCH_PASTS];
	if (!vec_reserve(&s->core, v, w, sizeof(uint32_t)) || !vec_reserve(&s->core, one, w, sizeof(uint32_t)))
		return false;
	uint32_t *all = vec_data(&s->core, v), *past = vec_data(&s->core, one);
	memset(all, 0, w * sizeof *all);
	for (uint32_t m = 0; m < r->f; m++) {
		struct planned *p = plan_at(s, r->w + m);
		int k = view_find(view, p->ev.thread, p->ev.alt);
		if (k < 0)
			return false;
		view->preview(view->world, view->choices[k], &p->ev);
		if (!r->deadly && !r->joint && !events_dependent(&p->ev, &r->a))
			return false;
		if (r->joint && (events_dependent(&p->ev, &r->a) && p->ev.thread != r->a.thread))
			return false;
		for (uint32_t i = 0; i < m; i++)
			if (events_dependent(&plan_at(s, r->w + i)->ev, &p->ev))
				return false;
		past_of_next(s, &p->ev, &(struct left){.from = s->tree.pos}, past, w);
		if (!promises_allow(s, &p->ev, past, w, &(struct left){.from = s->tree.pos}))
			return false;
		for (uint32_t i = 0; i < w; i++)
			all[i] = all[i] < past[i] ? past[i] : all[i];
	}
	for (uint32_t i = r->base; r->joint && i < s->tree.pos; i++) /* the other arrivals do not happen before F, but F needs them */
		if (node_at(s, i)->ev.mode[0] == M_ARRIVE && node_at(s, i)->ev.obj[0] == r->a.obj[0])
			clock_join(s, all, i);
	for (uint32_t i = r->base; i < s->tree.pos; i++)
		if (!clock_covers(s, all, w, i))
			return false;
	return true;
}

/* Executes an event of F. */
static int pick_f(struct search *s, const struct revisit *r, const struct sched_view *view)
{
	if (s->tree.pos == r->base + r->w && !r->by_death) {
		if (!clocks_extend(s, s->tree.pos) || !lines_extend(s) || !verify_f(s, r, view))
			return stop_redundant(s);
	}
	const struct planned *p = plan_at(s, s->tree.pos - r->base);
	int k = view_find(view, p->ev.thread, p->ev.alt);
	if (k < 0)
		return stop_redundant(s);
	struct mark *m = mark_at(s, s->tree.pos);
	m->flagged = 1;
	m->fresh = r->base + r->w;
	return choose_plain(s, view, k);
}

/* Returns whether the promises allow choice k to come next. */
static bool allowed(struct search *s, int k)
{
	if (!s->trust.revisits.n)
		return true;
	if (!clocks_extend(s, s->tree.pos) || !lines_extend(s))
		return false;
	return promises_allow(s, choices_of(s, s->tree.pos) + k, NULL, 0, &(struct left){.from = s->tree.pos});
}

/* Returns the choice of the event that gave way, right after the events it gave way to; -1 when it cannot come there. */
static int back_again(struct search *s, const struct sched_view *view)
{
	const struct revisit *r = s->trust.revisits.n ? revisit_at(s, s->trust.revisits.n - 1) : NULL;
	if (!r || s->tree.pos != r->base + r->w + r->f || r->a.alt != ALT_NORMAL || (event_kind_flags(r->a.kind) & (K_LOCAL | K_END)))
		return -1;
	int k = view_find(view, r->a.thread, r->a.alt);
	if (k >= 0 && r->joint)
		s->tree.redundant = choices_of(s, s->tree.pos)[k].mode[0] != M_LAST;
	return k >= 0 && allowed(s, k) ? k : -1;
}

/* Returns the first choice that the promises allow; any of them will do. -1: none. */
static int pick_allowed(struct search *s, const struct sched_view *view)
{
	struct vec *v = &s->trust.scratch[SCRATCH_OUT];
	int k;
	if (!vec_reserve(&s->core, v, view->n, 1))
		return -1;
	uint8_t *out = memset(vec_data(&s->core, v), 0, view->n);
	while ((k = order_pick_among(s, s->tree.pos, view, out)) >= 0 && !allowed(s, k))
		out[k] = 1;
	return k;
}

static int pick_plain(struct search *s, const struct sched_view *view)
{
	int k = back_again(s, view);
	if (s->tree.redundant)
		return PICK_STOP;
	if (k < 0)
		k = pick_allowed(s, view);
	return k < 0 ? stop_redundant(s) : choose_plain(s, view, k);
}

static int trust_pick(void *self, const struct sched_view *view)
{
	struct search *s = self;
	if (s->tree.pos < s->tree.prefix)
		return prefix_pick(s, view);
	if (s->core.failed)
		return s->core.stats.diverged ? PICK_DIVERGED : PICK_STOP;
	if (s->tree.pos > s->tree.prefix || s->tree.pos == 0)
		note_pending(s, view->trace, s->tree.pos);
	if (s->tree.pos == s->trace.nodes.n && !push_node(s, view))
		return PICK_STOP;
	const struct revisit *r = s->trust.revisits.n ? revisit_at(s, s->trust.revisits.n - 1) : NULL;
	if (r && s->tree.pos < r->base + r->w)
		return pick_company(s, view, plan_at(s, s->tree.pos - r->base));
	if (r && s->tree.pos < r->base + r->w + r->f)
		return pick_f(s, r, view);
	return pick_plain(s, view);
}

static void trust_observe(void *self, const struct event *e)
{
	struct search *s = self;
	s->trust.misses |= e->kind == EV_SIGNAL_SEND || e->kind == EV_FUTEX_REQUEUE || (event_kind_flags(e->kind) & K_ALL);
	if (!order_note(s, e->thread, s->tree.pos))
		return;
	if (s->tree.pos < s->tree.prefix)
		prefix_observe(s, e);
	else if (s->tree.pos < s->trace.nodes.n)
		node_at(s, s->tree.pos++)->ev = *e;
}

/* Adds an event that was not picked: the process died. */
static bool push_death(struct search *s, const struct event *e)
{
	struct node *n = vec_push(&s->core, &s->trace.nodes, sizeof *n);
	if (!n || !push_mark(s))
		return false;
	n->ev = *e;
	n->choice_at = s->trace.choices.n;
	n->sleep_at = s->tree.sleeps.n;
	n->tree_root = NO_INDEX;
	note_switch(s, e->thread);
	if (s->tree.pos > 0) {
		node_at(s, s->tree.pos - 1)->deadly = 1;
		mark_at(s, s->tree.pos - 1)->pending.kind = EV_NONE;
	}
	s->tree.pos++;
	return true;
}

/* Adds the events of the trace that `observe` did not report, because the process died in between. */
static bool catch_up(struct search *s, const struct trace *trace)
{
	while (s->tree.pos < trace->n && !s->core.failed) {
		const struct event *e = &trace->event[s->tree.pos];
		bool picked = s->tree.pos < s->tree.prefix || (s->tree.pos < s->trace.nodes.n && e->thread == s->tree.picked.thread && e->kind != EV_DEATH);
		if (picked) {
			trust_observe(s, e);
			continue;
		}
		truncate(s, s->tree.pos); /* picked, but the process died before it was performed */
		if (!push_death(s, e))
			return false;
	}
	return s->tree.pos >= s->tree.prefix;
}

static void trust_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	bool whole = catch_up(s, trace);
	if (!whole && !s->core.failed)
		prefix_ended_early(s);
	if (!s->core.failed) {
		truncate(s, s->tree.pos);
		if (s->tree.pos > s->tree.prefix && node_at(s, s->tree.pos - 1)->choice_n && !(s->tree.redundant && s->tree.pos < trust_floor(s)))
			note_pending(s, trace, s->tree.pos);
		if (!s->tree.redundant && verdict != RUN_CUT && s->trust.revisits.n && clocks_extend(s, s->tree.pos) && lines_extend(s) &&
			!promises_kept(s, &(struct left){.from = s->tree.pos}))
			s->tree.redundant = 1;
	}
	account_execution(s, trace, s->core.failed && !whole ? RUN_CUT : verdict);
	s->core.stats.depth = s->trace.nodes.n;
	s->core.stats.distinct_traces = s->core.stats.executions;
	if (!s->core.failed && !s->tree.redundant && verdict_is_whole(verdict))
		bound_count(s, trace->await, verdict);
	if (!s->core.failed)
		advance(s, trace->await); /* the next revisit is searched here because the await table is available */
}

const struct strategy_ops trust_ops = {
	.name = "trust",
	.begin = trust_begin,
	.pick = trust_pick,
	.observe = trust_observe,
	.look = awaits_look_back,
	.end = trust_end,
	.again = trust_retry,
};
