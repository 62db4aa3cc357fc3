/* See partial_order.h. */
#include "enforce/partial_order.h"

#include "base/xalloc.h"

/* ---- groups of files ---- */

/* Returns whether the event joins files to a group. It has no effect outside of the search. */
static bool joins_files(const struct event *e)
{
	return e->kind == EV_FD_OTHER && (e->flags & EVF_GROUPS);
}

static bool polls_group(const struct event *e)
{
	return e->kind == EV_FD_POLL && (e->flags & EVF_GROUPS);
}

/* As events_dependent. Which files a group has does not matter: a poll of it depends on all events on files. */
static bool dependent(const struct event *a, const struct event *b)
{
	bool files = event_kind_object(a->kind) == OBJ_FD && event_kind_object(b->kind) == OBJ_FD;

	return events_dependent(a, b) || (files && (polls_group(a) || polls_group(b)));
}

/* ---- which events there are ---- */

static uint32_t update_of(const struct event *events, uint32_t n, uint32_t store)
{
	uint32_t older = 0; /* stores of the same agent that are still in its buffer */

	for (uint32_t i = 0; i < store; i++) {
		if (event_buffered(&events[i]) && events[i].result == events[store].result)
			older++;
		else if (events[i].kind == EV_UPDATE && events[i].thread == (thread_id)events[store].result)
			older--;
	}
	for (uint32_t i = store + 1; i < n; i++)
		if (events[i].kind == EV_UPDATE && events[i].thread == (thread_id)events[store].result && !older--)
			return i;
	return n;
}

/* Returns whether a store made at `store` that reaches memory at `update` may be one event: its thread has no event in between, or none
   that depends on whether the store has reached memory. */
static bool is_one(const struct event *events, uint32_t store, uint32_t update, bool *late)
{
	bool own = false, others = false;

	for (uint32_t i = store + 1; i < update; i++) {
		own |= event_owner(&events[i]) == events[store].thread && !(event_kind_flags(events[i].kind) & K_LOCAL);
		others |= event_owner(&events[i]) != events[store].thread && events_dependent(&events[i], &events[update]);
	}
	*late = !own;
	return !own || !others;
}

static bool collect(const struct event *events, uint32_t n, struct partial_order *out, const char **why)
{
	/* for each event of the execution: the event of the certificate that stands there */
	struct ordered_event *at = xcalloc(n, sizeof(*at));
	bool ok = true;

	for (uint32_t i = 0; i < n && ok; i++) {
		const struct event *e = &events[i];
		uint32_t update;
		bool late;

		if (e->kind == EV_UPDATE || (event_kind_flags(e->kind) & K_LOCAL) || joins_files(e))
			continue;
		if (!event_buffered(e)) {
			at[i] = (struct ordered_event){.e = *e, .at = i, .place = i};
			continue;
		}
		update = update_of(events, n, i);
		if (update == n || !is_one(events, i, update, &late)) {
			*why = "its first execution delays a store past other events of its thread";
			ok = false;
			break;
		}
		at[late ? update : i] = (struct ordered_event){.e = events[update], .at = i, .place = update};
		at[late ? update : i].e.thread = e->thread;
		at[late ? update : i].e.kind = EV_STORE;
	}
	out->event = xcalloc(n, sizeof(*out->event));
	for (uint32_t i = 0; i < n && ok; i++)
		if (at[i].e.kind != EV_NONE)
			out->event[out->n++] = at[i];
	free(at);
	return ok;
}

/* Returns the length of the prefix up to the last event that begins among the first `certified` events. A longer prefix is as safe. */
static uint32_t prefix(const struct partial_order *o, uint32_t certified)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < o->n; i++)
		if (o->event[i].at < certified)
			k = i + 1;
	return k;
}

/* ---- their order ---- */

struct ordering {
	struct partial_order *o;
	uint32_t threads;
	uint32_t *clock;  /* [event][thread]: number of events of the thread that come before the event, itself included */
	uint32_t *now;    /* by thread: its clock, [threads] */
	uint32_t **own;   /* by thread: its events so far */
	uint32_t *n;
};

static void join(uint32_t *to, const uint32_t *from, uint32_t n)
{
	for (uint32_t t = 0; t < n; t++)
		if (from[t] > to[t])
			to[t] = from[t];
}

/* Returns the latest event of thread u that i depends on, unless that comes before i by other edges; UINT32_MAX if there is none. */
static uint32_t latest(const struct ordering *x, uint32_t i, uint32_t u, const uint32_t *clock)
{
	for (uint32_t k = x->n[u]; k > clock[u]; k--)
		if (dependent(&x->o->event[x->own[u][k - 1]].e, &x->o->event[i].e))
			return x->own[u][k - 1];
	return UINT32_MAX;
}

