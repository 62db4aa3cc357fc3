/* Rounds of waiting loops; see rounds.h. */
#include "sched/rounds.h"

#include <errno.h>

#include "sched/endless.h"
#include "sched/membuf.h"
#include "sched/world_internal.h"

#define HEADS 32  /* states of one wait */
#define HOLDS 8   /* locks that it holds at the same time */
#define TOUCHED 32/* objects that it looks at */
#define WRITTEN 16 /* writes that it may undo */
#define PLACES 8  /* places of a loop that are counted */

/* A lock that the thread took since it began to wait. */
struct hold {
	object_id lock;
	uint64_t step;  /* w->steps when it was taken */
	uint32_t heads; /* states that were there before */
};

struct rounds {
	struct {
		uint64_t state, step; /* w->steps then */
	} head[HEADS]; /* the states in which the thread announced operations since it last did anything but wait */
	uint32_t heads;
	struct hold hold[HOLDS];
	uint32_t holds;
	struct look {
		object_id obj;
		uint64_t step; /* w->steps when the thread last looked */
		uint64_t addr; /* memory: where; else 0 */
		uint32_t size, found;
	} touched[TOUCHED];
	uint32_t touches;
	struct write {
		uint64_t addr, step; /* w->steps when the thread wrote */
		uint32_t size, before, after; /* fingerprints of the values */
	} written[WRITTEN]; /* since the oldest head. No other thread has accessed these bytes since. Two writes are of the same bytes, or of different ones */
	uint32_t writes;
	bool writes_open; /* the value after the last one is not known yet */
	bool closed;    /* a round ends before the pending operation, */
	uint64_t since; /* which began then */
	struct {
		uint64_t place;
		uint32_t n;
	} turn[PLACES]; /* operations since the thread last did anything but wait, by place */
	uint32_t places;
	bool limited;   /* the pending operation exceeds a limit */
	bool beyond;    /* the thread has made a round since it last did anything but wait */
	struct {
		uint64_t addr;
		uint32_t size, found; /* size 0: none */
	} swap; /* the latest operation, if it may have changed memory */
};

static void forget(struct rounds *r)
{
	r->heads = r->holds = r->touches = r->writes = 0;
	r->closed = r->writes_open = false;
}

static bool on(const struct world *w)
{
	return w->config.rounds && !w->rounds_tried;
}

/* Returns whether threads go no further after rounds and turns. */
static bool leaves_out(const struct world *w)
{
	return on(w) && *w->config.rounds;
}

/* ---- limits ---- */

static uint32_t find_place(const struct rounds_limits *l, uint64_t place)
{
	uint32_t i = 0;
	while (i < l->n && i < ROUNDS_PLACES && l->place[i] != place)
		i++;
	return i;
}

static uint64_t place_of(const struct op *op)
{
	return op->pc << 8 | (op->kind == EV_COND_WOKEN ? EV_COND_WAIT : op->kind);
}

/* Returns whether the operation is a wait that can time out. A limit does not end it: it only takes the timeout away. */
static bool times_out(const struct op *op)
{
	return (op->kind == EV_COND_WAIT || op->kind == EV_COND_WOKEN) && (op->flags & OPF_TIMED);
}

/* Returns the index of the place, which becomes an entry if there is room. */
static uint32_t add_place(struct rounds_limits *l, uint64_t place)
{
	uint32_t i = find_place(l, place);
	if (i < ROUNDS_PLACES)
		l->place[i] = place;
	l->n += i == l->n && i < ROUNDS_PLACES;
	return i;
}

static void limit(struct rounds_limits *l, uint64_t place)
{
	uint32_t i = add_place(l, place);
	if (i < ROUNDS_PLACES)
		l->limited |= UINT64_C(1) << i;
}

bool rounds_make_again(struct rounds_limits *l)
{
	bool again = l->early != 0;
	l->early = 0;
	return again;
}

/* The probe has found a loop that needs a limit. All places of the loop get it, so that it does not matter which one was probed. r: the
   loop's turns. */
static void probe_limits(struct rounds_limits *l, const struct rounds *r)
{
	limit(l, l->probed);
	for (uint32_t i = 0; i < r->places; i++)
		if (r->turn[i].n >= ROUNDS_SUSPECT - 1)
			limit(l, r->turn[i].place);
	l->probe = PROBE_OVER;
	l->early = 0;
	l->changes++;
}

