/*
 * Happens-before edges: for each step, the steps it comes after because of threads (this file), objects (order_objects.c), tokens
 * (order_tokens.c) and store buffers (order_buffers.c). order_edges.c keeps those that do not follow from others.
 */
#include "recorder/order/order_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define MOST_CLOCKS (64u << 20) /* limit on the entries of all clocks together: 256 MB */

static const char *const why_texts[ORDER_WHYS] = {
	[ORDER_CREATE] = "create", [ORDER_WAKE] = "wake", [ORDER_JOIN] = "join", [ORDER_LOCK] = "lock",
	[ORDER_POST] = "post", [ORDER_BARRIER] = "barrier", [ORDER_ONCE] = "once", [ORDER_DATA] = "data",
	[ORDER_SIGNAL] = "signal", [ORDER_READS] = "reads", [ORDER_BUFFER] = "buffer", [ORDER_FORWARD] = "forward",
	[ORDER_DRAINED] = "drained", [ORDER_OTHER] = "order",
};

const char *order_why_text(unsigned why)
{
	return why < ORDER_WHYS ? why_texts[why] : "?";
}

static unsigned why_given(unsigned object_kind)
{
	return object_kind == OBJ_SEM ? ORDER_POST : object_kind == OBJ_BARRIER ? ORDER_BARRIER : ORDER_WAKE;
}

static void after_thread(struct order_walk *w, size_t i)
{
	const struct rec_step *s = &w->r->steps[i];
	thread_id target;

	if (s->kind == EV_UPDATE)
		return;
	order_propose(w, w->created[s->thread], ORDER_CREATE);
	if (w->poked[s->thread] != NO_STEP)
		order_propose(w, w->poked[s->thread], w->r->steps[w->poked[s->thread]].kind == EV_THREAD_JOIN ? ORDER_OTHER : ORDER_SIGNAL);
	w->created[s->thread] = w->poked[s->thread] = NO_STEP;
	target = s->obj[0] ? w->child[s->obj[0] - 1] : NO_THREAD;
	if (target == NO_THREAD || target == s->thread)
		return;
	if (s->kind == EV_THREAD_CREATE && !rec_step_failed(s))
		w->created[target] = i;
	if (order_mode(w->r, s, 0) == M_POKE) {
		order_propose(w, w->last[target], ORDER_OTHER);
		w->poked[target] = i;
	}
}

static void follow(struct order_walk *w)
{
	const struct recording *r = w->r;

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		object_id o = s->obj[0];

		after_thread(w, i);
		if (w->giver[i] != NO_STEP)
			order_propose(w, w->giver[i], why_given(o ? r->objects[o - 1].kind : OBJ_NONE));
		for (int k = 0; k < 2; k++)
			order_after_object(w, i, k);
		order_after_buffer(w, i);
		order_decide(w, i);
		for (int k = 0; k < 2; k++)
			order_note_touch(w, i, k);
		order_note_buffer(w, i);
		w->last[w->o->agent[i]] = i;
	}
	w->o->first[r->n_steps] = w->o->n;
}

static size_t *no_steps(size_t n)
{
	size_t *list = xcalloc(n, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = NO_STEP;
	return list;
}

static void walk_end(struct order_walk *w)
{
	for (size_t i = 0; i < w->r->n_objects; i++) {
		free(w->object[i].touch);
		free(w->object[i].near);
	}
	free(w->object);
	free(w->giver);
	free(w->partner);
	free(w->child);
	free(w->clock);
	free(w->last);
	free(w->created);
	free(w->poked);
	free(w->stored);
	free(w->store_before);
	free(w->update_before);
	free(w->pending);
	free(w->candidate);
}

void recording_order(const struct recording *r, struct order *o)
{
	struct order_walk w = { .r = r, .o = o };

	memset(o, 0, sizeof(*o));
	o->agent = xcalloc(r->n_steps, sizeof(*o->agent));
	o->first = xcalloc(r->n_steps + 1, sizeof(*o->first));
	o->n_agents = order_agents(r, o->agent);
	if (r->n_steps > UINT32_MAX - 1 || (r->n_steps && o->n_agents > MOST_CLOCKS / r->n_steps))
		return;
	o->known = true;
	w.object = xcalloc(r->n_objects, sizeof(*w.object));
	w.giver = xcalloc(r->n_steps, sizeof(*w.giver));
	w.partner = xcalloc(r->n_steps, sizeof(*w.partner));
	w.child = xcalloc(r->n_objects, sizeof(*w.child));
	w.clock = xcalloc(r->n_steps * o->n_agents, sizeof(*w.clock));
	w.last = no_steps(o->n_agents);
	w.created = no_steps(r->n_threads);
	w.poked = no_steps(r->n_threads);
	w.stored = no_steps(r->n_threads);
	w.store_before = xcalloc(r->n_steps, sizeof(*w.store_before));
	w.update_before = xcalloc(r->n_steps, sizeof(*w.update_before));
	w.pending = xcalloc(o->n_agents, sizeof(*w.pending));
	order_find_near(&w);
	order_tokens(r, w.giver);
	order_children(r, w.child);
	recording_pair_stores(r, w.partner, NULL);
	follow(&w);
	walk_end(&w);
}

void order_free(struct order *o)
{
	free(o->edge);
	free(o->first);
	free(o->agent);
	memset(o, 0, sizeof(*o));
}
