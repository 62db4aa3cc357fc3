#include "cli/supervise/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/supervise/bounds.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"

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

/* Larger estimates are printed as "over 10^15": beyond trillions of executions the number says nothing. */
#define BEYOND_WORDS UINT64_C(1000000000000000)

/* Rounds to two digits: "35000", "1.2 million". */
static void rough(uint64_t n, char *buf, size_t size)
{
	static const char *const words[] = {"million", "billion", "trillion"};
	double x = (double)n / 1e6;
	uint64_t unit = 1;
	size_t w = 0;

	if (n < 1000000) {
		while (n / unit >= 100)
			unit *= 10;
		text_set(buf, size, "%llu", (unsigned long long)((n + unit / 2) / unit * unit));
		return;
	}
	for (; x >= 999.5 && w < 2; w++)
		x /= 1000;
	if (n >= BEYOND_WORDS)
		text_set(buf, size, "over 10^15");
	else
		text_set(buf, size, x < 9.95 ? "%.1f %s" : "%.0f %s", x, words[w]);
}

void progress_estimate(const struct explore_stats *stats, char *buf, size_t size)
{
	char whole[32], low[32], high[32];

	buf[0] = 0;
	if (stats->finished || stats->estimate <= stats->executions)
		return;
	rough(stats->estimate, whole, sizeof(whole));
	if (stats->estimate >= BEYOND_WORDS) { /* bounds around it would add nothing */
		text_set(buf, size, "%s", whole);
		return;
	}
	rough(stats->estimate_low, low, sizeof(low));
	rough(stats->estimate_high, high, sizeof(high));
	text_set(buf, size, "%s (%s to %s)", whole, low, high);
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

/* Writes ", 3 min left", from the estimate of all executions; "" if it is unknown. */
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
	char left[64], estimate[128], whole[160] = "", upto[64], line[512];

	if (p->off || now - p->shown_ns < (p->live ? PROGRESS_LIVE_NS : PLAIN_NS))
		return;
	update_rate(p, stats, now);
	time_left(p, stats, left, sizeof(left));
	progress_estimate(stats, estimate, sizeof(estimate));
	if (estimate[0])
		text_set(whole, sizeof(whole), stats->estimate >= BEYOND_WORDS ? " of %s" : " of about %s", estimate);
	bounds_text(stats, upto, sizeof(upto));
	if (learning)
		text_set(line, sizeof(line), "warm-up to find shared memory: %llu executions, %.0f/s, %zu bug%s",
			(unsigned long long)stats->executions, p->rate, bugs, bugs == 1 ? "" : "s");
	else
		text_set(line, sizeof(line), "%llu%s executions, %.0f/s, %zu bug%s%s%s%s, depth %u", (unsigned long long)stats->executions, whole,
			p->rate, bugs, bugs == 1 ? "" : "s", left, upto[0] ? ", " : "", upto, stats->depth);
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
