/*
 * The arrows of happens-before. Each object keeps, for each agent and each way of touching it, the last step that did; a
 * new step comes after those that its way depends on. Vector clocks tell which of these follow from others.
 */
#include "recorder/order.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/report_internal.h"
#include "recorder/xalloc.h"

#define MOST_CLOCKS (64u << 20) /* entries of all clocks together: 256 MB */

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

/* The last step of an agent that touched an object in this way. */
struct touch {
	size_t agent, step;
	uint8_t mode;
	bool told; /* a FUTEX_WAKE that returned that it woke somebody */
};

struct object_state {
	size_t n, n_near;
	struct touch *touch;
	object_id *near; /* memory: other objects with common bytes */
};

struct candidate {
	size_t step;
	uint8_t why;
};

struct walk {
	const struct recording *r;
	struct order *o;
	struct object_state *object; /* by id - 1 */
	size_t *giver, *partner;     /* by step */
	thread_id *child;            /* by object id - 1 */
	uint32_t *clock;             /* by step, n_agents each: steps of each agent that come before, numbers from 1 */
	size_t *last;                /* by agent: its last step, or NO_STEP */
	size_t *created, *poked;     /* by thread: the step that created it or signalled it since its last step, or NO_STEP */
	size_t *stored, *store_before; /* by thread, by step: the store into its buffer before, drained or not, or NO_STEP */
	size_t *update_before;       /* by step: the update of its agent before, or NO_STEP */
	bool *pending;               /* by agent: its last update has not been waited for */
	size_t n;                    /* candidates for the step at hand */
	struct candidate *candidate;
};

static void propose(struct walk *w, size_t step, unsigned why)
{
	if (step == NO_STEP)
		return;
	w->candidate = xgrow(w->candidate, w->n, sizeof(*w->candidate));
	w->candidate[w->n++] = (struct candidate){ step, (uint8_t)why };
}

/* ---- which memory objects have common bytes ---- */

