/* The table of spin loops, and what follows from it: see await.h. */
#include "sched/await.h"
#include "base/hash.h"
#include "base/table.h"

/* ---- the table ---- */

static uint32_t node_slot(const struct await_table *t, uint64_t state)
{
	return TABLE_SLOT(i, hash_spread(state) >> 32, 2 * AWAIT_NODES,
		!t->node_hash[i] || t->node[t->node_hash[i] - 1].state == state);
}

static bool is_edge(const struct await_edge *e, uint32_t from, uint32_t found, uint32_t landing)
{
	return e->from == from && e->found == found && (e->flags & AWAIT_LANDING) == landing;
}

static uint32_t edge_slot(const struct await_table *t, uint32_t from, uint32_t found, uint32_t landing)
{
	return TABLE_SLOT(i, hash_spread((uint64_t)from << 32 | found) >> 32, 2 * AWAIT_EDGES,
		!t->edge_hash[i] || is_edge(&t->edge[t->edge_hash[i] - 1], from, found, landing));
}

static uint32_t place_slot(const struct await_table *t, uint64_t pc)
{
	return TABLE_SLOT(i, hash_spread(pc) >> 32, 2 * AWAIT_PLACES, !t->place[i] || t->place[i] == pc);
}

bool await_is_place(const struct await_table *t, uint64_t pc)
{
	return pc && t->place[place_slot(t, pc)] == pc;
}

uint32_t await_find(const struct await_table *t, uint64_t state)
{
	return state ? t->node_hash[node_slot(t, state)] : 0;
}

static void note_place(struct await_table *t, uint64_t pc)
{
	uint32_t slot = place_slot(t, pc);
	if (!pc || t->place[slot])
		return;
	if (t->places == AWAIT_PLACES) {
		t->doubts |= AWAIT_FULL;
		return;
	}
	t->place[slot] = pc;
	t->places++;
}

uint32_t await_node(struct await_table *t, const struct await_node *node)
{
	uint32_t slot = node_slot(t, node->state);
	if (t->node_hash[slot])
		return t->node_hash[slot];
	if (t->frozen)
		return 0;
	if (t->nodes == AWAIT_NODES) {
		t->doubts |= AWAIT_FULL;
		return 0;
	}
	if (await_is_lock(node))
		t->changes++; /* its operation is disabled in states in which it was not */
	else
		note_place(t, node->pc);
	t->node[t->nodes] = *node;
	t->node_hash[slot] = ++t->nodes;
	return t->nodes;
}

/* Returns the state by which a fact about the instruction is found. It is no state of a thread. */
static uint64_t fact_state(uint64_t pc, uint32_t fact)
{
	return hash_spread(hash_mix(pc, fact)) | 1;
}

uint32_t await_fact(const struct await_table *t, uint64_t pc, uint32_t fact)
{
	return await_find(t, fact_state(pc, fact));
}

bool await_add_fact(struct await_table *t, uint64_t pc, uint32_t fact)
{
	struct await_node node = { .state = fact_state(pc, fact), .pc = pc, .what = EV_LOAD | fact };
	return !await_fact(t, pc, fact) && await_node(t, &node);
}

bool await_add_place(struct await_table *t, uint64_t pc)
{
	struct await_node only = { .state = ~(pc << 16), .pc = pc }; /* no real hash is expected to equal it */
	return pc && !await_is_place(t, pc) && await_node(t, &only) && await_is_place(t, pc);
}

/* Returns the edge, broken or not; NULL when there is none. */
static struct await_edge *edge_find(const struct await_table *t, uint32_t from, uint32_t found, uint32_t landing)
{
	uint32_t no = found ? t->edge_hash[edge_slot(t, from, found, landing)] : 0;
	return no ? (struct await_edge *)&t->edge[no - 1] : NULL;
}

