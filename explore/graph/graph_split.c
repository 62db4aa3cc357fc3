/*
 * What is left of a search over execution graphs, as bytes that another search can continue: see graph.h and graph.md.
 *
 * What is left are the choices and revisits that were not tried: of the events of the current graph, and of the graphs
 * from which the revisits on the path to it were made. A level is an event of one of these graphs. Those of the graph
 * without revisits come first, then those of the graph that the first revisit made, and so on.
 */
#include "explore/graph/graph.h"

#include <string.h>

struct packed {
	uint32_t events;   /* of the current graph */
	uint32_t root;
	uint32_t pending;
	uint32_t saved;
	uint32_t revisits;
	uint32_t dropped;  /* so many of the first revisits, with what they saved, belong to another search */
};

/* Where the arrays of a packed search begin, in bytes from its beginning. */
struct packed_layout {
	size_t events, saved, pending, known, saved_known, revisits, end;
};

static struct packed_layout lay_out_packed(const struct packed *p)
{
	struct packed_layout l;
	l.events = sizeof *p;
	l.saved = l.events + p->events * sizeof(struct graph_event);
	l.pending = l.saved + p->saved * sizeof(struct graph_event);
	l.known = l.pending + p->pending * sizeof(struct rc11_op);
	l.saved_known = l.known + p->events * sizeof(struct graph_known);
	l.revisits = l.saved_known + p->saved * sizeof(struct graph_known);
	l.end = l.revisits + p->revisits * sizeof(struct graph_revisit);
	return l;
}
_Static_assert(sizeof(struct packed) % 8 == 0 && sizeof(struct graph_event) % 8 == 0, "all arrays are aligned");

static struct packed packed_of(const struct graph *g)
{
	const struct rc11 *m = (const struct rc11 *)((const char *)g + g->model_at);
	return (struct packed){.events = m->n,
		.root = g->root,
		.pending = g->pending,
		.saved = g->saved_n,
		.revisits = g->revisits};
}

size_t graph_packed_bytes(const struct graph *g)
{
	struct packed p = packed_of(g);
	return lay_out_packed(&p).end;
}

void graph_pack(struct graph *g, void *to)
{
	struct packed *p = to;
	*p = packed_of(g);
	struct packed_layout l = lay_out_packed(p);
	struct graph_event *events = (struct graph_event *)((char *)to + l.events);
	struct graph_known *known = (struct graph_known *)((char *)to + l.known);
	for (uint32_t i = 0; i < p->events; i++)
		events[i] = graph_event_at(g, i);
	memcpy(known, graph_known_at(g, 0), p->events * sizeof *known);
	memcpy((char *)to + l.saved, graph_saved_at(g, 0), p->saved * sizeof(struct graph_event));
	memcpy((char *)to + l.saved_known, graph_saved_known_at(g, 0), p->saved * sizeof(struct graph_known));
	memcpy((char *)to + l.pending, graph_pending_at(g, 0), p->pending * sizeof(struct rc11_op));
	memcpy((char *)to + l.revisits, graph_revisit_at(g, 0), p->revisits * sizeof(struct graph_revisit));
}

/* Returns whether there is room for it. */
static bool fits(const struct graph *g, const struct packed *p)
{
	const struct rc11_limits *limits = &g->config.limits;
	return p->events <= limits->events && p->saved <= g->config.saved && p->revisits <= limits->events &&
	       p->pending <= limits->events * limits->threads && p->dropped <= p->revisits;
}

bool graph_unpack(struct graph *g, const void *from)
{
	const struct packed *p = from;
	if (!fits(g, p))
		return false;
	struct packed_layout l = lay_out_packed(p);
	const struct graph_event *events = (const struct graph_event *)((const char *)from + l.events);
	const struct graph_known *known = (const struct graph_known *)((const char *)from + l.known);
	const struct graph_revisit *revisits = (const struct graph_revisit *)((const char *)from + l.revisits);
	uint32_t first = p->dropped == p->revisits ? p->saved : revisits[p->dropped].saved;
	rc11_clear(graph_model(g));
	for (uint32_t i = 0; i < p->events; i++)
		graph_put(g, &events[i], &known[i]);
	g->saved_n = p->saved - first;
	memcpy(graph_saved_at(g, 0), (const struct graph_event *)((const char *)from + l.saved) + first,
		g->saved_n * sizeof(struct graph_event));
	memcpy(graph_saved_known_at(g, 0), (const struct graph_known *)((const char *)from + l.saved_known) + first,
		g->saved_n * sizeof(struct graph_known));
	memcpy(graph_pending_at(g, 0), (const char *)from + l.pending, p->pending * sizeof(struct rc11_op));
	g->revisits = p->revisits - p->dropped;
	for (uint32_t k = 0; k < g->revisits; k++) {
		*graph_revisit_at(g, k) = revisits[p->dropped + k];
		graph_revisit_at(g, k)->saved -= first;
	}
	g->pending = p->pending;
	g->root = p->root;
	g->same = g->pending_here = g->at = g->full = g->raced = g->impossible = g->started = 0;
	g->stats.finished = 0;
	return true;
}

/* ---- dividing ---- */

/* Removes events until n are left. What waited for their turns goes with them. */
static void cut_back(struct graph *g, uint32_t n)
{
	struct rc11 *m = graph_model(g);
	while (m->n > n) {
		const struct graph_step *step = graph_step_at(g, m->n - 1);
		if (step->blocked)
			g->pending -= step->more;
		rc11_pop(m);
	}
}

/* Goes back to the graph with only the first k revisits. Returns the number of its first level. */
static uint32_t go_back(struct graph *g, const void *rest, uint32_t k)
{
	graph_unpack(g, rest);
	while (g->revisits > k) {
		cut_back(g, graph_revisit_at(g, g->revisits - 1)->floor);
		graph_undo_revisit(g);
	}
	return k ? graph_revisit_at(g, k - 1)->floor : g->root;
}

/* Goes to the first graph that is left when everything behind event i of the graph with k revisits, and the present
   choice of event i itself, are somebody else's, and so is what comes before this graph. Returns false when there is
   none. */
static bool has_left(struct graph *g, const void *rest, uint32_t k, uint32_t i)
{
	g->root = go_back(g, rest, k);
	g->revisits = g->saved_n = 0;
	cut_back(g, i + 1);
	graph_advance(g);
	return !g->failed && !g->stats.finished;
}

bool graph_split(struct graph *g, void *rest)
{
	struct graph_stats before = g->stats;
	struct packed *p = rest;
	bool found = false;
	for (uint32_t k = 0; k <= p->revisits && !found && !g->failed; k++) {
		uint32_t from = go_back(g, rest, k), to = graph_model(g)->n;
		if (from >= to || !has_left(g, rest, k, to - 1))
			continue;
		for (to--; from < to;) { /* level `to` has something, those before `from` have not */
			uint32_t middle = from + (to - from) / 2;
			if (has_left(g, rest, k, middle))
				to = middle;
			else
				from = middle + 1;
		}
		found = has_left(g, rest, k, to);
		if (found) {
			p->root = to + 1;
			p->dropped = k;
		}
	}
	g->stats = before;
	g->failed = 0;
	return found;
}
