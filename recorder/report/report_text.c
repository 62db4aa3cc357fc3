/* `simul show` and the short report of `simul run`, built from the parts in the other files. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/units.h"
#include "recorder/report/report_internal.h"
#include "sched/policy.h"

static const struct shortening in_show = {.whole = 81, .head = 20, .tail = 60, .places = 8, .around = 2};
/* The first one that gives few enough lines is taken. */
static const struct shortening in_summary[] = {
	{.whole = 31, .head = 4, .tail = 12, .places = 5, .around = 2},
	{.whole = 16, .head = 2, .tail = 5, .places = 6, .around = 1},
	{.whole = 8, .head = 1, .tail = 1, .places = 7, .around = 0},
	{.whole = 4, .head = 1, .tail = 1, .places = 4, .around = 0},
};

static const char *const titles[BUG_KINDS] = {
	[BUG_NONE] = "NO FAILURE",
	[BUG_DEADLOCK] = "DEADLOCK",
	[BUG_ASSERT] = "ASSERTION FAILED",
	[BUG_CRASH] = "CRASH",
	[BUG_EXIT] = "FAILING EXIT STATUS",
	[BUG_MISUSE] = "MISUSE",
	[BUG_HANG] = "HANG",
	[BUG_LIVELOCK] = "LIVELOCK",
	[BUG_RACE] = "DATA RACE",
	[BUG_ROBUSTNESS] = "NOT ROBUST",
	[BUG_MEMORY] = "MEMORY ERROR",
};

#define LONG_NS (NS_PER_S / 10) /* shorter delays of a thread are common on a busy machine */

bool report_needs_time(const struct recording *r)
{
	return r->failure.kind != BUG_NONE && r->timed_out.ns >= LONG_NS && r->timed_out.step && r->timed_out.step <= r->n_steps &&
	       r->timed_out.other < r->n_threads;
}

/* Says that the failure needs time to pass, which the thread that could run meanwhile would have used on real processors. */
static void put_time(const struct report *p)
{
	const struct recording *r = p->r;

	if (report_needs_time(r))
		fprintf(p->out, ": needs %.9g s to pass while %s could run; --time-model discrete leaves such schedules out", (double)r->timed_out.ns / 1e9,
			r->threads[r->timed_out.other].path);
}

static void put_title(const struct report *p)
{
	const struct recording *r = p->r;

	report_red(p);
	fputs(titles[r->failure.kind], p->out);
	report_plain(p);
	fputs(" in ", p->out);
	report_clean(p->out, r->start.argv[0] ? r->start.argv[0] : r->start.program);
	for (char **a = r->start.argv; *a && a[1]; a++) {
		fputc(' ', p->out);
		report_clean(p->out, a[1]);
	}
	put_time(p);
	fputc('\n', p->out);
}

static void put_confirmation(const struct report *p)
{
	const struct recording *r = p->r;

	if (r->failure.kind == BUG_NONE)
		fputs("it passed; simul certify --from begins with it", p->out);
	else if (r->confirm_tries == 0)
		fputs("not confirmed by a replay", p->out);
	else if (r->confirmed == r->confirm_tries)
		fprintf(p->out, "confirmed: %u of %u %s failed in the same way", r->confirmed, r->confirm_tries,
			r->confirm_tries == 1 ? "replay" : "replays");
	else
		fprintf(p->out, "UNRELIABLE: only %u of %u replays failed in the same way", r->confirmed,
			r->confirm_tries);
}

static void put_switches(const struct report *p, unsigned switches, unsigned preemptions)
{
	fprintf(p->out, "%u %s, %u %s", switches, switches == 1 ? "switch" : "switches", preemptions,
		preemptions == 1 ? "preemption" : "preemptions");
}

