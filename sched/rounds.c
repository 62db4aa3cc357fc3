/* Rounds of waiting loops; see rounds.h. */
#include <errno.h>

#include "sched/endless.h"
#include "sched/membuf.h"
#include "sched/rounds_internal.h"

void rounds_forget(struct rounds *r)
{
	r->heads = r->holds = r->touches = r->writes = 0;
	r->closed = false;
}

static bool on(const struct world *w)
{
	return w->config.rounds && !w->rounds_tried;
}

bool rounds_leave_out(const struct world *w)
{
	return on(w) && *w->config.rounds;
}

/* The thread has done something else than wait, and it cannot be undone. */
static void active(const struct world *w, const struct wthread *t)
{
	rounds_forget(t->rounds);
	rounds_turns_end(w, t);
}

void rounds_announced(struct world *w, struct wthread *t)
{
	struct rounds *r = t->rounds;
	bool head = t->op.state && event_kind_object(t->op.kind) != OBJ_MEMORY && w->config.rounds;
	bool changed = r && rounds_written(w, t);
	if (r)
		r->closed = false;
	if (!r && (head || (t->op.counts && w->config.limits)))
		r = t->rounds = world_alloc(w, sizeof *r);
	if (r && w->config.limits)
		rounds_check_limit(w, t, changed);
	if (!head)
		return;
	for (uint32_t i = 0; i < r->heads && !r->closed; i++) {
		r->closed = r->head[i].state == t->op.state && rounds_undone(r, i);
		r->since = r->head[i].step;
	}
	if (r->closed) {
		r->beyond = true;
		if (w->config.limits && w->config.limits->thread == t->id)
			rounds_probe_forget(w->config.limits);
		return;
	}
	if (r->heads == HEADS)
		rounds_forget(r);
	r->head[r->heads].state = t->op.state;
	r->head[r->heads++].step = w->steps;
}

bool rounds_over(const struct world *w, const struct wthread *t)
{
	const struct rounds *r = t->rounds;
	if (!r || !(r->closed || r->limited) || !rounds_leave_out(w))
		return false;
	if (r->closed)
		return true;
	w->config.limits->used = 1;
	return !rounds_times_out(&t->op);
}

bool rounds_no_timeout(const struct world *w, const struct wthread *t)
{
	return t->rounds && t->rounds->limited && rounds_times_out(&t->op) && rounds_leave_out(w);
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
		rounds_forget(r);
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
		if (rounds_has_written(r, now.addr, now.size))
			now.found = seen_before(r, &now);
	}
	look(r, now);
	if (e->obj[1] && !object_is_memory(e->obj[1]))
		look(r, (struct look){ .obj = e->obj[1], .step = w->steps });
}

static void take(struct world *w, struct rounds *r, object_id o)
{
	if (r->holds == HOLDS) {
		rounds_forget(r);
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
		rounds_forget(r);
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
	if (!observes(e))
		rounds_note_write(w, t, event_found(e));
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
		if (r->heads)
			rounds_note_write(w, t, membuf_value(w, t, t->op.arg[0], (uint32_t)t->op.arg[1]));
		rounds_turns_end(w, t);
		return true;
	case ROUND_TRIES:
		look_at(w, r, t, e);
		return observes(e);
	case ROUND_UNTIL:
		rounds_forget(r);
		return rounds_times_out(&t->op);
	case ROUND_TIMED:
		rounds_forget(r);
		return true;
	case ROUND_CLAIMS:
		rounds_forget(r);
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
		rounds_count_turn(t);
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
