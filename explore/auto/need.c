/*
 * How many preemptions an execution needs: explore_need (explore.h).
 *
 * The execution is laid out as the nodes of a separate search, and preempt.c is asked whether 0, 1, 2, ... preemptions are enough. The
 * first yes is the answer, unless an earlier question was given up. The trace does not show where a thread had another alternative (a
 * timeout, say). The search that ran the execution recorded that.
 */
#include "explore/trace/distinct.h"
#include "explore/trace/thread_events.h"
#include "explore/auto/auto.h"
#include "explore/trace/preempt.h"
#include "explore/sampling/sample.h"

#define MOST_PREEMPTIONS 100u /* a schedule with more is unreadable */
#define MOST_WORK 4000000u    /* steps, about a tenth of a second. Counted, not timed, so that the answer does not depend on the machine */

/* Returns whether the thread of event i had another alternative. */
static bool had_others(struct search *ran, const struct trace *trace, uint32_t i)
{
	const struct event *e = &trace->event[i];
	if (explore_samples(ran->core.config.strategy)) {
		const struct vec *v = &sample_of(&ran->core)->others;
		return i < v->n && ((uint8_t *)vec_data(&ran->core, v))[i];
	}
	if (i >= ran->trace.nodes.n)
		return false;
	const struct node *n = node_at(ran, i);
	const struct event *c = (struct event *)vec_data(&ran->core, &ran->trace.choices) + n->choice_at;
	for (uint32_t k = 0; k < n->choice_n; k++)
		if (c[k].thread == e->thread && c[k].alt != ALT_NORMAL)
			return true;
	return false;
}

/* Returns the search in which the questions are answered; NULL when memory is used up. */
static struct search *asked(struct search *s)
{
	if (!s->need) {
		s->need = core_alloc(&s->core, sizeof(struct search));
		if (!s->need)
			return NULL;
	}
	struct search *q = arena_ptr(core_arena(&s->core), s->need);
	q->core.magic = s->core.magic;
	q->core.size = s->core.size;
	q->core.arena_at = (char *)core_arena(&s->core) - (char *)q;
	q->core.config.strategy = STRATEGY_TRUST;
	return q;
}

static bool load(struct search *q, struct search *ran, const struct trace *trace)
{
	q->trace.choices.n = 0;
	lines_truncate(&q->trace, 0);
	if (!distinct_load(q, trace))
		return false;
	for (uint32_t i = 0; i < trace->n; i++) {
		struct node *n = node_at(q, i);
		n->deadly = i + 1 < trace->n && trace->event[i + 1].kind == EV_DEATH;
		n->choice_at = q->trace.choices.n;
		n->choice_n = had_others(ran, trace, i);
		struct event *other = n->choice_n ? vec_push(&q->core, &q->trace.choices, sizeof *other) : NULL;
		if (other)
			*other = (struct event){.thread = trace->event[i].thread, .alt = ALT_TIMEOUT};
	}
	return !q->core.failed;
}

bool explore_need(void *memory, const struct trace *trace, struct explore_need *need)
{
	struct search *s = memory, *q;
	if (s->core.config.buffers || s->core.config.patience || s->core.failed || !trace->n || !(q = asked(s)) ||
		!load(q, auto_running(s), trace))
		return false;
	*need = (struct explore_need){0};
	bool sure = true;
	q->trace.work_limit = q->trace.work + q->trace.walked + MOST_WORK;
	while (need->enough <= MOST_PREEMPTIONS && !q->core.failed) {
		enum preempt_answer a = preempt_whole(q, need->enough, trace->await);
		if (a == PREEMPT_YES)
			return true;
		sure &= a == PREEMPT_NO;
		need->least += sure;
		if (q->trace.work + q->trace.walked >= q->trace.work_limit)
			break;
		need->enough += sure ? 1 : 1 + need->enough / 4; /* the exact number is not known in any case, so larger steps are enough */
	}
	return false;
}