/* Returns the edge unless it is broken; NULL when there is none. */
static const struct await_edge *edge_of(const struct await_table *t, uint32_t from, uint32_t found)
{
	const struct await_edge *e = edge_find(t, from, found, 0);
	return e && !(e->flags & AWAIT_BROKEN) ? e : NULL;
}

uint32_t await_next(const struct await_table *t, uint32_t from, uint32_t found)
{
	const struct await_edge *e = edge_of(t, from, found);
	return e ? e->to : 0;
}

bool await_foreseen(const struct await_table *t, uint32_t from, uint32_t found)
{
	uint32_t node = from;
	for (uint32_t steps = 0; steps < AWAIT_VISIT; steps++) {
		uint32_t next = await_next(t, node, found);
		if (!next)
			return edge_find(t, node, found, AWAIT_LANDING) != NULL;
		node = next;
	}
	return true;
}

static bool same_bytes(const struct await_table *t, uint32_t a, uint32_t b)
{
	return await_at(t, a)->addr == await_at(t, b)->addr && await_at(t, a)->size == await_at(t, b)->size;
}

/* More is known about what a thread does at the node when it finds this value there. So two exits that made an edge
   visible may be the same after all. Marks such edges as not visible; await_watch checks again whether they must be. */
static void try_again(struct await_table *t, uint32_t node, uint32_t found)
{
	for (uint32_t next = 0;;) { /* number of an edge that was visible; a thread goes further there now */
		for (uint32_t i = 0; i < t->edges; i++) {
			struct await_conflict *c = &t->conflict[i];
			bool concerns = c->found == found && (c->node[0] == node || c->node[1] == node);
			if (!(t->edge[i].flags & AWAIT_VISIBLE) || (t->edge[i].flags & AWAIT_ALWAYS) || !concerns)
				continue;
			t->edge[i].flags &= ~(uint32_t)AWAIT_VISIBLE;
			t->changes++;
			c->node[0] = (uint16_t)next; /* not needed any more: a list of such edges */
			next = i + 1;
		}
		if (!next)
			return;
		node = t->edge[next - 1].from;
		found = t->edge[next - 1].found;
		next = t->conflict[next - 1].node[0];
	}
}

static bool add_edge(struct await_table *t, const struct await_edge *e)
{
	if (t->edges == AWAIT_EDGES) {
		t->doubts |= AWAIT_FULL;
		return false;
	}
	t->edge[t->edges] = *e;
	if (!(e->flags & AWAIT_LANDING) && await_fact(t, await_at(t, e->from)->pc, AWAIT_UNSTABLE))
		t->edge[t->edges].flags |= AWAIT_VISIBLE | AWAIT_ALWAYS;
	t->edge_hash[edge_slot(t, e->from, e->found, e->flags & AWAIT_LANDING)] = ++t->edges;
	return true;
}

bool await_discover(struct await_table *t, uint32_t from, uint32_t found, uint32_t to)
{
	struct await_edge *e = edge_find(t, from, found, 0);
	if (!from || !found || !to || t->frozen)
		return false;
	if (e && (e->to == to || (e->flags & AWAIT_BROKEN)))
		return false;
	if (e) {
		await_break(t, from, found);
		return true;
	}
	if (!add_edge(t, &(struct await_edge){ .from = from, .found = found, .to = to }))
		return false;
	t->changes++;
	try_again(t, from, found);
	return true;
}

void await_land(struct await_table *t, uint32_t from, uint32_t found, uint32_t to)
{
	struct await_edge *e = edge_find(t, from, found, AWAIT_LANDING);
	if (!from || !found || !to || t->frozen || (e && (e->to == to || (e->flags & AWAIT_BROKEN))))
		return;
	if (e) {
		e->flags |= AWAIT_BROKEN;
		t->changes++;
	} else if (add_edge(t, &(struct await_edge){ .from = from, .found = found, .to = to, .flags = AWAIT_LANDING })) {
		try_again(t, from, found);
	}
}