void rounds_probe_forget(struct rounds_limits *l)
{
	if (l->early && l->probe == PROBE_WANTED) {
		l->early_probes[l->early - 1]--;
		l->early = 0;
		l->probe = PROBE_OFF;
	} else if (l->early && l->probe == PROBE_RUNS) {
		l->probe = PROBE_OVER;
	}
}

/* The thread has left the loop. */
static void probe_ended(struct rounds_limits *l)
{
	if (l->early) {
		rounds_probe_forget(l);
		return;
	}
	uint32_t i = add_place(l, l->probed);
	l->ended[i]++;
	l->helped |= (uint64_t)(l->help != 0) << i;
	l->probe = PROBE_OVER;
	l->changes++;
}

void rounds_probe_end(struct rounds_limits *l)
{
	if (l->probe == PROBE_WANTED || l->probe == PROBE_RUNS)
		probe_ended(l);
	l->probe = PROBE_OFF;
}

/* The turns that were counted are over, since the thread has done something else than wait. */
static void turns_end(const struct world *w, const struct wthread *t)
{
	struct rounds *r = t->rounds;
	struct rounds_limits *l = w->config.limits;
	r->places = 0;
	r->beyond = false;
	if (l && l->probe == PROBE_RUNS && l->thread == t->id)
		probe_ended(l);
}

/* The thread has done something else than wait, and it cannot be undone. */
static void active(const struct world *w, const struct wthread *t)
{
	forget(t->rounds);
	turns_end(w, t);
}

static uint32_t *turns_at(struct rounds *r, uint64_t place)
{
	uint32_t i = 0;
	while (i < r->places && r->turn[i].place != place)
		i++;
	return i < r->places ? &r->turn[i].n : NULL;
}

/* Counts a turn at the place of t's operation. */
static void count_turn(struct wthread *t)
{
	struct rounds *r = t->rounds;
	uint32_t *n = turns_at(r, place_of(&t->op));
	if (!n && r->places < PLACES) {
		r->turn[r->places].place = place_of(&t->op);
		n = &r->turn[r->places++].n;
		*n = 0;
	}
	if (n)
		++*n;
}

static void want_probe(struct rounds_limits *l, const struct wthread *t, uint32_t early)
{
	l->probe = PROBE_WANTED;
	l->thread = t->id;
	l->probed = place_of(&t->op);
	l->early = early;
	l->help = 0;
}

/* The same as `suspect`, after few turns. A loop that comes back to a state needs no limit. */
static void suspect_early(struct rounds_limits *l, const struct wthread *t, uint32_t n)
{
	uint64_t place = place_of(&t->op);
	uint32_t i = 0;
	while (i < l->early_places && l->early_place[i] != place)
		i++;
	if (i == ROUNDS_EARLY || t->rounds->beyond)
		return;
	if (i == l->early_places) {
		l->early_place[l->early_places++] = place;
		l->early_probes[i] = 0;
	}
	if (l->early_probes[i] == ROUNDS_PROBES || n >> l->early_probes[i] < ROUNDS_TRIED)
		return;
	l->early_probes[i]++;
	want_probe(l, t, i + 1);
}

/* t is about to make another turn after n turns at a place without a limit. */
static void suspect(const struct world *w, const struct wthread *t, uint32_t n)
{
	struct rounds_limits *l = w->config.limits;
	uint64_t place = place_of(&t->op);
	if (l->probe == PROBE_RUNS) {
		if (l->thread == t->id && l->probed == place && n >= l->enough)
			probe_limits(l, t->rounds);
		return;
	}
	if (l->probe != PROBE_OFF || !leaves_out(w))
		return;
	if (n < ROUNDS_SUSPECT) {
		suspect_early(l, t, n);
		return;
	}
	uint32_t i = find_place(l, place), ended = i < l->n ? l->ended[i] : 0;
	if (i == ROUNDS_PLACES || ended == ROUNDS_PROBES || n >> ended < ROUNDS_SUSPECT)
		return;
	want_probe(l, t, 0);
	/* Two threads can keep each other in it. A writer that claims the lock and gives up leaves it in each probe that begins when the readers
	   have just gone, and makes one turn more in each execution. */
	bool claims = t->op.kind == EV_RW_TRYWRLOCK && t->op.type == RWLOCK_PREFERS_WRITERS;
	if (ended >= ROUNDS_HELPED && (claims || (l->helped >> i & 1)))
		probe_limits(l, t->rounds);
}

