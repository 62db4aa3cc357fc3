/*
 * Preemptions of a trace: see preempt.h.
 *
 * A depth-first search over runs: a thread goes on as far as the trace lets it, or (for the price of a preemption) stops before. The
 * state after a run is a downset of the trace; one from which so many preemptions were not enough is remembered. Where
 * nothing but joins at the ends of threads can block, a thread that can run to its end is run at once and no other is
 * tried: moving its events to the front takes preemptions away and brings none, since nobody is less blocked by it at a place
 * where it would have been left. So many independent threads cost no more than few.
 */
#include "explore/preempt.h"

#include <string.h>

#include "explore/feasible.h"
#include "explore/vclock.h"
#include "explore/waiting.h"

#define MOST_RUNS 50000u  /* then it is given up */
#define FEW_RUNS 500u     /* the same when what it is for is to save executions: so many cost about as much as one */
#define MEMO_SLOTS 16384u /* power of two */

/* A run on the stack. */
struct run {
	uint32_t slot;   /* of its thread */
	uint32_t from;   /* events of it that were done before */
	uint32_t full;   /* as far as it can go */
	uint32_t to;     /* as far as it goes now */
	uint32_t cost;   /* of leaving it there */
	uint32_t only;   /* nothing else is worth trying */
};

struct memo {
	uint64_t key;  /* of the downset; 0 empty */
	uint64_t most; /* so many preemptions were not enough, + 1 */
};

struct work {
	struct search *s;
	uint32_t w, n;          /* slots; nodes */
	const uint32_t *upto;
	uint32_t *done, *first; /* by slot: events done; where its events stand in `order` */
	uint32_t *order;        /* indices of nodes, by slot */
	uint8_t *kept;          /* by node: is done */
	struct memo *memo;
	uint32_t left;          /* events that are not done */
	uint64_t key;           /* of the downset that is done: a sum of numbers, one for each slot */
	bool simple;            /* see above */
	const struct await_table *await;
};

static uint32_t event_of(const struct work *k, uint32_t slot, uint32_t i)
{
	return k->order[k->first[slot] + i];
}

/* Can event i of the slot come next? */
static bool ready(const struct work *k, uint32_t slot, uint32_t i)
{
	const struct node *n = node_at(k->s, event_of(k, slot, i));
	const uint32_t *c = (uint32_t *)vec_data(k->s, &k->s->clocks) + n->clock_at;
	for (uint32_t m = 0; m < n->clock_w; m++)
		if (m != slot && c[m] > k->done[m])
			return false;
	return !n->deadly || k->left + k->done[slot] <= i + 2; /* nothing comes between it and the death */
}

static bool blocked(const struct work *k, uint32_t slot, uint32_t i)
{
	uint32_t at = event_of(k, slot, i), blocker;
	const struct node *n = node_at(k->s, at);
	struct cut c = {.self = at, .await = k->await, .kept = k->kept};
	bool sure;
	if (!is_waiting(&n->ev) && (!(event_kind_flags(n->ev.kind) & K_BLOCK) || n->ev.alt != ALT_NORMAL))
		return false;
	for (uint32_t m = 0; m < n->choice_n; m++) {
		const struct event *e = (struct event *)vec_data(k->s, &k->s->choices) + n->choice_at + m;
		if (e->thread == n->ev.thread && e->alt != ALT_NORMAL)
			return false; /* it could go on in another way */
	}
	return !feasible(k->s, &n->ev, &c, false, &blocker, &sure);
}

/* What a slot adds to the key; of another check something else, so that what that has left in the table means nothing. */
static uint64_t key_of(const struct work *k, uint32_t slot, uint32_t done)
{
	return mix64(k->s->bound_checks << 40 ^ (uint64_t)slot << 24 ^ done);
}

static void go(struct work *k, uint32_t slot, uint32_t to)
{
	uint32_t at = k->done[slot];
	k->key += key_of(k, slot, to) - key_of(k, slot, at);
	for (; at < to; at++)
		k->kept[event_of(k, slot, at)] = 1;
	for (; at > to; at--)
		k->kept[event_of(k, slot, at - 1)] = 0;
	k->left = k->left + k->done[slot] - to;
	k->done[slot] = to;
}

