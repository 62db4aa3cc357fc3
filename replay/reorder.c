/*
 * A state says how many events of each thread and agent (a lane) have happened. A state has a successor for each lane whose next event
 * has all its predecessors. Dijkstra's algorithm runs over these states. The cost of a path is, in this order: switches and preemptions
 * (one of the two first), delayed stores, length.
 */
#include "replay/reorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

#define MAX_STATES 60000
#define MAX_LANES 32
#define COST_FIRST (UINT64_C(1) << 48)
#define COST_SECOND (UINT64_C(1) << 32)
#define COST_DELAY (UINT64_C(1) << 16)
#define NO_LANE 255
#define NO_EVENT UINT32_MAX

struct state {
	uint64_t cost;
	uint32_t parent, chain; /* chain: next in the same bucket */
	uint32_t left;          /* bit set of the lanes whose thread never runs again */
	uint8_t lane, current;  /* lane of the last step; lane of the thread that moved last */
	bool done;
};

struct orders {
	const struct event *event;
	uint32_t n;
	unsigned lanes;
	thread_id id[MAX_LANES];
	uint32_t *of[MAX_LANES], len[MAX_LANES]; /* events of a lane, by index */
	uint8_t *lane;    /* by event */
	uint32_t *at;     /* by event: its index in its lane */
	uint32_t *need;   /* by event and lane: number of events of that lane that come before it */
	uint32_t *before; /* by event: the latest earlier event with the same first object; NO_EVENT: none */
	uint32_t *store;  /* by UPDATE: its STORE */
	bool *local;      /* by event: no event of another thread depends on it */
	uint64_t cost_switch, cost_preemption;
	unsigned goal;    /* lane of the failing thread; NO_LANE: all lanes must be complete */
	struct state *state;
	uint16_t *pos;    /* by state and lane */
	uint32_t states, *bucket, buckets;
	uint32_t *heap, heaped;
};

/* ---- dependences ---- */

static int lane_of(struct orders *o, thread_id t)
{
	for (unsigned l = 0; l < o->lanes; l++)
		if (o->id[l] == t)
			return (int)l;
	if (o->lanes == MAX_LANES)
		return -1;
	o->id[o->lanes] = t;
	o->of[o->lanes] = xcalloc(o->n, sizeof(uint32_t));
	return (int)o->lanes++;
}

static bool make_lanes(struct orders *o)
{
	for (uint32_t i = 0; i < o->n; i++) {
		int l = lane_of(o, o->event[i].thread);
		if (l < 0)
			return false;
		o->lane[i] = (uint8_t)l;
		o->at[i] = o->len[l];
		o->of[l][o->len[l]++] = i;
	}
	return true;
}

static void require(struct orders *o, uint32_t i, uint32_t before)
{
	uint32_t *need = &o->need[i * o->lanes + o->lane[before]];

	if (*need <= o->at[before])
		*need = o->at[before] + 1;
}

/* The k-th UPDATE of an agent moves the k-th store of that agent's buffer. */
static void pair_store(struct orders *o, uint32_t i)
{
	uint32_t k = o->at[i];

	for (uint32_t j = 0; j < i; j++)
		if (event_buffered(&o->event[j]) && event_agent(&o->event[j]) == o->event[i].thread && k-- == 0) {
			o->store[i] = j;
			require(o, i, j);
			return;
		}
}

static bool ends(const struct event *e)
{
	return event_kind_flags(e->kind) & K_END;
}

static void relate(struct orders *o)
{
	memset(o->local, true, o->n);
	for (uint32_t i = 0; i < o->n; i++) {
		const struct event *e = &o->event[i];
		o->before[i] = o->store[i] = NO_EVENT;
		if (e->kind == EV_UPDATE)
			pair_store(o, i);
		for (uint32_t j = i; j-- > 0;) {
			const struct event *d = &o->event[j];
			if (o->before[i] == NO_EVENT && e->obj[0] && e->obj[0] == d->obj[0])
				o->before[i] = j;
			if (d->kind == EV_THREAD_CREATE && event_child(d) == e->thread)
				require(o, i, j);
			if (d->thread == e->thread || !events_dependent(d, e))
				continue;
			if (o->goal != NO_LANE && ends(e))
				continue; /* an event that merely comes before the end need not happen at all */
			require(o, i, j);
			if (event_owner(d) != event_owner(e))
				o->local[i] = o->local[j] = false;
		}
	}
}

/* ---- one state ---- */

static uint16_t *pos_of(const struct orders *o, uint32_t s)
{
	return &o->pos[(size_t)s * o->lanes];
}

static uint32_t next_of(const struct orders *o, const uint16_t *pos, unsigned l)
{
	return pos[l] < o->len[l] ? o->of[l][pos[l]] : NO_EVENT;
}

