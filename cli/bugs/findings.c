/* Handles bugs as they are found: distinguishes, confirms, records and prints them. finding_files.c writes their files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bugs/findings.h"
#include "cli/collect/collect.h"
#include "cli/bugs/finding_files.h"
#include "cli/bugs/finding_text.h"
#include "cli/bugs/simplify.h"
#include "cli/bugs/rerun.h"
#include "cli/collect/kept_env.h"
#include "cli/supervise/search.h"
#include "cli/base/say.h"
#include "explore/explore.h"
#include "recorder/report/report.h"
#include "base/xalloc.h"

#define CONFIRM_TRIES 3
#define CONFIRM_NS (10 * NS_PER_S) /* for replaying a bug when --time is over */
#define MINIMIZE_RUNS 200 /* executions to simplify one bug */
#define LATE_NS NS_PER_S /* a note says that replays go on so long after --time */
#define MINIMIZE_NS (2 * NS_PER_S)
#define SIMPLIFY_HANG_NS (5 * NS_PER_S) /* for a hang, since each failing execution takes long */
#define EXPLAIN_LEAST_NS NS_PER_S
#define EXPLAIN_MOST_NS (10 * NS_PER_S)
#define EXPLAIN_REPLAYS 5 /* all experiments together take as long as so many times the replays */
#define SIMPLIFY_ALL_NS (20 * NS_PER_S) /* for all bugs of a search together */

/* A bug between its handover by the target and its report. */
struct candidate {
	struct findings *findings;
	struct execution execution;
	struct explore_stats stats; /* when the execution ended */
	uint64_t number, warm_up_before; /* see struct finding */
	char strategy[64];
	struct schedule schedule;
	struct recording *recording; /* of the first run that gave the same failure */
	struct confirm_result result;
	uint64_t replays_ns;         /* how long these took, reading names included */
	uint64_t until_ns;           /* end of the replays that confirm it; 0: no limit */
	char *path;                  /* file of its recording; NULL: not written */
	struct candidate *next;      /* postponed */
};

static struct recording *build(const struct candidate *c, const struct segment *seg,
	const struct execution *e, const struct capture *output, pid_t pid)
{
	struct collect_input in = {
		.target = &c->findings->search->target,
		.seg = seg,
		.execution = e,
		.config = &c->findings->search->config,
		.patterns = c->findings->search->opt.patch.value,
		.memory = &c->execution.memory,
		.output = output,
		.pid = pid,
		.strategy = c->strategy,
		.number = c->number,
	};

	return collect_recording(&in);
}

/* Called at the end of each confirming run. Collects a recording from the first one with the same failure. */
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

/* Prints once that replays of a bug go on, although --time is over. */
static void note_late(struct findings *findings)
{
	struct search *search = findings->search;
	uint64_t end = search->start_ns + search->opt.time_ns;

	if (findings->late || search->opt.quiet || !search->opt.time_ns || wall_clock_ns() < end + LATE_NS)
		return;
	findings->late = true;
	progress_end(&search->progress);
	say("note: the time budget is used up; a bug was found, and replays confirm and explain it");
}

static void candidate_ran(void *ctx, unsigned runs, const struct schedule_cost *best)
{
	note_late(((struct candidate *)ctx)->findings);
}

static void run_again(void *ctx, unsigned attempt, struct confirm_outcome *out)
{
	struct candidate *c = ctx;
	struct rerun r = rerun_of_search(c->findings->search, &c->schedule);

	note_late(c->findings);
	r.signature = c->execution.bug.signature;
	r.stacks = !c->recording;
	r.until_ns = c->until_ns;
	r.at_end = at_end;
	r.ctx = c;
	rerun_once(&r, out);
}

/* The recording keeps only a part of the environment. If the failure does not repeat with that part, the recording keeps all it may. */
static void try_environment(struct candidate *c)
{
	struct target target = c->findings->search->target;
	struct confirm_outcome *out = xcalloc(1, sizeof(*out));
	struct rerun r = rerun_of_search(c->findings->search, &c->schedule);

	r.target = &target;
	r.signature = c->execution.bug.signature;
	r.until_ns = c->until_ns;
	target.env = c->recording->start.env;
	target.spare = kept_env_spare();
	target.size = (struct environment_size){c->recording->start.env_entries, c->recording->start.env_bytes};
	rerun_once(&r, out);
	if (out->kind != CONFIRM_SAME)
		kept_env_all(c->recording, c->findings->search->target.env);
	free(target.spare);
	free(out);
}

