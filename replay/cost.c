#include "replay/cost.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/recording.h"
#include "replay/choices.h"

/* Makes a recording with the fields that the counts need. */
static struct recording *as_recording(const struct event *event, uint32_t n)
{
	struct recording *r = recording_new();

	r->n_steps = n;
	r->steps = xcalloc(n, sizeof(*r->steps));
	for (uint32_t i = 0; i < n; i++) {
		const struct event *e = &event[i];
		struct rec_step *s = &r->steps[i];

		*s = (struct rec_step){ .thread = event_owner(e), .alt = e->alt, .kind = e->kind, .flags = e->flags,
			.buffered = event_buffered(e), .result = e->result };
		for (int k = 0; k < 2; k++) {
			s->obj[k] = object_is_memory(e->obj[k]) ? 0 : e->obj[k];
			if (s->obj[k] > r->n_objects)
				r->n_objects = s->obj[k];
		}
		if (s->thread >= r->n_threads)
			r->n_threads = s->thread + 1u;
	}
	return r;
}

static unsigned delayed(const struct event *event, uint32_t n)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += event[i].kind == EV_UPDATE &&
			(!i || !event_buffered(&event[i - 1]) || event[i - 1].thread != update_owner(&event[i]));
	return count;
}

static unsigned chosen(const struct event *event, uint32_t n)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += choice_differs(&event[i]);
	return count;
}

struct schedule_cost schedule_cost(const struct event *event, uint32_t n)
{
	struct recording *r = as_recording(event, n);
	struct schedule_cost c = { .preemptions = recording_preemptions(r), .switches = recording_switches(r),
		.chosen = chosen(event, n), .delayed = delayed(event, n), .steps = n };

	r->n_objects = r->n_threads = 0; /* the objects and threads have no tables to be freed */
	recording_free(r);
	return c;
}

bool schedule_cost_less(const struct schedule_cost *a, const struct schedule_cost *b, enum cost_order order)
{
	if (order == COST_SWITCHES_FIRST && a->switches != b->switches)
		return a->switches < b->switches;
	if (a->preemptions != b->preemptions)
		return a->preemptions < b->preemptions;
	if (a->switches != b->switches)
		return a->switches < b->switches;
	if (a->chosen != b->chosen)
		return a->chosen < b->chosen;
	if (a->delayed != b->delayed)
		return a->delayed < b->delayed;
	return a->steps < b->steps;
}
