#include "preload/life/points.h"

#include <string.h>

#include "base/processor.h"
#include "preload/base/aside.h"
#include "preload/control/ctl.h"
#include "preload/life/run.h"
#include "preload/life/written_pages.h"
#include "preload/base/rules.h"

#define MEAN 16u       /* costs that a mean is made of */
#define DOUBT 32u      /* the cost of a point shrinks by this part with each execution without one, so that it is measured again */
#define LEAST_APART 2u /* events between two points */

void points_at(struct points *p, void *memory, uint32_t pages)
{
	versions_at(&p->versions, memory, pages);
	uint64_t hi;
	written_arena(&p->arena_lo, &hi);
	p->next = POINTS_NEVER;
}

/* ---- where ---- */

/* Returns the least distance between two points: what a point costs, in events. */
static uint32_t apart(const struct points *p)
{
	uint64_t m = p->event_ticks ? p->point_ticks / p->event_ticks : 0;
	return m < LEAST_APART ? LEAST_APART : m > UINT16_MAX ? UINT16_MAX : (uint32_t)m;
}

/* Sets where the next point is: at the end of the prefix, or the largest m * 2^i before it, and m events after `at` at least. */
static void plan(struct points *p, uint32_t at)
{
	uint32_t every = ctl_session->config.point_every, m = apart(p), back = 0;
	p->next = POINTS_NEVER;
	if (p->n == POINTS_MOST)
		return;
	if (every) {
		p->next = at + every - at % every;
		return;
	}
	if (p->prefix < at + m)
		return;
	for (uint32_t d = m; d <= p->prefix - at - m; d *= 2)
		back = d;
	p->next = p->prefix - back;
}

void points_begin(struct points *p, uint32_t prefix)
{
	p->prefix = prefix;
	p->spent = 0;
	plan(p, p->from);
}

/* ---- saving ---- */

static char *save(struct points *p, uint64_t lo, uint64_t bytes)
{
	char *to = bytes ? versions_piece(&p->versions, bytes) : NULL;
	if (to)
		processor_copy(to, (const void *)lo, bytes);
	return to;
}

/* Saves what is pending, of the threads and of the drain agents. */
static bool save_pending(struct points *p, struct point *new)
{
	uint32_t n = new->threads + new->agents;
	new->pending = versions_piece(&p->versions, n * (sizeof *new->pending + 1));
	if (!new->pending)
		return false;
	new->alts = (uint8_t *)(new->pending + n);
	processor_copy(new->pending, ctl_trace.pending, new->threads * sizeof *new->pending);
	processor_copy(new->pending + new->threads, ctl_trace.pending + MAX_THREADS, new->agents * sizeof *new->pending);
	processor_copy(new->alts, ctl_trace.alts, new->threads);
	processor_copy(new->alts + new->threads, ctl_trace.alts + MAX_THREADS, new->agents);
	return true;
}

static bool save_all(struct points *p, struct point *new, const struct copied *c)
{
	new->stack_lo = new->here.sp;
	new->stack_bytes = aside_hi - new->stack_lo;
	uint64_t lo, hi;
	written_arena(&lo, &hi);
	new->arena_bytes = hi - lo;
	new->stack = save(p, new->stack_lo, new->stack_bytes);
	new->arena = save(p, lo, new->arena_bytes);
	return new->stack && (new->arena || !new->arena_bytes) && save_pending(p, new) && copied_keep(c, &p->versions);
}

/* Keeps the mean of the latest costs. One that was interrupted counts as twice the mean. */
static void note_cost(uint64_t *mean, uint64_t now)
{
	if (!*mean)
		*mean = now;
	else if (now > *mean)
		*mean += ((now < 2 * *mean ? now : 2 * *mean) - *mean) / MEAN;
	else
		*mean -= (*mean - now) / MEAN;
}

void points_add(struct points *p, const struct copied *c)
{
	const struct session_execution *e = &ctl_session->ctl.execution;
	struct point *new = &p->point[p->n];
	uint64_t start = processor_ticks();
	new->depth = ctl_trace.n;
	new->mark = p->versions.used;
	new->current = e->current;
	new->rounds = e->rounds;
	new->stops = e->stops;
	new->begun_nodes = e->begun_nodes;
	new->begun_edges = e->begun_edges;
	new->threads = ctl_trace.threads;
	new->agents = ctl_trace.agents;
	new->timed_out = ctl_session->timed_out;
	if (!save_all(p, new, c)) {
		versions_drop(&p->versions, new->mark);
		p->next = POINTS_NEVER;
		return;
	}
	p->n++;
	plan(p, new->depth);
	uint64_t took = processor_ticks() - start;
	p->spent += took;
	note_cost(&p->point_ticks, took);
}

/* ---- restoring ---- */

/* Returns whether the planned execution begins as the one that made the point. */
static bool fits(const struct point *at, uint32_t same)
{
	const struct session_execution *e = &ctl_session->ctl.execution;
	return at->depth <= same && at->rounds == e->rounds && at->stops == e->stops;
}

bool points_choose(struct points *p, uint32_t same, uint32_t events, uint64_t ticks)
{
	if (events > p->from && ticks > p->spent)
		note_cost(&p->event_ticks, (ticks - p->spent) / (events - p->from));
	if (!p->spent)
		p->point_ticks -= p->point_ticks / DOUBT;
	while (p->n && !fits(&p->point[p->n - 1], same))
		versions_drop(&p->versions, p->point[--p->n].mark);
	p->from = p->n ? p->point[p->n - 1].depth : 0;
	return p->n;
}

void points_put_back(const struct points *p)
{
	const struct point *at = &p->point[p->n - 1];
	processor_copy((void *)at->stack_lo, at->stack, at->stack_bytes);
	if (at->arena_bytes)
		processor_copy((void *)p->arena_lo, at->arena, at->arena_bytes);
}

void points_resume(const struct points *p)
{
	const struct point *at = &p->point[p->n - 1];
	memcpy(ctl_trace.pending, at->pending, at->threads * sizeof *at->pending);
	memcpy(ctl_trace.pending + MAX_THREADS, at->pending + at->threads, at->agents * sizeof *at->pending);
	memcpy(ctl_trace.alts, at->alts, at->threads);
	memcpy(ctl_trace.alts + MAX_THREADS, at->alts + at->threads, at->agents);
	run_resume(at->current);
	ctl_session->timed_out = at->timed_out;
	ctl_session->ctl.execution.begun_nodes = at->begun_nodes;
	ctl_session->ctl.execution.begun_edges = at->begun_edges;
}
