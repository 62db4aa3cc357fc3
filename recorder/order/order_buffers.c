/* Order by store buffers: stores, the updates that move them to memory, and the steps that wait for these. */
#include "recorder/order/order_internal.h"

/* Returns the buffered store that a load read: the last one of its thread to these bytes. */
static size_t forwarded_from(const struct order_walk *w, size_t i)
{
	const struct recording *r = w->r;
	const struct rec_step *s = &r->steps[i];
	size_t k = w->stored[s->thread];

	while (k != NO_STEP && (!recording_touches(r, &r->steps[k], s->obj[0]) || w->partner[k] < i))
		k = w->store_before[k];
	return k;
}

static bool drains(const struct rec_step *s)
{
	return event_kind_drains(s->kind) && !s->buffered;
}

/* Returns the last update of agent a that update i, of another agent of the same thread, must come after, whatever bytes they write
   (sched/depend.c); NO_STEP if there is none. */
static size_t update_before(const struct order_walk *w, size_t a, size_t i)
{
	const struct recording *r = w->r;
	const struct rec_step *s = &r->steps[i];
	size_t k = w->last[a];

	for (; k != NO_STEP; k = w->update_before[k]) {
		const struct rec_step *u = &r->steps[k];
		bool stored_before = (unsigned)(s->number - u->number) % UPDATE_NUMBERS < UPDATE_NUMBERS / 2;
		if (u->epoch != s->epoch || (stored_before && (s->flags & EVF_RELEASE)))
			return k;
		if (stored_before)
			return NO_STEP; /* all earlier updates of a are of earlier stores too, and impose no order */
	}
	return NO_STEP;
}

void order_after_buffer(struct order_walk *w, size_t i)
{
	const struct recording *r = w->r;
	const struct rec_step *s = &r->steps[i];

	if (s->kind == EV_UPDATE)
		order_propose(w, w->partner[i], ORDER_BUFFER);
	if (rec_step_forwarded(s))
		order_propose(w, forwarded_from(w, i), ORDER_FORWARD);
	for (size_t a = r->n_threads; a < w->o->n_agents; a++) {
		if (w->last[a] == NO_STEP || r->steps[w->last[a]].thread != s->thread || a == w->o->agent[i])
			continue;
		if (drains(s) && w->pending[a]) {
			order_propose(w, w->last[a], ORDER_DRAINED);
			w->pending[a] = false;
		} else if (s->kind == EV_UPDATE) {
			order_propose(w, update_before(w, a, i), ORDER_OTHER);
		}
	}
}

void order_note_buffer(struct order_walk *w, size_t i)
{
	const struct rec_step *s = &w->r->steps[i];
	size_t agent = w->o->agent[i];

	if (s->buffered) {
		w->store_before[i] = w->stored[s->thread];
		w->stored[s->thread] = i;
	}
	w->update_before[i] = w->last[agent];
	w->pending[agent] = s->kind == EV_UPDATE;
}
