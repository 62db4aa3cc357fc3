/* The spine of a search: see spine.h. */
#include "explore/dpor/spine.h"

#include "base/session.h"
#include "explore/explore.h"
#include "explore/shared/work_sharing_internal.h"
#include "explore/tree/prefix.h"
#include "explore/trace/vclock.h"
#include "explore/tree/wakeup.h"

static bool spine_wanted(const struct search *s)
{
	return s->core.config.certify != CERTIFY_NOT;
}

static struct event *spine_at(struct search *s, uint32_t i)
{
	return (struct event *)vec_data(&s->core, &s->spine.events) + i;
}

bool spine_keep(struct search *s, const struct event *event, uint32_t n)
{
	s->spine.events.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct event *e = vec_push(&s->core, &s->spine.events, sizeof *e);
		if (!e)
			return false;
		*e = event[i];
	}
	return true;
}

/* Keeps the events of the execution that has just ended. */
static bool spine_keep_own(struct search *s)
{
	s->spine.events.n = 0;
	for (uint32_t i = 0; i < s->tree.pos; i++) {
		struct event *e = vec_push(&s->core, &s->spine.events, sizeof *e);
		if (!e)
			return false;
		*e = node_at(s, i)->ev;
	}
	return true;
}

/* ---- the first execution follows the spine ---- */

#define MOST_EXTRA 64 /* extra events in a row; a spin loop whose iterations are not in the schedule must not run for ever */

bool explore_guide(void *memory, const struct forced_step *step, uint32_t n)
{
	struct search *s = memory;
	for (uint32_t i = 0; i < n; i++) {
		struct event *e = vec_push(&s->core, &s->spine.events, sizeof *e);
		if (!e)
			return false;
		*e = (struct event){ .thread = step[i].thread, .alt = step[i].alt, .kind = step[i].kind,
			.obj = { step[i].obj[0], step[i].obj[1] }, .span = step[i].span };
	}
	s->spine.given = 1;
	s->spine.state = SPINE_GUIDE;
	return true;
}

/* Returns whether the event, or the pending operation, is that step. Objects other than memory may be numbered differently. */
static bool is_step(const struct event *step, const struct event *e)
{
	return step->kind == e->kind &&
	       (!object_is_memory(e->obj[0]) || (step->obj[0] == e->obj[0] && step->obj[1] == e->obj[1] && step->span == e->span));
}

/* Returns whether the thread's pending operation is an access to memory that the schedule does not have: the schedule was made when fewer
   bytes were visible, or the access was a round of a loop that waits. */
static bool is_extra(struct search *s, const struct sched_view *view, thread_id t)
{
	const struct event *p = &view->trace->pending[t];
	if (p->kind != EV_GIVE_WAY && !object_is_memory(p->obj[0]))
		return false;
	for (uint32_t i = s->spine.pos; i < s->spine.events.n; i++)
		if (spine_at(s, i)->thread == t)
			return !is_step(spine_at(s, i), p);
	return true;
}

/* Returns a choice that performs an extra access at once, as its thread did when the access was no event; -1: there is none. */
static int pick_extra(struct search *s, const struct sched_view *view)
{
	if (!s->spine.given || s->spine.extra >= MOST_EXTRA)
		return -1;
	for (unsigned k = 0; k < view->n; k++) {
		const struct choice *c = &view->choices[k];
		if ((is_agent(c->thread) || c->thread == view->current) && c->alt == ALT_NORMAL && is_extra(s, view, c->thread))
			return (int)k;
	}
	return -1;
}

int spine_pick(struct search *s, const struct sched_view *view)
{
	if (s->spine.state != SPINE_GUIDE || s->spine.pos >= s->spine.events.n)
		return -1;
	const struct event *e = spine_at(s, s->spine.pos);
	int extra = pick_extra(s, view);
	if (extra >= 0)
		return extra;
	for (unsigned k = 0; k < view->n; k++)
		if (view->choices[k].thread == e->thread && view->choices[k].alt == e->alt)
			return (int)k;
	for (unsigned k = 0; k < view->n && s->spine.given; k++)
		if (view->choices[k].thread == e->thread && view->choices[k].alt == ALT_NORMAL && is_extra(s, view, e->thread))
			return (int)k;
	if (s->spine.given)
		s->spine.state = SPINE_LOST;
	return -1;
}

void spine_observe(struct search *s, const struct event *e)
{
	if (s->spine.state != SPINE_GUIDE || s->spine.pos >= s->spine.events.n)
		return;
	const struct event *step = spine_at(s, s->spine.pos);
	if (step->thread == e->thread && step->alt == e->alt && is_step(step, e)) {
		s->spine.pos++;
		s->spine.extra = 0;
	} else if (s->spine.given && (e->kind == EV_GIVE_WAY || object_is_memory(e->obj[0]))) {
		s->spine.extra++;
	} else if (s->spine.given) {
		s->spine.state = SPINE_LOST;
	}
}