static void order_event(struct ordering *x, uint32_t i)
{
	struct ordered_event *e = &x->o->event[i];
	uint32_t t = e->e.thread, *clock = x->now + (size_t)t * x->threads, *found = xcalloc(x->threads, sizeof(*found)), n = 0;

	for (uint32_t u = 0; u < x->threads; u++) {
		uint32_t f = u == t ? UINT32_MAX : latest(x, i, u, clock);

		if (f != UINT32_MAX)
			found[n++] = f;
	}
	e->after = xcalloc(n, sizeof(*e->after));
	for (uint32_t left = n; left > 0; left--) { /* the latest first: it may cover the others */
		uint32_t best = 0;

		for (uint32_t k = 1; k < left; k++)
			if (found[k] > found[best])
				best = k;
		const uint32_t f = found[best], u = x->o->event[f].e.thread;
		found[best] = found[left - 1];
		if (clock[u] >= x->clock[(size_t)f * x->threads + u])
			continue;
		e->after[e->n++] = f;
		join(clock, x->clock + (size_t)f * x->threads, x->threads);
	}
	free(found);
	x->own[t] = xgrow(x->own[t], x->n[t], sizeof(uint32_t));
	x->own[t][x->n[t]++] = i;
	clock[t] = x->n[t];
	memcpy(x->clock + (size_t)i * x->threads, clock, x->threads * sizeof(*clock));
	if (e->e.kind == EV_THREAD_CREATE && e->e.seq < x->threads)
		join(x->now + (size_t)e->e.seq * x->threads, clock, x->threads);
}

static void order(struct partial_order *o)
{
	struct ordering x = {.o = o, .threads = 1};

	for (uint32_t i = 0; i < o->n; i++) {
		if (o->event[i].e.thread >= x.threads)
			x.threads = o->event[i].e.thread + 1u;
		if (o->event[i].e.kind == EV_THREAD_CREATE && o->event[i].e.seq >= x.threads && o->event[i].e.seq < MAX_THREADS)
			x.threads = o->event[i].e.seq + 1u;
	}
	x.clock = xcalloc((size_t)o->n * x.threads, sizeof(uint32_t));
	x.now = xcalloc((size_t)x.threads * x.threads, sizeof(uint32_t));
	x.own = xcalloc(x.threads, sizeof(*x.own));
	x.n = xcalloc(x.threads, sizeof(*x.n));
	for (uint32_t i = 0; i < o->n; i++)
		order_event(&x, i);
	for (uint32_t t = 0; t < x.threads; t++)
		free(x.own[t]);
	free(x.own);
	free(x.n);
	free(x.now);
	free(x.clock);
}

bool partial_order_make(const struct event *events, uint32_t n, uint32_t certified, struct partial_order *out, const char **why)
{
	*out = (struct partial_order){0};
	if (!collect(events, n, out, why)) {
		partial_order_free(out);
		return false;
	}
	order(out);
	out->certified = prefix(out, certified);
	return true;
}

bool partial_order_may_swap(unsigned kind)
{
	switch (kind) {
	case EV_LOAD:
	case EV_STORE:
	case EV_RMW:
	case EV_MUTEX_LOCK:
	case EV_MUTEX_UNLOCK:
	case EV_RW_RDLOCK:
	case EV_RW_WRLOCK:
	case EV_SEM_WAIT:
	case EV_SEM_POST:
		return true;
	default:
		return false;
	}
}

/* Returns whether the prefix consists of exactly the first `certified` events of the execution. */
static bool is_exact(const struct partial_order *o, uint32_t certified)
{
	const struct ordered_event *last = &o->event[o->certified - 1];

	for (uint32_t i = 0; i + 1 < o->certified; i++)
		if (o->event[i].place + 1 >= certified)
			return false;
	return last->at + 1 == certified || last->place + 1 == certified;
}

/* Returns the index of the first event of a thread after the prefix; o->n: it has none. */
static uint32_t first_after(const struct partial_order *o, thread_id t)
{
	uint32_t i = o->certified;

	while (i < o->n && o->event[i].e.thread != t)
		i++;
	return i;
}

uint32_t partial_order_instead(const struct partial_order *o, uint32_t certified, const struct event *sibling, uint32_t n, uint32_t *out)
{
	const struct event *last = o->certified ? &o->event[o->certified - 1].e : NULL;
	uint32_t found = 0;

	if (!last || !is_exact(o, certified) || last->alt != ALT_NORMAL || !partial_order_may_swap(last->kind))
		return 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = first_after(o, sibling[k].thread);

		if (i < o->n && o->event[i].e.kind == sibling[k].kind && o->event[i].e.alt == ALT_NORMAL && partial_order_may_swap(sibling[k].kind) &&
			sibling[k].thread != last->thread)
			out[found++] = i;
	}
	return found;
}

void partial_order_free(struct partial_order *o)
{
	for (uint32_t i = 0; i < o->n; i++)
		free(o->event[i].after);
	free(o->event);
	*o = (struct partial_order){0};
}
