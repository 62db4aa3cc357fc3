/* Polling threads give way: see giveway.h. */
#include "explore/sampling/giveway.h"

#include "explore/sampling/exploratory.h"

#define FAILED_WEIGHT 32u
#define MOST_REQUESTS 1000u /* more count as so many */

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
	p->goes_on = NO_THREAD;
	if (++r->asked <= GIVEWAY_FREE)
		return;
	uint32_t more = r->asked - GIVEWAY_FREE < MOST_REQUESTS ? r->asked - GIVEWAY_FREE : MOST_REQUESTS;
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
	bool long_run = streak(sample_of(s), e->thread) >= GIVEWAY_STREAK && !exploratory_alone(s);
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

/* A parked thread goes on with a probability in inverse proportion to its requests. */
static uint32_t weight(const struct runner *r)
{
	uint32_t further = r->asked > GIVEWAY_FREE ? r->asked - GIVEWAY_FREE : 1;
	return further < MOST_REQUESTS ? MOST_REQUESTS / further : 1;
}

/* Writes the indices of the thread's choices to c. Returns how many there are. */
static uint32_t choices_of(const struct sched_view *view, thread_id t, uint32_t *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < view->n; i++)
		if (view->choices[i].thread == t && !sample_is_other_value(view, i))
			c[n++] = i;
	return n;
}

/* Draws one of the threads with choices. Returns NO_THREAD if memory is used up. */
static thread_id draw_parked(struct core *s, const struct sched_view *view)
{
	uint32_t sum = 0;
	thread_id drawn = NO_THREAD, before = NO_THREAD;
	for (uint32_t i = 0; i < view->n; i++) {
		thread_id t = view->choices[i].thread;
		const struct runner *r = sample_runner(s, t);
		if (!r)
			return NO_THREAD;
		if (t == before)
			continue;
		before = t;
		sum += weight(r);
		if (sample_below(s, sum) < weight(r))
			drawn = t;
	}
	return drawn;
}

/* All threads with choices are passed over. Writes to c the indices of the choices of one that goes on until it asks again. Returns
   how many there are; 0 if memory is used up. */
static uint32_t choices_of_parked(struct core *s, const struct sched_view *view, uint32_t *c)
{
	struct sampling *p = sample_of(s);
	uint32_t n = p->goes_on == NO_THREAD ? 0 : choices_of(view, p->goes_on, c);
	if (n)
		return n;
	p->goes_on = draw_parked(s, view);
	return p->goes_on == NO_THREAD ? 0 : choices_of(view, p->goes_on, c);
}

const uint32_t *giveway_choices(struct core *s, const struct sched_view *view, uint32_t *n)
{
	struct vec *v = &sample_of(s)->offered;
	note_spin(s, view);
	if (!vec_reserve(s, v, view->n, sizeof(uint32_t)))
		return NULL;
	struct sampling *p = sample_of(s);
	uint32_t *c = vec_data(s, v);
	bool some_parked = p->parked > p->seen;
	*n = 0;
	for (uint32_t i = 0; i < view->n; i++) {
		if (sample_is_other_value(view, i))
			continue;
		const struct runner *r = some_parked ? sample_runner(s, view->choices[i].thread) : NULL;
		if (some_parked && !r)
			return NULL;
		if (!r || r->until <= p->seen)
			c[(*n)++] = i;
	}
	if (!*n)
		*n = choices_of_parked(s, view, c);
	return *n ? c : NULL;
}