/* Returns the number of replays of a bug. It is small for a hang, since each replay takes the time of the hang. */
static unsigned confirm_tries(const struct session_bug *b)
{
	return b->kind == BUG_HANG ? 1 : CONFIRM_TRIES;
}

/* Tests set a limit that is never reached: two seconds would give different schedules on fast and slow machines. */
static uint64_t minimize_ns(void)
{
	const char *seconds = getenv("SIMUL_TEST_MINIMIZE");

	return seconds ? strtoull(seconds, NULL, 10) * NS_PER_S : MINIMIZE_NS;
}

/* Returns the time limit for simplifying the schedule; 0: --time is over. */
static uint64_t simplify_ns(const struct search *search, bool hang)
{
	uint64_t most = hang ? SIMPLIFY_HANG_NS : minimize_ns(), now = wall_clock_ns();
	uint64_t end = search->opt.time_ns ? search->start_ns + search->opt.time_ns : 0;

	if (!end)
		return most;
	return end <= now ? 0 : end - now < most ? end - now : most;
}

/* Returns the time limit for the experiments that explain the failure. It does not depend on --time, since a bug is worth little without an explanation. On
   a busy machine the replays were slow, and so are the experiments. */
static uint64_t explain_ns(const struct candidate *c, uint64_t simplify)
{
	uint64_t least = c->execution.bug.kind == BUG_HANG ? EXPLAIN_LEAST_NS : EXPLAIN_REPLAYS * c->replays_ns;

	least = least < EXPLAIN_LEAST_NS ? EXPLAIN_LEAST_NS : least > EXPLAIN_MOST_NS ? EXPLAIN_MOST_NS : least;
	return simplify / 2 > least ? simplify / 2 : least;
}

/* Replaces the recording of a confirmed bug by one with a simpler schedule, if that is equally reliable. */
static void simplify(struct candidate *c)
{
	struct findings *findings = c->findings;
	const struct search *search = findings->search;
	const struct execution *e = &c->execution;
	bool hang = e->bug.kind == BUG_HANG;
	struct simplify m = {
		.how = {
			.target = &search->target,
			.input = &search->capture,
			.config = search->config,
			.patterns = search->opt.patch.value,
			.schedule = &c->schedule,
			.signature = e->bug.signature,
		},
		.event = e->events,
		.n = e->n,
		.recording = c->recording,
		.max_runs = MINIMIZE_RUNS,
		.time_ns = hang ? SIMPLIFY_HANG_NS : minimize_ns(),
		.explain_only = !simplify_ns(search, hang),
		.tries = confirm_tries(&e->bug),
		.strategy = c->strategy,
		.number = c->number,
		.progress = candidate_ran,
		.ctx = c,
	};
	struct recording *simpler;
	uint64_t start = wall_clock_ns();

	if (search->opt.no_minimize || findings->minimize_ns >= SIMPLIFY_ALL_NS)
		return;
	if (!m.explain_only)
		m.time_ns = simplify_ns(search, hang);
	m.explain_ns = explain_ns(c, m.time_ns);
	simpler = simplify_schedule(&m);
	findings->minimize_ns += wall_clock_ns() - start;
	if (!simpler) {
		c->recording->fewest = m.least;
		c->recording->fewest_choices = m.least_choices;
		return;
	}
	recording_free(c->recording);
	c->recording = simpler;
}

static void show_finding(struct findings *findings, const struct finding *f)
{
	struct search *search = findings->search;
	struct report_options options = report_options_for(findings->out);

	progress_end(&search->progress);
	if (search->opt.quiet && (search->opt.json || search->opt.sarif))
		return;
	finding_show(findings->out, f->recording, options, f->same < f->tries ? f->other : NULL);
	if (f->path && f->same)
		fprintf(findings->out, "\nTo see every step:  simul show %s\nTo reproduce it:    simul replay %s\n",
			f->path, f->path);
	fputc('\n', findings->out);
	fflush(findings->out);
}

static struct finding *add_finding(struct findings *findings)
{
	findings->list = xgrow(findings->list, findings->n, sizeof(*findings->list));
	memset(&findings->list[findings->n], 0, sizeof(*findings->list));
	return &findings->list[findings->n++];
}

void findings_restore(struct findings *findings, const struct finding *f)
{
	struct finding *to = add_finding(findings);

	*to = *f;
	to->path = finding_write(findings->search, to->recording);
}

