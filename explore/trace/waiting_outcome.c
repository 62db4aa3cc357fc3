/* Spin loops at another place of the trace: see waiting_outcome.h. */
#include "explore/trace/waiting_outcome.h"

#include "explore/trace/value.h"
#include "explore/trace/vclock.h"
#include "sched/await.h"

/* Returns whether the visit continues over this event. */
static bool goes_on(const struct event *e)
{
	return is_waiting(e) || e->kind == EV_YIELD ||
	       e->kind == EV_SLEEP;
}

/* The rules are those of the world (sched/waiting.c). */
bool waiting_visit(struct search *s, const struct event *e, const struct cut *c, struct await_visit *v)
{
	struct vec *past = &s->trace.scratch[SCRATCH_VISIT];
	uint32_t at = c->self == NO_INDEX ? thread_last(s, e->thread) : node_at(s, c->self)->thread_prev, n = 0;
	*v = (struct await_visit){0};
	for (; at && node_at(s, at - 1)->ev.thread == e->thread && goes_on(&node_at(s, at - 1)->ev);
		at = node_at(s, at - 1)->thread_prev) {
		if (!vec_reserve(&s->core, past, n + 1, sizeof(uint32_t)))
			return false;
		past->n = n + 1;
		((uint32_t *)vec_data(&s->core, past))[n++] = at - 1;
	}
	while (n--) {
		const struct event *d = &node_at(s, ((uint32_t *)vec_data(&s->core, past))[n])->ev;
		if (!is_waiting(d))
			continue;
		await_visit_at(v, event_await(d));
		await_visit_event(c->await, v, event_await(d), event_found(d));
	}
	await_visit_at(v, event_await(e));
	return true;
}

uint32_t waiting_exit(struct search *s, const struct event *e, const struct cut *c, uint32_t *found)
{
	struct await_visit v;
	*found = value_left(s, e, c);
	if (!*found || !c->await || !event_await(e) || !waiting_visit(s, e, c, &v))
		return EXIT_UNKNOWN;
	return await_exit_with(c->await, event_await(e), &v, *found);
}

void waiting_outcome(struct search *s, struct event *e, const struct cut *c)
{
	uint32_t exit = waiting_exit(s, e, c, &e->seq);
	bool known = exit != EXIT_UNKNOWN && exit != EXIT_NONE;
	const struct await_node *n = known ? await_at(c->await, exit) : NULL;
	bool fails = known && n->expected && event_found(e) != n->expected;
	if (known)
		e->kind = (uint8_t)n->what;
	unsigned mode = known && (fails || e->kind == EV_LOAD) ? M_READ : M_WRITE;
	e->flags = known ? await_flags(n) : (uint8_t)(e->flags & ~EVF_FAILED);
	if (fails && e->kind != EV_LOAD)
		e->flags = (uint8_t)event_failed_flags(e->flags, await_failed_acquires(n));
	e->mode[0] = (uint8_t)mode;
	e->mode[1] = (uint8_t)(e->obj[1] ? mode : M_NONE);
}
