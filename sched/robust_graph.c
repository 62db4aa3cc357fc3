/* The graph of a part of a trace, with as few edges as its order needs: see robust.h. */
#include <string.h>

#include "sched/robust_internal.h"

/* ---- places ---- */

#define RANGES 4 /* most ranges of one event */

/* Numbers of everything that can be touched: bytes as in event_bytes, objects, threads. */
struct range {
	uint64_t lo, hi;
	uint8_t mode;
};
#define OBJECT_AT (UINT64_C(1) << 40)
#define POKE_AT (UINT64_C(2) << 40)

static unsigned add_range(struct range *r, unsigned n, uint64_t lo, uint64_t hi, unsigned mode)
{
	r[n] = (struct range){ lo, hi, (uint8_t)(mode == M_BUFFER ? M_WRITE : mode) };
	return n + 1;
}

/* Finds what an event touches. A poke and memory accesses of the poked thread commute, because cancellations and handlers are events of
   their own. */
static unsigned ranges_of(const struct robust_part *p, const struct event *e, struct range r[RANGES])
{
	uint64_t lo, hi;
	unsigned n = 0;
	if (event_bytes(e, &lo, &hi))
		n = add_range(r, n, lo, hi, event_bytes_mode(e));
	for (int i = 0; i < 2; i++)
		if (e->obj[i] && !object_is_memory(e->obj[i]))
			n = add_range(r, n, OBJECT_AT | e->obj[i], OBJECT_AT | e->obj[i], e->mode[i]);
	if (e->mode[0] == M_POKE && event_poked(e) < MAX_THREADS)
		n = add_range(r, n, POKE_AT | event_poked(e), POKE_AT | event_poked(e), M_POKE);
	else if (p->poked[e->thread] && event_drains(e))
		n = add_range(r, n, POKE_AT | e->thread, POKE_AT | e->thread, M_NONE);
	return n;
}

/* ---- sorting ---- */

static void sift(struct robust_touch *t, uint32_t i, uint32_t n)
{
	struct robust_touch x = t[i];
	for (uint64_t k = 2 * (uint64_t)i + 1; k < n; k = 2 * k + 1) {
		if (k + 1 < n && t[k].at < t[k + 1].at)
			k++;
		if (t[k].at <= x.at)
			break;
		t[i] = t[k];
		i = (uint32_t)k;
	}
	t[i] = x;
}

/* Sorts by `at`. Heap sort (Williams 1964): no recursion, no memory. */
static void sort(struct robust_touch *t, uint32_t n)
{
	for (uint32_t i = n / 2; i--;)
		sift(t, i, n);
	while (n > 1) {
		struct robust_touch x = t[--n];
		t[n] = t[0];
		t[0] = x;
		sift(t, 0, n);
	}
}

/* ---- touches ---- */

/* Finds the sorted, distinct bounds at which ranges begin or have ended: place k is [bound[k], bound[k + 1]). */
static struct robust_touch *bounds(struct robust_part *p, uint32_t *out)
{
	struct range r[RANGES];
	uint32_t n = 0, k = 0;
	for (uint32_t i = 0; i < p->n; i++)
		n += 2 * ranges_of(p, &p->event[p->node[i].event], r);
	struct robust_touch *b = robust_alloc(p, (uint64_t)n * sizeof *b);
	if (!b)
		return NULL;
	for (uint32_t i = 0; i < p->n; i++)
		for (unsigned m = ranges_of(p, &p->event[p->node[i].event], r); m--;) {
			b[k++].at = r[m].lo;
			b[k++].at = r[m].hi + 1;
		}
	sort(b, n);
	k = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!k || b[k - 1].at != b[i].at)
			b[k++].at = b[i].at;
	*out = k;
	return b;
}

static uint32_t place_at(const struct robust_touch *b, uint32_t n, uint64_t at)
{
	uint32_t lo = 0;
	while (n - lo > 1) {
		uint32_t mid = lo + (n - lo) / 2;
		if (b[mid].at <= at)
			lo = mid;
		else
			n = mid;
	}
	return lo;
}

