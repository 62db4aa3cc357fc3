#include "cli/supervise/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/supervise/bounds.h"
#include "cli/supervise/counts.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"

#define PLAIN_NS UINT64_C(10000000000)

void progress_start(struct progress *p, bool quiet)
{
	memset(p, 0, sizeof(*p));
	p->off = quiet;
	p->live = isatty(2);
	p->start_ns = p->shown_ns = p->measured_ns = wall_clock_ns();
}

static unsigned terminal_width(void)
{
	struct winsize w;

	return ioctl(2, TIOCGWINSZ, &w) == 0 && w.ws_col > 10 ? w.ws_col : 80;
}

void progress_estimate(const struct explore_stats *stats, char *buf, size_t size)
{
	char whole[32], low[32], high[32];

	buf[0] = 0;
	if (stats->finished || stats->estimate <= stats->executions || !explore_estimate_known(stats))
		return;
	counts_rough(stats->estimate, whole, sizeof(whole));
	if (stats->estimate >= COUNTS_BEYOND_WORDS) { /* bounds around it would add nothing */
		text_set(buf, size, "%s", whole);
		return;
	}
	counts_rough(stats->estimate_low, low, sizeof(low));
	counts_rough(stats->estimate_high, high, sizeof(high));
	text_set(buf, size, "%s (%s to %s)", whole, low, high);
}

/* Measures over the time since an execution was last seen to end: slow executions end in few of the intervals between
   lines. */
static void update_rate(struct progress *p, const struct explore_stats *stats, uint64_t now)
{
	uint64_t done = stats->executions + stats->blocked + explore_cut(stats) + stats->assumed;
	double seconds = (double)(now - p->measured_ns) / 1e9;
	double rate = 0;

	if (seconds > 0 && done >= p->measured_executions)
		rate = (double)(done - p->measured_executions) / seconds;
	p->shown_ns = now;
	if (done == p->measured_executions) { /* the running one makes the rate at most 1 / seconds */
		p->rate = p->rate * seconds > 1 ? 1 / seconds : p->rate;
		return;
	}
	p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * rate : rate;
	p->measured_ns = now;
	p->measured_executions = done;
}

/* Writes ", 3 min left", from the estimate of all executions; "" if it is unknown. */
static void time_left(const struct progress *p, const struct explore_stats *stats, char *buf, size_t size)
{
	double left;

	buf[0] = 0;
	if (stats->estimate <= stats->executions || !explore_estimate_known(stats) || p->rate < 0.01)
		return;
	left = (double)(stats->estimate - stats->executions) / p->rate;
	if (left < 120)
		text_set(buf, size, ", %.0f s left", left);
	else if (left < 7200)
		text_set(buf, size, ", %.0f min left", left / 60);
	else if (left < 100.0 * 3600)
		text_set(buf, size, ", %.0f h left", left / 3600);
}

/* A part of the line. Where the line is too long, those of the lowest weight are left out. */
struct part {
	unsigned weight; /* 0: it is always there */
	char text[160];
};

enum { COUNT, WHOLE, UNIT, WARM_UP, RATE, BUGS, LEFT, UPTO, DEPTH, PARTS };

static size_t length_of(const struct part *part)
{
	size_t n = 0;

	for (unsigned i = 0; i < PARTS; i++)
		n += strlen(part[i].text);
	return n;
}

/* Leaves out parts until the line has no more than `most` characters. */
static void fit(struct part *part, size_t most)
{
	while (length_of(part) > most) {
		struct part *least = NULL;

		for (unsigned i = 0; i < PARTS; i++)
			if (part[i].weight && part[i].text[0] && (!least || part[i].weight < least->weight))
				least = &part[i];
		if (!least)
			return;
		least->text[0] = 0;
	}
}

/* Writes the parts that say how far away the end of the search is. */
static void describe_end(const struct progress *p, const struct explore_stats *stats, struct part *part)
{
	char estimate[128];

	progress_estimate(stats, estimate, sizeof(estimate));
	time_left(p, stats, part[LEFT].text, sizeof(part[LEFT].text));
	if (estimate[0])
		text_set(part[WHOLE].text, sizeof(part[WHOLE].text),
			stats->estimate >= COUNTS_BEYOND_WORDS ? " of %s" : " of about %s", estimate);
	else if (stats->estimate > stats->executions && !stats->finished)
		text_set(part[LEFT].text, sizeof(part[LEFT].text), ", no end in sight");
}

/* Writes which window is explored, and how many were. */
static void describe_windows(const struct explore_stats *stats, struct part *part)
{
	text_set(part[UPTO].text, sizeof(part[UPTO].text), ", %" PRIu64 " window%s done", stats->windows,
		stats->windows == 1 ? "" : "s");
	if (stats->window_from)
		text_set(part[DEPTH].text, sizeof(part[DEPTH].text), ", now from event %" PRIu32 " of %" PRIu32,
			stats->window_from, stats->window_whole);
}

static void describe_search(const struct progress *p, const struct explore_stats *stats, const struct counts *counts, struct part *part)
{
	char upto[64];

	text_set(part[COUNT].text, sizeof(part[COUNT].text), "%" PRIu64, counts->executions);
	text_set(part[UNIT].text, sizeof(part[UNIT].text), " executions");
	if (counts->warm_up)
		text_set(part[WARM_UP].text, sizeof(part[WARM_UP].text), " after %" PRIu64 " of the warm-up", counts->warm_up);
	describe_end(p, stats, part);
	bounds_text(stats, upto, sizeof(upto));
	if (stats->window_whole)
		describe_windows(stats, part);
	else if (upto[0])
		text_set(part[UPTO].text, sizeof(part[UPTO].text), ", %s", upto);
	if (stats->depth) /* samples have none */
		text_set(part[DEPTH].text, sizeof(part[DEPTH].text), ", depth %u", stats->depth);
}

static void progress_line(const struct progress *p, const struct explore_stats *stats, uint64_t warm_up, bool warming_up, size_t bugs, size_t width,
	char *line, size_t size)
{
	const struct counts counts = counts_of(stats, warm_up);
	struct part part[PARTS] = {[WHOLE].weight = 4, [WARM_UP].weight = 2, [RATE].weight = 3, [LEFT].weight = 5, [UPTO].weight = 6,
		[DEPTH].weight = 1};
	char rate[32];

	line[0] = 0;
	if (warming_up)
		text_set(part[COUNT].text, sizeof(part[COUNT].text), "warm-up to find shared memory: %" PRIu64 " executions", counts.all);
	else
		describe_search(p, stats, &counts, part);
	text_set(part[RATE].text, sizeof(part[RATE].text), ", %s", counts_rate(p->rate, rate, sizeof(rate)));
	text_set(part[BUGS].text, sizeof(part[BUGS].text), ", %zu bug%s", bugs, bugs == 1 ? "" : "s");
	fit(part, width);
	for (unsigned i = 0; i < PARTS; i++)
		text_add(line, size, "%s", part[i].text);
}

void progress_show(struct progress *p, const struct explore_stats *stats, uint64_t warm_up, bool warming_up, size_t bugs)
{
	uint64_t now = wall_clock_ns();
	char line[1024];

	if (p->off || now - p->shown_ns < (p->live ? PROGRESS_LIVE_NS : PLAIN_NS))
		return;
	update_rate(p, stats, now);
	progress_line(p, stats, warm_up, warming_up, bugs, p->live ? terminal_width() - 1 : SIZE_MAX, line, sizeof(line));
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
