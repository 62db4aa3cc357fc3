#include "cli/nightly/stress/native.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/output.h"
#include "cli/supervise/watchdog.h"

#define RUNS 3           /* of a test that fails; if it passes once, a search may find out why */
#define OUTPUT_MOST 4096 /* bytes kept of the output of a failing test */
#define LINE_MOST 200    /* bytes of its last line that the table shows */

uint64_t native_limit(const struct stress *s, const struct stress_test *t)
{
	return t->listed.limit_ns && !s->opt.native_given ? t->listed.limit_ns : s->opt.native_ns;
}

void native_plan(struct stress *s, const struct stress_test *t, struct process_plan *plan)
{
	uint64_t left = stress_left_ns(s), limit = native_limit(s, t);

	plan->argv = t->listed.argv;
	plan->env = t->listed.env;
	plan->cwd = t->listed.cwd;
	plan->whole = t->listed.tap;
	plan->searched = t->listed.skip_output || t->listed.fail_output;
	plan->own_status = true; /* ThreadSanitizer does not know fences, and simul takes its place */
	plan->limit_ns = left < limit ? left : limit;
}

/* Returns the last lines, which most likely name the failure. malloc()ed; NULL: no output. */
static char *tail_of(const char *text)
{
	size_t n = text ? strlen(text) : 0;
	const char *from = n ? text + (n > OUTPUT_MOST ? n - OUTPUT_MOST : 0) : NULL, *line = n > OUTPUT_MOST ? strchr(from, '\n') : NULL;

	return xstrdup(line ? line + 1 : from);
}

static void keep_output(struct stress_test *t, const struct process *p)
{
	char *out = tail_of(p->out.text), *err = tail_of(p->err.text);

	free(t->native.output);
	t->native.output = out || err ? xasprintf("%s%s", out ? out : "", err ? err : "") : NULL;
	free(out);
	free(err);
}

/* Returns why the test skips itself. malloc()ed; NULL: it does not. */
static char *skips_itself(const struct stress_test *t, const struct process *p)
{
	const char *pattern = output_matches(t->listed.skip_output, p->out.text);

	if (t->listed.skip_code && WIFEXITED(p->status) && WEXITSTATUS(p->status) == t->listed.skip_code)
		return xasprintf("it skips itself (exit status %d)", t->listed.skip_code);
	return pattern ? xasprintf("it skips itself (its output matches \"%s\")", pattern) : NULL;
}

/* Returns the reason with what the test printed last, which most likely names the bus, display or file that is missing.
   malloc()ed. */
static char *with_last_line(const char *how, const struct process *p)
{
	char *said = last_line(p->err.text), *why;

	if (!*said) {
		free(said);
		said = last_line(p->out.text);
	}
	why = xasprintf("it fails without simul: %s%s%.*s", how, *said ? "; its last line: " : "", LINE_MOST, said);
	free(said);
	return why;
}

/* Returns how the test fails, as text for a sentence. malloc()ed; NULL: it passes. *skips: it skipped itself. */
static char *fails(const struct stress *s, const struct stress_test *t, const struct process *p, char **skips)
{
	const char *pattern = output_matches(t->listed.fail_output, p->out.text);
	enum tap_result tap = TAP_PASSED;
	char how[256], *why = NULL;

	*skips = NULL;
	process_describe(p, how, sizeof(how));
	if (p->timed_out)
		return xasprintf("it does not finish without simul: stopped after %.0f s (%s)", (double)p->limit_ns / 1e9,
			native_limit(s, t) == t->listed.limit_ns ? "its own limit" : "--native-timeout");
	if (!WIFEXITED(p->status) || WEXITSTATUS(p->status))
		return with_last_line(how, p);
	if (pattern)
		return xasprintf("it fails without simul: its output matches \"%s\"", pattern);
	if (t->listed.tap)
		tap = output_tap(p->out.text, &why);
	if (tap == TAP_FAILED) {
		char *text = xasprintf("it fails without simul: %s", why);

		free(why);
		return text;
	}
	if (tap == TAP_SKIPPED)
		*skips = why;
	return NULL;
}

void native_ended(struct stress *s, struct stress_test *t, const struct process *p)
{
	char *skips = NULL, *how;

	t->native.ns = wall_clock_ns() - p->started_ns;
	t->native.cut = p->timed_out && p->limit_ns < native_limit(s, t);
	if (p->stopped_ns && (!p->timed_out || t->native.cut))
		return; /* interrupted by the user, or the time for all tests is over: no result */
	how = p->timed_out || !(skips = skips_itself(t, p)) ? fails(s, t, p, &skips) : NULL;
	if (how) {
		if (!t->native.failed++) {
			keep_output(t, p);
			t->native.failure = xstrdup(how);
		}
		t->native.done = p->timed_out || t->native.failed == RUNS || stress_is_fixture(t);
		if (t->native.done)
			stress_settle(t, STRESS_NATIVE, how);
		else
			free(how);
		return;
	}
	t->native.done = true;
	t->native.passed = true;
	if (skips)
		stress_settle(t, STRESS_SKIPPED, skips);
}

/* Returns whether the time for all tests ended before the search of t. */
static bool search_cut(const struct stress *s, const struct stress_test *t)
{
	const char *end = json_string_value(json_object_get(t->run, "end"));

	if (!s->opt.time_ns || t->over || t->settled || interrupt_count())
		return false;
	return t->status == STRESS_WAITING || (t->status == STRESS_INCOMPLETE && end && !strcmp(end, "time"));
}

/* Returns whether executions are so long that the search went on with windows. */
static bool is_lengthy(const struct stress_test *t)
{
	const char *strategy = json_string_value(json_object_get(t->run, "strategy"));

	return strategy && !strcmp(strategy, "windows");
}

void native_note(const struct stress *s, struct stress_test *t)
{
	double seconds = (double)t->native.ns / 1e9;
	bool cut = search_cut(s, t);

	if (cut && t->native.cut)
		stress_note(t, "needs more than %.1f s to pass natively", seconds);
	else if (t->native.passed && t->native.ns && cut && t->native.ns >= t->spent_ns / 2)
		stress_note(t, "needs %.1f s to pass natively", seconds);
	else if (t->native.passed && t->native.ns && is_lengthy(t))
		stress_note(t, "one run takes %.*f s natively", seconds < 1 ? 3 : 1, seconds);
}

const char *native_decides(const struct stress_test *t)
{
	return t->listed.tap ? "TAP output" : t->listed.fail_output ? "FAIL_REGULAR_EXPRESSION" : NULL;
}
