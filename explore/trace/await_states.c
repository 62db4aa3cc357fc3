/* Whether a thread's state follows from its past; see await_states.h. */
#include "explore/trace/await_states.h"

#include <string.h>

#include "base/hash.h"
#include "explore/trace/distinct.h"
#include "explore/trace/vclock.h"
#include "explore/trace/waiting_outcome.h"
#include "sched/await.h"

#define STATES 1024u /* a power of two */

/* The latest state that was seen after pasts with this remainder. */
struct seen_state {
	uint64_t past;
	uint32_t node, pad_;
};

static uint32_t *scratch(struct search *s, enum trace_scratch which)
{
	return vec_data(&s->core, &s->trace.scratch[which]);
}

/* Fills SCRATCH_ORDER with the nodes in the order of their slots, and SCRATCH_FIRST with where each slot begins. */
static bool sort_nodes(struct search *s, uint32_t n)
{
	uint32_t slots = s->trace.slots.n;
	if (!vec_reserve(&s->core, &s->trace.scratch[SCRATCH_ORDER], n, sizeof(uint32_t)) ||
	    !vec_reserve(&s->core, &s->trace.scratch[SCRATCH_FIRST], slots + 1, sizeof(uint32_t)))
		return false;
	uint32_t *order = scratch(s, SCRATCH_ORDER), *first = scratch(s, SCRATCH_FIRST);
	for (uint32_t k = 0; k <= slots; k++)
		first[k] = 0;
	for (uint32_t i = 0; i < n; i++)
		first[node_at(s, i)->slot + 1]++;
	for (uint32_t k = 0; k < slots; k++)
		first[k + 1] += first[k];
	for (uint32_t i = 0; i < n; i++)
		order[first[node_at(s, i)->slot] + node_at(s, i)->idx - 1] = i;
	return true;
}

/* Computes for each node from `from` on the sum of the hashes of its thread's events up to there. */
static bool sum_up(struct search *s, uint32_t from, uint32_t n)
{
	if (!vec_reserve(&s->core, &s->trace.pasts, n, sizeof(uint64_t)))
		return false;
	s->trace.pasts.n = n;
	uint64_t *past = vec_data(&s->core, &s->trace.pasts);
	for (uint32_t i = from; i < n; i++)
		past[i] = distinct_event(s, i) + (node_at(s, i)->idx > 1 ? past[node_at(s, i)->thread_prev - 1] : 0);
	return true;
}

/* Returns a hash of everything that happens before event `last` or is it. */
static uint64_t past_of(struct search *s, uint32_t last)
{
	const uint32_t *order = scratch(s, SCRATCH_ORDER), *first = scratch(s, SCRATCH_FIRST);
	const uint64_t *past = vec_data(&s->core, &s->trace.pasts);
	const struct node *n = node_at(s, last);
	const uint32_t *clock = (uint32_t *)vec_data(&s->core, &s->trace.clocks) + n->clock_at;
	uint64_t h = 0;
	for (uint32_t k = 0; k < n->clock_w; k++)
		if (clock[k])
			h += past[order[first[k] + clock[k] - 1]];
	return h;
}

/* `last` is the thread's event before *e. */
static void look_at(struct search *s, struct await_table *t, const struct event *e, uint32_t last)
{
	const struct await_node *n = await_at(t, event_await(e));
	uint64_t past = hash_mix(hash_mix(past_of(s, last), n->pc), e->thread);
	struct seen_state *seen = (struct seen_state *)vec_data(&s->core, &s->trace.states) + (past & (STATES - 1));
	if (seen->past == past && seen->node != event_await(e))
		await_unstable(t, n->pc);
	*seen = (struct seen_state){ .past = past, .node = event_await(e) };
}

static bool looks(const struct event *e)
{
	return is_waiting(e) && event_await(e);
}

/* Returns where to begin, or n when what was known changed in this execution: then what it did without events may be
   events in the next one. */
static uint32_t begin(struct search *s, const struct trace *trace, uint32_t from, uint32_t n)
{
	uint64_t known = hash_mix(trace->await->changes + UINT64_C(1), trace->visible);
	bool same = known == s->trace.known;
	if (!same)
		s->trace.states.n = 0;
	s->trace.known = known;
	if (!same)
		return n;
	if (s->trace.states.n)
		return from < s->trace.pasts.n ? from : s->trace.pasts.n;
	if (!vec_reserve(&s->core, &s->trace.states, STATES, sizeof(struct seen_state)))
		return n;
	s->trace.states.n = STATES;
	memset(vec_data(&s->core, &s->trace.states), 0, STATES * sizeof(struct seen_state));
	return 0;
}

void await_states_look(struct search *s, const struct trace *trace, uint32_t from, uint32_t n)
{
	struct await_table *t = trace->await;
	uint32_t at = begin(s, trace, from, n);
	if (at == n || !sort_nodes(s, n) || !sum_up(s, at, n))
		return;
	for (uint32_t j = at; j < n; j++)
		if (looks(&node_at(s, j)->ev) && node_at(s, j)->thread_prev)
			look_at(s, t, &node_at(s, j)->ev, node_at(s, j)->thread_prev - 1);
	for (uint32_t k = 0; k < trace->threads; k++) {
		const struct event *e = &trace->pending[k];
		if (e->kind != EV_NONE && looks(e) && thread_last(s, e->thread))
			look_at(s, t, e, thread_last(s, e->thread) - 1);
	}
}