/* Lists the touches in the order of the nodes; touch NULL: only counts. Their position is that in program order. */
static uint32_t list_touches(struct robust_part *p, const struct robust_touch *b, uint32_t n_bounds, struct robust_touch *touch)
{
	struct range r[RANGES];
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->n; i++)
		for (unsigned m = ranges_of(p, &p->event[p->node[i].event], r); m--;)
			for (uint32_t k = place_at(b, n_bounds, r[m].lo); b[k].at <= r[m].hi; k++, n++)
				if (touch)
					touch[n] = (struct robust_touch){ .at = (uint64_t)k << 33 | (uint64_t)p->node[i].event << 1,
						.node = i, .mode = r[m].mode };
	return n;
}

/* The position at which the touch takes effect, given the latest store of its thread to the place (node + 1, 0: none). */
static uint64_t effective(const struct robust_part *p, const struct robust_touch *t, uint32_t own)
{
	const struct robust_node *x = &p->node[t->node];
	uint64_t place = t->at >> 33 << 33, effect = x->effect;
	bool forwarded = p->event[x->event].kind == EV_LOAD && own && p->node[own - 1].effect > x->event;
	if (forwarded)
		effect = p->node[own - 1].effect;
	return effect == ROBUST_NONE ? UINT64_MAX : place | effect << 1 | forwarded;
}

/* Changes the order of touches from place and program order to place and position of the effect. Removes those that never take effect. */
static void date_touches(struct robust_part *p)
{
	uint32_t *own = robust_alloc(p, MAX_THREADS * sizeof *own), *in = robust_alloc(p, MAX_THREADS * sizeof *in), n;
	for (uint32_t i = 0; i < p->n_touches && own && in; i++) {
		struct robust_touch *t = &p->touch[i];
		thread_id thread = robust_thread(p, t->node);
		uint32_t place = robust_place(t);
		if (in[thread] != place + 1)
			own[thread] = 0;
		in[thread] = place + 1;
		t->at = effective(p, t, own[thread]);
		if (event_buffered(&p->event[p->node[t->node].event]))
			own[thread] = t->node + 1;
	}
	sort(p->touch, p->n_touches);
	for (n = p->n_touches; n && p->touch[n - 1].at == UINT64_MAX; n--)
		;
	p->n_touches = n;
}

static void make_touches(struct robust_part *p)
{
	uint32_t n_bounds = 0;
	const struct robust_touch *b = bounds(p, &n_bounds);
	if (!b || !n_bounds)
		return;
	p->n_places = n_bounds;
	p->n_touches = list_touches(p, b, n_bounds, NULL);
	p->touch = robust_alloc(p, (uint64_t)p->n_touches * sizeof *p->touch);
	if (!p->touch) {
		p->n_touches = 0;
		return;
	}
	list_touches(p, b, n_bounds, p->touch);
	sort(p->touch, p->n_touches);
	date_touches(p);
	for (uint32_t i = 0; i < p->n_touches; i++) {
		struct robust_node *x = &p->node[p->touch[i].node];
		p->touch[i].next = x->touch;
		x->touch = i;
	}
}

/* ---- edges ---- */

static void add_edge(struct robust_part *p, uint32_t from, uint32_t to)
{
	if (p->n_edges == p->edge_cap) {
		uint32_t cap = p->edge_cap ? p->edge_cap * 2 : 64;
		struct robust_edge *more = robust_alloc(p, (uint64_t)cap * sizeof *more);
		if (!more)
			return;
		if (p->n_edges)
			memcpy(more, p->edge, p->n_edges * sizeof *more);
		p->edge = more;
		p->edge_cap = cap;
	}
	p->edge[p->n_edges] = (struct robust_edge){ to, p->node[from].edge };
	p->node[from].edge = p->n_edges++;
}

/* Adds the edges into touch i. `from`: the first touch of its place; `stop`: the latest earlier touch that is ordered after all before
   it (ROBUST_NONE: none); `plain`: there were only reads since then. */