/* ---- downsets that failed ---- */

static struct memo *memo_of(struct work *k)
{
	uint64_t key = mix64(k->key);
	key |= !key;
	uint32_t at = (uint32_t)key & (MEMO_SLOTS - 1);
	while (k->memo[at].key && k->memo[at].key != key)
		at = (at + 1) & (MEMO_SLOTS - 1);
	struct vec *table = &k->s->scratch[SCRATCH_MEMO]; /* n: slots in use */
	if (!k->memo[at].key && table->n < MEMO_SLOTS / 4 * 3) {
		k->memo[at] = (struct memo){key, 0};
		table->n++;
	}
	return k->memo[at].key ? &k->memo[at] : NULL;
}

/* ---- runs ---- */

/* A run of the slot's thread from here, as long as can be; false when it can't go on. */
static bool start_run(struct work *k, uint32_t slot, struct run *r)
{
	uint32_t i = k->done[slot], end = k->upto[slot];
	*r = (struct run){.slot = slot, .from = i};
	while (i < end && ready(k, slot, i))
		i++;
	go(k, slot, i);
	r->full = r->to = i;
	k->s->work += (i - r->from) * k->w / 2 + 4;
	r->cost = i > r->from && i < end && !blocked(k, slot, i);
	return i > r->from;
}

/* The next thread after `slot` - 1 that can run; UINT32_MAX in *next: none. Leaves it run. */
static bool next_run(struct work *k, uint32_t slot, struct run *r)
{
	for (; slot < k->w; slot++)
		if (start_run(k, slot, r))
			return true;
	return false;
}

/* A thread that can run to its end. */
static bool ending_run(struct work *k, struct run *r)
{
	for (uint32_t slot = 0; k->simple && slot < k->w; slot++) {
		if (!start_run(k, slot, r))
			continue;
		r->only = r->full == k->upto[slot];
		if (r->only)
			return true;
		go(k, slot, r->from);
	}
	return false;
}

/* Is nothing blocked but by joins, and does nothing but joins and the end follow these? */
static bool is_simple(const struct work *k)
{
	for (uint32_t slot = 0; slot < k->w; slot++) {
		bool joins = false;
		for (uint32_t i = 0; i < k->upto[slot]; i++) {
			const struct event *e = &node_at(k->s, event_of(k, slot, i))->ev;
			bool join = e->kind == EV_THREAD_JOIN;
			if (is_waiting(e) || (!join && (event_kind_flags(e->kind) & K_BLOCK)))
				return false;
			if (joins && !join && e->kind != EV_THREAD_EXIT && !(event_kind_flags(e->kind) & (K_END | K_LOCAL)))
				return false;
			joins |= join;
		}
	}
	return true;
}

static bool lay_out(struct work *k)
{
	struct search *s = k->s;
	struct vec *v = s->scratch;
	if (!vec_reserve(s, &v[SCRATCH_DONE], 2 * k->w, sizeof(uint32_t)) || !vec_reserve(s, &v[SCRATCH_ORDER], k->n, sizeof(uint32_t)) ||
		!vec_reserve(s, &v[SCRATCH_LEFT], k->n, 1) || !vec_reserve(s, &v[SCRATCH_RUNS], k->n + 1, sizeof(struct run)) ||
		!vec_reserve(s, &v[SCRATCH_MEMO], MEMO_SLOTS, sizeof(struct memo)))
		return false;
	k->done = vec_data(s, &v[SCRATCH_DONE]);
	k->first = k->done + k->w;
	k->order = vec_data(s, &v[SCRATCH_ORDER]);
	k->kept = vec_data(s, &v[SCRATCH_LEFT]);
	k->memo = vec_data(s, &v[SCRATCH_MEMO]);
	memset(k->kept, 0, k->n);
	if (!s->bound_checks++ || v[SCRATCH_MEMO].n >= MEMO_SLOTS / 2) {
		memset(k->memo, 0, MEMO_SLOTS * sizeof *k->memo);
		v[SCRATCH_MEMO].n = 0;
	}
	k->key = mix64(s->bound_checks);
	for (uint32_t m = 0; m < k->w; m++) {
		k->first[m] = k->left;
		k->done[m] = 0;
		k->left += k->upto[m];
	}
	for (uint32_t i = 0; i < k->n; i++) {
		const struct node *n = node_at(s, i);
		if (n->idx <= k->upto[n->slot])
			k->order[k->first[n->slot] + n->idx - 1] = i;
	}
	k->simple = is_simple(k);
	return true;
}