static bool ready(const struct orders *o, const uint16_t *pos, uint32_t e)
{
	for (unsigned l = 0; l < o->lanes; l++)
		if (pos[l] < o->need[e * o->lanes + l])
			return false;
	return true;
}

static bool takes(const struct event *e)
{
	return !(e->flags & EVF_FAILED) && (e->mode[0] == M_ACQ || e->mode[0] == M_RDACQ);
}

/* Estimates whether the thread could perform its next event now, even if in this trace something comes before it. */
static bool enabled(const struct orders *o, const uint16_t *pos, uint32_t e)
{
	const struct event *x = &o->event[e];
	uint32_t b = o->before[e];

	if (ready(o, pos, e))
		return true;
	if (x->flags & EVF_AWAIT && event_kind_object(x->kind) == OBJ_MEMORY)
		return false;
	if (event_drains(x) && !is_agent(x->thread))
		for (unsigned l = 0; l < o->lanes; l++) {
			uint32_t u = next_of(o, pos, l);
			if (u != NO_EVENT && o->event[u].kind == EV_UPDATE && update_owner(&o->event[u]) == x->thread &&
				o->store[u] != NO_EVENT && o->at[o->store[u]] < pos[o->lane[e]])
				return false; /* its buffer is not empty */
		}
	if (!(event_kind_flags(x->kind) & K_BLOCK))
		return true;
	if (!takes(x) || event_kind_object(x->kind) == OBJ_THREAD)
		return false;
	while (b != NO_EVENT && o->at[b] >= pos[o->lane[b]])
		b = o->before[b];
	return b == NO_EVENT || !takes(&o->event[b]);
}

static bool gave_way(const struct event *e)
{
	return event_kind_flags(e->kind) & K_GIVES_WAY ||
	       (e->kind == EV_FUTEX_WAIT && !event_failed(e));
}

static bool reached(const struct orders *o, const uint16_t *pos)
{
	for (unsigned l = 0; l < o->lanes; l++)
		if ((o->goal == NO_LANE || o->goal == l) && pos[l] < o->len[l])
			return false;
	return true;
}

/* ---- the search ---- */

static uint32_t hash(const struct orders *o, const uint16_t *pos, unsigned current, uint32_t left)
{
	uint64_t h = HASH_START ^ current ^ (uint64_t)left << 8;

	for (unsigned l = 0; l < o->lanes; l++)
		h = hash_word(h, pos[l]);
	return (uint32_t)(h >> 32 ^ h) % o->buckets;
}

static void push(struct orders *o, uint32_t s)
{
	uint32_t i = o->heaped++;

	for (; i && o->state[o->heap[(i - 1) / 2]].cost > o->state[s].cost; i = (i - 1) / 2)
		o->heap[i] = o->heap[(i - 1) / 2];
	o->heap[i] = s;
}

static uint32_t pop(struct orders *o)
{
	uint32_t top = o->heap[0], s = o->heap[--o->heaped], i = 0, k;

	for (; (k = 2 * i + 1) < o->heaped; i = k) {
		if (k + 1 < o->heaped && o->state[o->heap[k + 1]].cost < o->state[o->heap[k]].cost)
			k++;
		if (o->state[o->heap[k]].cost >= o->state[s].cost)
			break;
		o->heap[i] = o->heap[k];
	}
	o->heap[i] = s;
	return top;
}

/* Adds the state that is reached from `from` by a step of `lane`, at this cost. A state may be in the heap several times; each entry is a
   state of its own, and only the first of equal states that is popped counts. */
static void arrive(struct orders *o, uint32_t from, unsigned lane, unsigned current, uint32_t left, uint64_t cost)
{
	uint32_t s = o->states;
	uint16_t *pos = pos_of(o, s);

	if (s == MAX_STATES)
		return;
	memcpy(pos, pos_of(o, from), o->lanes * sizeof(*pos));
	pos[lane]++;
	o->state[s] = (struct state){ .cost = cost, .parent = from, .left = left, .lane = (uint8_t)lane, .current = (uint8_t)current };
	o->states++;
	push(o, s);
}

static bool known(struct orders *o, uint32_t s)
{
	const struct state *st = &o->state[s];
	const uint16_t *pos = pos_of(o, s);
	uint32_t h = hash(o, pos, st->current, st->left);

	for (uint32_t k = o->bucket[h]; k != NO_EVENT; k = o->state[k].chain)
		if (o->state[k].current == st->current && o->state[k].left == st->left &&
			!memcmp(pos_of(o, k), pos, o->lanes * sizeof(*pos)))
			return true;
	o->state[s].chain = o->bucket[h];
	o->bucket[h] = s;
	return false;
}