/* ---- how much is finished ---- */

/* What makes the search cover less than everything. */
static uint32_t weakness(const struct search *s, enum run_verdict verdict)
{
	uint32_t why = 0;
	if (verdict == RUN_FAILED || verdict == RUN_DEADLOCK)
		why |= SPINE_FAILED;
	if (verdict == RUN_CUT && !s->tree.redundant)
		why |= SPINE_CUT;
	if (verdict == RUN_ASSUMED)
		why |= SPINE_ASSUMED;
	if (s->core.stats.renamed)
		why |= SPINE_RENAMED;
	if (s->core.stats.diverged || s->core.failed)
		why |= SPINE_BROKEN;
	if (s->core.config.regions)
		why |= SPINE_REGIONS;
	return why;
}

/* Handles the end of an execution before the spine is known: it may become the spine. */
static void spine_begin(struct search *s, enum run_verdict verdict)
{
	bool first = s->core.stats.executions + s->core.stats.blocked + s->core.stats.cut + s->core.stats.assumed == 1;
	if (s->spine.given && (verdict != RUN_OK || s->spine.pos < s->spine.events.n))
		s->spine.state = SPINE_LOST;
	if (verdict != RUN_OK || s->tree.redundant || s->core.failed || s->spine.state == SPINE_LOST)
		return;
	if (!first && s->spine.state == SPINE_GUIDE)
		return; /* the schedule that had passed failed: the search continues and certifies nothing */
	if (!spine_keep_own(s))
		return;
	s->spine.state = first ? SPINE_KNOWN : SPINE_RESTART;
	s->spine.certified = s->spine.events.n;
}

/* Returns n such that every execution that begins with the first n events of the running one was explored; 0: everything was. */
static uint32_t finished_below(struct search *s)
{
	uint32_t i = s->trace.nodes.n;
	while (i > 0 && !node_at(s, i - 1)->wut)
		i--;
	return i;
}

/* Returns whether the thread of the event performed at node i had no other choice there. */
static bool only_choice(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i);
	const struct event *c = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at;
	for (uint32_t k = 0; k < n->choice_n + n->blocked_n; k++)
		if (c[k].thread == n->ev.thread && c[k].alt != n->ev.alt)
			return false;
	return n->ev.alt == ALT_NORMAL && !n->deadly && !is_agent(n->ev.thread);
}

static bool is_local(const struct event *e)
{
	return event_kind_flags(e->kind) & K_LOCAL;
}

/* Nothing is left below node i: records the event performed there if it is a sibling of the last certified event. Between the two may be
   events that no other thread can observe: they commute with everything. */
static void add_sibling(struct search *s, uint32_t i)
{
	const struct event *e = &node_at(s, i)->ev, *own = spine_at(s, s->spine.certified - 1);
	bool known = e->thread == own->thread || is_local(e) || !only_choice(s, i);
	for (uint32_t k = s->spine.certified - 1; k < i && !known; k++)
		known = !is_local(&node_at(s, k)->ev);
	for (uint32_t k = 0; k < s->spine.siblings && !known; k++)
		known = s->spine.sibling[k].thread == e->thread;
	if (!known && s->spine.siblings < SPINE_SIBLINGS)
		s->spine.sibling[s->spine.siblings++] = *e;
}

/* Every execution that begins with the first `left` events of the running one was explored. */
static void advance(struct search *s, uint32_t left)
{
	if (left < s->spine.certified) {
		s->spine.siblings = 0;
		s->spine.certified = left;
	}
	if (s->spine.certified)
		add_sibling(s, left - 1);
}

/* ---- several workers ---- */

void spine_share(struct search *s)
{
	struct common_spine *common = &common_of(s)->spine;
	s->spine.keeper = s->spine.state == SPINE_KNOWN;
	*common = (struct common_spine){ .certified = NO_INDEX, .least = s->spine.frozen ? s->spine.certified : 0, .frozen = s->spine.frozen };
}

/* The execution may have failed: what begins with the events that it shares with the spine, and then the next one of the spine, does
   not begin as it does. */
static void freeze_shared(struct search *s, uint32_t why)
{
	uint32_t least = s->spine.keeper ? s->spine.certified : share_on_spine(s) + 1;
	share_lock(s);
	struct common_spine *common = &common_of(s)->spine;
	common->frozen |= why;
	if (least > common->least)
		common->least = least;
	share_unlock(s);
}

