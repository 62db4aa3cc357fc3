/*
 * Preemptions of a trace: see preempt.h.
 *
 * A depth-first search over runs: a thread runs as far as the trace allows, or (for the price of a preemption) stops earlier. The state
 * after a run is a downset of the trace. The search remembers for a downset how many preemptions were not enough from there.
 *
 * If only joins at the ends of threads can block, a thread that can run to its end is run at once, and no other thread is tried. Moving its
 * events to the front removes preemptions and adds none: no thread is less blocked by it at a place where it would have been preempted. So
 * many independent threads cost no more than few.
 *
 * A thread is stopped (for a preemption) only right before an event that may enable other threads. Any other event can be done at the end
 * of this run instead of at the start of the thread's next run: it is ready there, costs the thread nothing, leaves other threads as ready
 * as before, and a thread that is blocked without it is blocked with it. A thread is also not stopped before it unlocks a mutex that it
 * takes again in the same run, with no event in between that may enable others: right after taking it, the same threads are blocked.
 */
#include "explore/trace/preempt.h"

#include <string.h>

#include "base/table.h"
#include "explore/trace/feasible.h"
#include "explore/trace/thread_events.h"
#include "explore/trust/trust.h"
#include "explore/trace/waiting_outcome.h"

#define MOST_RUNS 50000u  /* the check gives up after this many runs */
#define FEW_RUNS 500u     /* the limit when the answer only serves to save executions: this many runs cost about as much as one execution */
#define MEMO_FIRST 256u   /* initial slots of the table of failed downsets: small checks touch little memory */
#define MEMO_SLOTS 16384u /* maximum; both are powers of two */

/* A run on the stack. */
struct run {
	uint32_t slot;   /* slot of its thread */
	uint32_t from;   /* events of the thread that were done before */
	uint32_t full;   /* where the longest run ends */
	uint32_t to;     /* where the run ends now */
	uint32_t cost;   /* preemptions that stopping there costs */
	uint32_t only;   /* no other run is worth trying */
};

struct memo {
	uint64_t key;   /* of the downset */
	uint32_t most;  /* this many preemptions were not enough, + 1 */
	uint32_t check; /* number of the check that wrote this; another number, or 0: the slot is free */
};

struct work {
	struct search *s;
	const struct downset *d;
	/* Data of the search. It does not move as long as no event is added. */
	const struct node *nodes;
	const uint32_t *clocks;
	uint32_t w;             /* slots */
	uint32_t *done, *total; /* by slot: events done; events in all */
	uint32_t *last;         /* by slot: index + 1 in d->last of its last event; 0: it has none */
	uint32_t check;         /* number of this check, not 0 */
	uint32_t failed;        /* downsets in the table */
	uint32_t left;          /* events that are not done yet */
	uint32_t deadly_slot, deadly; /* the process dies after this event of that slot (number from 1); 0 none */
	uint64_t key;           /* key of the downset that is done: for each slot, a fixed number times the count of its events, summed */
	bool simple;            /* only joins at the ends of threads can block, see above */
	bool waits;             /* some thread waits for memory to change */
	const struct await_table *await;
};

/* Returns event i (from 0) of the slot if it is in d->last, else NULL. */
static const struct last_event *last_event(const struct work *k, uint32_t slot, uint32_t i)
{
	return i + 1 == k->total[slot] && k->last[slot] ? &k->d->last[k->last[slot] - 1] : NULL;
}

static const struct event *event_at(const struct work *k, uint32_t slot, uint32_t i)
{
	const struct last_event *x = last_event(k, slot, i);
	return x ? x->ev : &k->nodes[line_event(k->s, slot, i + 1)].ev;
}

/* Returns whether event i of the slot can come next, once the slot's events before it are done. `line`: the slot's events. */
static bool ready(const struct work *k, const struct line_item *line, uint32_t slot, uint32_t i)
{
	const struct last_event *x = last_event(k, slot, i);
	const struct node *n = x ? NULL : k->nodes + line[i].node;
	const uint32_t *c = x ? x->past : k->clocks + n->clock_at;
	uint32_t w = x ? k->w : n->clock_w;
	for (uint32_t m = 0; m < w; m++)
		if (c[m] > k->done[m] && m != slot)
			return false;
	return true;
}

/* Returns how far the slot's thread can run. An event that is not ready keeps all later ones from being ready, so a binary search finds
   it. */
