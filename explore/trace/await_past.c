/* What a thread at a spin loop could have found earlier; see await_past.h. */
#include "explore/trace/await_past.h"

#include "explore/trace/await_states.h"
#include "explore/trace/vclock.h"
#include "explore/trace/waiting_outcome.h"
#include "sched/await.h"

#define MOST_VALUES 256

/* Fingerprints of values, the latest first. */
struct values {
	uint32_t n;
	uint32_t at[MOST_VALUES];
	bool early;   /* some write came before the thread came to where it waits */
	bool unknown; /* it may have found another value, too */
};

static bool same_bytes(const struct event *a, const struct event *b)
{
	return a->obj[0] == b->obj[0] && a->obj[1] == b->obj[1] && a->span == b->span;
}

/* Finds what the bytes of *e held before each write of another thread that comes before the walk's start, and after
   what happens before event `from` (index + 1; 0: nothing does). What they held before a write to another range of
   bytes is not known. */
static void values_before(struct search *s, struct preds *p, const struct event *e, uint32_t from, struct values *v)
{
	uint32_t i;
	v->n = 0;
	v->early = v->unknown = false;
	while (!(v->unknown && v->n == MOST_VALUES) && preds_next(s, p, &i)) {
		const struct event *w = &node_at(s, i)->ev;
		if (from && i < from && happens_before(s, i, from - 1))
			break;
		if (!mode_changes_bytes(event_bytes_mode(w)))
			continue;
		if (!same_bytes(w, e) || !event_found(w) || v->n == MOST_VALUES) {
			v->unknown |= i < from;
			continue;
		}
		v->at[v->n++] = event_found(w);
		v->early |= i < from;
	}
}

/* Checks *e: event `self` of the trace, or, with NO_INDEX, an operation that is pending at the end. */
static void check(struct search *s, struct await_table *t, const struct event *e, uint32_t self, struct values *v)
{
	struct cut c = { .self = self, .await = t };
	struct await_visit visit;
	struct await_reach r;
	if (!waiting_visit(s, e, &c, &visit))
		return;
	await_watch_at(&r, event_await(e));
	while (v->n)
		await_watch_found(t, &r, &visit, v->at[--v->n]);
	if (event_found(e))
		await_watch_found(t, &r, &visit, event_found(e));
}

/* `self` is as in check. */
static void look_at(struct search *s, struct await_table *t, const struct event *e, uint32_t self)
{
	struct values v;
	struct preds p;
	if (!is_waiting(e) || !event_await(e))
		return;
	if (self == NO_INDEX)
		preds_of_next(s, &p, e);
	else
		preds_of_node(s, &p, e, self);
	values_before(s, &p, e, self == NO_INDEX ? thread_last(s, e->thread) : node_at(s, self)->thread_prev, &v);
	if (v.unknown)
		t->doubts |= AWAIT_PAST;
	if (v.early)
		check(s, t, e, self, &v);
}

void awaits_look_back(void *self, const struct trace *trace)
{
	struct search *s = self;
	uint32_t from = s->trace.analysed < s->tree.prefix ? s->trace.analysed : s->tree.prefix;
	struct await_table *t = trace->await;
	uint32_t n = s->tree.pos; /* the last event of a failing execution may be no node yet */
	if (!t || !t->nodes || s->core.failed || from > n || n > trace->n || !clocks_extend(s, n))
		return;
	await_states_look(s, trace, from, n);
	for (uint32_t j = from; j < n && !s->core.failed; j++) {
		struct event e = node_at(s, j)->ev; /* nodes may move */
		look_at(s, t, &e, j);
	}
	for (uint32_t k = 0; k < trace->threads && !s->core.failed; k++)
		if (trace->pending[k].kind != EV_NONE)
			look_at(s, t, &trace->pending[k], NO_INDEX);
}
