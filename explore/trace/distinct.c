/* Counting distinct traces: see distinct.h. */
#include "explore/trace/distinct.h"

#include "base/table.h"
#include "explore/trace/vclock.h"

#define TABLE_SLOTS 65536u /* less in a small memory; a power of two */

bool distinct_load(struct search *s, const struct trace *trace)
{
	clocks_truncate(s, 0);
	s->trace.nodes.n = 0;
	for (uint32_t i = 0; i < trace->n; i++) {
		struct node *n = vec_push(&s->core, &s->trace.nodes, sizeof *n);
		if (!n)
			return false;
		n->ev = trace->event[i];
	}
	return clocks_extend(s, trace->n);
}

uint64_t distinct_event(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i);
	const struct slot *slots = vec_data(&s->core, &s->trace.slots);
	const uint32_t *c = (uint32_t *)vec_data(&s->core, &s->trace.clocks) + n->clock_at;
	uint64_t h = 0;
	for (uint32_t k = 0; k < n->clock_w; k++)
		if (c[k])
			h += mix64(((uint64_t)slots[k].thread << 32) | c[k]);
	uint64_t label = ((uint64_t)n->ev.thread << 48) | ((uint64_t)n->ev.kind << 40) |
			 ((uint64_t)n->ev.alt << 36) | n->idx;
	uint64_t outcome = ((uint64_t)(uint32_t)n->ev.result << 32) | ((uint64_t)n->ev.mode[0] << 16) |
			   ((uint64_t)n->ev.mode[1] << 8) |
			   (event_failed(&n->ev) ? EVF_FAILED : 0);
	return mix64(mix64(mix64(h) ^ label) ^ outcome);
}

/* Returns the hash of nodes [0, n), which must have clocks. Object ids are not hashed: they depend on the order. */
static uint64_t distinct_hash(struct search *s, uint32_t n)
{
	uint64_t h = 0;
	for (uint32_t i = 0; i < n; i++)
		h += distinct_event(s, i);
	return mix64(h);
}

static bool table_make(struct search *s, struct vec *table)
{
	if (table->cap)
		return true;
	uint64_t room = core_arena(&s->core)->size / 8;
	uint32_t n = TABLE_SLOTS;
	while (n > 64 && (uint64_t)n * sizeof(uint64_t) > room)
		n /= 2;
	return vec_reserve(&s->core, table, n, sizeof(uint64_t));
}

bool distinct_add(struct search *s, struct vec *table, uint64_t h, uint64_t *overflow)
{
	if (!table_make(s, table))
		return false;
	if (h == 0)
		h = 1;
	uint64_t *t = vec_data(&s->core, table);
	uint32_t at = TABLE_SLOT(i, h, table->cap, !t[i] || t[i] == h);
	if (t[at] == h)
		return false;
	if (table->n >= table->cap / 4 * 3) {
		*overflow = 1;
		return false;
	}
	t[at] = h;
	table->n++;
	return true;
}

void distinct_count(struct search *s)
{
	struct explore_stats *st = &s->core.stats;
	st->distinct_traces += distinct_add(s, &s->trace.table, distinct_hash(s, s->trace.analysed),
		&st->distinct_overflow);
}