static void edges_into(struct robust_part *p, uint32_t i, uint32_t from, uint32_t stop, bool plain)
{
	const struct robust_touch *t = p->touch;
	uint32_t down = stop == ROBUST_NONE ? from : stop;
	if (t[i].mode == M_READ && plain) {
		if (stop != ROBUST_NONE && robust_ordered(p, &t[stop], &t[i]))
			add_edge(p, t[stop].node, t[i].node);
		return;
	}
	for (uint32_t j = i; j-- > down;)
		if (robust_ordered(p, &t[j], &t[i]))
			add_edge(p, t[j].node, t[i].node);
}

static void make_edges(struct robust_part *p)
{
	uint32_t from = 0, stop = ROBUST_NONE;
	bool plain = true;
	for (uint32_t i = 0; i < p->n_touches && !p->full; i++) {
		const struct robust_touch *t = &p->touch[i];
		if (i == 0 || robust_place(t) != robust_place(t - 1)) {
			from = i;
			stop = ROBUST_NONE;
			plain = true;
		}
		edges_into(p, i, from, stop, plain);
		if (robust_stops(t)) {
			stop = i;
			plain = true;
		} else {
			plain = plain && t->mode == M_READ;
		}
	}
	for (uint32_t i = 0; i < p->n; i++) {
		const struct event *e = &p->event[p->node[i].event];
		if (e->kind == EV_THREAD_CREATE && event_child(e) < MAX_THREADS && event_child(e) != e->thread && p->first[event_child(e)] != ROBUST_NONE &&
			p->first[event_child(e)] > i)
			add_edge(p, i, p->first[event_child(e)]);
	}
}

/* ---- nodes ---- */

/* Sets program order (next, first), and which stores are late. */
static void order_nodes(struct robust_part *p)
{
	uint32_t *soonest = robust_alloc(p, MAX_THREADS * sizeof *soonest);
	if (!soonest)
		return;
	memset(soonest, 0xff, MAX_THREADS * sizeof *soonest);
	memset(p->first, 0xff, MAX_THREADS * sizeof *p->first);
	for (uint32_t i = p->n; i--;) {
		struct robust_node *x = &p->node[i];
		const struct event *e = &p->event[x->event];
		x->next = p->first[e->thread];
		x->edge = x->touch = ROBUST_NONE;
		x->late = x->effect != ROBUST_NONE && soonest[e->thread] < x->effect;
		p->first[e->thread] = i;
		if (x->effect < soonest[e->thread])
			soonest[e->thread] = x->effect;
		if (e->mode[0] == M_POKE && event_poked(e) < MAX_THREADS)
			p->poked[event_poked(e)] = true;
	}
}

void robust_graph(struct robust_part *p)
{
	p->first = robust_alloc(p, MAX_THREADS * sizeof *p->first);
	p->poked = robust_alloc(p, MAX_THREADS * sizeof *p->poked);
	if (!p->full)
		order_nodes(p);
	if (!p->full)
		make_touches(p);
	if (!p->full)
		make_edges(p);
}

/* Repeatedly removes the nodes that have no predecessor (Kahn 1962). */
bool robust_peel(struct robust_part *p)
{
	uint32_t *before = robust_alloc(p, (uint64_t)p->n * sizeof *before);
	uint32_t *queue = robust_alloc(p, (uint64_t)p->n * sizeof *queue), n = 0;
	if (!before || !queue)
		return true;
	for (uint32_t i = 0; i < p->n; i++) {
		if (p->node[i].next != ROBUST_NONE)
			before[p->node[i].next]++;
		for (uint32_t k = p->node[i].edge; k != ROBUST_NONE; k = p->edge[k].next)
			before[p->edge[k].to]++;
	}
	for (uint32_t i = 0; i < p->n; i++)
		if (!before[i])
			queue[n++] = i;
	for (uint32_t i = 0; i < n; i++) {
		struct robust_node *x = &p->node[queue[i]];
		x->gone = true;
		if (x->next != ROBUST_NONE && !--before[x->next])
			queue[n++] = x->next;
		for (uint32_t k = x->edge; k != ROBUST_NONE; k = p->edge[k].next)
			if (!--before[p->edge[k].to])
				queue[n++] = p->edge[k].to;
	}
	return n == p->n;
}
