/* The execution graph of the running execution: see live.h. */
#include "sched/live.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "sched/hb.h"
#include "sched/live_places.h"
#include "sched/memory.h"
#include "sched/rc11.h"

/* What the pending access of a thread computes (world_computes). */
struct computes {
	unsigned update;
	uint64_t operand, expected;
};

#define LOOP_STATES 16u

/* The loop in which a thread may wait. */
struct live_loop {
	uint64_t state[LOOP_STATES]; /* those before its accesses since it last changed anything */
	uint32_t n;
	bool spins; /* its pending access is in one of these states */
};

struct live {
	struct rc11 *graph;
	struct live_places places;
	uint32_t *epoch; /* of each event of the graph: the epoch of its thread in happens-before */
	uint32_t *step; /* its event in the trace, from 1; 0: none */
	uint8_t behind[RC11_THREADS]; /* the thread may know more than its latest event of the graph */
	bool full;
	/* the older stores that were offered last (world_stores), until the next event */
	struct {
		uint32_t n;
		thread_id thread;
		uint32_t store[OLDER_STORES];
	} offered;
	/* the access that is made now */
	bool made, shown;
	bool older; /* memory is to hold `found` meanwhile */
	uint32_t store; /* its event in the graph, from 1; 0: it stores nothing */
	uint32_t size;
	uint64_t addr, found, latest;
	uint64_t stored; /* the value of the latest store that was made */
	uint8_t fenced; /* the order of the latest fence */
	struct computes computes[RC11_THREADS];
	struct live_loop loop[RC11_THREADS];
};

void live_init(struct world *w)
{
	if (w->config.settings.model != MODEL_RC11 || !w->config.memory || !w->config.order)
		return;
	uint32_t events = w->config.graph_events ? w->config.graph_events : LIVE_EVENTS;
	struct rc11_limits limits = {.threads = RC11_THREADS, .events = events, .places = LIVE_PLACES};
	w->graph = world_alloc(w, sizeof *w->graph);
	w->graph->epoch = world_alloc(w, events * sizeof(uint32_t));
	w->graph->step = world_alloc(w, events * sizeof(uint32_t));
	w->graph->graph = world_alloc(w, rc11_bytes(limits));
	rc11_init(w->graph->graph, limits);
}

static uint64_t read_value(const struct world *w, uint64_t addr, uint32_t size)
{
	uint64_t value = 0;
	memcpy(&value, w->config.memory(w->config.ready_ctx, addr, size), size);
	return value;
}

static void write_value(const struct world *w, uint64_t addr, uint32_t size, uint64_t value)
{
	memcpy(w->config.memory(w->config.ready_ctx, addr, size), &value, size);
}

/* ---- places ---- */

static struct live_range range_of(const struct op *op)
{
	struct event e = {.obj = {op->obj[0], op->obj[1]}, .span = op->span};
	struct live_range r;
	event_bytes(&e, &r.lo, &r.hi);
	return r;
}

/* Returns whether the operation may take part in the graph, if its bytes may. */
static bool is_atomic(const struct op *op)
{
	return !(op->flags & OPF_PLAIN) && op->arg[1] <= 8 && !op->more;
}

/* Returns the place of t's pending operation; NULL: it is not known yet, or is mixed. */
static struct live_place *place_of(const struct world *w, const struct op *op)
{
	struct live_place *p = is_atomic(op) ? live_place_find(&w->graph->places, range_of(op)) : NULL;
	return p && !p->mixed ? p : NULL;
}

/* The same, and makes it. Its initial value is what memory holds now. */
static struct live_place *place_for(struct world *w, const struct op *op)
{
	struct live *l = w->graph;
	if (!is_atomic(op) || l->full)
		return NULL;
	struct live_place *p = live_place_make(&l->places, range_of(op));
	if (!p) {
		l->full = true;
		return NULL;
	}
	if (p->mixed)
		return NULL;
	if (p->id == LIVE_NO_PLACE) {
		p->id = rc11_place(l->graph, read_value(w, op->arg[0], (uint32_t)op->arg[1]));
		l->full = p->id == LIVE_NO_PLACE;
	}
	return l->full ? NULL : p;
}

