/* Random walk: at each step, every enabled choice of a thread that need not give way is equally likely. A CHOOSE counts as one choice;
   then each of its values is equally likely. */
#include "explore/sampling/exploratory.h"
#include "explore/sampling/giveway.h"
#include "explore/sampling/sample.h"

static bool random_begin(void *self)
{
	return sample_begin(self);
}

static uint32_t random_choice(struct core *s, const struct sched_view *view, const uint32_t *c, uint32_t n)
{
	return s->config.exploratory ? exploratory_one(s, view, c, n) : sample_one(s, c, n);
}

static int random_pick(void *self, const struct sched_view *view)
{
	struct core *s = self;
	uint32_t n;
	while (giveway_event(s, view->trace))
		;
	const uint32_t *c = giveway_choices(s, view, &n);
	return c ? sample_value(s, view, random_choice(s, view, c, n)) : PICK_STOP;
}

static void random_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	sample_end(self, trace, verdict);
}

const struct strategy_ops random_ops = {
	.name = "random",
	.begin = random_begin,
	.pick = random_pick,
	.pick_store = sample_pick_store,
	.observe = sample_observe,
	.end = random_end,
};
