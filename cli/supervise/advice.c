#include "cli/supervise/advice.h"

#include <stdlib.h>

#include "cli/base/say.h"
#include "cli/supervise/search.h"

#define AFTER_NS (60 * NS_PER_S)
#define LONG_EVENTS 2000 /* an execution with more events is long: the number of executions is not the only problem */

static uint64_t after_ns(void)
{
	const char *ms = getenv("SIMUL_TEST_ADVICE"); /* tests do not wait for a minute */

	return ms ? strtoull(ms, NULL, 10) * (NS_PER_S / 1000) : AFTER_NS;
}

static bool no_end(const struct segment *seg)
{
	return explore_expected((const char *)seg->session + seg->layout.explore_off) == OUTLOOK_NO_END;
}

/* Writes what helps most, by what makes the search long: long executions, or their number. */
static void choose(bool patched, const struct explore_stats *st, char *buf, size_t size)
{
	uint64_t events = st->executions ? st->events / st->executions : 0;
	char upto[64];

	bounds_text(st, upto, sizeof(upto));
	if (events > LONG_EVENTS && patched)
		text_set(buf, size, "no end in sight, and an execution has %llu events: use a smaller input, or --no-patch if the threads share nothing "
			"but locks", (unsigned long long)events);
	else if (upto[0])
		text_set(buf, size, "no end in sight. So far the search is %s, and stopping it now keeps that verdict; a test with fewer threads or "
			"rounds may be searched to its end", upto);
	else
		text_set(buf, size, "no end in sight, not even of the schedules without preemptions: use a test with fewer threads or rounds, or take "
			"samples only (--strategy surw --time 5m)");
}

void advice_show(struct search *search, const struct explore_stats *st)
{
	char text[512];

	if (search->advised || search->opt.quiet || search->config.strategy != STRATEGY_AUTO || wall_clock_ns() - search->start_ns < after_ns() ||
		!no_end(&search->seg))
		return;
	search->advised = true;
	choose(!search->opt.no_patch, st, text, sizeof(text));
	progress_end(&search->progress);
	say("note: %s", text);
}