static void candidate_free(struct candidate *c)
{
	schedule_free(&c->schedule);
	execution_free(&c->execution);
	recording_free(c->recording);
	free(c->path);
	free(c);
}

/* Returns true if the search will restart with what this execution discovered, and asks the target to hand over the bug again. The
   restarted search will meet the bug again. Until then its schedule may not replay, because of what was discovered while it ran. */
static bool postpone(struct candidate *c)
{
	struct session *s = c->findings->search->sup.at->session;

	if (!segment_has_unapplied(c->findings->search->sup.at) || s->signatures < 1 || s->signatures > SESSION_SIGNATURES ||
		s->seen[s->signatures - 1].signature != c->execution.bug.signature)
		return false;
	s->signatures--;
	return true;
}

/* Returns whether the program itself failed. An apparent livelock, hang or race may instead result from shared memory that was discovered
   only later. */
static bool is_sure(const struct session_bug *b)
{
	return b->kind == BUG_ASSERT || b->kind == BUG_CRASH || b->kind == BUG_EXIT;
}

/* Returns whether bytes became visible in the middle of the execution, and its failure may only be apparent for that
   reason. A replay would fail in the same way. */
static bool is_doubtful(const struct execution *e)
{
	const struct rec_memory *m = &e->memory;

	if (e->bug.kind != BUG_LIVELOCK && e->bug.kind != BUG_HANG && e->bug.kind != BUG_RACE)
		return false;
	for (size_t i = 0; i < m->n_pages; i++)
		for (unsigned k = 0; k < MEMORY_PAGE / 64; k++)
			if (m->page[i].late[k])
				return true;
	return false;
}

static struct candidate **find_postponed(struct findings *findings, uint64_t signature)
{
	struct candidate **at = &findings->postponed;

	while (*at && (*at)->execution.bug.signature != signature)
		at = &(*at)->next;
	return at;
}

/* Keeps the first candidate of each bug, in case the search ends before it meets the bug again. */
static void keep_postponed(struct candidate *c)
{
	struct candidate **at = find_postponed(c->findings, c->execution.bug.signature);

	if (*at || !is_sure(&c->execution.bug)) {
		candidate_free(c);
		return;
	}
	*at = c;
}

static void forget_postponed(struct findings *findings, uint64_t signature)
{
	struct candidate **at = find_postponed(findings, signature), *c = *at;

	if (!c)
		return;
	*at = c->next;
	candidate_free(c);
}

/* Returns how long replays that confirm a bug may take when --time is over. SIMUL_TEST_CONFIRM: other seconds, for tests. */
static uint64_t confirm_ns(void)
{
	const char *seconds = getenv("SIMUL_TEST_CONFIRM");

	return seconds ? strtoull(seconds, NULL, 10) * NS_PER_S : CONFIRM_NS;
}

/* Replays the bug, and writes its recording, so that it is not lost from here on. false: the bug was postponed. */
static bool record_bug(struct candidate *c, pid_t pid)
{
	struct search *search = c->findings->search;
	const struct execution *e = &c->execution;
	uint64_t start;
	bool postponed;

	schedule_from_events(&c->schedule, e->events, e->n, &e->names, &e->pool, &e->memory);
	if (search->sup.time_ns) {
		uint64_t end = search->sup.start_ns + search->sup.time_ns, now = wall_clock_ns(), least = (now < end ? now : end) + confirm_ns();
		c->until_ns = end > least ? end : least;
	}
	start = wall_clock_ns();
	confirm(run_again, c, confirm_tries(&e->bug), &c->result);
	c->replays_ns = wall_clock_ns() - start;
	postponed = (!c->result.same || is_doubtful(e)) && postpone(c);
	if (!c->recording)
		c->recording = build(c, search->sup.at, e, search->sup.at_capture, pid);
	else if (c->result.same && e->bug.kind != BUG_HANG) /* each replay of a hang takes long */
		try_environment(c);
	c->recording->confirmed = c->result.same;
	c->recording->confirm_tries = c->result.tries;
	if (postponed)
		return false;
	c->path = finding_write(search, c->recording);
	return true;
}

void findings_follow_refusals(struct session_config *config, const struct segment *seg)
{
	if (shared_load(&seg->session->ctl.discoveries.applied_calls_refused) && known_calls(config->settings.known_locks))
		config->settings.known_locks ^= KNOWN_LOCKS_AND_CALLS | KNOWN_LOCKS;
}

