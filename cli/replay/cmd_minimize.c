/* simul minimize: a simpler schedule for a recorded failure. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/options/cmd.h"
#include "cli/replay/consent.h"
#include "cli/base/limits.h"
#include "cli/bugs/simplify.h"
#include "cli/options/options.h"
#include "cli/collect/origin.h"
#include "cli/supervise/progress.h"
#include "cli/replay/recorded.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"
#include "recorder/format/recording_file.h"
#include "recorder/report/report.h"
#include "base/xalloc.h"

#define CONFIRM_TRIES 3

struct minimize_command {
	const char *out;
	uint32_t runs;
	uint64_t time_ns, hang_ns;
	bool quiet, trust;
	uint32_t env; /* enum recorded_env */
	struct recorded from;
	struct execution execution; /* of the first replay */
	bool failed;                /* the first replay had the recorded failure */
};

static void replayed(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct minimize_command *c = ctx;
	char why[256];

	c->failed = outcome->kind == CONFIRM_SAME && segment_execution(seg, &c->execution, why, sizeof(why));
}

/* Replays the recording once. false: the recorded failure did not happen; one message was printed. */
static bool replay(struct minimize_command *c)
{
	struct rerun r = recorded_rerun(&c->from, c->hang_ns);
	struct confirm_outcome *o = xcalloc(1, sizeof(*o));
	char text[1200];

	r.at_end = replayed;
	r.ctx = c;
	rerun_once(&r, o);
	if (!c->failed) {
		confirm_describe(o, text, sizeof(text));
		say("%s does not replay: %s; it is left unchanged ('simul replay %s' shows details)", c->from.path, text, c->from.path);
	}
	free(o);
	return c->failed;
}

#define SWAP(a, b, field) \
	do { \
		__typeof__((a)->field) swap_ = (a)->field; \
		(a)->field = (b)->field; \
		(b)->field = swap_; \
	} while (0)

/* Copies the description of the run from the old recording: the new schedule is of the same run. */
static void keep_origin(struct recording *new, struct recording *old)
{
	SWAP(new, old, start.program);
	SWAP(new, old, start.build_id);
	SWAP(new, old, start.argv);
	SWAP(new, old, start.env);
	SWAP(new, old, start.hidden);
	SWAP(new, old, start.env_entries);
	SWAP(new, old, start.env_bytes);
	SWAP(new, old, start.stack_limit);
	SWAP(new, old, start.cwd);
	SWAP(new, old, start.stdin_file);
	SWAP(new, old, start.inherited);
	new->needs = old->needs;
	if (old->found.steps)
		new->found = old->found;
}

static bool write_to(const char *path, struct recording *r)
{
	const char *why = NULL;
	int error;

	origin_sign(r);
	error = recording_write(r, path, &why);
	if (error)
		say("cannot write the recording %s: %s", path, why ? why : strerror(-error));
	return !error;
}

/* Writes "5 switches, 1 preemption". */
static void count_text(char *buf, size_t size, unsigned switches, unsigned preemptions)
{
	text_set(buf, size, "%u switch%s, %u preemption%s", switches, switches == 1 ? "" : "es", preemptions,
		preemptions == 1 ? "" : "s");
}

static void tell(const struct minimize_command *c, const struct simplify *m, const struct recording *better, const char *path)
{
	const struct recording *r = better ? better : c->from.recording;
	struct report_options look = report_options_for(stdout);
	char was[64], now[64], runs[128];

	count_text(was, sizeof(was), r->found.switches, r->found.preemptions);
	count_text(now, sizeof(now), recording_switches(r), r->preemptions);
	text_set(runs, sizeof(runs), "%u execution%s%s", m->runs, m->runs == 1 ? "" : "s",
		m->least && r->preemptions ? "; no schedule with fewer preemptions fails" : "");
	if (!c->quiet && better)
		report_bug_summary(stdout, better, &look);
	if (better)
		printf("simul: minimized: %s -> %s (%s) - recording %s\n", was, now, runs, path);
	else
		printf("simul: not minimized: nothing simpler than %s found (%s%s%s)\n", now, runs,
			m->text[0] ? "; a simpler one was not reliable: " : "", m->text);
}