/* Checks whether t has only waited up to its pending operation, and whether that exceeds a limit. */
static void check_limit(const struct world *w, const struct wthread *t)
{
	struct rounds *r = t->rounds;
	const struct rounds_limits *l = w->config.limits;
	bool swapped = r->swap.size && membuf_value(w, t, r->swap.addr, r->swap.size) != r->swap.found;
	r->swap.size = 0;
	r->limited = false;
	if (t->op.wrote) {
		active(w, t);
		return;
	}
	if (swapped) {
		turns_end(w, t);
		return;
	}
	const uint32_t *n = t->op.counts ? turns_at(r, place_of(&t->op)) : NULL;
	if (!n || *n < ROUNDS_TRIED)
		return;
	uint32_t i = find_place(l, place_of(&t->op));
	r->limited = i < l->n && (l->limited >> i & 1);
	if (!r->limited)
		suspect(w, t, *n);
}

/* ---- writes that are undone ---- */

static bool overlap(const struct write *a, const struct write *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* Returns whether the thread has written some of these bytes. */
static bool has_written(const struct rounds *r, const struct write *at)
{
	for (uint32_t i = 0; i < r->writes; i++)
		if (overlap(&r->written[i], at))
			return true;
	return false;
}

/* The thread is about to write. */
static void note_write(struct world *w, const struct wthread *t)
{
	struct rounds *r = t->rounds;
	struct write now = { .addr = t->op.arg[0], .size = (uint32_t)t->op.arg[1], .step = w->steps };
	bool fits = r->writes < WRITTEN;
	for (uint32_t i = 0; fits && i < r->writes; i++)
		fits = !overlap(&r->written[i], &now) || (r->written[i].addr == now.addr && r->written[i].size == now.size);
	if (!fits)
		forget(r);
	if (!r->heads)
		return;
	now.before = membuf_value(w, t, now.addr, now.size);
	r->written[r->writes++] = now;
	r->writes_open = true;
	w->rounds_wrote = true;
}

/* The thread has written, and no other one has run since. */
static void written(const struct world *w, const struct wthread *t)
{
	struct rounds *r = t->rounds;
	struct write *last = &r->written[r->writes - 1];
	last->after = membuf_value(w, t, last->addr, last->size);
	r->writes_open = false;
}

/* Returns whether the bytes of a write have the values now that they had at the head, as far as the thread has changed them. */
static bool undone_at(const struct rounds *r, uint32_t head, const struct write *at)
{
	uint32_t before = 0, after = 0;
	bool some = false;
	for (uint32_t i = 0; i < r->writes; i++) {
		const struct write *now = &r->written[i];
		if (now->step <= r->head[head].step || now->addr != at->addr)
			continue;
		if (!some)
			before = now->before;
		some = true;
		after = now->after;
	}
	return before == after;
}

static bool undone(const struct rounds *r, uint32_t head)
{
	bool all = true;
	for (uint32_t i = 0; i < r->writes; i++)
		all &= undone_at(r, head, &r->written[i]);
	return all;
}

/* Another thread accesses the bytes of this write. Where they are not as they were at a head, it sees that, so no round from there can be left out. */
static void notice(struct rounds *r, const struct write *at)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < r->heads; i++) {
		if (undone_at(r, i, at))
			r->head[kept++] = r->head[i];
		for (uint32_t k = 0; kept <= i && k < r->holds; k++)
			r->hold[k].heads -= r->hold[k].heads > kept;
	}
	r->heads = kept;
}

