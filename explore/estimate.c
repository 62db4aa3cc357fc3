/* The estimate of the total: see estimate.h. */
#include "explore/estimate.h"

#include "explore/wakeup.h"

static void estimate_branches(struct search *s, const struct node *n, uint32_t *total, uint32_t *done)
{
	*done = n->tried;
	if (s->config.strategy == STRATEGY_EXHAUSTIVE)
		*total = n->choice_n;
	else
		*total = n->tried + 1 + wakeup_count(s, n->wut);
}

/*
 * The finished part of the tree is known exactly. Walking down the current path, let `share` be the part
 * of the whole that lies below a node, were all its branches equally big: each of its `total` branches
 * has share / total, and `done` of them are finished. The finished shares add up to the progress, and
 * the estimate is executions / progress. Fixed point: 2^62 is the whole.
 */
void estimate_add(struct search *s)
{
	const uint64_t whole = UINT64_C(1) << 62;
	uint64_t share = whole, progress = 0;
	for (uint32_t i = 0; i < s->nodes.n && share; i++) {
		const struct node *n = node_at(s, i);
		uint32_t total, done;
		estimate_branches(s, n, &total, &done);
		if (total < 2)
			continue;
		share /= total;
		progress += share * done;
	}
	progress += share;
	uint64_t ran = s->stats.executions + s->stats.blocked + s->stats.cut;
	uint64_t parts = progress >> 24 ? whole / (progress >> 24) : 0; /* 2^24 * whole / progress */
	if (!parts || !ran)
		return;
	uint64_t limit = UINT64_MAX / ran;
	s->stats.estimate = parts > limit ? UINT64_MAX >> 24 : (parts * ran) >> 24;
}
