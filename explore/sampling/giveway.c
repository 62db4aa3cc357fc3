/* Polling threads give way: see giveway.h. */
#include "explore/sampling/giveway.h"

#define FAILED_WEIGHT 32u

void giveway_pass_over(struct core *s, struct runner *r, uint32_t events)
{
	struct sampling *p = sample_of(s);
	r->until = p->seen + events;
	if (r->until > p->parked)
		p->parked = r->until;
	p->gave = 1;
}

static void ask(struct core *s, struct runner *r)
{
	struct sampling *p = sample_of(s);
	r->repeats = p->streak = 0;
	if (++r->asked <= GIVEWAY_FREE)
		return;
	uint32_t more = r->asked - GIVEWAY_FREE < 1000 ? r->asked - GIVEWAY_FREE : 1000;
	giveway_pass_over(s, r, 1 + sample_below(s, more * more));
}

/* Returns whether the event is an attempt that failed. A poll counts also if it found something: what that is does not
   show. */
static bool got_nothing(const struct event *e)
{
	if (e->kind == EV_FD_POLL)
		return !event_late(e);
	return event_failed(e) || e->kind == EV_COND_TIMEOUT || e->kind == EV_FUTEX_TIMEOUT || e->kind == EV_RW_WRTIMEOUT;
}

/* A hash that is the same for repetitions of an event. */
static uint32_t looks(const struct event *e)
{
	uint64_t what = (uint64_t)e->kind << 32 | (uint64_t)e->alt << 40 | e->obj[0];
	uint64_t found = (uint64_t)e->seq << 32 | (uint32_t)e->result;
	return (uint32_t)mix64(e->pc ^ what * UINT64_C(0xff51afd7ed558ccd) ^ found * UINT64_C(0xc4ceb9fe1a85ec53)) | 1;
}

/* Returns the length of the thread's current run of events, this one included. */
static uint32_t streak(struct sampling *p, thread_id t)
{
	if (p->running != t)
		p->streak = 0;
	p->running = t;
	return ++p->streak;
}

/* Processes an event of the running execution. */
static void note_event(struct core *s, const struct event *e)
{
	struct runner *r = sample_runner(s, e->thread);
	if (!r || is_agent(e->thread))
		return;
	bool long_run = streak(sample_of(s), e->thread) >= GIVEWAY_STREAK && !sample_of(s)->alone;
	if (e->kind == EV_YIELD || e->kind == EV_SLEEP || long_run) {
		ask(s, r);
		return;
	}
	uint32_t h = looks(e);
	for (unsigned i = 0; i < SAMPLE_RECENT; i++)
		if (r->recent[i] == h) {
			r->repeats += got_nothing(e) ? FAILED_WEIGHT : 1;
			if (r->repeats >= GIVEWAY_REPEATS)
				ask(s, r);
			return;
		}
	r->repeats = 0;
	r->recent[r->next] = h;
	r->next = (uint8_t)((r->next + 1) % SAMPLE_RECENT);
}

const struct event *giveway_event(struct core *s, const struct trace *trace)
{
	struct sampling *p = sample_of(s);
	if (p->seen >= trace->n)
		return NULL;
	const struct event *e = &trace->event[p->seen++];
	note_event(s, e);
	return e;
}

/* Processes an iteration of a spin loop, which the driver reports. */
static void note_spin(struct core *s, const struct sched_view *view)
{
	const struct trace *t = view->trace;
	if (!view->current_yielded || !t->n)
		return;
	const struct event *e = &t->event[t->n - 1];
	struct runner *r = sample_runner(s, e->thread);
	if (r && !is_agent(e->thread) && e->kind != EV_YIELD && e->kind != EV_SLEEP)
		ask(s, r);
}

const uint32_t *giveway_choices(struct core *s, const struct sched_view *view, uint32_t *n)
{
	struct vec *v = &sample_of(s)->offered;
	note_spin(s, view);
	if (!vec_reserve(s, v, view->n, sizeof(uint32_t)))
		return NULL;
	struct sampling *p = sample_of(s);
	uint32_t *c = vec_data(s, v), least = UINT32_MAX;
	*n = 0;
	if (p->parked <= p->seen) { /* the usual case */
		for (uint32_t i = 0; i < view->n; i++)
			if (!sample_is_other_value(view, i))
				c[(*n)++] = i;
		return c;
	}
	for (uint32_t i = 0; i < view->n; i++) {
		if (sample_is_other_value(view, i))
			continue;
		const struct runner *r = sample_runner(s, view->choices[i].thread);
		if (!r)
			return NULL;
		uint32_t until = r->until > p->seen ? r->until : 0;
		if (until < least) {
			least = until;
			*n = 0;
		}
		if (until == least)
			c[(*n)++] = i;
	}
	return c;
}