static int by_address(const void *a, const void *b, void *recording)
{
	const struct recording *r = recording;
	const struct rec_object *x = &r->objects[*(const object_id *)a - 1], *y = &r->objects[*(const object_id *)b - 1];

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void meet(struct walk *w, object_id a, object_id b)
{
	struct object_state *s = &w->object[a - 1];

	s->near = xgrow(s->near, s->n_near, sizeof(*s->near));
	s->near[s->n_near++] = b;
}

static void find_near(struct walk *w)
{
	const struct recording *r = w->r;
	object_id *sorted = xcalloc(r->n_objects, sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; i < r->n_objects; i++)
		if (r->objects[i].kind == OBJ_MEMORY)
			sorted[n++] = (object_id)(i + 1);
	qsort_r(sorted, n, sizeof(*sorted), by_address, (void *)r);
	for (size_t i = 0; i < n; i++) {
		const struct rec_object *x = &r->objects[sorted[i] - 1];
		for (size_t k = i + 1; k < n && r->objects[sorted[k] - 1].addr < x->addr + x->size; k++) {
			meet(w, sorted[i], sorted[k]);
			meet(w, sorted[k], sorted[i]);
		}
	}
	free(sorted);
}

/* ---- what a step comes after ---- */

static bool writes(unsigned mode)
{
	return mode == M_WRITE;
}

/* Why a step with this mode on an object of this kind comes after the last one that touched it so. */
static unsigned why_of(unsigned kind, unsigned before, unsigned mode)
{
	bool released = before == M_REL || before == M_RDREL, takes = mode == M_ACQ || mode == M_RDACQ;

	switch (kind) {
	case OBJ_MEMORY:
		return writes(before) ? ORDER_READS : ORDER_OTHER;
	case OBJ_MUTEX:
	case OBJ_SPIN:
	case OBJ_RWLOCK:
		return released && takes ? ORDER_LOCK : ORDER_OTHER;
	case OBJ_THREAD:
		return released && takes ? ORDER_JOIN : ORDER_OTHER;
	case OBJ_ONCE:
		return released ? ORDER_ONCE : ORDER_OTHER;
	case OBJ_FD:
		return released && (takes || mode == M_READ) ? ORDER_DATA : ORDER_OTHER;
	case OBJ_BARRIER:
		return before == M_ARRIVE && mode == M_LAST ? ORDER_BARRIER : ORDER_OTHER;
	default:
		return ORDER_OTHER;
	}
}

/* Also an update and a step of the thread that stored: they do not order each other by what they touch. Two updates do. */
static bool same_family(const struct recording *r, size_t a, size_t b)
{
	return r->steps[a].thread == r->steps[b].thread && (r->steps[a].kind != EV_UPDATE || r->steps[b].kind != EV_UPDATE);
}

/* As in sched/depend.c: modes tell, but futexes are first in, first out, and their wakes return how many they woke. */
static bool dependent(const struct walk *w, const struct touch *t, size_t i, unsigned mode)
{
	unsigned a = w->r->steps[t->step].kind, b = w->r->steps[i].kind;

	return modes_dependent(t->mode, 0, mode, 1) || (a == EV_FUTEX_WAIT && b == a && t->mode == M_ENQ && mode == M_ENQ) ||
	       (a == EV_FUTEX_WAKE && b == a && (t->told || w->r->steps[i].result));
}

/* Proposes what step i comes after on object o, and finds the last of all such steps. */
static void look_at(struct walk *w, size_t i, unsigned mode, object_id o, size_t *latest)
{
	const struct object_state *s = &w->object[o - 1];

	for (size_t k = 0; k < s->n; k++) {
		const struct touch *t = &s->touch[k];
		if (!dependent(w, t, i, mode))
			continue;
		if (*latest == NO_STEP || t->step > *latest)
			*latest = t->step;
		if (!same_family(w->r, t->step, i))
			propose(w, t->step, ORDER_OTHER);
	}
}

static bool reads_memory(const struct rec_step *s)
{
	return s->kind == EV_LOAD || s->kind == EV_RMW;
}

static unsigned touched(const struct walk *w, size_t step, object_id o, unsigned kind)
{
	const struct rec_step *s = &w->r->steps[step];

	if (kind == OBJ_MEMORY) /* by whatever object */
		return order_mode(w->r, s, s->obj[0] && w->r->objects[s->obj[0] - 1].kind == OBJ_MEMORY ? 0 : 1);
	return order_mode(w->r, s, s->obj[0] == o ? 0 : 1);
}

static void after_object(struct walk *w, size_t i, int k)
{
	const struct rec_step *s = &w->r->steps[i];
	object_id o = s->obj[k];
	unsigned mode = order_mode(w->r, s, k), kind = o && o <= w->r->n_objects ? w->r->objects[o - 1].kind : OBJ_NONE, why;
	size_t latest = NO_STEP;

	if (mode == M_NONE)
		return;
	look_at(w, i, mode, o, &latest);
	for (size_t n = 0; n < w->object[o - 1].n_near; n++)
		look_at(w, i, mode, w->object[o - 1].near[n], &latest);
	if (latest != NO_STEP && !same_family(w->r, latest, i)) {
		why = why_of(kind, touched(w, latest, o, kind), mode);
		if (why != ORDER_READS || reads_memory(s))
			propose(w, latest, why);
	}
	if (kind == OBJ_BARRIER && mode == M_LAST) /* all of the round */
		for (size_t n = 0; n < w->object[o - 1].n; n++)
			if (w->object[o - 1].touch[n].mode == M_ARRIVE)
				propose(w, w->object[o - 1].touch[n].step, ORDER_BARRIER);
}

static unsigned why_given(unsigned object_kind)
{
	return object_kind == OBJ_SEM ? ORDER_POST : object_kind == OBJ_BARRIER ? ORDER_BARRIER : ORDER_WAKE;
}

/* The store in the buffer of its thread that a load found: the last one of these bytes. */
static size_t forwarded_from(const struct walk *w, size_t i)
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
	return s->kind != EV_LOAD && s->kind != EV_UPDATE && s->kind != EV_DEATH && !s->buffered;
}

/* The last update of agent a that one of another agent of the same thread has to come after, whatever their bytes
   (sched/depend.c); NO_STEP: none. */
static size_t update_before(const struct walk *w, size_t a, size_t i)
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
			return NO_STEP; /* so are those before: nothing of another place is asked for */
	}
	return NO_STEP;
}

/* Store buffers: what an update, a load from the buffer, and a step that needs an empty buffer come after. */
static void after_buffer(struct walk *w, size_t i)
{
	const struct recording *r = w->r;
	const struct rec_step *s = &r->steps[i];

	if (s->kind == EV_UPDATE)
		propose(w, w->partner[i], ORDER_BUFFER);
	if (rec_step_forwarded(s))
		propose(w, forwarded_from(w, i), ORDER_FORWARD);
	for (size_t a = r->n_threads; a < w->o->n_agents; a++) {
		if (w->last[a] == NO_STEP || r->steps[w->last[a]].thread != s->thread || a == w->o->agent[i])
			continue;
		if (drains(s) && w->pending[a]) {
			propose(w, w->last[a], ORDER_DRAINED);
			w->pending[a] = false;
		} else if (s->kind == EV_UPDATE) {
			propose(w, update_before(w, a, i), ORDER_OTHER);
		}
	}
}

