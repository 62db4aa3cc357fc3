/* See lib_path.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/unit/lib_path.h"

#define MOST_NOTES 500

int path_choice(void *ctx, const struct sched_view *view)
{
	struct path *p = ctx;

	p->enabled[p->pos] = 0;
	for (unsigned i = 0; i < view->n; i++)
		if (!is_agent(view->choices[i].thread) && view->choices[i].alt == ALT_NORMAL)
			p->enabled[p->pos] |= UINT64_C(1) << view->choices[i].thread;
	if (p->pos == p->n) {
		p->at[p->n].tried = 0;
		p->at[p->n++].of = (uint8_t)view->n;
	}
	return p->at[p->pos++].tried;
}

bool path_advance(struct path *p)
{
	while (p->n && p->at[p->n - 1].tried + 1 >= p->at[p->n - 1].of)
		p->n--;
	if (p->n)
		p->at[p->n - 1].tried++;
	p->pos = 0;
	return p->n > 0;
}

static int pick(void *ctx, const struct sched_view *view)
{
	struct strategy *s = ctx;
	return s->ops->pick(s->self, view);
}

static void observe(void *ctx, const struct event *e)
{
	struct strategy *s = ctx;
	s->ops->observe(s->self, e);
}

enum run_verdict guided_once(struct toy *toy, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out)
{
	static _Alignas(16) char memory[1 << 20];
	static struct guided g;
	struct guided_area *area = (struct guided_area *)memory;
	struct strategy s;

	*area = (struct guided_area){ turns, MOST_NOTES };
	if (turns)
		memcpy(guided_turns(area), turn, turns * sizeof(*turn));
	assert_true(guided_attach(&g, area, sizeof(memory), &s));
	assert_true(s.ops->begin(s.self));
	enum run_verdict verdict = toy_execute(toy, pick, observe, &s);
	assert_false(s.ops->begin(s.self));
	out->event = toy->event;
	out->n = toy->trace.n;
	out->note = guided_notes(area);
	out->notes = out->n < MOST_NOTES ? out->n : MOST_NOTES;
	return verdict;
}