/* The keeper knows what is left below its leaf. What is left above it, the shared tree knows (share_less_left). */
static void spine_end_shared(struct search *s, enum run_verdict verdict)
{
	uint32_t why = weakness(s, verdict);
	if (why)
		freeze_shared(s, why);
	if (!s->spine.keeper || (s->spine.frozen |= why))
		return;
	uint32_t left = finished_below(s);
	if (left > s->share.shared)
		advance(s, left);
}

/* ---- */

void spine_end(struct search *s, enum run_verdict verdict)
{
	if (!spine_wanted(s))
		return;
	if (s->share.worker) {
		spine_end_shared(s, verdict);
		return;
	}
	if (s->spine.state != SPINE_KNOWN)
		spine_begin(s, verdict);
	if (s->spine.state != SPINE_KNOWN)
		return;
	s->spine.frozen |= weakness(s, verdict);
	if (!s->spine.frozen)
		advance(s, finished_below(s));
}

/* Returns whether the search should end without having met a failure that was met before it. */
static bool enough_after_bug(const struct search *s)
{
	return (s->core.config.failed_before || s->spine.late) && !s->core.config.budgeted && s->core.stats.executions >= SPINE_AFTER_BUG;
}

bool spine_wants_no_more(const struct search *s)
{
	if (s->spine.state == SPINE_LOST)
		return true;
	if (s->core.config.certify != CERTIFY_FIRST_BUG)
		return false;
	if (s->share.worker)
		return (common_of((struct search *)s)->spine.frozen & SPINE_FAILED) || enough_after_bug(s);
	if (s->spine.state != SPINE_KNOWN)
		return !s->core.stats.executions && s->core.stats.cut >= SPINE_AFTER_CUT;
	return (s->spine.frozen & SPINE_FAILED) || enough_after_bug(s);
}

bool explore_certify_over(const void *memory)
{
	return spine_wants_no_more(memory);
}

void spine_restart(struct search *s)
{
	if (s->spine.state != SPINE_RESTART)
		return;
	while (s->trace.nodes.n) {
		uint32_t i = s->trace.nodes.n - 1;
		wakeup_free(&s->core, node_at(s, i)->wut);
		prefix_truncate(s, i);
	}
	clocks_truncate(s, 0);
	s->core.stats = (struct explore_stats){ 0 };
	s->estimate.visits.n = 0;
	s->estimate.at = s->estimate.next = 0;
	s->estimate.doublings = 0;
	memset(s->estimate.range, 0, sizeof(s->estimate.range));
	if (s->trace.table.cap)
		memset(vec_data(&s->core, &s->trace.table), 0, s->trace.table.cap * sizeof(uint64_t));
	s->trace.table.n = 0;
	s->tree.started = s->tree.redundant = 0;
	s->spine.frozen = s->spine.siblings = 0;
	s->spine.pos = s->spine.extra = 0;
	s->spine.late = 1;
	s->spine.state = SPINE_GUIDE;
}

bool spine_events(const void *memory, size_t size, const struct search *x, const struct event **event, uint32_t *n)
{
	uint64_t at = (uint64_t)((const char *)x - (const char *)memory) + (uint64_t)x->core.arena_at + (uint64_t)x->spine.events.data * 8;
	*n = x->spine.events.n;
	*event = (const struct event *)((const char *)memory + at);
	return *n && at <= size && (size - at) / sizeof(struct event) >= *n;
}

/* Adds what the workers of `common` know. */
static void add_shared(struct explore_spine *out, const struct common_spine *common)
{
	uint32_t own = out->certified, all = common->certified < own ? common->certified : own;
	if (all < common->least)
		all = common->least;
	out->certified = all < out->n ? all : out->n;
	out->frozen = all == common->least ? common->frozen : 0;
	if (out->certified != own)
		out->siblings = 0;
}

bool explore_spine(const void *memory, size_t size, const void *common, struct explore_spine *out)
{
	const struct search *s = memory;
	const struct event *event;
	uint32_t n;
	*out = (struct explore_spine){ 0 };
	if (size < sizeof *s || s->core.magic != SEARCH_MAGIC || s->core.size > size || s->core.arena_at != (int64_t)sizeof *s)
		return false;
	if (s->spine.given && s->spine.state == SPINE_LOST)
		out->lost = s->spine.pos + 1;
	if (s->spine.state != SPINE_KNOWN || !spine_events(memory, size, s, &event, &n))
		return false;
	out->event = event;
	out->n = n;
	out->certified = s->spine.certified <= n ? s->spine.certified : n;
	out->frozen = s->spine.frozen;
	out->siblings = s->spine.siblings <= SPINE_SIBLINGS ? s->spine.siblings : 0;
	memcpy(out->sibling, s->spine.sibling, sizeof out->sibling);
	if (s->share.worker && common)
		add_shared(out, &((const struct common *)common)->spine);
	return true;
}
