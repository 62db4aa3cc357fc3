/* Values at another place of the trace: see value.h. */
#include "explore/trace/value.h"

#include "explore/trace/buffer.h"
#include "explore/trace/chain.h"
#include "explore/trace/vclock.h"

struct range {
	uint64_t lo, hi; /* see event_bytes; empty: lo > hi */
};

static struct range range_of(const struct event *e)
{
	struct range r = {1, 0};
	event_bytes(e, &r.lo, &r.hi);
	return r;
}

/* Returns whether event e, which touches memory, shows what these bytes held before it. */
static bool shows_value(const struct event *e, struct range r)
{
	bool names_value = event_kind_seq(e->kind) == SEQ_VALUE && !event_forwarded(e);
	struct range own = range_of(e);
	return names_value && own.lo == r.lo && own.hi == r.hi;
}

static bool writes(const struct event *e)
{
	return event_bytes_mode(e) != M_READ;
}

/* The bytes of r that are not in w. (When w is in the middle of r, r stays unchanged, which is safe.) */
static struct range without(struct range r, struct range w)
{
	if (w.lo <= r.lo && w.hi >= r.lo)
		r.lo = w.hi + 1;
	else if (w.hi >= r.hi && w.lo <= r.hi)
		r.hi = w.lo - 1;
	return r;
}

/*
 * Walks back from the end of the trace, with some events removed. The walk stops at the first event that shows a value; `found` is
 * what it showed in the whole trace. Without the removed events the value is the same if two things hold: the last write to every byte before that
 * event remains, and no later write remains. A removed write makes the values of later events invalid. If it wrote the same bytes, it shows
 * the value before it. After an addition that remains (ADD), the value is known only if all earlier ones remain, too.
 */
uint32_t value_left(struct search *s, const struct event *e, const struct cut *c)
{
	struct event all = {.thread = NO_THREAD, .kind = EV_STORE, .mode = {M_WRITE, M_WRITE}, .span = e->span};
	struct range whole = range_of(e), rest = whole;
	struct preds p;
	uint32_t found = 0, k;
	bool reached = false; /* the walk reached a write that is left */
	for (unsigned i = 0, n = 0; i < 2; i++)
		if (object_is_memory(e->obj[i]))
			all.obj[n++] = e->obj[i];
	if (!all.obj[0] || chain_count(&all) > 2 || buffer_holds(s, e, c))
		return 0;
	if (c->self == NO_INDEX)
		preds_of_next(s, &p, &all);
	else
		preds_from(s, &p, &all, c->self); /* later events on these bytes are taken out, or read what it reads */
	while (preds_next(s, &p, &k)) {
		const struct event *d = &node_at(s, k)->ev;
		struct range w = range_of(d);
		bool out = cut_removes(s, c, k);
		if (reached && (!writes(d) || w.lo > rest.hi || w.hi < rest.lo))
			continue;
		if (reached && out)
			return 0;
		if (writes(d) && !out) {
			reached = true;
			if (event_bytes_mode(d) != M_ADD) /* what it adds to has to be there, too */
				rest = without(rest, w);
			if (!found || rest.lo > rest.hi)
				return found;
		} else if (shows_value(d, whole)) {
			found = event_found(d);
		} else if (writes(d)) {
			found = 0;
		}
	}
	return found;
}