/* ---- what happens before ---- */

/* The number in the graph of the latest event of thread t whose epoch is not later. */
static uint32_t number_at(const struct live *l, uint32_t t, uint32_t epoch)
{
	uint32_t at = rc11_last(l->graph)[t];
	while (at && l->epoch[at - 1] > epoch)
		at = rc11_event(l->graph, at - 1)->before;
	return at ? rc11_event(l->graph, at - 1)->number : 0;
}

/* Adds an event of thread t. Returns its index, from 1; 0: there is no room. */
static uint32_t add(struct world *w, const struct rc11_op *op, uint32_t store, uint32_t step)
{
	struct live *l = w->graph;
	if (l->full || !rc11_push(l->graph, op, store)) {
		l->full = true;
		return 0;
	}
	uint32_t i = l->graph->n;
	l->epoch[i - 1] = hb_epoch(w->config.order, op->thread);
	l->step[i - 1] = step;
	return i;
}

static uint32_t latest_of(const struct live *l, thread_id t)
{
	return t < RC11_THREADS ? rc11_last(l->graph)[t] : 0;
}

static bool is_other(const struct live *l, uint32_t at)
{
	return at && rc11_event(l->graph, at - 1)->op.kind == RC11_OTHER;
}

static void add_other(struct world *w, thread_id t)
{
	struct rc11_op op = {.kind = RC11_OTHER, .thread = t};
	add(w, &op, RC11_INITIAL, 0);
}

/* Brings the graph up to what t knows by calls of the library, and by accesses that are not in the graph. */
static void catch_up(struct world *w, thread_id t)
{
	struct live *l = w->graph;
	uint32_t known[RC11_THREADS];
	if (t >= RC11_THREADS) {
		l->full = true;
		return;
	}
	if (!l->behind[t])
		return;
	if (!is_other(l, latest_of(l, t)))
		add_other(w, t);
	if (l->full)
		return;
	for (uint32_t u = 0; u < RC11_THREADS; u++)
		known[u] = u == t ? 0 : number_at(l, u, hb_seen(w->config.order, t, (thread_id)u));
	rc11_knows(l->graph, latest_of(l, t) - 1, known);
	l->behind[t] = 0;
}

static void fall_behind(struct live *l, thread_id t)
{
	if (t < RC11_THREADS)
		l->behind[t] = 1;
}

static void perform_other(struct world *w, const struct wthread *t)
{
	struct live *l = w->graph;
	uint32_t at = latest_of(l, t->id);
	if (at && !is_other(l, at))
		add_other(w, t->id); /* so that its earlier accesses come before an event without a place (psc) */
	fall_behind(l, t->id);
}

/* ---- loops that wait ---- */

static bool was_in(const struct live_loop *l, uint64_t state)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->state[i] == state)
			return true;
	return false;
}

void live_announced(struct world *w, const struct wthread *t)
{
	const struct op *op = &t->op;
	struct live_loop *l = t->id < RC11_THREADS ? &w->graph->loop[t->id] : NULL;
	bool samples = w->config.samples && *w->config.samples;
	if (!l || op->kind == EV_YIELD || op->kind == EV_SLEEP || op->kind == EV_GIVE_WAY || op->kind == EV_FENCE)
		return;
	if (event_kind_object(op->kind) != OBJ_MEMORY || !op->state || op->wrote || samples)
		l->n = 0;
	l->spins = op->state && was_in(l, op->state);
}

bool live_spins(const struct world *w, const struct wthread *t)
{
	bool access = t->has_op && event_kind_object(t->op.kind) == OBJ_MEMORY;
	return access && t->id < RC11_THREADS && w->graph->loop[t->id].spins;
}

/* t has performed an access. */
static void note_loop(struct live *l, const struct wthread *t, bool writes)
{
	struct live_loop *x = t->id < RC11_THREADS ? &l->loop[t->id] : NULL;
	if (!x)
		return;
	if (writes || x->n == LOOP_STATES)
		x->n = 0;
	if (!writes && t->op.state)
		x->state[x->n++] = t->op.state;
}

/* ---- operations of the graph ---- */

