/*
 * Searches all schedules with few preemptions. A node is a schedule up to some event, after which no thread is preempted (struct guided).
 * Its execution shows which other threads could have moved at each event; each such alternative is a child node. Switching away from a
 * thread that can continue matters only before an operation that other threads can notice: one on an object seen to be shared.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "base/xalloc.h"
#include "replay/minimize_internal.h"

#define MAX_NODES 20000
#define OBJECTS 4096 /* slots of the table of objects */
#define MOST_THREADS 64 /* threads, and agents, that the search can move; others are left as they are */

struct node {
	struct plan plan;
	uint32_t events;       /* events that the plan decides */
	uint32_t preemptions;
	uint32_t held;         /* stores that are kept in their buffer */
	uint32_t strange;      /* choices that deviate from the failing execution */
	uint32_t number;
	uint64_t resting, held_agents; /* threads that never run again; agents that keep their stores */
};

struct search {
	struct minimizing *m;
	const struct event *like;
	uint32_t like_n;
	struct node *heap;
	uint32_t n, number;
	bool lost; /* a node was dropped: too many nodes, or more threads than MOST_THREADS */
	struct {
		object_id o;
		thread_id by; /* MAX_IDS: several threads */
	} object[OBJECTS];
	uint32_t done[MAX_IDS];
};

/* ---- the queue of nodes ---- */

static bool first(const struct node *a, const struct node *b)
{
	if (a->preemptions != b->preemptions)
		return a->preemptions < b->preemptions;
	if (a->held + a->strange != b->held + b->strange)
		return a->held + a->strange < b->held + b->strange;
	return a->number < b->number;
}

