/* The spine of a search: see spine.h. */
#include "explore/spine.h"

#include "explore/explore.h"
#include "explore/prefix.h"
#include "explore/vclock.h"
#include "explore/wakeup.h"

static bool wanted(const struct search *s)
{
	return s->config.certify != CERTIFY_NOT;
}

static struct event *spine_at(struct search *s, uint32_t i)
{
	return (struct event *)vec_data(s, &s->spine) + i;
}

/* Keeps the events of the execution that has just ended. */
static bool keep(struct search *s)
{
	s->spine.n = 0;
	for (uint32_t i = 0; i < s->pos; i++) {
		struct event *e = vec_push(s, &s->spine, sizeof *e);
		if (!e)
			return false;
		*e = node_at(s, i)->ev;
	}
	return true;
}

int spine_pick(struct search *s, const struct sched_view *view)
{
	if (s->spine_state != SPINE_GUIDE || s->pos >= s->spine.n)
		return -1;
	const struct event *e = spine_at(s, s->pos);
	for (unsigned k = 0; k < view->n; k++)
		if (view->choices[k].thread == e->thread && view->choices[k].alt == e->alt)
			return (int)k;
	return -1;
}

/* What makes the search cover less than everything. */
static uint32_t weakness(const struct search *s, enum run_verdict verdict)
{
	uint32_t why = 0;
	if (verdict == RUN_FAILED || verdict == RUN_DEADLOCK)
		why |= SPINE_FAILED;
	if (verdict == RUN_CUT && !s->redundant)
		why |= SPINE_CUT;
	if (verdict == RUN_ASSUMED)
		why |= SPINE_ASSUMED;
	if (s->stats.infeasible)
		why |= SPINE_INFEASIBLE;
	if (s->stats.renamed)
		why |= SPINE_RENAMED;
	if (s->stats.diverged || s->failed)
		why |= SPINE_BROKEN;
	if (s->config.regions)
		why |= SPINE_REGIONS;
	return why;
}

/* Handles the end of an execution before the spine is known: it may become the spine. */
static void begin(struct search *s, enum run_verdict verdict)
{
	bool first = s->stats.executions + s->stats.blocked + s->stats.cut + s->stats.assumed == 1;
	if (verdict != RUN_OK || s->redundant || s->failed)
		return;
	if (!first && s->spine_state == SPINE_GUIDE)
		return; /* the schedule that had passed failed: the search continues and certifies nothing */
	if (!keep(s))
		return;
	s->spine_state = first ? SPINE_KNOWN : SPINE_RESTART;
	s->certified = s->spine.n;
}

/* Returns n such that every execution that begins with the first n events of the running one was explored; 0: everything was. */
static uint32_t finished_below(struct search *s)
{
	uint32_t i = s->nodes.n;
	while (i > 0 && !node_at(s, i - 1)->wut)
		i--;
	return i;
}

void spine_end(struct search *s, enum run_verdict verdict)
{
	if (!wanted(s))
		return;
	if (s->spine_state != SPINE_KNOWN)
		begin(s, verdict);
	if (s->spine_state != SPINE_KNOWN)
		return;
	s->spine_frozen |= weakness(s, verdict);
	uint32_t left = finished_below(s);
	if (!s->spine_frozen && left < s->certified)
		s->certified = left;
}

bool spine_wants_no_more(const struct search *s)
{
	return s->config.certify == CERTIFY_FIRST_BUG && s->spine_state == SPINE_KNOWN && (s->spine_frozen & SPINE_FAILED);
}

void spine_restart(struct search *s)
{
	if (s->spine_state != SPINE_RESTART)
		return;
	while (s->nodes.n) {
		uint32_t i = s->nodes.n - 1;
		wakeup_free(s, node_at(s, i)->wut);
		prefix_truncate(s, i);
	}
	clocks_truncate(s, 0);
	s->stats = (struct explore_stats){ 0 };
	s->visits.n = 0;
	s->estimated = s->estimate_next = 0;
	if (s->table.cap)
		memset(vec_data(s, &s->table), 0, s->table.cap * sizeof(uint64_t));
	s->table.n = 0;
	s->started = s->redundant = 0;
	s->spine_frozen = 0;
	s->spine_state = SPINE_GUIDE;
}

bool explore_spine(const void *memory, size_t size, struct explore_spine *out)
{
	const struct search *s = memory;
	*out = (struct explore_spine){ 0 };
	if (size < sizeof *s || s->magic != SEARCH_MAGIC || s->size > size || s->arena_at != (int64_t)sizeof *s)
		return false;
	uint64_t at = (uint64_t)s->arena_at + (uint64_t)s->spine.data * 8;
	uint32_t n = s->spine.n;
	if (s->spine_state != SPINE_KNOWN || !n || at > size || (size - at) / sizeof(struct event) < n)
		return false;
	out->event = (const struct event *)((const char *)memory + at);
	out->n = n;
	out->certified = s->certified <= n ? s->certified : n;
	out->frozen = s->spine_frozen;
	return true;
}
