#include "cli/supervise/bounds.h"

#include <inttypes.h>

#include "cli/supervise/search.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"

#define ENOUGH_NS UINT64_C(200000000)     /* work after which the speed of a search is known */
#define ENOUGH_EXECUTIONS 30
#define PATIENCE_NS (3600 * NS_PER_S)     /* the time allowed without --time */

static void expect(const struct segment *seg, enum explore_outlook outlook)
{
	explore_expect((char *)seg->session + seg->layout.explore_off, seg->layout.explore_size, outlook);
}

static uint64_t time_left(const struct search *search, uint64_t now)
{
	uint64_t end = search->start_ns + search->opt.time_ns;

	return !search->opt.time_ns ? PATIENCE_NS : end > now ? end - now : 0;
}

/* Returns whether the estimate predicts that the full search will not finish. */
static bool hopeless(const struct search *search, const struct explore_stats *st, uint64_t executions, uint64_t ns, uint64_t now)
{
	double left = (double)(st->estimate_low - st->executions);
	uint64_t most = search->seg.session->config.max_executions;

	if (most && left > (double)(most > st->executions ? most - st->executions : 0))
		return true;
	return left * (double)ns / (double)executions > (double)time_left(search, now);
}

/* Passes the outlook to all workers. */
static void expect_all(const struct search *search, enum explore_outlook outlook)
{
	expect(&search->seg, outlook);
	for (unsigned i = 1; i < search->workers.n; i++)
		expect(search->workers.w[i]->seg, outlook);
}

void bounds_share(struct search *search, const struct explore_stats *st)
{
	const struct session_control *ctl = &search->seg.session->ctl;
	uint64_t now = wall_clock_ns(), executions, ns;

	if (search->config.strategy != STRATEGY_AUTO || shared_load(&ctl->warm_up.running))
		return;
	if (!search->pace.since_ns || search->pace.search != ctl->warm_up.restarts || st->executions < search->pace.executions) {
		search->pace = (struct pace){now, st->executions, ctl->warm_up.restarts};
		return;
	}
	ns = now - search->pace.since_ns;
	executions = st->executions - search->pace.executions;
	if (st->estimate > st->executions && ns >= ENOUGH_NS && executions >= ENOUGH_EXECUTIONS)
		expect_all(search, hopeless(search, st, executions, ns, now) ? OUTLOOK_NO_END : OUTLOOK_END);
}

void bounds_strategy(const struct session_config *config, const struct segment *seg, const struct explore_stats *st, bool restarts,
	char *buf, size_t size)
{
	const char *name = explore_strategy_name(config->strategy);
	bool warming_up = shared_load(&seg->session->ctl.warm_up.running);

	if (st->bound)
		text_set(buf, size, "%s, bound %u", name, st->bound - 1);
	else if (st->sampled)
		text_set(buf, size, "%s, by a sample (%s)", name, explore_strategy_name(STRATEGY_SURW));
	else if (warming_up && !restarts)
		text_set(buf, size, "%s, during warm-up", name);
	else if (config->strategy == STRATEGY_AUTO && config->settings.model == MODEL_SC && !config->settings.patience &&
		!config->settings.discrete_time && !config->settings.barrier_first)
		text_set(buf, size, "%s, without a bound", name);
	else
		text_set(buf, size, "%s", name);
	if (restarts)
		text_add(buf, size, ", during warm-up");
}

void bounds_text(const struct explore_stats *st, char *buf, size_t size)
{
	uint32_t most = st->bound_done - 1;

	buf[0] = 0;
	if (st->bound_done)
		text_set(buf, size, "complete up to %u preemption%s", most, most == 1 ? "" : "s");
}
