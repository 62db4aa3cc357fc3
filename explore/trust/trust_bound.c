/*
 * Preemption bounding over TruSt.
 *
 * What F of a revisit brings about is never deleted below it, nor is what happens before. So each execution below contains this part of the
 * graph as a prefix, and needs at least as many preemptions (TACAS 2023, lemma 1). When those exceed the bound, no execution below is
 * within it, and the revisit is skipped. Nothing else is skipped, so the search is complete up to the bound. trust.md compares it with the
 * paper's slack.
 */
#include "explore/trace/preempt.h"
#include "explore/trust/trust.h"

#include <string.h>

#include "explore/trace/thread_events.h"

bool bound_exceeded(struct search *s, const struct planned *f, uint32_t n, const uint32_t *pasts, const uint32_t *stays, uint32_t w,
	const struct await_table *await)
{
	struct vec *v = &s->trust.scratch[SCRATCH_FLAGGED];
	struct last_event last[MOST_LAST];
	if (n > MOST_LAST || !vec_reserve(&s->core, v, w, sizeof(uint32_t)))
		return false;
	uint32_t *upto = vec_data(&s->core, v);
	memcpy(upto, stays, w * sizeof *upto);
	for (uint32_t m = 0; m < n; m++) {
		last[m] = (struct last_event){.ev = &f[m].ev, .past = pasts + m * w, .slot = slot_of(s, f[m].ev.thread), .at = f[m].at};
		for (uint32_t k = 0; k < w; k++)
			upto[k] = upto[k] < last[m].past[k] ? last[m].past[k] : upto[k];
	}
	struct downset d = {.upto = upto, .w = w, .last = last, .n = n};
	return preempt_within(s, &d, s->core.config.preemptions, await) == PREEMPT_NO;
}

void bound_count(struct search *s, const struct await_table *await, enum run_verdict verdict)
{
	if (!s->core.config.bounded || s->core.config.uncounted) {
		s->core.stats.within_bound = s->core.stats.executions;
		return;
	}
	enum preempt_answer a = preempt_whole(s, s->core.config.preemptions, await);
	s->core.stats.within_bound += a == PREEMPT_YES;
	s->core.stats.failed_within += a == PREEMPT_YES && (verdict == RUN_FAILED || verdict == RUN_DEADLOCK);
	s->core.stats.bound_unknown += a == PREEMPT_UNKNOWN;
}