void rounds_noticed(struct world *w, const struct wthread *by)
{
	const struct op *op = &by->op;
	bool futex = op->kind == EV_FUTEX_WAIT; /* it reads the word */
	const struct write at = { .addr = futex ? world_object_address(w, op->obj[0]) : op->arg[0], .size = futex ? sizeof(uint32_t) : (uint32_t)op->arg[1] };
	if (!futex && event_kind_object(op->kind) != OBJ_MEMORY)
		return;
	for (uint32_t i = 0; i < w->n_live; i++) {
		struct rounds *r = w->thread[w->live[i]]->rounds;
		if (!r || w->live[i] == by->id || !has_written(r, &at))
			continue;
		uint32_t kept = 0;
		for (uint32_t k = 0; k < r->writes; k++)
			if (overlap(&r->written[k], &at))
				notice(r, &r->written[k]);
		for (uint32_t k = 0; k < r->writes; k++)
			if (!overlap(&r->written[k], &at))
				r->written[kept++] = r->written[k];
		r->writes = kept;
	}
}

/* ---- states ---- */

void rounds_announced(struct world *w, struct wthread *t)
{
	struct rounds *r = t->rounds;
	bool head = t->op.state && event_kind_object(t->op.kind) != OBJ_MEMORY && w->config.rounds;
	if (r)
		r->closed = false;
	if (r && r->writes_open)
		written(w, t);
	if (!r && (head || (t->op.counts && w->config.limits)))
		r = t->rounds = world_alloc(w, sizeof *r);
	if (r && w->config.limits)
		check_limit(w, t);
	if (!head)
		return;
	for (uint32_t i = 0; i < r->heads && !r->closed; i++) {
		r->closed = r->head[i].state == t->op.state && undone(r, i);
		r->since = r->head[i].step;
	}
	if (r->closed) {
		r->beyond = true;
		if (w->config.limits && w->config.limits->thread == t->id)
			rounds_probe_forget(w->config.limits);
		return;
	}
	if (r->heads == HEADS)
		forget(r);
	r->head[r->heads].state = t->op.state;
	r->head[r->heads++].step = w->steps;
}

bool rounds_over(const struct world *w, const struct wthread *t)
{
	const struct rounds *r = t->rounds;
	if (!r || !(r->closed || r->limited) || !leaves_out(w))
		return false;
	if (r->closed)
		return true;
	w->config.limits->used = 1;
	return !times_out(&t->op);
}

bool rounds_no_timeout(const struct world *w, const struct wthread *t)
{
	return t->rounds && t->rounds->limited && times_out(&t->op) && leaves_out(w);
}

bool rounds_closed(const struct wthread *t)
{
	return t->rounds && t->rounds->closed;
}

bool rounds_matter(const struct wthread *t)
{
	return t->rounds && (t->rounds->closed || t->rounds->limited);
}

static void look(struct rounds *r, struct look now)
{
	uint32_t i = 0;
	while (i < r->touches && (r->touched[i].obj != now.obj || r->touched[i].addr != now.addr || r->touched[i].size != now.size))
		i++;
	if (i == TOUCHED) {
		forget(r);
		return;
	}
	r->touches += i == r->touches;
	r->touched[i] = now;
}

/* Returns the value that the thread found at its first look at these bytes, before it wrote there. */
static uint32_t seen_before(const struct rounds *r, const struct look *now)
{
	for (uint32_t i = 0; i < r->touches; i++)
		if (r->touched[i].addr == now->addr && r->touched[i].size == now->size)
			return r->touched[i].found;
	return now->found;
}

static void look_at(const struct world *w, struct rounds *r, const struct wthread *t, const struct event *e)
{
	struct look now = { .obj = e->obj[0], .step = w->steps };
	if (object_is_memory(e->obj[0])) {
		now.addr = t->op.arg[0];
		now.size = (uint32_t)t->op.arg[1];
		now.found = event_found(e);
		if (has_written(r, &(struct write){ .addr = now.addr, .size = now.size }))
			now.found = seen_before(r, &now);
	}
	look(r, now);
}

static void take(struct world *w, struct rounds *r, object_id o)
{
	if (r->holds == HOLDS) {
		forget(r);
		return;
	}
	r->hold[r->holds++] = (struct hold){ o, w->steps, r->heads };
}

/* Another thread that tried to get the lock meanwhile has seen the round, so it cannot be left out. And a round that begins while the lock
   is held lets other threads take it in between. */
static void give(struct world *w, struct rounds *r, object_id o)
{
	uint32_t i = r->holds;
	while (i && r->hold[i - 1].lock != o)
		i--;
	if (!i || world_obj(w, o)->changed != r->hold[i - 1].step) {
		forget(r);
		return;
	}
	if (r->hold[i - 1].heads < r->heads)
		r->heads = r->hold[i - 1].heads;
	for (r->holds--; i <= r->holds; i++)
		r->hold[i - 1] = r->hold[i];
}