/* Adds the successors in which another thread than the one that moved last makes a step. `mine` is the latter's next event (NO_EVENT: none). */
static void leave(struct orders *o, uint32_t s, unsigned lane, uint32_t mine)
{
	const struct state *st = &o->state[s];
	const uint16_t *pos = pos_of(o, s);
	uint32_t last = mine != NO_EVENT && pos[st->current] ? o->of[st->current][pos[st->current] - 1] : NO_EVENT;
	uint64_t cost = st->cost + 1;
	uint32_t left = st->left;
	bool free_to_go = mine == NO_EVENT || (last != NO_EVENT && gave_way(&o->event[last])) || !enabled(o, pos, mine);

	if (st->current != NO_LANE)
		cost += o->cost_switch;
	if (free_to_go || !o->local[mine])
		arrive(o, s, lane, lane, left, cost + (free_to_go ? 0 : o->cost_preemption));
	/* leaving a thread that never runs again is not a preemption */
	if (!free_to_go && o->goal != NO_LANE && st->current != o->goal)
		arrive(o, s, lane, lane, left | UINT32_C(1) << st->current, cost);
}

static void expand(struct orders *o, uint32_t s)
{
	const struct state *st = &o->state[s];
	const uint16_t *pos = pos_of(o, s);
	uint32_t mine = st->current == NO_LANE ? NO_EVENT : next_of(o, pos, st->current);

	for (unsigned l = 0; l < o->lanes; l++) {
		uint32_t e = next_of(o, pos, l);
		if (e == NO_EVENT || (st->left >> l & 1) || !ready(o, pos, e))
			continue;
		if (is_agent(o->id[l])) {
			bool at_once = o->store[e] != NO_EVENT && st->lane == o->lane[o->store[e]] &&
				pos[st->lane] == o->at[o->store[e]] + 1;
			arrive(o, s, l, st->current, st->left, st->cost + 1 + (at_once ? 0 : COST_DELAY));
		} else if (l == st->current) {
			arrive(o, s, l, l, st->left, st->cost + 1);
		} else {
			leave(o, s, l, mine);
		}
	}
}

static uint32_t write_order(const struct orders *o, uint32_t s, uint32_t *out)
{
	uint32_t n = 0, k;

	for (uint32_t i = s; o->state[i].lane != NO_LANE; i = o->state[i].parent)
		n++;
	k = n;
	for (uint32_t i = s; o->state[i].lane != NO_LANE; i = o->state[i].parent) {
		unsigned l = o->state[i].lane;
		out[--k] = o->of[l][pos_of(o, i)[l] - 1];
	}
	return n;
}

static uint32_t search(struct orders *o, uint32_t *out)
{
	o->buckets = MAX_STATES;
	o->bucket = xcalloc(o->buckets, sizeof(*o->bucket));
	memset(o->bucket, 0xff, o->buckets * sizeof(*o->bucket));
	o->state = xcalloc(MAX_STATES, sizeof(*o->state));
	o->pos = xcalloc((size_t)MAX_STATES * o->lanes, sizeof(*o->pos));
	o->heap = xcalloc(MAX_STATES, sizeof(*o->heap));
	o->state[0] = (struct state){ .lane = NO_LANE, .current = NO_LANE };
	o->states = 1;
	push(o, 0);
	while (o->heaped) {
		uint32_t s = pop(o);
		if (known(o, s))
			continue;
		if (reached(o, pos_of(o, s)))
			return write_order(o, s, out);
		expand(o, s);
		if (o->states == MAX_STATES)
			return 0; /* a dropped state could have been better */
	}
	return 0;
}

uint32_t reorder(const struct event *event, uint32_t n, thread_id failing, enum cost_order first, uint32_t *out)
{
	struct orders o = { .event = event, .n = n, .goal = NO_LANE, .cost_switch = first == COST_SWITCHES_FIRST ? COST_FIRST : COST_SECOND,
		.cost_preemption = first == COST_SWITCHES_FIRST ? COST_SECOND : COST_FIRST };
	uint32_t found = 0;

	if (!n || n > REORDER_EVENTS)
		return 0;
	o.lane = xcalloc(n, sizeof(*o.lane));
	o.at = xcalloc(n, sizeof(*o.at));
	o.before = xcalloc(n, sizeof(*o.before));
	o.store = xcalloc(n, sizeof(*o.store));
	o.local = xcalloc(n, sizeof(*o.local));
	if (make_lanes(&o)) {
		for (unsigned l = 0; l < o.lanes; l++)
			if (o.id[l] == failing)
				o.goal = l;
		o.need = xcalloc((size_t)n * o.lanes, sizeof(*o.need));
		relate(&o);
		found = search(&o, out);
	}
	for (unsigned l = 0; l < o.lanes; l++)
		free(o.of[l]);
	free(o.lane);
	free(o.at);
	free(o.need);
	free(o.before);
	free(o.store);
	free(o.local);
	free(o.state);
	free(o.pos);
	free(o.heap);
	free(o.bucket);
	return found;
}