static void push(struct search *s, struct node x)
{
	uint32_t i;

	if (s->n == MAX_NODES) {
		s->lost = true;
		plan_free(&x.plan);
		return;
	}
	x.number = s->number++;
	s->heap = xgrow(s->heap, s->n, sizeof(*s->heap));
	for (i = s->n++; i && first(&x, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = x;
}

static struct node pop(struct search *s)
{
	struct node top = s->heap[0], x = s->heap[--s->n];
	uint32_t i = 0, k;

	for (; (k = 2 * i + 1) < s->n; i = k) {
		if (k + 1 < s->n && first(&s->heap[k + 1], &s->heap[k]))
			k++;
		if (!first(&s->heap[k], &x))
			break;
		s->heap[i] = s->heap[k];
	}
	if (s->n)
		s->heap[i] = x;
	return top;
}

/* ---- shared objects ---- */

/* Returns the object's place in the table, or a free one for it; TABLE_FULL: there is none. */
static uint32_t place_of(const struct search *s, object_id o)
{
	return TABLE_SLOT_WITHIN(i, hash_spread(o) >> 32, OBJECTS, OBJECTS, !s->object[i].o || s->object[i].o == o);
}

static void touch(struct search *s, object_id o, thread_id by)
{
	uint32_t at = place_of(s, o);

	if (!o || at == TABLE_FULL)
		return;
	s->object[at].by = s->object[at].o && s->object[at].by != by ? MAX_IDS : by;
	s->object[at].o = o;
}

static bool shared(const struct search *s, object_id o)
{
	uint32_t at = place_of(s, o);

	return o && at != TABLE_FULL && s->object[at].o && s->object[at].by == MAX_IDS;
}

static bool too_large(thread_id t)
{
	return (is_agent(t) ? t - MAX_THREADS : t) >= MOST_THREADS;
}

/* Returns whether the event involves a thread or agent that the search cannot move. */
static bool too_many(const struct event *e)
{
	thread_id other = e->kind == EV_THREAD_CREATE ? event_child(e) : event_buffered(e) ? event_agent(e) : e->thread;

	return too_large(e->thread) || too_large(other);
}

static void touch_all(struct search *s, const struct event *event, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		s->lost |= too_many(&event[i]);
		for (int k = 0; k < 2; k++)
			if (event[i].kind != EV_THREAD_CREATE)
				touch(s, event[i].obj[k], event_owner(&event[i]));
	}
}

static bool noticed(const struct search *s, const struct event *e)
{
	return event_kind_flags(e->kind) & K_END || (e->kind != EV_THREAD_CREATE && (shared(s, e->obj[0]) || shared(s, e->obj[1])));
}

/* ---- the failing execution as a guide ---- */

/* Returns whether, in the failing execution, thread r is further than it is now when thread p makes its next event. */
static bool like_it(const struct search *s, thread_id p, thread_id r)
{
	uint32_t of_p = 0, of_r = 0;

	for (uint32_t i = 0; i < s->like_n; i++) {
		if (s->like[i].thread == p && of_p++ == s->done[p])
			return of_r > s->done[r];
		of_r += s->like[i].thread == r;
	}
	return of_r > s->done[r];
}

/* ---- the children of a node ---- */

struct place {
	const struct node *from;
	const struct minimize_outcome *o;
	uint32_t i;     /* the event to be replaced */
	thread_id last; /* the thread that moved before it */
	bool could;     /* that thread can continue here and did not yield */
};

/* Returns a node with the plan up to the place, and with these resting threads and agents. */
static struct node child(const struct search *s, const struct place *at, uint64_t resting, uint64_t held)
{
	struct node x = *at->from;

	x.plan = plan_of(at->o->event, NULL, at->i);
	x.resting = resting;
	x.held_agents = held;
	for (unsigned t = 0; t < MOST_THREADS; t++) {
		if (resting >> t & 1)
			plan_rest(&x.plan, (thread_id)t, s->done[t]);
		if (held >> t & 1)
			plan_rest(&x.plan, (thread_id)(MAX_THREADS + t), s->done[MAX_THREADS + t]);
	}
	x.events = at->i;
	return x;
}

static void move(struct search *s, const struct place *at, uint64_t resting, thread_id r, unsigned alt, bool preempts)
{
	struct node x;

	if (at->from->preemptions + preempts >= s->m->cost.preemptions)
		return;
	x = child(s, at, resting, at->from->held_agents);
	x.events++;
	x.preemptions += preempts;
	if (alt != ALT_NORMAL || is_agent(r) || (at->last != NO_THREAD && !like_it(s, at->last, r)))
		x.strange++;
	plan_add(&x.plan, r, alt, s->done[r] + 1);
	push(s, x);
}

static bool in(uint64_t set, thread_id t)
{
	return t < MOST_THREADS && set >> t & 1;
}

static void other_threads(struct search *s, const struct place *at)
{
	const struct event *e = &at->o->event[at->i];
	const struct guided_note *note = &at->o->note[at->i];
	uint64_t rest = at->from->resting;
	bool leaves = at->could && !in(rest, at->last);

	/* a store that is drained at once is left alone; a kept one is drained here because its thread is blocked otherwise, but others may run */
	if (e->kind == EV_UPDATE && !in(at->from->held_agents, (thread_id)(e->thread - MAX_THREADS)))
		return;
	if (event_owner(e) == at->last && leaves && !noticed(s, e))
		return;
	for (thread_id r = 0; r < MOST_THREADS; r++) {
		bool switches = r != at->last;
		if (in(note->timeout, r) && (r != e->thread || e->alt != ALT_TIMEOUT))
			move(s, at, rest, r, ALT_TIMEOUT, switches && leaves);
		if (!in(note->normal, r) || in(rest, r) || (r == e->thread && e->alt == ALT_NORMAL))
			continue;
		move(s, at, rest, r, ALT_NORMAL, switches && leaves);
		if (switches && leaves && at->last < MOST_THREADS)
			move(s, at, rest | UINT64_C(1) << at->last, r, ALT_NORMAL, false);
	}
}

static void other_stores(struct search *s, const struct place *at)
{
	const struct event *e = &at->o->event[at->i];
	uint64_t held = at->from->held_agents, agents = at->o->note[at->i].agents;

	if (e->kind == EV_UPDATE && e->thread - MAX_THREADS < MOST_THREADS && !in(held, (thread_id)(e->thread - MAX_THREADS))) {
		struct node x = child(s, at, at->from->resting, held | UINT64_C(1) << (e->thread - MAX_THREADS));
		x.held++;
		push(s, x);
	}
	for (thread_id a = 0; a < MOST_THREADS; a++)
		if (in(agents & held, a) && e->thread != MAX_THREADS + a)
			move(s, at, at->from->resting, (thread_id)(MAX_THREADS + a), ALT_NORMAL, false);
}

static bool gave_way(const struct event *e)
{
	return event_kind_flags(e->kind) & K_GIVES_WAY;
}

static void expand(struct search *s, const struct node *x, const struct minimize_outcome *o)
{
	struct place at = { .from = x, .o = o, .last = NO_THREAD };
	bool gave = false;

	memset(s->done, 0, sizeof(s->done));
	for (at.i = 0; at.i < o->n && at.i < o->notes; at.i++) {
		const struct event *e = &o->event[at.i];
		if (e->kind == EV_DEATH)
			return;
		at.could = in(o->note[at.i].normal, at.last) && !gave;
		if (at.i >= x->events) {
			other_threads(s, &at);
			other_stores(s, &at);
		}
		s->done[e->thread]++;
		if (e->kind == EV_UPDATE)
			continue;
		at.last = e->thread;
		gave = gave_way(e);
	}
}

bool minimize_search(struct minimizing *m, const struct event *like, uint32_t n)
{
	struct search *s = xcalloc(1, sizeof(*s));
	struct minimize_outcome o;
	bool all = true;

	s->m = m;
	s->like = like;
	s->like_n = n;
	touch_all(s, like, n);
	push(s, (struct node){ .plan = { NULL, 0 } });
	while (s->n) {
		struct node x = pop(s);
		if (all && x.preemptions < m->cost.preemptions) {
			all = minimize_try(m, &x.plan, &o);
			if (all) {
				touch_all(s, o.event, o.n);
				expand(s, &x, &o);
			}
		}
		plan_free(&x.plan);
	}
	all &= !s->lost;
	free(s->heap);
	free(s);
	return all;
}
