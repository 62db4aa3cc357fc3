#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/say.h"
#include "cli/watchdog.h"

#define LIVE_NS UINT64_C(200000000)
#define PLAIN_NS UINT64_C(10000000000)

void progress_start(struct progress *p, bool quiet)
{
	memset(p, 0, sizeof(*p));
	p->off = quiet;
	p->live = isatty(2);
	p->start_ns = p->shown_ns = wall_clock_ns();
}

static unsigned terminal_width(void)
{
	struct winsize w;

	return ioctl(2, TIOCGWINSZ, &w) == 0 && w.ws_col > 10 ? w.ws_col : 80;
}

static void update_rate(struct progress *p, const struct explore_stats *stats, uint64_t now)
{
	uint64_t done = stats->executions + stats->blocked;
	double seconds = (double)(now - p->shown_ns) / 1e9;
	double rate = seconds > 0 && done >= p->shown_executions ? (double)(done - p->shown_executions) / seconds : 0;

	p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * rate : rate;
	p->shown_ns = now;
	p->shown_executions = done;
}

/* ", 3 min left", from the estimate of the whole; "" when nothing is known. */
static void time_left(const struct progress *p, const struct explore_stats *stats, char *buf, size_t size)
{
	double left;

	buf[0] = 0;
	if (stats->estimate <= stats->executions || p->rate < 0.01)
		return;
	left = (double)(stats->estimate - stats->executions) / p->rate;
	if (left < 120)
		text_set(buf, size, ", %.0f s left", left);
	else if (left < 7200)
		text_set(buf, size, ", %.0f min left", left / 60);
	else if (left < 100.0 * 3600)
		text_set(buf, size, ", %.0f h left", left / 3600);
}

void progress_show(struct progress *p, const struct explore_stats *stats, bool learning,
	size_t bugs)
{
	uint64_t now = wall_clock_ns();
	char left[64], whole[64] = "", line[512];

	if (p->off || now - p->shown_ns < (p->live ? LIVE_NS : PLAIN_NS))
		return;
	update_rate(p, stats, now);
	time_left(p, stats, left, sizeof(left));
	if (stats->estimate > stats->executions)
		text_set(whole, sizeof(whole), " of about %llu", (unsigned long long)stats->estimate);
	if (learning)
		text_set(line, sizeof(line), "learning what threads share: %llu executions, %.0f/s, %zu bug%s",
			(unsigned long long)stats->executions, p->rate, bugs, bugs == 1 ? "" : "s");
	else
		text_set(line, sizeof(line), "%llu%s executions, %.0f/s, depth %u, %zu bug%s%s",
		(unsigned long long)stats->executions, whole, p->rate, stats->depth, bugs, bugs == 1 ? "" : "s",
		left);
	if (!p->live) {
		say("%.0f s: %s", (double)(now - p->start_ns) / 1e9, line);
		return;
	}
	fprintf(stderr, "\r\033[K%.*s", (int)terminal_width() - 1, line);
	say_line_open = true;
}

void progress_end(struct progress *p)
{
	if (say_line_open)
		fputs("\r\033[K", stderr);
	say_line_open = false;
}