void await_install(struct await_table *t, const struct await_edge *e)
{
	if (!edge_find(t, e->from, e->found, e->flags & AWAIT_LANDING))
		add_edge(t, e);
}

void await_break(struct await_table *t, uint32_t from, uint32_t found)
{
	struct await_edge *e = edge_find(t, from, found, 0);
	if (!e || (e->flags & AWAIT_BROKEN) || t->frozen)
		return;
	e->flags |= AWAIT_BROKEN;
	t->broken++;
	t->changes++;
}

void await_unstable(struct await_table *t, uint64_t pc)
{
	if (!await_add_fact(t, pc, AWAIT_UNSTABLE))
		return;
	for (uint32_t i = 0; i < t->edges; i++)
		if (!(t->edge[i].flags & AWAIT_LANDING) && await_at(t, t->edge[i].from)->pc == pc)
			t->edge[i].flags |= AWAIT_VISIBLE | AWAIT_ALWAYS;
	t->changes++;
}

/* ---- the way of a thread ---- */

static bool has(const uint32_t *node, uint32_t n, uint32_t x)
{
	for (uint32_t i = 0; i < n; i++)
		if (node[i] == x)
			return true;
	return false;
}

/* Returns whether the node is a lock that is free at one value, and not now. */
static bool is_taken(const struct await_table *t, uint32_t node, uint32_t found)
{
	const struct await_node *n = await_at(t, node);
	return await_is_lock(n) && !(n->what & AWAIT_EDGES_SAY) && n->expected != found;
}

/* The way from a node to the exit. */
struct way {
	uint32_t n;
	uint32_t node[AWAIT_VISIT];
	bool round; /* the way comes back to a node that it has passed, or to a node of the visit */
	uint32_t exit;
	uint32_t beyond; /* node to which the exit's operation leads; 0 unknown */
};

static void way_of(const struct await_table *t, uint32_t node, const struct await_visit *visit, uint32_t found, struct way *w)
{
	w->n = 0;
	w->round = false;
	for (uint32_t x = node;;) {
		const struct await_edge *e = edge_of(t, x, found);
		w->exit = x;
		w->beyond = e ? e->to : 0;
		w->round = is_taken(t, x, found);
		if (!e || w->round)
			return;
		w->round = e->to == x || has(w->node, w->n, e->to) || has(visit->node, visit->n, e->to);
		if (w->round || (e->flags & AWAIT_VISIBLE) || !same_bytes(t, x, e->to) || w->n == AWAIT_VISIT)
			return;
		w->node[w->n++] = x;
		x = e->to;
	}
}

uint32_t await_exit_with(const struct await_table *t, uint32_t node, const struct await_visit *visit, uint32_t found)
{
	struct way w;
	way_of(t, node, visit, found, &w);
	return w.round ? 0 : w.exit;
}

uint32_t await_exit(const struct await_table *t, uint32_t node, const struct await_visit *visit, await_value value, void *ctx)
{
	return await_exit_with(t, node, visit, value(ctx, await_at(t, node)->addr, await_at(t, node)->size));
}

void await_visit_at(struct await_visit *v, uint32_t node)
{
	if (!node || v->next != node)
		v->n = 0;
	v->next = 0;
}

static void pass(struct await_visit *v, uint32_t node)
{
	if (v->n == AWAIT_VISIT)
		v->n = 0; /* a long loop: its iteration is detected later */
	v->node[v->n++] = node;
}

void await_visit_event(const struct await_table *t, struct await_visit *v, uint32_t node, uint32_t found)
{
	struct way w;
	way_of(t, node, v, found, &w);
	for (uint32_t i = 0; i < w.n; i++)
		pass(v, w.node[i]);
	pass(v, w.exit);
	v->next = w.beyond;
}

/* ---- early or late ---- */

void await_watch_at(struct await_reach *r, uint32_t node)
{
	r->n = node != 0;
	r->node[0] = node;
	r->via[0] = 0;
}