/* The source of code without memory orders may say seq_cst of each load, which is a plain move then, and of each locked
   instruction. It cannot of a store that is a plain move. */
static unsigned order_of(const struct op *op, bool failed)
{
	if (!(op->flags & (OPF_ATOMIC | OPF_PLAIN)) && op->kind != EV_STORE)
		return RC11_SEQ_CST;
	if (failed)
		return op->failed_seq_cst ? RC11_SEQ_CST : op->failed_acquires ? RC11_ACQUIRE
									       : RC11_RELAXED;
	if (op->seq_cst)
		return RC11_SEQ_CST;
	return order_of_both(op->flags & OPF_ACQUIRE, op->flags & OPF_RELEASE);
}

void world_strengthen(struct world *w, thread_id id, unsigned order)
{
	struct op *op = &w->thread[id]->op;
	if (op->kind == EV_FENCE && order != RC11_RELAXED)
		op->type = order_both(op->type, order);
	if (event_kind_object(op->kind) != OBJ_MEMORY || !(op->flags & OPF_ATOMIC))
		return;
	bool reads = op->kind != EV_STORE, writes = op->kind != EV_LOAD;
	op->flags |= (uint8_t)((reads && order_acquires(order) ? OPF_ACQUIRE : 0) |
			       (writes && order_releases(order) ? OPF_RELEASE : 0));
	op->failed_acquires |= order_acquires(order);
	op->seq_cst |= order == RC11_SEQ_CST;
	op->failed_seq_cst |= order == RC11_SEQ_CST;
}

unsigned world_fenced(const struct world *w)
{
	return w->graph->fenced;
}

void world_access_order(const void *world, thread_id id, struct access_order *out)
{
	const struct world *w = world;
	const struct op *op = &w->thread[id]->op;
	*out = (struct access_order){.other = NO_THREAD, .stored = w->graph->stored};
	out->epoch = hb_epoch(w->config.order, id);
	out->timed = op->flags & OPF_TIMED ? 1 : 0;
	if (op->kind == EV_FENCE) {
		out->order = (uint8_t)op->type;
	} else if (event_kind_object(op->kind) == OBJ_MEMORY) {
		const struct computes *c = id < RC11_THREADS ? &w->graph->computes[id] : NULL;
		out->order = (uint8_t)order_of(op, false);
		out->fail = (uint8_t)order_of(op, true);
		out->size = op->arg[1] > 8 ? 9 : (uint16_t)op->arg[1];
		out->frees = op->kind == EV_STORE && op->type;
		out->compares = op->kind == EV_RMW && op->type;
		if (c && !(op->flags & OPF_PLAIN)) {
			out->update = (uint8_t)c->update;
			out->operand = c->operand;
			out->expected = c->expected;
		}
		if (out->size <= 8)
			out->now = read_value(w, op->arg[0], out->size);
	} else if (op->kind == EV_THREAD_CREATE) {
		out->other = world_next_child(w, id);
	} else if (op->kind == EV_THREAD_JOIN) {
		out->other = world_obj(w, op->obj[0])->thread.id;
	}
}

uint32_t world_seen(const void *world, thread_id t, thread_id of)
{
	const struct world *w = world;
	return hb_seen(w->config.order, t, of);
}

void world_computes(struct world *w, thread_id t, unsigned update, uint64_t operand, uint64_t expected)
{
	if (w->graph && t < RC11_THREADS)
		w->graph->computes[t] = (struct computes){update, operand, expected};
}

static struct rc11_op graph_op(const struct wthread *t, uint32_t place, bool failed)
{
	const struct op *op = &t->op;
	struct rc11_op o = {.thread = t->id, .place = place, .size = (uint8_t)op->arg[1]};
	o.kind = op->kind == EV_STORE ? RC11_STORE : RC11_UPDATE;
	if (op->kind == EV_LOAD || failed)
		o.kind = RC11_LOAD;
	o.order = (uint8_t)order_of(op, failed);
	return o;
}

static uint64_t value_of(const struct live *l, const struct live_place *p, uint32_t store)
{
	return store ? rc11_event(l->graph, store - 1)->written : rc11_place_at(l->graph, p->id)->value;
}