static uint32_t reach(const struct work *k, uint32_t slot)
{
	uint32_t at = k->done[slot], end = k->total[slot], step = 1;
	const struct line_item *line = line_item(k->s, slot, 1);
	while (at < end && ready(k, line, slot, at + step <= end ? at + step - 1 : end - 1)) {
		at = at + step <= end ? at + step : end;
		step *= 2;
	}
	for (uint32_t hi = at + step < end ? at + step : end; at < hi;) {
		uint32_t mid = (at + hi) / 2;
		if (ready(k, line, slot, mid))
			at = mid + 1;
		else
			hi = mid;
	}
	/* no event comes between an event and the death that it causes */
	if (slot == k->deadly_slot && k->deadly && at >= k->deadly && k->done[slot] < k->deadly &&
		k->left + k->done[slot] > k->deadly + 1)
		at = k->deadly - 1;
	return at;
}

static bool blocked(const struct work *k, uint32_t slot, uint32_t i)
{
	const struct last_event *x = last_event(k, slot, i);
	uint32_t at = x ? x->at : line_event(k->s, slot, i + 1), blocker;
	const struct event *e = x ? x->ev : &node_at(k->s, at)->ev;
	struct cut c = {.self = at, .await = k->await, .upto = k->done, .upto_w = k->w};
	bool sure;
	if (event_exits_late(e))
		return true; /* a late exit comes after everything that other threads still do */
	if (!is_waiting(e) && (!(event_kind_flags(e->kind) & K_BLOCK) || e->alt != ALT_NORMAL))
		return false;
	for (uint32_t m = 0; !x && m < node_at(k->s, at)->choice_n; m++) {
		const struct event *o = (struct event *)vec_data(&k->s->core, &k->s->trace.choices) + node_at(k->s, at)->choice_at + m;
		if (o->thread == e->thread && o->alt != ALT_NORMAL)
			return false; /* it has another alternative */
	}
	return !feasible(k->s, e, &c, false, &blocker, &sure);
}

static void go(struct work *k, uint32_t slot, uint32_t to)
{
	k->key += ((uint64_t)to - k->done[slot]) * mix64(slot);
	k->left = k->left + k->done[slot] - to;
	k->done[slot] = to;
}

/* ---- downsets that failed ---- */

static struct vec *memos(const struct work *k)
{
	return &k->s->trace.scratch[SCRATCH_MEMO];
}

/* The slot of the downset with that key in the table, or the free slot for it. */
static struct memo *memo_slot(const struct work *k, uint64_t key)
{
	struct memo *m = vec_data(&k->s->core, memos(k));
	return &m[TABLE_SLOT(i, mix64(key), memos(k)->cap, m[i].check != k->check || m[i].key == key)];
}

/* Doubles the table and keeps the entries of this check. Returns false when memory is used up. */
static bool grow_memo(const struct work *k)
{
	struct vec *v = memos(k), old = *v;
	*v = (struct vec){0};
	if (!vec_reserve(&k->s->core, v, 2 * old.cap, sizeof(struct memo))) {
		*v = old;
		return false;
	}
	const struct memo *m = vec_data(&k->s->core, &old);
	for (uint32_t i = 0; i < old.cap; i++)
		if (m[i].check == k->check)
			*memo_slot(k, m[i].key) = m[i];
	arena_free(core_arena(&k->s->core), old.data, (uint64_t)old.cap * old.size);
	return true;
}

/* Returns how many preemptions are known not to be enough for what is left, + 1; 0: unknown. */
static uint32_t known_to_fail(const struct work *k)
{
	const struct memo *m = memo_slot(k, k->key);
	return m->check == k->check ? m->most : 0;
}

static void note_failed(struct work *k, uint32_t most)
{
	struct memo *m = memo_slot(k, k->key);
	if (m->check != k->check) {
		uint32_t slots = memos(k)->cap;
		if (k->failed >= slots / 4 * 3) {
			if (slots >= MEMO_SLOTS || !grow_memo(k))
				return;
			m = memo_slot(k, k->key);
		}
		*m = (struct memo){.key = k->key, .check = k->check};
		k->failed++;
	}
	if (m->most < most)
		m->most = most;
}

/* ---- runs ---- */

/* Starts the longest possible run of the slot's thread from here. Returns false when the thread cannot run. */
static bool start_run(struct work *k, uint32_t slot, struct run *r)
{
	uint32_t from = k->done[slot], to = reach(k, slot);
	k->s->trace.work += k->w / 2 + 4;
	if (to == from)
		return false;
	go(k, slot, to);
	*r = (struct run){.slot = slot, .from = from, .full = to, .to = to, .cost = to < k->total[slot] && !blocked(k, slot, to)};
	return true;
}

/*
 * Returns whether the run ends where its thread is blocked, by events that touch nothing and that no event touches. Then the run may as
 * well be a part of the thread's next run: no thread waits for these events, they block or unblock no thread, and a stop between the two
 * runs costs nothing. With many threads that have or have not started and wait for a lock, this avoids trying all subsets of them.
 */