/* Copies the window of the execution that failed, which its replays need. */
static void follow_window(struct settings *s, const struct segment *seg)
{
	const struct session_window *w = &seg->session->ctl.execution.window;

	s->window_slice = shared_load(&w->slice);
	s->window_from = shared_load(&w->from);
	s->window_to = shared_load(&w->to);
}

bool findings_on_bug(void *ctx, pid_t pid)
{
	struct findings *findings = ctx;
	struct search *search = findings->search;
	struct candidate *c = xcalloc(1, sizeof(*c));
	char why[256];

	c->findings = findings;
	if (!segment_execution(search->sup.at, &c->execution, why, sizeof(why))) {
		say("cannot record a failure: %s", why);
		findings->unrecorded++;
		free(c);
		return false;
	}
	findings_follow_refusals(&search->config, search->sup.at);
	follow_window(&search->config.settings, search->sup.at);
	c->number = search->sup.number;
	c->warm_up_before = search->seg.session->ctl.warm_up.executions;
	segment_stats(search->sup.at, &c->stats);
	bounds_strategy(&search->config, &search->seg, &c->stats, segment_has_unapplied(search->sup.at), c->strategy,
		sizeof(c->strategy));
	if (!record_bug(c, pid)) {
		keep_postponed(c);
		return false;
	}
	forget_postponed(findings, c->execution.bug.signature);
	findings->pending = c;
	return true;
}

bool findings_on_race(void *ctx, const struct segment *seg, pid_t pid)
{
	return race_judge(&((struct findings *)ctx)->judge, seg, pid);
}

/* Turns the candidate into a finding and prints it. Returns whether it was confirmed. */
static bool report(struct candidate *c)
{
	struct findings *findings = c->findings;
	struct finding *f = add_finding(findings);

	f->recording = c->recording;
	f->path = c->path;
	f->signature = c->execution.bug.signature;
	f->execution = c->number;
	f->warm_up_before = c->warm_up_before;
	f->bound = c->stats.bound;
	f->tries = c->result.tries;
	f->same = c->result.same;
	if (c->result.differed)
		confirm_describe(&c->result.other, f->other, sizeof(f->other));
	show_finding(findings, f);
	finding_keep_files(findings->search, f);
	c->recording = NULL;
	c->path = NULL;
	candidate_free(c);
	return findings->list[findings->n - 1].same > 0;
}

/* Returns whether the search must go on for a certificate, which needs at least one execution that passes. */
static bool wants_first_pass(const struct search *search)
{
	const struct segment *seg = &search->seg;
	struct explore_spine spine;

	/* if the last execution discovered something, the search restarts and loses the passing executions it had */
	return search->opt.certificate && ((search->sup.at && segment_has_unapplied(search->sup.at)) ||
	       !explore_spine((const char *)seg->session + seg->layout.explore_off, seg->layout.explore_size, segment_common_search(seg), &spine));
}

bool findings_on_explained(void *ctx)
{
	struct findings *findings = ctx;
	struct candidate *c = findings->pending;

	findings->pending = NULL;
	if (c->result.same == confirm_tries(&c->execution.bug))
		simplify(c);
	if (findings->search->sup.at)
		segment_needs(findings->search->sup.at, &c->recording->needs.least, &c->recording->needs.enough);
	if (c->path) {
		free(c->path);
		c->path = finding_write(findings->search, c->recording);
	}
	return report(c) ? findings->search->opt.keep_going || wants_first_pass(findings->search) : true;
}

void findings_report_postponed(struct findings *findings)
{
	struct explore_stats stats;

	workers_stats(&findings->search->workers, &findings->search->seg, &stats);
	while (findings->postponed) {
		struct candidate *c = findings->postponed;

		findings->postponed = c->next;
		if (stats.finished) {
			candidate_free(c);
			continue;
		}
		c->path = finding_write(findings->search, c->recording);
		report(c);
	}
}

size_t findings_confirmed(const struct findings *findings)
{
	size_t n = 0;

	for (size_t i = 0; i < findings->n; i++)
		n += findings->list[i].same > 0;
	return n;
}

void findings_free(struct findings *findings)
{
	for (struct candidate *c = findings->postponed, *next; c; c = next) {
		next = c->next;
		candidate_free(c);
	}
	for (size_t i = 0; i < findings->n; i++) {
		recording_free(findings->list[i].recording);
		free(findings->list[i].path);
	}
	race_judge_free(&findings->judge);
	free(findings->list);
}