static uint32_t fingerprint_of(const struct live *l, const struct live_place *p, uint32_t store, uint32_t size)
{
	uint64_t value = value_of(l, p, store);
	return memory_fingerprint(&value, size);
}

static bool fails(const struct op *op, uint32_t found)
{
	return op->kind == EV_RMW && op->type && found && found != op->type;
}

/* Offers the stores before the latest one that t's pending operation may read or come after, the newest first. At most
   `max`. */
static void offer_older(struct live *l, const struct wthread *t, const struct live_place *p, unsigned max)
{
	l->offered.n = 0;
	l->offered.thread = t->id;
	if (l->full || !(t->op.flags & OPF_ATOMIC))
		return;
	for (uint32_t s = rc11_latest(l->graph, p->id); s && l->offered.n < max;) {
		s = rc11_event(l->graph, s - 1)->older;
		struct rc11_op op = graph_op(t, p->id, fails(&t->op, fingerprint_of(l, p, s, (uint32_t)t->op.arg[1])));
		if (!rc11_push(l->graph, &op, s))
			break;
		enum rc11_verdict v = rc11_verdict(l->graph);
		rc11_pop(l->graph);
		if (v == RC11_CONSISTENT)
			l->offered.store[l->offered.n++] = s;
		else if (v == RC11_INCOHERENT)
			break;
	}
}

unsigned world_stores(struct world *w, thread_id id, struct choice *out, unsigned max)
{
	struct wthread *t = w->thread[id];
	struct live *l = w->graph;
	if (!l || !max)
		return 0;
	out[0] = (struct choice){.thread = id, .alt = ALT_NORMAL};
	const struct live_place *p = event_kind_object(t->op.kind) == OBJ_MEMORY ? place_for(w, &t->op) : NULL;
	if (!p)
		return 1;
	catch_up(w, id);
	offer_older(l, t, p, max - 1 < OLDER_STORES ? max - 1 : OLDER_STORES);
	for (unsigned i = 0; i < l->offered.n; i++)
		out[1 + i] = (struct choice){.thread = id, .alt = (uint8_t)(ALT_OLDER + i)};
	return 1 + l->offered.n;
}

/* The store that the alternative stands for. */
static uint32_t chosen(const struct world *w, const struct wthread *t, const struct live_place *p, unsigned alt)
{
	const struct live *l = w->graph;
	unsigned k = alt - ALT_OLDER;
	if (!alternative_is_older(alt))
		return rc11_latest(l->graph, p->id);
	INVARIANT(l->offered.thread == t->id && k < l->offered.n, "thread %u was offered no older store %u", t->id, k);
	return l->offered.store[k];
}

void live_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct live *l = w->graph;
	const struct live_place *p = live_place_find(&l->places, range_of(&t->op));
	d->result = p ? (int32_t)p->step : 0;
	if (!alternative_is_older(alt))
		return;
	p = place_of(w, &t->op);
	uint32_t store = chosen(w, t, p, alt);
	d->seq = fingerprint_of(l, p, store, (uint32_t)t->op.arg[1]);
	d->result = (int32_t)(store ? l->step[store - 1] : p->first);
}

/* ---- performing ---- */

/* A write that is not in the graph: a plain one, or one of other bytes than those of a place, which it overlaps. */
static void write_outside(struct world *w, const struct wthread *t, uint32_t step)
{
	bool small = t->op.arg[1] <= 8 && !t->op.more;
	live_places_written(&w->graph->places, range_of(&t->op), step, small, is_atomic(&t->op));
}