/* Are `most` enough in the very order in which the events were executed, even if nobody was blocked? Mostly, when the bound is large. */
static bool order_suffices(struct search *s, const uint32_t *upto, uint32_t w, uint32_t most)
{
	uint32_t count = 0, last = NO_INDEX;
	bool further = false; /* the last event's thread has another one */
	for (uint32_t i = 0; i < s->analysed && count <= most; i++) {
		const struct node *n = node_at(s, i);
		if (n->slot >= w || n->idx > upto[n->slot])
			continue;
		count += further && n->slot != last;
		last = n->slot;
		further = n->idx < upto[last];
	}
	return count <= most;
}

enum preempt_answer preempt_within(struct search *s, const uint32_t *upto, uint32_t w, uint32_t most,
	const struct await_table *await)
{
	struct work k = {.s = s, .w = w, .n = s->analysed, .upto = upto, .await = await};
	if (order_suffices(s, upto, w, most))
		return PREEMPT_YES;
	if (!lay_out(&k))
		return PREEMPT_UNKNOWN;
	struct run *runs = vec_data(s, &s->scratch[SCRATCH_RUNS]), r;
	uint32_t limit = s->config.uncounted ? FEW_RUNS : MOST_RUNS, depth = 0, spent = 0, tried = 0, next = 0;
	bool down = true; /* a new state was reached */
	while (k.left) {
		struct memo *m = memo_of(&k);
		if (down && m && m->most > most - spent)
			next = k.w; /* that was not enough */
		bool goes = (down && next == 0 && ending_run(&k, &r)) || next_run(&k, next, &r);
		if (goes && r.cost + spent > most) {
			/* it must be left where that costs too much: wherever it stops */
			next = r.slot + 1;
			go(&k, r.slot, r.from);
			down = false;
			continue;
		}
		if (goes) {
			if (++tried > limit)
				return PREEMPT_UNKNOWN;
			runs[depth++] = r;
			spent += r.cost;
			down = true;
			next = 0;
			continue;
		}
		if (m && m->most < most - spent + 1)
			m->most = most - spent + 1;
		/* back: a shorter run of the same thread, or the next thread */
		for (;;) {
			if (!depth)
				return PREEMPT_NO;
			struct run *x = &runs[depth - 1];
			spent -= x->cost;
			if (!x->only && spent < most && x->to > x->from + 1) {
				go(&k, x->slot, --x->to);
				x->cost = 1;
				spent++;
				down = true;
				next = 0;
				break;
			}
			go(&k, x->slot, x->from);
			depth--;
			if (!x->only) {
				next = x->slot + 1;
				down = false;
				break;
			}
			m = memo_of(&k);
			if (m && m->most < most - spent + 1)
				m->most = most - spent + 1;
		}
	}
	return PREEMPT_YES;
}

enum preempt_answer preempt_whole(struct search *s, uint32_t most, const struct await_table *await)
{
	struct vec *v = &s->scratch[SCRATCH_COVER];
	if (!clocks_extend(s, s->nodes.n) || !vec_reserve(s, v, s->slots.n, sizeof(uint32_t)))
		return PREEMPT_UNKNOWN;
	uint32_t w = s->slots.n, *upto = vec_data(s, v);
	for (uint32_t k = 0; k < w; k++)
		upto[k] = ((struct slot *)vec_data(s, &s->slots))[k].count;
	return preempt_within(s, upto, w, most, await);
}
