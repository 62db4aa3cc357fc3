#include "cli/nightly/stress/show.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/base/interrupt.h"
#include "cli/supervise/progress.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/night.h"
#include "cli/supervise/watchdog.h"
#include "base/printable.h"
#include "base/xalloc.h"

#define PLAIN_NS UINT64_C(10000000000)
#define NAME_MOST 50
#define NAME_LEAST 12 /* a name in fewer columns says nothing */

/* Returns the number of columns that a line may have if the file is a terminal; 0: it is none. */
static int terminal_room(FILE *f)
{
	struct winsize w;

	if (!isatty(fileno(f)))
		return 0;
	return ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col > 10 ? w.ws_col - 1 : 79;
}

/* Returns the width in columns of a terminal: the number of UTF-8 characters, which suffices for names of tests. */
static int columns(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* Returns the name in at most `most` columns; a long name is reduced to its end, which says more. malloc()ed. */
static char *shortened(const char *name, int most)
{
	char *whole = printable(name, PRINTABLE_LINE), *text;
	int over = columns(whole) - most;

	if (over <= 0)
		return whole;
	name = whole;
	for (over += 3; *name && (over > 0 || ((unsigned char)*name & 0xc0) == 0x80); name++)
		over -= ((unsigned char)*name & 0xc0) != 0x80;
	text = xasprintf("...%s", name);
	free(whole);
	return text;
}

/* ---- progress ---- */

static size_t count_settled(const struct stress *s, size_t *bugs)
{
	size_t n = 0;

	*bugs = 0;
	for (size_t i = 0; i < s->tests.n; i++) {
		n += s->tests.test[i].settled;
		*bugs += s->tests.test[i].status == STRESS_BUG;
	}
	return n;
}

/* Adds the tests that run to the line, as many as fit. If there is room for none, what they do is left out, too. */
static void add_running(char *line, size_t size, const char *doing, const struct stress_test *const *running, size_t n,
	int width)
{
	int room = width - columns(line) - (int)strlen("; ") - columns(doing) - 1;

	if (room < (n ? NAME_LEAST : 0))
		return;
	text_add(line, size, "; %s", doing);
	for (size_t i = 0; i < n; i++) {
		bool last = i + 1 == n;
		int most = width - columns(line) - (last ? 0 : (int)strlen(", ...")) - (i ? 2 : 1);
		char *name;

		if (i && most < NAME_LEAST) {
			text_add(line, size, ", ...");
			return;
		}
		name = shortened(running[i]->name, most < NAME_MOST ? most : NAME_MOST);
		text_add(line, size, "%s %s", i ? "," : "", name);
		free(name);
	}
}

void show_progress(struct stress *s, const char *doing, const struct stress_test *const *running, size_t n)
{
	uint64_t now = wall_clock_ns();
	char line[1024], left[48] = "";
	size_t bugs, settled;
	int width = s->live ? terminal_room(stderr) : (int)sizeof(line);

	if (s->opt.quiet || now - s->shown_ns < (s->live ? PROGRESS_LIVE_NS : PLAIN_NS))
		return;
	s->shown_ns = now;
	settled = count_settled(s, &bugs);
	if (s->end_ns)
		text_set(left, sizeof(left), ", %.0f s left", (double)stress_left_ns(s) / 1e9);
	if (s->night_joined)
		text_set(line, sizeof(line), "%zu tests done on all machines, %zu wait", night_done(s),
			night_waiting(s));
	else
		text_set(line, sizeof(line), "%zu of %zu tests done, %zu with bugs", settled, s->tests.n, bugs);
	if (columns(line) + columns(left) <= width)
		text_add(line, sizeof(line), "%s", left);
	add_running(line, sizeof(line), doing, running, n, width);
	if (!s->live) {
		say("%.0f s: %s", (double)(now - s->start_ns) / 1e9, line);
		return;
	}
	fprintf(stderr, "\r\033[K%s", columns(line) <= width ? line : "");
	say_line_open = true;
}

/* ---- final output ---- */

char *show_detail(const struct stress_test *t)
{
	char *text, *bug = t->n_bugs ? bugs_line(&t->bug[0]) : NULL;

	if (bug)
		text = t->n_bugs > 1 ? xasprintf("%s, and %zu more", bug, t->n_bugs - 1) :
		       xasprintf("%s%s", bug, t->bug[0].replayed ? ", replayed" : t->bug[0].earlier ? ", found earlier" : "");
	else if (t->unchanged)
		text = xasprintf("unchanged since its search finished%s%s", t->why ? "; " : "", t->why ? t->why : "");
	else
		text = xstrdup(t->why ? t->why : t->status != STRESS_WAITING ? "" : interrupt_count() ? "interrupted before its first result" :
			"no time was left for it");
	free(bug);
	if (t->note) {
		char *both = xasprintf("%s%s(%s)", text, *text ? " " : "", t->note);

		free(text);
		text = both;
	}
	printable_replace(&text, PRINTABLE_LINE);
	return text;
}

#define FIXED_WIDTH 41   /* columns of a row between the name and the detail */
#define DETAIL_LEAST 30  /* with less room, the detail begins in a line of its own */
#define DETAIL_INDENT 4

/* Returns the number of columns that names have at most: so many that the time fits a terminal. */
static int name_most(FILE *out)
{
	int room = terminal_room(out) - FIXED_WIDTH;

	if (!terminal_room(out) || room > NAME_MOST)
		return NAME_MOST;
	return room < NAME_LEAST ? NAME_LEAST : room;
}

static int widest(const struct stress *s, FILE *out)
{
	int most = 4;

	for (size_t i = 0; i < s->tests.n; i++) {
		char *name = shortened(s->tests.test[i].name, name_most(out));

		if (columns(name) > most)
			most = columns(name);
		free(name);
	}
	return most;
}

/* Prints how to reproduce each bug. *first: nothing was printed so far. */
static void put_recordings(const struct stress_test *t, bool *first, FILE *out)
{
	for (size_t k = 0; k < t->n_bugs; k++) {
		char *line;

		if (!t->bug[k].recording)
			continue;
		if (*first)
			fputs("\nTo reproduce a bug:\n", out);
		*first = false;
		line = xasprintf("  %s: simul replay %s", t->name, t->bug[k].recording);
		printable_replace(&line, PRINTABLE_LINE);
		fprintf(out, "%s\n", line);
		free(line);
	}
}

/* Prints the detail after a row's two blanks, from column `from` on; on a terminal, in lines that fit it, broken at
   blanks. */
static void put_detail(const char *detail, int from, FILE *out)
{
	int width = terminal_room(out), room = width - from;

	if (*detail && width && room < DETAIL_LEAST && columns(detail) > room) {
		from = DETAIL_INDENT;
		room = width - from;
		fprintf(out, "\n%*s", from, "");
	} else if (*detail) {
		fputs("  ", out);
	}
	while (room > 0 && columns(detail) > room) {
		const char *blank = NULL, *at = detail;

		for (int n = 0; *at && n <= room; at++) {
			n += ((unsigned char)*at & 0xc0) != 0x80;
			blank = *at == ' ' && at > detail ? at : blank;
		}
		if (!blank)
			break;
		fprintf(out, "%.*s\n%*s", (int)(blank - detail), detail, from, "");
		detail = blank + 1;
	}
	fprintf(out, "%s\n", detail);
}

static void put_row(const struct stress_test *t, int width, FILE *out)
{
	char *detail = show_detail(t), *name = shortened(t->name, name_most(out));
	json_int_t executions = json_integer_value(json_object_get(t->run, "executions"));
	int pad = width - columns(name);

	fprintf(out, "%s%*s  %-14s", name, pad > 0 ? pad : 0, "", stress_status_text(t->status));
	if (t->run)
		fprintf(out, " %11lld", (long long)executions);
	else
		fprintf(out, " %11s", "-");
	fprintf(out, " %8.1f s", (double)t->spent_ns / 1e9);
	put_detail(detail, width + FIXED_WIDTH, out);
	free(detail);
	free(name);
}

void show_table(const struct stress *s, FILE *out)
{
	int width = widest(s, out);
	bool first = true;

	if (s->opt.quiet)
		return;
	fprintf(out, "%-*s  %-14s %11s %10s\n", width, "test", "result", "executions", "time");
	for (size_t i = 0; i < s->tests.n; i++)
		put_row(&s->tests.test[i], width, out);
	for (size_t i = 0; i < s->tests.n; i++)
		put_recordings(&s->tests.test[i], &first, out);
	fputc('\n', out);
}

void show_summary(const struct stress *s, FILE *out)
{
	static const char *const words[STRESS_STATUSES] = {"not run, out of time", "complete", "incomplete", "with a bug", "without threads",
		"skipped", "failing without simul", "unusable", "with an internal error of simul"};
	static const enum stress_status order[] = {STRESS_BUG, STRESS_FAULT, STRESS_NATIVE, STRESS_UNUSABLE, STRESS_COMPLETE, STRESS_INCOMPLETE,
		STRESS_WAITING, STRESS_NO_THREADS, STRESS_SKIPPED};
	size_t count[STRESS_STATUSES] = {0}, unchanged = 0, diverged = 0;
	const char *between = ": ";

	for (size_t i = 0; i < s->tests.n; i++) {
		count[s->tests.test[i].status]++;
		unchanged += s->tests.test[i].unchanged;
		diverged += s->tests.test[i].diverged;
	}
	fprintf(out, "simul: stress: %zu test%s", s->tests.n, s->tests.n == 1 ? "" : "s");
	for (size_t i = 0; i < STRESS_STATUSES; i++) {
		if (!count[order[i]])
			continue;
		fprintf(out, "%s%zu %s", between, count[order[i]], words[order[i]]);
		between = ", ";
	}
	if (unchanged)
		fprintf(out, "; %zu unchanged since their searches finished", unchanged);
	if (diverged)
		fprintf(out, "; recordings of %zu did not replay", diverged);
	fprintf(out, " (%.1f s)\n", (double)(wall_clock_ns() - s->start_ns) / 1e9);
	fflush(out);
}