static void make_visible(struct await_table *t, uint32_t edge, struct await_conflict why)
{
	if ((t->edge[edge].flags & AWAIT_VISIBLE) || t->frozen)
		return;
	t->edge[edge].flags |= AWAIT_VISIBLE;
	t->conflict[edge] = why;
	t->changes++;
}

/* Adds what can be reached from the i-th node. Returns false when there is no room; *via is then the first step. */
static bool reach(const struct await_table *t, struct await_reach *r, uint32_t i, const struct await_visit *visit,
	uint32_t found, uint32_t *via)
{
	struct way w;
	way_of(t, r->node[i], visit, found, &w);
	*via = r->via[i] ? r->via[i] : t->edge_hash[edge_slot(t, r->node[i], found, 0)];
	for (uint32_t k = 1; k <= w.n; k++) {
		uint32_t x = k < w.n ? w.node[k] : w.exit;
		if (has(r->node, r->n, x))
			continue;
		if (r->n == AWAIT_REACH)
			return false;
		r->node[r->n] = x;
		r->via[r->n++] = *via;
	}
	return true;
}

/* Returns whether it makes no difference at which of the two nodes the thread leaves. 0 stands for being disabled. */
static bool same_exit(const struct await_table *t, uint32_t x, uint32_t y, uint32_t found)
{
	if (x == y || !x || !y)
		return x == y;
	const struct await_edge *a = edge_find(t, x, found, AWAIT_LANDING), *b = edge_find(t, y, found, AWAIT_LANDING);
	const struct await_node *m = await_at(t, x), *n = await_at(t, y);
	return a && b && !((a->flags | b->flags) & AWAIT_BROKEN) && a->to == b->to && m->what == n->what &&
	       m->expected == n->expected && same_bytes(t, x, y);
}

void await_watch(struct await_table *t, struct await_reach *r, const struct await_visit *visit, await_value value, void *ctx)
{
	if (r->n)
		await_watch_found(t, r, visit,
			value(ctx, await_at(t, r->node[0])->addr, await_at(t, r->node[0])->size));
}

void await_watch_found(struct await_table *t, struct await_reach *r, const struct await_visit *visit, uint32_t found)
{
	uint32_t via;
	if (!r->n)
		return;
	for (uint32_t i = 0; i < r->n; i++)
		if (!reach(t, r, i, visit, found, &via)) {
			make_visible(t, via - 1, (struct await_conflict){ 0 });
			return;
		}
	uint32_t exit = await_exit_with(t, r->node[0], visit, found);
	for (uint32_t i = 1; i < r->n; i++) {
		uint32_t other = await_exit_with(t, r->node[i], visit, found);
		if (same_exit(t, other, exit, found))
			continue;
		struct await_conflict why = { .node = { (uint16_t)exit, (uint16_t)other }, .found = found };
		make_visible(t, r->via[i] - 1, why);
	}
}

static uint32_t next_now(const struct await_table *t, uint32_t node, await_value value, void *ctx)
{
	uint32_t found = value(ctx, await_at(t, node)->addr, await_at(t, node)->size);
	return is_taken(t, node, found) ? node : await_next(t, node, found);
}

bool await_stuck(const struct await_table *t, uint32_t node, await_value value, void *ctx)
{
	for (uint32_t steps = 0; node && steps <= t->nodes; steps++)
		node = next_now(t, node, value, ctx);
	return node != 0;
}

uint32_t await_round(const struct await_table *t, uint32_t node, await_value value, void *ctx)
{
	for (uint32_t steps = 0; steps <= t->nodes; steps++) /* enter the loop */
		node = next_now(t, node, value, ctx);
	uint32_t first = node;
	for (uint32_t x = next_now(t, node, value, ctx); x != node; x = next_now(t, x, value, ctx))
		if (await_at(t, x)->pc < await_at(t, first)->pc)
			first = x;
	return first;
}
