/* Bugs as they are found: told apart, confirmed, recorded, shown. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect.h"
#include "cli/minimise.h"
#include "cli/origin.h"
#include "cli/rerun.h"
#include "cli/run.h"
#include "cli/say.h"
#include "explore/explore.h"
#include "recorder/report.h"
#include "recorder/xalloc.h"

#define CONFIRM_TRIES 3
#define MAX_FILES 100000
#define MINIMISE_RUNS 200 /* for one bug */
#define MINIMISE_NS (2 * NS_PER_S)
#define MINIMISE_HANG_NS (5 * NS_PER_S) /* where each execution that fails takes long */
#define MINIMISE_ALL_NS (20 * NS_PER_S) /* for all bugs of a search */
#define SHOWN_LINES 20

/* One bug being confirmed. */
struct candidate {
	struct run *run;
	const struct execution *execution;
	struct explore_stats stats; /* as it ended */
	char strategy[64];
	struct schedule schedule;
	struct recording *recording; /* of the first run that gave the same failure */
};

static struct recording *build(const struct candidate *c, const struct segment *seg,
	const struct execution *e, const struct capture *output, pid_t pid)
{
	struct collect_input in = {
		.target = &c->run->target,
		.seg = seg,
		.execution = e,
		.config = &c->run->config,
		.patterns = c->run->opt.patch.value,
		.memory = &c->execution->memory,
		.output = output,
		.pid = pid,
		.strategy = c->strategy,
		.number = c->execution->number,
	};

	return collect_recording(&in);
}

/* A confirming run is at its end. */
static void at_end(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct candidate *c = ctx;
	struct execution e;
	char why[256];

	if (outcome->kind != CONFIRM_SAME || c->recording)
		return;
	if (!segment_execution(seg, &e, why, sizeof(why)))
		return;
	c->recording = build(c, seg, &e, output, pid);
	execution_free(&e);
}

static void run_again(void *ctx, unsigned attempt, struct confirm_outcome *out)
{
	struct candidate *c = ctx;
	struct rerun r = {
		.target = &c->run->target,
		.input = &c->run->capture,
		.config = c->run->config,
		.patterns = c->run->opt.patch.value,
		.schedule = &c->schedule,
		.signature = c->execution->bug.signature,
		.stacks = !c->recording,
		.at_end = at_end,
		.ctx = c,
	};

	rerun_once(&r, out);
}

/* How often a bug is replayed: each time a hang takes its time. */
static unsigned confirm_tries(const struct session_bug *b)
{
	return b->kind == BUG_HANG ? 1 : CONFIRM_TRIES;
}

/* On a slow machine two seconds would give another schedule than on a fast one: tests set a limit that is never reached. */
static uint64_t minimise_ns(void)
{
	const char *seconds = getenv("SIMUL_TEST_MINIMISE");

	return seconds ? strtoull(seconds, NULL, 10) * NS_PER_S : MINIMISE_NS;
}

/* Puts a simpler schedule in the place of a confirmed one, if there is one that is as reliable. */
static void simplify(struct candidate *c)
{
	struct run *run = c->run;
	const struct execution *e = c->execution;
	bool hang = e->bug.kind == BUG_HANG;
	struct minimise m = {
		.how = {
			.target = &run->target,
			.input = &run->capture,
			.config = run->config,
			.patterns = run->opt.patch.value,
			.schedule = &c->schedule,
			.signature = e->bug.signature,
		},
		.event = e->events,
		.n = e->n,
		.recording = c->recording,
		.max_runs = MINIMISE_RUNS,
		.time_ns = hang ? MINIMISE_HANG_NS : minimise_ns(),
		.tries = confirm_tries(&e->bug),
		.strategy = c->strategy,
		.number = e->number,
	};
	struct recording *simpler;
	uint64_t start = wall_clock_ns();

	if (run->opt.no_minimize || run->minimise_ns >= MINIMISE_ALL_NS)
		return;
	simpler = minimise(&m);
	run->minimise_ns += wall_clock_ns() - start;
	if (!simpler) {
		c->recording->fewest = m.least;
		return;
	}
	recording_free(c->recording);
	c->recording = simpler;
}

static bool same_bug_there(const char *path, const struct recording *r)
{
	enum recording_error err;
	char message[512];
	struct recording *old = recording_read(path, &err, message, sizeof(message));
	bool same = old && old->signature == r->signature && old->bug_kind == r->bug_kind &&
		    !strcmp(old->program, r->program) && !strcmp(old->build_id, r->build_id);

	recording_free(old);
	return same;
}

char *findings_file_name(const struct run *run, const struct recording *r)
{
	const char *base = strrchr(run->target.path, '/');
	bool here = !strcmp(run->opt.output_dir, ".");

	base = base ? base + 1 : run->target.path;
	for (unsigned k = 1; k < MAX_FILES; k++) {
		char *path = here ? xasprintf("%s-%u.simul", base, k)
				  : xasprintf("%s/%s-%u.simul", run->opt.output_dir, base, k);

		if (access(path, F_OK) || same_bug_there(path, r))
			return path;
		free(path);
	}
	return NULL;
}