static bool idle(const struct work *k, const struct run *r)
{
	if (r->cost || r->to == k->total[r->slot] || ((struct slot *)vec_data(&k->s->core, &k->s->trace.slots))[r->slot].last_poke)
		return false;
	for (uint32_t i = r->from; i < r->to; i++)
		if (!(event_kind_flags(event_at(k, r->slot, i)->kind) & K_LOCAL))
			return false;
	return true;
}

/* Performs the first run worth trying, of a thread from `slot` on. Returns false when there is none. */
static bool next_run(struct work *k, uint32_t slot, struct run *r)
{
	for (; slot < k->w; slot++) {
		if (!start_run(k, slot, r))
			continue;
		if (!idle(k, r))
			return true;
		go(k, slot, r->from);
	}
	return false;
}

/* Performs a run of a thread that can run to its end. Returns false when there is none. */
static bool ending_run(struct work *k, struct run *r)
{
	for (uint32_t slot = 0; k->simple && slot < k->w; slot++) {
		if (!start_run(k, slot, r))
			continue;
		r->only = r->full == k->total[slot];
		if (r->only)
			return true;
		go(k, slot, r->from);
	}
	return false;
}

/* Finds out whether only joins can block, with nothing but joins and the thread's end after them (simple), and whether a thread waits in
   a spin loop (waits). */
static void find_kinds(struct work *k)
{
	k->simple = true;
	for (uint32_t slot = 0; slot < k->w; slot++) {
		uint32_t n = k->d->upto[slot];
		const struct line_item *x = n ? line_item(k->s, slot, n) : NULL;
		struct line_item last;
		if (k->last[slot]) {
			last = line_next(x, k->d->last[k->last[slot] - 1].ev);
			x = &last;
		}
		k->simple &= !x || !x->hard;
		k->waits |= x && x->waits;
	}
}

/* Finds the event after which the process died: the last or the last but one. */
static void find_deadly(struct work *k)
{
	struct search *s = k->s;
	for (uint32_t i = s->trace.analysed; i-- > 0 && i + 2 >= s->trace.analysed;) {
		const struct node *n = node_at(s, i);
		if (n->deadly && n->idx <= k->d->upto[n->slot]) {
			k->deadly_slot = n->slot;
			k->deadly = n->idx;
		}
	}
}

/* ---- where to stop ---- */

/* Returns whether a blocked thread may be able to continue after event e. */
static bool may_enable(const struct work *k, const struct event *e)
{
	if (event_kind_accesses(e->kind))
		return k->waits && e->mode[0] != M_READ;
	if (event_kind_flags(e->kind) & K_LOCAL)
		return false;
	unsigned object = event_kind_object(e->kind);
	bool lock = object == OBJ_MUTEX || object == OBJ_SPIN || object == OBJ_RWLOCK;
	return !lock || e->obj[1] || !(e->mode[0] == M_ACQ || e->mode[0] == M_RDACQ || e->mode[0] == M_READ);
}

/* Returns whether event i of run *x is an unlock, and the run takes the same lock again before its next event that may enable other
   threads. */
static bool taken_again(const struct work *k, const struct run *x, uint32_t i)
{
	const struct event *e = event_at(k, x->slot, i);
	if ((e->kind != EV_MUTEX_UNLOCK && e->kind != EV_SPIN_UNLOCK) || e->mode[0] != M_REL || e->obj[1])
		return false;
	while (++i < x->full) {
		const struct event *f = event_at(k, x->slot, i);
		if (may_enable(k, f))
			return false;
		if (f->obj[0] == e->obj[0] && f->mode[0] == M_ACQ)
			return true;
	}
	return false;
}

/* Shortens the run to the next length that is worth trying. Returns false when there is none. */
static bool shorten(struct work *k, struct run *x)
{
	uint32_t to = x->to - 1;
	while (to > x->from && (!may_enable(k, event_at(k, x->slot, to)) || taken_again(k, x, to)))
		to--;
	k->s->trace.work += x->to - to;
	if (to <= x->from)
		return false;
	go(k, x->slot, to);
	x->to = to;
	x->cost = 1;
	return true;
}

static bool work_arrays(struct work *k)
{
	struct search *s = k->s;
	struct vec *v = s->trace.scratch;
	if (!vec_reserve(&s->core, &v[SCRATCH_DONE], 3 * k->w, sizeof(uint32_t)) || !vec_reserve(&s->core, memos(k), MEMO_FIRST, sizeof(struct memo)))
		return false;
	k->nodes = vec_data(&s->core, &s->trace.nodes);
	k->clocks = vec_data(&s->core, &s->trace.clocks);
	k->done = vec_data(&s->core, &v[SCRATCH_DONE]);
	k->total = k->done + k->w;
	k->last = k->total + k->w;
	memset(k->done, 0, 3 * k->w * sizeof *k->done);
	k->check = ++s->trace.bound_checks;
	if (!k->check) { /* the numbers of checks have wrapped around: remove what old checks left in the table */
		memset(vec_data(&s->core, memos(k)), 0, memos(k)->cap * sizeof(struct memo));
		k->check = ++s->trace.bound_checks;
	}
	for (uint32_t m = 0; m < k->d->n; m++)
		k->last[k->d->last[m].slot] = m + 1;
	for (uint32_t m = 0; m < k->w; m++) {
		k->total[m] = k->d->upto[m] + (k->last[m] != 0);
		k->left += k->total[m];
	}
	find_deadly(k);
	find_kinds(k);
	return true;
}