/* Returns whether the event only observes. */
static bool observes(const struct event *e)
{
	return event_failed(e) && e->mode[0] == M_READ && (e->mode[1] == M_NONE || e->mode[1] == M_READ) && !(e->flags & EVF_LATE);
}

/* Returns whether the lock was taken or was busy. */
static bool lock_performed(struct world *w, struct wthread *t, const struct event *e)
{
	struct rounds *r = t->rounds;
	look_at(w, r, t, e);
	bool taken = e->mode[0] == M_ACQ && !e->result;
	if (taken)
		take(w, r, e->obj[0]);
	return taken || (observes(e) && (e->result == EBUSY || e->result == ETIMEDOUT));
}

/* Whether it changes memory is known when the thread has performed it. */
static void swap_performed(struct world *w, struct wthread *t, const struct event *e)
{
	struct rounds *r = t->rounds;
	look_at(w, r, t, e);
	if (observes(e))
		return;
	note_write(w, t);
	r->swap.addr = t->op.arg[0];
	r->swap.size = (uint32_t)t->op.arg[1];
	r->swap.found = event_found(e);
}

/* Returns whether the thread only waits with this event. Notes what it read, took and gave back. */
static bool waits(struct world *w, struct wthread *t, const struct event *e)
{
	struct rounds *r = t->rounds;
	switch (event_kind_round(e->kind)) {
	case ROUND_WAITS:
		return true;
	case ROUND_TAKES:
		return lock_performed(w, t, e);
	case ROUND_GIVES:
		look_at(w, r, t, e);
		if (e->result || e->mode[0] != M_REL)
			return false;
		give(w, r, e->obj[0]);
		return true;
	case ROUND_LOOKS:
		look_at(w, r, t, e);
		return true;
	case ROUND_SWAPS:
		swap_performed(w, t, e);
		return true;
	case ROUND_WRITES:
		note_write(w, t);
		turns_end(w, t);
		return true;
	case ROUND_TRIES:
		look_at(w, r, t, e);
		return observes(e);
	case ROUND_UNTIL:
		forget(r);
		return times_out(&t->op);
	case ROUND_TIMED:
		forget(r);
		return true;
	case ROUND_CLAIMS:
		forget(r);
		return t->op.flags & OPF_TIMED;
	case ROUND_ENDS:
		return false;
	}
	return false;
}

void rounds_performed(struct world *w, struct wthread *t, const struct event *e)
{
	if (!t->rounds)
		return;
	if (e->kind != EV_COND_WAIT)
		t->rounds->limited = false;
	if (!waits(w, t, e))
		active(w, t);
	else if (t->op.counts && w->config.limits && e->kind != EV_COND_WAIT && e->kind != EV_COND_RELOCK && e->kind != EV_RW_WRTIMEOUT)
		/* a timeout is the turn of a loop that waits for a condition */
		count_turn(t);
}

/* Returns whether something that the thread looked at in its round has changed since. */
static bool changed(const struct world *w, const struct wthread *t)
{
	const struct rounds *r = t->rounds;
	for (uint32_t i = 0; i < r->touches; i++) {
		const struct look *l = &r->touched[i];
		if (l->step <= r->since)
			continue;
		if (l->addr ? membuf_value(w, t, l->addr, l->size) != l->found : world_obj(w, l->obj)->changed > l->step)
			return true;
	}
	return false;
}

bool world_rounds_covered(const struct world *w)
{
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		if (!t->has_op)
			continue;
		bool stops = rounds_no_timeout(w, t) || (rounds_over(w, t) && t->rounds->limited) || endless_over(w, t) || endless_no_timeout(w, t);
		if (stops ? !w->exit_waits : rounds_over(w, t) && changed(w, t))
			return true;
	}
	return false;
}

bool world_rounds_go_on(struct world *w)
{
	bool some = false;
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		some |= t->has_op && (rounds_over(w, t) || rounds_no_timeout(w, t) || endless_over(w, t) || endless_no_timeout(w, t));
	}
	w->rounds_tried |= some;
	return some;
}