/* The live line on a terminal. */
struct live {
	bool off;
	uint64_t shown_ns;
};

static void show_progress(void *ctx, unsigned runs, const struct schedule_cost *best)
{
	struct live *live = ctx;
	char now[64];

	if (live->off || wall_clock_ns() - live->shown_ns < PROGRESS_LIVE_NS)
		return;
	live->shown_ns = wall_clock_ns();
	count_text(now, sizeof(now), best->switches, best->preemptions);
	fprintf(stderr, "\r\033[K%u execution%s, best so far: %s; Ctrl-C keeps it", runs, runs == 1 ? "" : "s", now);
	say_line_open = true;
}

static int simplify(struct minimize_command *c)
{
	struct live live = {.off = c->quiet || !isatty(STDERR_FILENO), .shown_ns = wall_clock_ns()};
	const char *path = c->out ? c->out : c->from.path;
	struct recording *better;
	struct simplify m = {
		.how = recorded_rerun(&c->from, c->hang_ns),
		.event = c->execution.events,
		.n = c->execution.n,
		.recording = c->from.recording,
		.max_runs = c->runs,
		.time_ns = c->time_ns,
		.tries = c->from.recording->failure.kind == BUG_HANG ? 1 : CONFIRM_TRIES,
		.strategy = c->from.recording->strategy,
		.number = c->from.recording->execution,
		.keep_best = true,
		.progress = show_progress,
		.ctx = &live,
	};
	size_t tries = c->from.recording->n_tries;
	unsigned orders = c->from.recording->orders.runs;
	bool ok, news;

	better = simplify_schedule(&m);
	progress_end(NULL);
	news = better || (m.least && !c->from.recording->fewest) ||
		(m.least_choices && !c->from.recording->fewest_choices) ||
		c->from.recording->n_tries != tries || c->from.recording->orders.runs != orders;
	if (!better) {
		c->from.recording->fewest |= m.least;
		c->from.recording->fewest_choices |= m.least_choices;
	}
	if (better)
		keep_origin(better, c->from.recording);
	ok = news || c->out ? write_to(path, better ? better : c->from.recording) : true;
	if (ok)
		tell(c, &m, better, path);
	recording_free(better);
	return ok ? SIMUL_EXIT_OK : SIMUL_EXIT_USAGE;
}

static int minimize_file(struct minimize_command *c, const char *path)
{
	int code = SIMUL_EXIT_DIVERGED;

	if (!recorded_read(&c->from, path, c->env))
		return SIMUL_EXIT_USAGE;
	if (consent_to_run(&c->from, "minimize", c->trust) && recorded_prepare(&c->from) && replay(c)) {
		code = simplify(c);
		execution_free(&c->execution);
	}
	recorded_close(&c->from);
	return code;
}

#define OPTIONS_INTO struct minimize_command

static const struct option_spec specs[] = {
	{"output", "FILE", TO_TEXT(out), "write the result to FILE, and leave the recording unchanged", .letter = 'o'},
	{"executions", "N", TO_U32(runs, 1, 100000000), "run at most N executions (default %)", .initial = "10000"},
	{"time", "DURATION", TO_DURATION(time_ns, NS_PER_S / 1000, 0), "stop after this time (default %)", .initial = "60s"},
	RECORDED_OPTIONS,
	{.name = NULL},
};

static const struct option_table option_table = {.command = "minimize", .mixed = true, .own = specs};

int cmd_minimize(int argc, char **argv)
{
	static struct minimize_command c;
	int first, code;

	options_defaults(&option_table, &c);
	if (!options_read_recording(&option_table, &c, argc, argv, &first, &code))
		return code;
	if (!limit_allows_session())
		return SIMUL_EXIT_USAGE;
	return minimize_file(&c, argv[first]);
}
