/* Plans, and the best execution that following one produced. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "replay/minimize_internal.h"

/* ---- plans ---- */

void plan_free(struct plan *p)
{
	free(p->turn);
	*p = (struct plan){ NULL, 0 };
}

void plan_append(struct plan *p, struct guided_turn t)
{
	p->turn = xgrow(p->turn, p->n, sizeof(*p->turn));
	p->turn[p->n++] = t;
}

void plan_add(struct plan *p, thread_id thread, unsigned alt, uint32_t until)
{
	struct guided_turn *last = p->n ? &p->turn[p->n - 1] : NULL;

	if (last && last->thread == thread && alt == ALT_NORMAL && last->alt == ALT_NORMAL && !last->flags)
		last->until = until;
	else
		plan_append(p, (struct guided_turn){ .thread = thread, .alt = (uint8_t)alt, .until = until });
}

void plan_rest(struct plan *p, thread_id t, uint32_t until)
{
	plan_append(p, (struct guided_turn){ .thread = t, .flags = GUIDED_REST, .until = until });
}

struct plan plan_of(const struct event *event, const uint32_t *order, uint32_t n)
{
	struct plan p = { NULL, 0 };
	uint32_t *done = xcalloc(MAX_IDS, sizeof(*done));

	for (uint32_t i = 0; i < n; i++) {
		const struct event *e = &event[order ? order[i] : i];
		plan_add(&p, e->thread, e->alt, ++done[e->thread]);
	}
	free(done);
	return p;
}

/* ---- trying ---- */

void minimize_keep(struct minimizing *m, const struct event *event, uint32_t n, const struct schedule_cost *cost)
{
	struct event *copy = xcalloc(n, sizeof(*copy));

	memcpy(copy, event, n * sizeof(*copy));
	free(m->best);
	m->best = copy;
	m->n = n;
	m->cost = *cost;
}

bool minimize_try(struct minimizing *m, const struct plan *p, struct minimize_outcome *out)
{
	struct schedule_cost cost;

	memset(out, 0, sizeof(*out));
	if (m->over || m->runs >= m->max_runs)
		return false;
	m->run(m->ctx, p->turn, p->n, out);
	m->over = out->over;
	if (m->over)
		return false;
	m->runs++;
	if (!out->fails)
		return true;
	cost = schedule_cost(out->event, out->n);
	if (schedule_cost_less(&cost, &m->cost, m->order)) {
		minimize_keep(m, out->event, out->n, &cost);
		m->better = true;
	}
	return true;
}