/* "1 choice other than the scheduler's own". Returns false, without a text, if there are no choices of a scheduler. */
static bool put_choices(const struct report *p)
{
	unsigned n;
	bool more;

	if (!report_other_choices(p->r, &n, &more))
		return false;
	fprintf(p->out, "%s%u %s other than the scheduler's own%s", more ? "at least " : "", n,
		n == 1 ? "choice" : "choices",
		p->r->n_threads > 1 ? ", " : "");
	return true;
}

/* "3 switches, 1 preemption -> 1 switch, 0 preemptions": what the original schedule and this one have. */
static void put_found(const struct report *p)
{
	const struct recording *r = p->r;
	unsigned n;
	bool more, choices = report_other_choices(r, &n, &more);

	if (choices)
		fprintf(p->out, "%u other %s -> %u", r->found.choices, r->found.choices == 1 ? "choice" : "choices", n);
	if (choices && r->n_threads == 1)
		return;
	fputs(choices ? ", " : "", p->out);
	put_switches(p, r->found.switches, r->found.preemptions);
	fputs(" -> ", p->out);
	put_switches(p, recording_switches(r), r->preemptions);
}

/* "; first found with 2 preemptions, simplified to 1": the schedule shown may be a simpler one than the one found. */
static void put_needs(const struct report *p)
{
	const struct recording *r = p->r;
	unsigned least = r->needs.least, enough = r->needs.enough;

	if (!enough || (enough == 1 && r->n_threads == 1))
		return;
	if (r->found.steps && r->preemptions + 1 < least) {
		fprintf(p->out, "; first found with %s%u %s, simplified to %u", least < enough ? "at most " : "", enough - 1,
			enough == 2 ? "preemption" : "preemptions", r->preemptions);
		return;
	}
	fprintf(p->out, "; that execution needs %s%u %s", least < enough ? "at most " : "", enough - 1, enough == 2 ? "preemption" : "preemptions");
}

static void put_facts(const struct report *p)
{
	const struct recording *r = p->r;

	if (r->failure.message[0]) {
		fputs("  ", p->out);
		report_bold(p);
		report_clean(p->out, r->failure.message);
		report_plain(p);
		fputc('\n', p->out);
	}
	fputs("  ", p->out);
	if (r->failure.where) {
		fputs("at ", p->out);
		report_clean(p->out, r->failure.where);
	}
	if (r->failure.thread != NO_THREAD) {
		fprintf(p->out, "%sin ", r->failure.where ? ", " : "");
		if (r->failure.process) {
			fputs("process ", p->out);
			report_clean(p->out, r->failure.process);
			fputs(", ", p->out);
		}
		fprintf(p->out, "thread %s", report_thread(p, r->failure.thread));
		if (report_start(p, r->failure.thread)[0]) {
			fputs(" (", p->out);
			report_clean(p->out, report_start(p, r->failure.thread));
			fputc(')', p->out);
		}
	}
	fputs(r->failure.where || r->failure.thread != NO_THREAD ? "\n  " : "", p->out);
	fprintf(p->out, "%zu steps, ", r->n_steps);
	if (!put_choices(p) || r->n_threads > 1)
		fprintf(p->out, "%u %s", r->preemptions, r->preemptions == 1 ? "preemption" : "preemptions");
	fputs("; ", p->out);
	put_confirmation(p);
	fputc('\n', p->out);
	if (r->found.steps) {
		fputs("  minimized: ", p->out);
		put_found(p);
		fprintf(p->out, " (%zu -> %zu steps)\n", r->found.steps, r->n_steps);
	}
	if (!r->execution)
		return;
	fprintf(p->out, "  found in execution %llu", (unsigned long long)r->execution);
	if (r->strategy) {
		fputs(" of strategy ", p->out);
		report_clean(p->out, r->strategy);
	}
	if (r->settings.model != MODEL_SC)
		fprintf(p->out, ", memory model %s", memory_model_title(r->settings.model));
	if (r->settings.patience)
		fprintf(p->out, ", timeouts of %.9g s or more only as a last resort (--patience)", (double)r->settings.patience / 1e9);
	if (r->settings.discrete_time)
		fputs(", time passes only when nothing else can happen (--time-model discrete)", p->out);
	if (r->settings.pth_order) {
		const struct policy *any = policy_of(POLICY_PTH_ANY);
		fprintf(p->out, ", %s %s %s: a what-if, since %s", any->scheduler, any->threads, any->words,
			any->itself);
	}
	put_needs(p);
	fputc('\n', p->out);
}

