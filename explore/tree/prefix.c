/* Repeating a prefix: see prefix.h. */
#include "explore/tree/prefix.h"

#include "base/check.h"
#include "explore/trace/vclock.h"

void prefix_begin(struct search *s, uint32_t prefix)
{
	s->tree.prefix = s->tree.repeat = prefix;
	s->tree.pos = 0;
	s->tree.redundant = 0;
	s->core.running = 1;
	s->tree.last_run.n = 0;
	if (s->trace.nodes.n && s->core.names.n > node_at(s, s->trace.nodes.n - 1)->max_obj + 1)
		s->core.names.n = node_at(s, s->trace.nodes.n - 1)->max_obj + 1;
}

int view_find(const struct sched_view *view, thread_id t, unsigned alt)
{
	for (unsigned i = 0; i < view->n; i++)
		if (view->choices[i].thread == t && view->choices[i].alt == alt)
			return (int)i;
	return -1;
}

void prefix_diverged(struct search *s, const struct event *found)
{
	s->core.failed = 1;
	if (s->core.stats.diverged)
		return;
	s->core.stats.diverged = 1;
	s->core.stats.divergence.step = s->tree.pos;
	if (s->tree.pos < s->trace.nodes.n)
		s->core.stats.divergence.expected = node_at(s, s->tree.pos)->ev;
	if (found)
		s->core.stats.divergence.found = *found;
}

void prefix_ended_early(struct search *s)
{
	prefix_diverged(s, NULL);
}

int prefix_pick(struct search *s, const struct sched_view *view)
{
	const struct event *e = &node_at(s, s->tree.pos)->ev;
	if (s->core.stats.diverged)
		return PICK_DIVERGED;
	int i = view_find(view, e->thread, e->alt);
	if (i < 0) {
		prefix_diverged(s, e->thread < view->trace->threads || is_agent(e->thread) ? &view->trace->pending[e->thread] : NULL);
		return PICK_DIVERGED;
	}
	return i;
}

bool prefix_same(const struct event *a, const struct event *b)
{
	return a->thread == b->thread && a->kind == b->kind && a->alt == b->alt &&
	       a->obj[0] == b->obj[0] && a->obj[1] == b->obj[1] && a->span == b->span && a->mode[0] == b->mode[0] &&
	       a->mode[1] == b->mode[1] && a->result == b->result;
}

void prefix_observe(struct search *s, const struct event *e)
{
	if (!prefix_same(e, &node_at(s, s->tree.pos)->ev))
		prefix_diverged(s, e);
	s->tree.pos++;
}

/* Adds threads whose normal alternative is not enabled, but another is: their operation as it would be if it were not blocked. */
static void push_blocked(struct search *s, const struct sched_view *view, struct node *n)
{
	for (unsigned i = 0; i < view->n; i++) {
		const struct choice *c = &view->choices[i];
		bool first = i == 0 || view->choices[i - 1].thread != c->thread;
		if (!first || c->alt == ALT_NORMAL || view->trace->pending[c->thread].kind == EV_NONE)
			continue;
		struct event *e = (struct event *)vec_data(&s->core, &s->trace.choices) + s->trace.choices.n++;
		*e = view->trace->pending[c->thread];
		e->thread = c->thread;
		e->alt = ALT_NORMAL;
		n->blocked_n++;
	}
	for (unsigned i = 0; i < view->n; i++)
		n->alternatives |= view->choices[i].alt != ALT_NORMAL;
}

static object_id larger(object_id m, const struct event *e)
{
	for (unsigned k = 0; k < 2; k++)
		if (!object_is_memory(e->obj[k]) && e->obj[k] > m)
			m = e->obj[k];
	return m;
}

static object_id largest_object(const struct node *below, const struct trace *trace)
{
	object_id m = below ? larger(below->max_obj, &below->ev) : 0;
	for (uint32_t t = 0; t < trace->threads; t++)
		if (trace->pending[t].kind != EV_NONE)
			m = larger(m, &trace->pending[t]);
	return m;
}

/* Finds the names of the objects that are new in the state of the topmost node n. Ids up to those of the node below have the same
   meaning as in earlier executions; others may have another. */
static bool find_names(struct search *s, const struct sched_view *view, struct node *n)
{
	const struct node *below = s->trace.nodes.n > 1 ? n - 1 : NULL;
	n->max_obj = largest_object(below, view->trace);
	s->core.names.n = below ? below->max_obj + 1 : 0;
	while (s->core.names.n <= n->max_obj) {
		uint64_t *name = vec_push(&s->core, &s->core.names, sizeof *name);
		if (!name)
			return false;
		object_id o = s->core.names.n - 1;
		*name = o && view->object_name ? view->object_name(view->world, o) : o;
		INVARIANT(!o || *name, "object %u has no name", o);
	}
	return true;
}

struct node *prefix_push(struct search *s, const struct sched_view *view, bool previews)
{
	uint32_t at = s->trace.choices.n;
	if (!vec_reserve(&s->core, &s->trace.choices, at + 2 * view->n, sizeof(struct event)))
		return NULL;
	struct event *c = (struct event *)vec_data(&s->core, &s->trace.choices) + at;
	for (unsigned i = 0; i < view->n; i++) {
		if (previews)
			view->preview(view->world, view->choices[i], &c[i]);
		c[i].thread = view->choices[i].thread;
		c[i].alt = view->choices[i].alt;
	}
	struct node *n = vec_push(&s->core, &s->trace.nodes, sizeof *n);
	if (!n)
		return NULL;
	s->trace.choices.n = at + view->n;
	n->choice_at = at;
	n->choice_n = view->n;
	n->sleep_at = s->tree.sleeps.n;
	n->tree_root = NO_INDEX;
	n->atomic = view->atomic;
	n->interrupted = view->interrupted;
	n->closed = view->closed;
	if (previews) {
		if (!find_names(s, view, n))
			return NULL;
		push_blocked(s, view, n);
	}
	return n;
}

void prefix_truncate(struct search *s, uint32_t n)
{
	clocks_truncate(s, n < s->trace.analysed ? n : s->trace.analysed);
	if (n >= s->trace.nodes.n)
		return;
	s->trace.choices.n = node_at(s, n)->choice_at;
	s->tree.sleeps.n = node_at(s, n)->sleep_at;
	s->trace.nodes.n = n;
}
