/* The edges to a step: of the steps that it comes after, those that do not follow from others by their vector clocks. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/order/order_internal.h"

void order_propose(struct order_walk *w, size_t step, unsigned why)
{
	if (step == NO_STEP)
		return;
	w->candidate = xgrow(w->candidate, w->n, sizeof(*w->candidate));
	w->candidate[w->n++] = (struct candidate){ step, (uint8_t)why };
}

static int latest_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->step != y->step)
		return x->step > y->step ? -1 : 1;
	return x->why - y->why;
}

static void learn(struct order_walk *w, uint32_t *clock, size_t step)
{
	const uint32_t *other = w->clock + step * w->o->n_agents;

	for (size_t a = 0; a < w->o->n_agents; a++)
		if (other[a] > clock[a])
			clock[a] = other[a];
}

static void add_edge(struct order *o, size_t from, size_t to, unsigned why)
{
	o->edge = xgrow(o->edge, o->n, sizeof(*o->edge));
	o->edge[o->n++] = (struct order_edge){ from, to, (uint8_t)why };
}

static int by_from(const void *a, const void *b)
{
	const struct order_edge *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

void order_decide(struct order_walk *w, size_t i)
{
	struct order *o = w->o;
	uint32_t *clock = w->clock + i * o->n_agents;
	size_t a = o->agent[i], first = o->n;

	if (w->last[a] != NO_STEP)
		memcpy(clock, w->clock + w->last[a] * o->n_agents, o->n_agents * sizeof(*clock));
	if (w->n)
		qsort(w->candidate, w->n, sizeof(*w->candidate), latest_first);
	for (size_t k = 0; k < w->n; k++) {
		const struct candidate *c = &w->candidate[k];
		bool forwards = c->why == ORDER_FORWARD;
		if ((k && c[-1].step == c->step) || (o->agent[c->step] == a && !forwards))
			continue;
		if (c->why == ORDER_OTHER && clock[o->agent[c->step]] > c->step)
			continue;
		add_edge(o, c->step, i, c->why);
		learn(w, clock, c->step);
	}
	clock[a] = (uint32_t)i + 1;
	if (o->n - first > 1)
		qsort(o->edge + first, o->n - first, sizeof(*o->edge), by_from);
	o->first[i] = first;
	w->n = 0;
}
