/* What surw knows of the program: see surw_profile.h. */
#include "explore/sampling/surw_profile.h"

#include <string.h>

#include "base/table.h"

static object_id largest(object_id m, const struct event *e)
{
	for (unsigned k = 0; k < 2; k++)
		if (!object_is_memory(e->obj[k]) && e->obj[k] > m)
			m = e->obj[k];
	return m;
}

bool profile_names(struct core *s, const struct sched_view *view)
{
	const struct trace *t = view->trace;
	object_id m = t->n ? largest(0, &t->event[t->n - 1]) : 0;
	for (unsigned i = 0; i < view->n; i++)
		m = largest(m, &t->pending[view->choices[i].thread]);
	while (s->names.n <= m) {
		uint64_t *name = vec_push(s, &s->names, sizeof *name);
		if (!name)
			return false;
		object_id o = s->names.n - 1;
		*name = o && view->object_name ? view->object_name(view->world, o) : o;
	}
	return true;
}

uint64_t profile_name(struct core *s, const struct event *e, unsigned k)
{
	object_id o = e->obj[k];
	if (!o)
		return 0;
	if (object_is_memory(o))
		return mix64(o) | 1;
	if ((k == 0 && event_kind_object(e->kind) == OBJ_THREAD) || o >= s->names.n)
		return 0;
	return ((uint64_t *)vec_data(s, &s->names))[o];
}

static struct touched *entry(struct core *s, uint32_t i)
{
	return (struct touched *)vec_data(s, &sample_of(s)->touched) + i;
}

/* Its entry in the hash table, or the free entry for it. */
static uint32_t *slot_for(struct core *s, uint64_t name)
{
	struct sampling *p = sample_of(s);
	uint32_t *table = vec_data(s, &p->index);
	return &table[TABLE_SLOT(i, mix64(name), p->index.cap, !table[i] || entry(s, table[i] - 1)->name == name)];
}

static bool empty_table(struct core *s, uint32_t room)
{
	struct sampling *p = sample_of(s);
	if (!vec_reserve(s, &p->index, room, sizeof(uint32_t)))
		return false;
	p->index.n = p->index.cap; /* a power of two, see vec_reserve */
	memset(vec_data(s, &p->index), 0, (size_t)p->index.cap * sizeof(uint32_t));
	return true;
}

static bool grow(struct core *s)
{
	struct sampling *p = sample_of(s);
	if (!empty_table(s, 2 * p->index.cap))
		return false;
	for (uint32_t i = 0; i < p->touched.n; i++)
		*slot_for(s, entry(s, i)->name) = i + 1;
	return true;
}

static bool touch(struct core *s, uint64_t name, thread_id who)
{
	struct sampling *p = sample_of(s);
	uint32_t *at = slot_for(s, name);
	if (*at) {
		struct touched *o = entry(s, *at - 1);
		o->shared |= o->first != who;
		return true;
	}
	*at = p->touched.n + 1;
	struct touched *o = vec_push(s, &p->touched, sizeof *o);
	if (!o)
		return false;
	o->name = name;
	o->first = who;
	return 2 * p->touched.n < p->index.cap || grow(s);
}

static bool counts(struct core *s, uint64_t name)
{
	const struct sampling *p = sample_of(s);
	if (!name || p->only)
		return name && name == p->only;
	uint32_t at = *slot_for(s, name);
	return at && entry(s, at - 1)->shared;
}

bool profile_counts(struct core *s, const struct event *e)
{
	return !event_buffered(e) && profile_touches(s, e);
}

bool profile_touches(struct core *s, const struct event *e)
{
	return sample_of(s)->profiled && (counts(s, profile_name(s, e, 0)) || counts(s, profile_name(s, e, 1)));
}

static bool find_objects(struct core *s, const struct trace *trace)
{
	struct sampling *p = sample_of(s);
	p->touched.n = 0;
	if (!empty_table(s, 64))
		return false;
	for (uint32_t i = 0; i < trace->n; i++)
		for (unsigned k = 0; k < 2; k++) {
			uint64_t name = profile_name(s, &trace->event[i], k);
			if (name && !touch(s, name, event_owner(&trace->event[i])))
				return false;
		}
	return true;
}

/* In every other execution all shared objects count; otherwise one of them, each with the same probability. */
static void draw(struct core *s)
{
	struct sampling *p = sample_of(s);
	uint32_t shared = 0;
	p->only = 0;
	for (uint32_t i = 0; i < p->touched.n; i++)
		shared += entry(s, i)->shared;
	if (!shared || p->epoch % 2)
		return;
	uint32_t k = sample_below(s, shared);
	for (uint32_t i = 0; !p->only; i++)
		if (entry(s, i)->shared && k-- == 0)
			p->only = entry(s, i)->name;
}

static bool count(struct core *s, const struct trace *trace)
{
	struct sampling *p = sample_of(s);
	uint32_t ids = trace->threads;
	if (!vec_reserve(s, &p->weight, ids, sizeof(uint32_t)))
		return false;
	p->weight.n = ids;
	uint32_t *w = vec_data(s, &p->weight);
	memset(w, 0, ids * sizeof *w);
	/* Backwards: the weight of a thread is complete when its creation is reached, and is added to its creator. */
	for (uint32_t i = trace->n; i-- > 0;) {
		const struct event *e = &trace->event[i];
		if (event_owner(e) >= ids)
			continue;
		w[event_owner(e)] += profile_counts(s, e);
		if (e->kind == EV_THREAD_CREATE && event_child(e) < ids && event_child(e) != e->thread)
			w[e->thread] += w[event_child(e)];
	}
	return true;
}

void profile_take(struct core *s, const struct trace *trace)
{
	struct sampling *p = sample_of(s);
	p->profiled = 0;
	if (!find_objects(s, trace))
		return;
	draw(s);
	p->profiled = 1;
	if (!count(s, trace))
		p->profiled = 0;
}