static void put_heading(const struct report *p, const char *text)
{
	fputc('\n', p->out);
	report_bold(p);
	fputs(text, p->out);
	report_plain(p);
	fputc('\n', p->out);
}

/* Prints a part of the report that consists of sentences, wrapped; if there are any, `before` comes first. */
static void put_sentences(struct report *p, const char *before, void (*part)(const struct report *p))
{
	FILE *out = p->out;
	char *text = NULL;
	size_t size;

	p->out = open_memstream(&text, &size);
	INVARIANT(p->out, "out of memory");
	part(p);
	INVARIANT(fclose(p->out) == 0, "out of memory");
	p->out = out;
	fputs(size ? before : "", out);
	report_wrapped(out, text, p->opt.width);
	free(text);
}

static void put_threads(const struct report *p)
{
	report_threads(p, true);
}

static void put_output(const struct report *p)
{
	const char *at = p->r->failure.output;

	if (!at)
		return;
	put_heading(p, at[0] ? "Output of the program" : "The program wrote nothing");
	while (*at) {
		size_t n = strcspn(at, "\n");
		char line[512];
		size_t take = n < sizeof(line) - 1 ? n : sizeof(line) - 1;
		memcpy(line, at, take);
		line[take] = '\0';
		fputs("  | ", p->out);
		report_clean(p->out, line);
		fputc('\n', p->out);
		at += take;
		at += *at == '\n';
	}
}

void report_show(FILE *out, const struct recording *r, const struct report_options *options)
{
	struct report p;

	report_begin(&p, out, r, options);
	put_title(&p);
	put_sentences(&p, "", put_facts);
	if (!p.opt.no_schedule) {
		put_heading(&p, "Schedule");
		report_table(&p, &in_show);
		put_sentences(&p, "\n", report_switches);
	}
	put_heading(&p, "What happened");
	put_sentences(&p, "", report_explain);
	if (r->failure.stack.n && r->failure.kind != BUG_DEADLOCK) {
		put_heading(&p, "Stack of the failure");
		report_stack(&p, &r->failure.stack, "  ");
	}
	if (r->n_threads) {
		put_heading(&p, "Threads at the end");
		put_sentences(&p, "", put_threads);
	}
	put_output(&p);
	report_finish(&p);
}

/* Returns the summary (malloc()ed), and sets *lines. */
static char *summary(struct report *p, const struct shortening *how, unsigned *lines)
{
	char *text = NULL;
	size_t size;

	p->out = open_memstream(&text, &size);
	INVARIANT(p->out, "out of memory");
	put_title(p);
	put_sentences(p, "", put_facts);
	fputc('\n', p->out);
	report_table(p, how);
	put_sentences(p, "\n", report_explain);
	INVARIANT(fclose(p->out) == 0, "out of memory");
	*lines = 0;
	for (const char *at = text; *at; at++)
		*lines += *at == '\n';
	return text;
}

void report_bug_summary(FILE *out, const struct recording *r, const struct report_options *options)
{
	struct report p;
	unsigned lines = 0;
	char *text = NULL;

	report_begin(&p, out, r, options);
	p.brief = true;
	for (size_t i = 0; i < sizeof(in_summary) / sizeof(in_summary[0]) && (!text || lines > p.opt.lines); i++) {
		free(text);
		text = summary(&p, &in_summary[i], &lines);
		if (!p.opt.lines)
			break;
	}
	fputs(text, out);
	free(text);
	report_finish(&p);
}