/* Does one more event of the slot. Returns whether it comes right after an event of another thread that has further events. */
static bool counts(struct work *k, uint32_t slot, bool *further, uint32_t *last)
{
	bool preempts = *further && slot != *last;
	*last = slot;
	*further = ++k->done[slot] < k->total[slot];
	return preempts;
}

/* Returns whether `most` preemptions are enough in the very order in which the events were executed, even if no thread was blocked. With
   a large bound this is usually so. */
static bool order_suffices(struct work *k, uint32_t most)
{
	struct search *s = k->s;
	uint32_t count = 0, last = NO_INDEX, n = k->left;
	bool further = false; /* the thread of the latest event has further events */
	if (s->trust.marks.n >= s->trace.analysed && mark_at(s, s->trace.analysed - 1)->switches + k->d->n <= most) /* the search of need.c has no marks */
		return true;
	for (uint32_t i = 0; n > k->d->n && count <= most; i++) {
		const struct node *x = node_at(s, i);
		if (x->idx > k->d->upto[x->slot])
			continue;
		count += counts(k, x->slot, &further, &last);
		n--;
	}
	for (uint32_t m = 0; m < k->d->n && count <= most; m++)
		count += counts(k, k->d->last[m].slot, &further, &last);
	memset(k->done, 0, k->w * sizeof *k->done);
	return count <= most;
}

enum preempt_answer preempt_within(struct search *s, const struct downset *d, uint32_t most, const struct await_table *await)
{
	struct work k = {.s = s, .d = d, .w = d->w, .await = await};
	if (!work_arrays(&k))
		return PREEMPT_UNKNOWN;
	if (order_suffices(&k, most))
		return PREEMPT_YES;
	if (!vec_reserve(&s->core, &s->trace.scratch[SCRATCH_RUNS], k.left + 1, sizeof(struct run)))
		return PREEMPT_UNKNOWN;
	struct run *runs = vec_data(&s->core, &s->trace.scratch[SCRATCH_RUNS]), r;
	uint32_t limit = s->core.config.uncounted ? FEW_RUNS : MOST_RUNS, depth = 0, spent = 0, tried = 0, next = 0;
	bool down = true; /* a new downset was reached */
	while (k.left) {
		if (down && known_to_fail(&k) > most - spent)
			next = k.w; /* at least one preemption more is needed from here */
		bool goes = (down && next == 0 && ending_run(&k, &r)) || next_run(&k, next, &r);
		if (goes && r.cost + spent > most) {
			/* wherever this run stops, its cost exceeds the bound */
			next = r.slot + 1;
			go(&k, r.slot, r.from);
			down = false;
			continue;
		}
		if (goes) {
			if (++tried > limit || (s->trace.work_limit && s->trace.work + s->trace.walked >= s->trace.work_limit))
				return PREEMPT_UNKNOWN;
			runs[depth++] = r;
			spent += r.cost;
			down = true;
			next = 0;
			continue;
		}
		note_failed(&k, most - spent + 1);
		/* go back: a shorter run of the same thread, or the next thread */
		for (;;) {
			if (!depth)
				return PREEMPT_NO;
			struct run *x = &runs[depth - 1];
			spent -= x->cost;
			if (!x->only && spent < most && shorten(&k, x)) {
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
			note_failed(&k, most - spent + 1);
		}
	}
	return PREEMPT_YES;
}

enum preempt_answer preempt_whole(struct search *s, uint32_t most, const struct await_table *await)
{
	struct vec *v = &s->trace.scratch[SCRATCH_WHOLE];
	if (!clocks_extend(s, s->trace.nodes.n) || !lines_extend(s) || !vec_reserve(&s->core, v, s->trace.slots.n, sizeof(uint32_t)))
		return PREEMPT_UNKNOWN;
	struct downset d = {.upto = vec_data(&s->core, v), .w = s->trace.slots.n};
	for (uint32_t k = 0; k < d.w; k++)
		((uint32_t *)vec_data(&s->core, v))[k] = ((struct slot *)vec_data(&s->core, &s->trace.slots))[k].count;
	return preempt_within(s, &d, most, await);
}
