/* The order of free choices: see next_thread.h. */
#include "explore/tree/next_thread.h"

#include "explore/tree/sleepset.h"

bool order_note(struct search *s, thread_id t, uint32_t i)
{
	if (is_agent(t))
		return true;
	while (s->tree.last_run.n <= t)
		if (!vec_push(&s->core, &s->tree.last_run, sizeof(uint32_t)))
			return false;
	((uint32_t *)vec_data(&s->core, &s->tree.last_run))[t] = i + 1;
	return true;
}

static uint32_t last_ran(struct search *s, thread_id t)
{
	return t < s->tree.last_run.n ? ((uint32_t *)vec_data(&s->core, &s->tree.last_run))[t] : 0;
}

static bool reluctant(const struct sched_view *view, const struct choice *c)
{
	if (c->alt == ALT_TIMEOUT || c->alt == ALT_SPURIOUS)
		return true;
	return c->thread == view->current && view->current_yielded;
}

/* The rank of a choice: the smallest goes first. */
static uint64_t rank(struct search *s, uint32_t i, const struct sched_view *view, const struct choice *c)
{
	if (s->core.config.shuffle) {
		uint64_t what = ((uint64_t)s->core.config.shuffle << 32) | ((uint64_t)c->thread << 8) | c->alt;
		uint64_t h = mix64(mix64(what) + i) >> 8;
		return (uint64_t)reluctant(view, c) << 62 | h;
	}
	if (is_agent(c->thread))
		return 0; /* by default, stores reach memory at once, as in an ordinary execution */
	uint64_t turn = (uint16_t)(c->thread - view->current) + 1u; /* the current thread first, then the next */
	if (view->current == NO_THREAD)
		turn = c->thread + 1u;
	if (reluctant(view, c))
		return UINT64_C(1) << 62 | (uint64_t)last_ran(s, c->thread) << 20 | c->alt;
	return turn << 4 | c->alt;
}

int order_pick_among(struct search *s, uint32_t i, const struct sched_view *view, const uint8_t *out)
{
	int best = -1;
	uint64_t best_rank = 0;
	for (unsigned k = 0; k < view->n; k++) {
		const struct choice *c = &view->choices[k];
		if ((out && out[k]) || sleepset_has(s, i, c->thread, c->alt))
			continue;
		uint64_t r = rank(s, i, view, c);
		if (best < 0 || r < best_rank) {
			best = (int)k;
			best_rank = r;
		}
	}
	return best;
}

int order_pick(struct search *s, uint32_t i, const struct sched_view *view)
{
	return order_pick_among(s, i, view, NULL);
}