void live_access(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct live *l = w->graph;
	const struct op *op = &t->op;
	uint32_t step = w->config.trace->n + 1;
	bool failed = d->flags & EVF_FAILED && op->kind == EV_RMW, writes = op->kind != EV_LOAD && !failed;
	struct live_place *p = place_for(w, op);
	l->made = false;
	note_loop(l, t, writes);
	if (p)
		catch_up(w, t->id);
	if (!p || l->full) {
		fall_behind(l, t->id);
		if (writes)
			write_outside(w, t, step);
		l->made = writes && op->arg[1] <= 8 && !op->more && !(op->kind == EV_STORE && op->type);
		l->older = false;
		l->store = 0;
		l->addr = op->arg[0];
		l->size = (uint32_t)op->arg[1];
		return;
	}
	uint32_t store = chosen(w, t, p, alt), latest = rc11_latest(l->graph, p->id);
	l->offered.n = 0;
	struct rc11_op o = graph_op(t, p->id, failed);
	uint64_t found = value_of(l, p, store);
	uint32_t i = add(w, &o, store, step);
	if (writes && store == latest)
		p->step = step;
	l->older = store != latest;
	l->store = writes ? i : 0;
	l->addr = op->arg[0];
	l->size = o.size;
	l->found = found;
	l->made = l->older || l->store;
}

enum graph_gap live_gap(const struct world *w, const struct op *op)
{
	if (op->flags & OPF_PLAIN)
		return GAP_NONE;
	if (w->graph->full)
		return GAP_LONG;
	if (!(op->flags & OPF_ATOMIC))
		return GAP_ORDERS;
	return place_of(w, op) ? GAP_NONE : GAP_SIZES;
}

/* Adds a load of the word that the call compares, which finds what memory holds. */
static void look_at_word(struct world *w, const struct wthread *t, uint64_t addr)
{
	struct op look = t->op;
	look.kind = EV_LOAD;
	look.arg[0] = addr;
	look.arg[1] = 4;
	struct live_place *p = place_for(w, &look);
	if (!p)
		return;
	struct rc11_op op = {.kind = RC11_LOAD, .thread = t->id, .place = p->id, .size = 4};
	add(w, &op, rc11_latest(w->graph->graph, p->id), 0);
}

/* The kernel has a full barrier before it compares the word, or looks for waiting threads, and where a thread wakes
   up. */
static void perform_futex(struct world *w, const struct wthread *t)
{
	struct rc11_op fence = {.kind = RC11_FENCE, .order = RC11_SEQ_CST, .thread = t->id};
	catch_up(w, t->id);
	add(w, &fence, RC11_INITIAL, 0);
	if (t->op.kind == EV_FUTEX_WAIT && t->op.obj[1])
		look_at_word(w, t, futex_word(world_obj(w, t->op.obj[0])->addr));
	fall_behind(w->graph, t->id);
}

static void perform_fence(struct world *w, const struct wthread *t)
{
	struct rc11_op op = {.kind = RC11_FENCE, .order = (uint8_t)t->op.type, .thread = t->id};
	w->graph->fenced = op.order;
	catch_up(w, t->id);
	add(w, &op, RC11_INITIAL, 0);
	fall_behind(w->graph, t->id);
}

void live_event(struct world *w, const struct wthread *t)
{
	if (t->op.kind == EV_FENCE)
		perform_fence(w, t);
	else if (event_kind_object(t->op.kind) == OBJ_FUTEX)
		perform_futex(w, t);
	else
		perform_other(w, t);
}

/* ---- the access itself ---- */

void live_show(struct world *w)
{
	struct live *l = w->graph;
	if (!l->made || l->shown)
		return;
	l->shown = true;
	l->latest = read_value(w, l->addr, l->size);
	if (l->older)
		write_value(w, l->addr, l->size, l->found);
}

/* The access has stored this value. */
static void keep_value(const struct world *w, uint64_t value)
{
	struct live *l = w->graph;
	l->stored = value;
	if (l->store)
		rc11_event(l->graph, l->store - 1)->written = value;
}

void live_hide(struct world *w)
{
	struct live *l = w->graph;
	if (!l->shown)
		return;
	l->made = l->shown = false;
	keep_value(w, read_value(w, l->addr, l->size));
	if (l->older)
		write_value(w, l->addr, l->size, l->latest);
}

void live_leave_out(struct world *w, uint32_t without)
{
	w->graph->graph->without = without;
}

void live_pop_stack(struct world *w, uint64_t lo, uint64_t hi)
{
	struct live *l = w->graph;
	if (l->shown && l->addr < hi && l->addr + l->size > lo)
		l->made = l->shown = false;
}