/* What a pipe had to offer is kept beside the recording, so that a replay can read it again. */
static void keep_stdin(const struct run *run, const char *path, struct recording *r)
{
	char *name;

	if (!capture_stdin_is_pipe(&run->capture))
		return;
	name = xasprintf("%s.stdin", path);
	if (capture_save_stdin(&run->capture, name)) {
		free(r->stdin_file);
		r->stdin_file = realpath(name, NULL);
	}
	free(name);
}

static void write_recording(struct run *run, struct finding *f)
{
	const char *why = NULL;
	int error;

	f->path = findings_file_name(run, f->recording);
	if (!f->path) {
		say("there are too many recordings in %s; use another --output", run->opt.output_dir);
		return;
	}
	keep_stdin(run, f->path, f->recording);
	origin_sign(f->recording);
	error = recording_write(f->recording, f->path, &why);
	if (!error)
		return;
	say("cannot write the recording %s: %s", f->path, why ? why : strerror(-error));
	free(f->path);
	f->path = NULL;
}

void findings_show_output(FILE *out, const char *text)
{
	const char *from = text ? text + strlen(text) : NULL;
	unsigned lines = 0;

	if (!text || !*text)
		return;
	while (from > text && (from[-1] != '\n' || lines < SHOWN_LINES))
		lines += *--from == '\n';
	fprintf(out, "\nIt printed%s:\n", from > text ? ", at last" : "");
	while (*from) {
		size_t n = strcspn(from, "\n");

		fprintf(out, "  | %.*s\n", (int)n, from);
		from += n + (from[n] == '\n');
	}
}

static void show_finding(struct run *run, const struct finding *f)
{
	struct report_options options = report_options_for(run->human);

	progress_end(&run->progress);
	if (run->opt.quiet)
		return;
	report_bug_summary(run->human, f->recording, &options);
	if (f->same < f->tries)
		fprintf(run->human, "A replay that went otherwise: %s.\n", f->other);
	findings_show_output(run->human, f->recording->output);
	if (f->path && f->same)
		fprintf(run->human, "\nTo see all of it:   simul show %s\nTo make it happen:  simul replay %s\n",
			f->path, f->path);
	fputc('\n', run->human);
	fflush(run->human);
}

static struct finding *add_finding(struct run *run)
{
	run->findings = xgrow(run->findings, run->n_findings, sizeof(*run->findings));
	memset(&run->findings[run->n_findings], 0, sizeof(*run->findings));
	return &run->findings[run->n_findings++];
}

void findings_restore(struct run *run, const struct finding *f)
{
	struct finding *to = add_finding(run);

	*to = *f;
	to->path = NULL;
	write_recording(run, to);
}

/* Does the search start again with what this execution taught? Then its bug is met again, and what was learnt on the way may be
   why its schedule cannot be followed. True when the target was told to hand it over once more. */
static bool postpone(struct candidate *c)
{
	struct session *s = c->run->sup.at->session;

	if (!segment_has_learnt(c->run->sup.at) || s->signatures < 1 || s->signatures > SESSION_SIGNATURES ||
		s->seen[s->signatures - 1].signature != c->execution->bug.signature)
		return false;
	s->signatures--;
	return true;
}

/* Returns whether it was confirmed. */
static bool record_bug(struct candidate *c, pid_t pid)
{
	struct run *run = c->run;
	const struct execution *e = c->execution;
	struct confirm_result result;
	struct finding *f;

	schedule_from_events(&c->schedule, e->events, e->n, &e->names, &e->pool, &e->memory);
	confirm(run_again, c, confirm_tries(&e->bug), &result);
	if (!result.same && postpone(c)) {
		schedule_free(&c->schedule);
		return false;
	}
	if (!c->recording)
		c->recording = build(c, run->sup.at, e, run->sup.at_capture, pid);
	c->recording->confirmed = result.same;
	c->recording->confirm_tries = result.tries;
	if (result.same == confirm_tries(&e->bug))
		simplify(c);
	c->recording->needs.least = e->bug.needs;
	c->recording->needs.enough = e->bug.enough;
	f = add_finding(run);
	f->recording = c->recording;
	f->signature = e->bug.signature;
	f->execution = e->number;
	f->bound = c->stats.bound;
	f->tries = result.tries;
	f->same = result.same;
	if (result.differed)
		confirm_describe(&result.other, f->other, sizeof(f->other));
	write_recording(run, f);
	show_finding(run, f);
	schedule_free(&c->schedule);
	return f->same > 0;
}

bool findings_on_bug(void *ctx, pid_t pid)
{
	struct run *run = ctx;
	struct execution e;
	struct candidate c = {.run = run, .execution = &e};
	char why[256];
	bool confirmed;

	if (!segment_execution(run->sup.at, &e, why, sizeof(why))) {
		say("a failure could not be recorded: %s", why);
		run->unrecorded++;
		return true;
	}
	if (run->sup.number)
		e.number = run->sup.number;
	segment_stats(run->sup.at, &c.stats);
	bounds_strategy(run, &c.stats, c.strategy, sizeof(c.strategy));
	confirmed = record_bug(&c, pid);
	execution_free(&e);
	return run->opt.keep_going || !confirmed;
}

size_t findings_confirmed(const struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_findings; i++)
		n += run->findings[i].same > 0;
	return n;
}

void findings_free(struct run *run)
{
	for (size_t i = 0; i < run->n_findings; i++) {
		recording_free(run->findings[i].recording);
		free(run->findings[i].path);
	}
	free(run->findings);
}
