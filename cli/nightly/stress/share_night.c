/* The steps of a test whose turn this machine has: replays of its recordings, a run without simul, one slice of its search. */
#include <string.h>

#include "cli/base/interrupt.h"
#include "cli/nightly/stress/night.h"
#include "cli/nightly/stress/steps.h"

/* Returns the steps that are due for t. */
static const struct pool_ops *due(const struct stress_test *t)
{
	return t->replay_alone ? &steps_alone : t->replay_known ? &steps_replay : &steps_search;
}

static struct stress_test *take(struct stress *s, bool alone)
{
	struct stress_test *t = night_take(s, alone);

	if (!t || t->sharing.helps)
		return t;
	t->replayed = 0;
	t->replay_known = !night_began(t) && !t->settled;
	return t;
}

static bool next(struct stress *s, struct stress_test *t, size_t after, struct process_plan *plan)
{
	bool more = !t->settled && due(t)->next(s, t, after, plan);

	if (!more && t->replay_known && !t->settled) {
		t->replay_known = false;
		steps_decide(s, t);
		more = steps_search.next(s, t, after, plan);
	}
	if (!more && t->replay_alone)
		t->settled = true;
	return more;
}

static void ended(struct stress *s, struct stress_test *t, const struct process *p)
{
	due(t)->ended(s, t, p);
}

/* Returns whether a bug of t was found now, while other tests may have run on this machine. */
static bool has_doubtful_bug(const struct stress *s, const struct stress_test *t)
{
	if (s->opt.jobs == 1 || s->tests.n == 1 || t->listed.serial || t->replay_alone || !t->settled)
		return false;
	for (size_t i = 0; i < t->n_bugs; i++)
		if (!t->bug[i].earlier && t->bug[i].recording)
			return true;
	return false;
}

static void left(struct stress *s, struct stress_test *t)
{
	const char *end = json_string_value(json_object_get(t->run, "end"));

	if (t->sharing.helps) {
		night_help_end(s, t);
		return;
	}
	if (interrupt_count() && end && !strcmp(end, "interrupted"))
		t->settled = false; /* other machines go on with it */
	t->replay_alone = has_doubtful_bug(s, t);
	night_give(s, t);
}

static bool goes_on(struct stress *s)
{
	night_keep(s);
	return night_goes_on(s);
}

const struct pool_ops steps_shared = {.doing = "searching", .next = next, .ended = ended, .take = take, .left = left, .goes_on = goes_on,
	.waiting = night_waiting};
