#include "preload/life/snapshot_trial.h"

#include "preload/base/rules.h"

/* Snapshots are kept if executions take at most this part of the time. */
#define AT_MOST 9
#define OF 10

bool trial_saves(uint64_t without, uint64_t with)
{
	return with * OF * TRIAL_EXECUTIONS_WITHOUT <= without * AT_MOST * TRIAL_EXECUTIONS_WITH;
}

static enum trial_change add_without(struct session_trial *t, const struct trial_execution *e)
{
	if (!e->takes_long || t->rewinds != e->rewinds || t->shared != e->shared)
		*t = (struct session_trial){ .rewinds = e->rewinds, .shared = e->shared };
	if (!e->takes_long)
		return TRIAL_SAME;
	t->without += e->ticks;
	if (++t->n < TRIAL_EXECUTIONS_WITHOUT)
		return TRIAL_SAME;
	t->n = 0;
	t->phase = TRIAL_WITH;
	return TRIAL_BEGINS;
}

static enum trial_change add_with(struct session_trial *t, const struct trial_execution *e, enum trial_verdict verdict)
{
	if (t->shared != e->shared) { /* more workers make each one slower, so the times cannot be compared */
		*t = (struct session_trial){ .rewinds = t->rewinds, .shared = e->shared };
		return TRIAL_GIVES_UP;
	}
	t->with += e->ticks;
	if (++t->n < TRIAL_EXECUTIONS_WITH)
		return TRIAL_SAME;
	bool keeps = verdict == TRIAL_MEASURED ? trial_saves(t->without, t->with) : verdict == TRIAL_KEEPS;
	t->phase = keeps ? TRIAL_KEPT : TRIAL_ENDED;
	return keeps ? TRIAL_SAME : TRIAL_GIVES_UP;
}

enum trial_change trial_add(struct session_trial *t, const struct trial_execution *e, enum trial_verdict verdict)
{
	if (!trial_open(t))
		return TRIAL_SAME;
	return t->phase == TRIAL_WITHOUT ? add_without(t, e) : add_with(t, e, verdict);
}