static void after_thread(struct walk *w, size_t i)
{
	const struct rec_step *s = &w->r->steps[i];
	thread_id target;

	if (s->kind == EV_UPDATE)
		return;
	propose(w, w->created[s->thread], ORDER_CREATE);
	if (w->poked[s->thread] != NO_STEP)
		propose(w, w->poked[s->thread], w->r->steps[w->poked[s->thread]].kind == EV_THREAD_JOIN ? ORDER_OTHER : ORDER_SIGNAL);
	w->created[s->thread] = w->poked[s->thread] = NO_STEP;
	target = s->obj[0] ? w->child[s->obj[0] - 1] : NO_THREAD;
	if (target == NO_THREAD || target == s->thread)
		return;
	if (s->kind == EV_THREAD_CREATE && !rec_step_failed(s))
		w->created[target] = i;
	if (order_mode(w->r, s, 0) == M_POKE) {
		propose(w, w->last[target], ORDER_OTHER);
		w->poked[target] = i;
	}
}

/* ---- deciding ---- */

static int latest_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->step != y->step)
		return x->step > y->step ? -1 : 1;
	return x->why - y->why;
}

static void learn(struct walk *w, uint32_t *clock, size_t step)
{
	const uint32_t *other = w->clock + step * w->o->n_agents;

	for (size_t a = 0; a < w->o->n_agents; a++)
		if (other[a] > clock[a])
			clock[a] = other[a];
}

static void add_edge(struct order *o, size_t from, size_t to, unsigned why)
{
	o->edge = xgrow(o->edge, o->n, sizeof(*o->edge));
	o->edge[o->n++] = (struct order_edge){ from, to, (uint8_t)why };
}

static int by_from(const void *a, const void *b)
{
	const struct order_edge *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static void decide(struct walk *w, size_t i)
{
	struct order *o = w->o;
	uint32_t *clock = w->clock + i * o->n_agents;
	size_t a = o->agent[i], first = o->n;

	if (w->last[a] != NO_STEP)
		memcpy(clock, w->clock + w->last[a] * o->n_agents, o->n_agents * sizeof(*clock));
	if (w->n)
		qsort(w->candidate, w->n, sizeof(*w->candidate), latest_first);
	for (size_t k = 0; k < w->n; k++) {
		const struct candidate *c = &w->candidate[k];
		bool forwards = c->why == ORDER_FORWARD;
		if ((k && c[-1].step == c->step) || (o->agent[c->step] == a && !forwards))
			continue;
		if (c->why == ORDER_OTHER && clock[o->agent[c->step]] > c->step)
			continue;
		add_edge(o, c->step, i, c->why);
		learn(w, clock, c->step);
	}
	clock[a] = (uint32_t)i + 1;
	if (o->n - first > 1)
		qsort(o->edge + first, o->n - first, sizeof(*o->edge), by_from);
	o->first[i] = first;
	w->n = 0;
}

static void note_touch(struct walk *w, size_t i, int k)
{
	object_id o = w->r->steps[i].obj[k];
	unsigned mode = order_mode(w->r, &w->r->steps[i], k);
	bool told = w->r->steps[i].kind == EV_FUTEX_WAKE && w->r->steps[i].result;
	struct object_state *s;

	if (mode == M_NONE)
		return;
	s = &w->object[o - 1];
	if (mode == M_LAST) /* the round is over: its arrivals concern nobody any more */
		for (size_t n = s->n; n-- > 0;)
			if (s->touch[n].mode == M_ARRIVE)
				s->touch[n] = s->touch[--s->n];
	for (size_t n = 0; n < s->n; n++)
		if (s->touch[n].agent == w->o->agent[i] && s->touch[n].mode == mode && s->touch[n].told == told) {
			s->touch[n].step = i;
			return;
		}
	s->touch = xgrow(s->touch, s->n, sizeof(*s->touch));
	s->touch[s->n++] = (struct touch){ w->o->agent[i], i, (uint8_t)mode, told };
}

static void follow(struct walk *w)
{
	const struct recording *r = w->r;

	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		object_id o = s->obj[0];

		after_thread(w, i);
		if (w->giver[i] != NO_STEP)
			propose(w, w->giver[i], why_given(o ? r->objects[o - 1].kind : OBJ_NONE));
		for (int k = 0; k < 2; k++)
			after_object(w, i, k);
		after_buffer(w, i);
		decide(w, i);
		for (int k = 0; k < 2; k++)
			note_touch(w, i, k);
		if (s->buffered) {
			w->store_before[i] = w->stored[s->thread];
			w->stored[s->thread] = i;
		}
		w->update_before[i] = w->last[w->o->agent[i]];
		w->last[w->o->agent[i]] = i;
		w->pending[w->o->agent[i]] = s->kind == EV_UPDATE;
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

static void walk_end(struct walk *w)
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
	struct walk w = { .r = r, .o = o };

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
	find_near(&w);
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
