/* simul run: options, the session, the verdict. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/bugs/findings.h"
#include "cli/bugs/passing.h"
#include "cli/certify/certify.h"
#include "cli/certify/from.h"
#include "cli/supervise/advice.h"
#include "cli/verdict/json.h"
#include "cli/verdict/lock_advice.h"
#include "cli/supervise/bounds.h"
#include "cli/options/cmd.h"
#include "cli/base/interrupt.h"
#include "cli/supervise/jobs.h"
#include "cli/supervise/search.h"
#include "cli/base/json_out.h"
#include "cli/base/limits.h"
#include "cli/nightly/machines/machines.h"
#include "cli/options/run_options.h"
#include "cli/resume/resume.h"
#include "cli/run_check.h"
#include "cli/nightly/searches/helpers.h"
#include "cli/verdict/isolation.h"
#include "cli/verdict/sampling.h"
#include "cli/verdict/sightings.h"
#include "cli/verdict/systemc.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/result_files.h"
#include "cli/target/python.h"
#include "cli/verdict/verdict.h"
#include "explore/explore.h"
#include "base/printable.h"
#include "replay/confirm.h"
#include "base/xalloc.h"

#define OUTPUT_SHARE 32 /* each of the two outputs may use this fraction of --memory */

/* One `simul run` or `simul certify`. */
struct run {
	struct search search;
	struct findings findings;
	struct verdict verdict;
	struct resume *resume;     /* --resume; NULL: not given */
	struct machines *machines; /* --search; NULL: not given */
	FILE *human;               /* destination of the report: stdout, or stderr with --json - */
};

/* --preemptions implies --strategy trust, --sections --strategy optimal. Programs that only simulate with SystemC get --strategy steps, unless
   other options need another one. path: the program. */
static void choose_strategy(struct run_options *o, const char *path)
{
	bool other = o->preemptions != NO_BOUND || o->sections || o->settings.model != MODEL_SC || o->search || o->certificate;

	if (o->strategy == STRATEGY_DEFAULT && !other && systemc_is_used(path))
		o->strategy = STRATEGY_STEPS;
	else if (o->strategy == STRATEGY_DEFAULT && o->settings.model == MODEL_RC11)
		o->strategy = STRATEGY_GRAPHS;
	else if (o->strategy == STRATEGY_DEFAULT)
		o->strategy = o->preemptions != NO_BOUND ? STRATEGY_TRUST : o->sections ? STRATEGY_OPTIMAL : STRATEGY_AUTO;
}

/* Writes --json and --sarif. false: one message was printed for each failure. */
static bool write_results(const struct run *run, int code)
{
	bool ok = !run->search.opt.json || json_write(&run->verdict);

	return (!run->search.opt.sarif || sarif_write_run(&run->verdict, code)) && ok;
}

/* SIMUL_TEST_TRIAL: what the trial of snapshots finds. */
static uint32_t trial_for_tests(void)
{
	const char *text = getenv("SIMUL_TEST_TRIAL");

	if (!text)
		return TRIAL_MEASURED;
	return !strcmp(text, "keep") ? TRIAL_KEEPS : TRIAL_ENDS;
}

static void fill_config(struct search *search)
{
	const struct run_options *o = &search->opt;
	const char *every = getenv("SIMUL_TEST_SNAPSHOTS"), *points = getenv("SIMUL_TEST_POINTS");

	search->config = (struct session_config){
		.mode = MODE_EXPLORE,
		.isolation = o->isolation,
		.settings = o->settings,
		.strategy = o->strategy,
		.shuffle = o->shuffle,
		.depth = sampling_depth(o),
		.sections = o->sections,
		.bound = o->preemptions == NO_BOUND ? 0 : o->preemptions + 1,
		.max_executions = o->executions,
		.machines = o->search != NULL,
		.budgeted = o->executions || o->time_ns,
		.rounds = !o->certificate && !o->sections,
		.hang_ns = o->hang_ns,
		.no_snapshots = o->no_snapshots,
		.keep_passing = o->passing != NULL,
		.certify = !o->certificate ? CERTIFY_NOT : o->keep_going ? CERTIFY_ON : CERTIFY_FIRST_BUG,
		.point_every = points ? (uint32_t)strtoul(points, NULL, 10) : 0,
		.snapshot_every = every ? (uint32_t)strtoul(every, NULL, 10) : 0,
	};
	search->config.trial = trial_for_tests();
	search->config.settings.start_time = (uint64_t)time(NULL) * NS_PER_S;
	search->config.settings.patch = !o->no_patch && !search->target.sanitized;
	bool assume = o->own_locks == OWN_LOCKS_ASSUME && !o->certificate;
	search->config.settings.known_locks = assume ? KNOWN_ALL : KNOWN_LOCKS_NONE;
	if (o->strategy == STRATEGY_WINDOWS)
		lengthy_configure(&search->config);
}

static enum stop_cause on_tick(void *ctx)
{
	struct run *run = ctx;
	struct explore_stats stats;
	size_t bugs = run->findings.n + (run->findings.pending != NULL); /* one is replayed before it is reported */

	sightings_look(&run->search);
	workers_stats(&run->search.workers, &run->search.seg, &stats);
	bounds_share(&run->search, &stats);
	if (run->machines)
		machines_add_others(run->machines, &stats);
	advice_show(&run->search, &stats);
	progress_show(&run->search.progress, &stats, run->search.seg.session->ctl.warm_up.executions,
		shared_load(&run->search.seg.session->ctl.warm_up.running), run->findings.n);
	return lengthy_look(&run->search, &stats, bugs) ? STOP_LENGTHY : STOP_NONE;
}

static void prepare_supervision(struct run *run)
{
	run->search.sup = (struct supervision){
		.seg = &run->search.seg,
		.target = &run->search.target,
		.capture = &run->search.capture,
		.time_ns = run->search.opt.time_ns,
		.start_ns = run->search.start_ns,
		.max_executions = run->search.config.max_executions,
		.hang_ns = run->search.opt.hang_ns,
		.workers = &run->search.workers,
		.on_bug = findings_on_bug,
		.on_explained = findings_on_explained,
		.on_race = findings_on_race,
		.on_tick = on_tick,
		.ctx = &run->findings,
		.tick_ctx = run,
	};
	if (run->resume)
		resume_watch(run->resume);
	if (run->machines)
		machines_watch(run->machines);
}

/* Returns whether fibers cannot run the program, and the search may start again with kernel threads. */
static bool needs_kernel_threads(struct run *run)
{
	return isolation_needs_kernel_threads(&run->search, run->findings.n, run->verdict.kernel_threads_for);
}

/* Returns whether executions are too long for strategy auto, and the search goes on with windows. */
static bool needs_windows(struct run *run)
{
	struct explore_stats stats;

	if (run->search.sup.end == SESSION_OVER) {
		workers_stats(&run->search.workers, &run->search.seg, &stats);
		return lengthy_over(&run->search, &stats, run->findings.n);
	}
	return run->search.sup.end == SESSION_STOPPED && run->search.sup.cause == STOP_LENGTHY;
}

/* Runs the session until one execution is complete, and prints the program's output. Returns whether the search should continue. */
static bool run_first(struct run *run)
{
	struct explore_stats before;

	workers_stats(&run->search.workers, &run->search.seg, &before);
	run->search.seg.session->config.max_executions = before.executions + 1;
	run->search.sup.max_executions = 0; /* the target counts exactly */
	run->search.workers.jobs = 1;
	supervise(&run->search.sup);
	run->search.workers.jobs = run->search.config.jobs;
	progress_end(&run->search.progress);
	run->search.sup.output_cut |= capture_bound(&run->search.capture); /* it wrote on after the last check of the loop */
	if (!needs_kernel_threads(run) && !needs_windows(run)) /* otherwise all is repeated */
		capture_show(&run->search.capture);
	run->search.seg.session->config.max_executions = run->search.config.max_executions;
	return run->search.sup.end == SESSION_STOPPED && run->search.sup.cause == STOP_EXECUTIONS &&
	       run->search.opt.executions != 1;
}

static void search_once(struct run *run)
{
	prepare_supervision(run);
	if (run->search.opt.show_output) {
		if (!run_first(run))
			return;
		capture_reset(&run->search.capture);
		prepare_supervision(run);
	}
	supervise(&run->search.sup);
}

/* Prints the end of the program's output if the program failed before it created a thread: it may say why. */
static void show_complaint(const struct run *run)
{
	char *tail;

	if (!run->verdict.unusable || run->findings.n || run->search.opt.show_output)
		return;
	tail = capture_tail(&run->search.capture, 4096);
	printable_replace(&tail, PRINTABLE_LINES);
	if (tail && run->search.sup.wait_status)
		fprintf(stderr, "%s%s", tail, tail[strlen(tail) - 1] == '\n' ? "" : "\n");
	free(tail);
}

static int finish(struct run *run)
{
	int code;

	run->verdict.seconds = (double)(wall_clock_ns() - run->search.start_ns) / 1e9;
	progress_end(&run->search.progress);
	if (run->resume)
		run->verdict.seconds += (double)resume_earlier_ns(run->resume) / 1e9;
	findings_report_postponed(&run->findings);
	sightings_decide(&run->verdict.seen, &run->search, &run->findings);
	verdict_decide(&run->verdict);
	if (run->search.sup.randomised && !run->search.opt.quiet && run->findings.n)
		say("note: address randomisation cannot be disabled here, and memory cannot be moved: %s; a program whose behaviour depends on "
			"addresses may not replay", run->search.sup.unplaced);
	code = verdict_exit_code(&run->verdict);
	show_complaint(run);
	if (verdict_is_unfinished(&run->verdict))
		lock_advice_find(&run->verdict.lock_advice, &run->search);
	if (!write_results(run, code))
		code = code == SIMUL_EXIT_OK ? SIMUL_EXIT_USAGE : code;
	if (run->search.opt.certificate && !certify_write(&run->verdict, run->human) && code == SIMUL_EXIT_OK)
		code = SIMUL_EXIT_USAGE;
	if (run->search.opt.passing && !passing_write(&run->search, !run->verdict.unusable && !run->verdict.internal, run->human) && code == SIMUL_EXIT_OK)
		code = SIMUL_EXIT_USAGE;
	if (!run->search.opt.quiet)
		lock_advice_show(&run->verdict.lock_advice);
	verdict_print(&run->verdict, run->human);
	if (run->human == stdout && ferror(stdout)) { /* nobody can read the verdict there */
		run->human = stderr;
		verdict_print(&run->verdict, run->human);
	}
	return code;
}

/* Makes the memory of the session. false: one message was printed. */
static bool open_session(struct search *search)
{
	char why[SESSION_MESSAGE];

	if (!jobs_open(search))
		return false;
	if (segment_create(&search->seg, &search->config, search->opt.memory, search->from ? search->from->n : 0, search->opt.patch.value, search->workers.common,
		why, sizeof(why)) && (!search->from || segment_set_guide(&search->seg, search->from, why, sizeof(why))))
		return true;
	say("%s", why);
	segment_close(&search->seg);
	jobs_close(search);
	return false;
}

static void close_session(struct search *search)
{
	workers_end(&search->workers);
	segment_close(&search->seg);
	jobs_close(search);
}

/* Makes the memory of the session again, for a search that starts from the beginning. false: one message was printed. */
static bool reopen_session(struct search *search)
{
	close_session(search);
	memset(&search->workers, 0, sizeof(search->workers));
	capture_reset(&search->capture);
	return open_session(search);
}

/* Searches; again with kernel threads if fibers cannot run the program, and with windows if its executions are too
   long. false: one message was printed, and there is no session. */
static bool search(struct run *run)
{
	for (;;) {
		search_once(run);
		if (needs_kernel_threads(run))
			run->search.config.settings.threads = THREADS_KERNEL;
		else if (needs_windows(run))
			lengthy_go_on(&run->search);
		else
			return true;
		if (!reopen_session(&run->search))
			return false;
	}
}

/* Searches together with other machines. *helpers: the other workers of this machine. false: the search cannot begin; one message was printed. */
static bool search_with(struct run *run, struct helpers **helpers)
{
	for (;;) {
		enum machines_entry entry = machines_enter(run->machines);

		if (entry == MACHINES_FAILED)
			return false;
		if (entry == MACHINES_ENTERED) {
			if (machines_is_over(run->machines))
				return true;
			if (run->search.opt.jobs > 1 && !*helpers && !helpers_start(helpers, run->search.opt.search, machines_search(run->machines), run->search.opt.jobs - 1))
				return false;
			search_once(run);
			if (run->search.sup.end != SESSION_AGAIN)
				return true;
		}
		if (!reopen_session(&run->search))
			return false;
	}
}

static bool search_together(struct run *run)
{
	struct helpers *helpers = NULL;
	bool ok = search_with(run, &helpers);

	helpers_stop(helpers);
	return ok;
}

static int run_session(struct run *run)
{
	int code;

	fill_config(&run->search);
	if (run->resume && resume_uses_windows(run->resume))
		lengthy_use_windows(&run->search);
	if (run->search.target.sanitized && !run->search.opt.no_patch)
		say("note: the program contains AddressSanitizer's runtime, which must not be explored: the program's code is not patched, and "
			"schedules differ in library calls only");
	if ((run->search.opt.from && !certify_from(&run->search)) || !open_session(&run->search))
		return SIMUL_EXIT_USAGE;
	run->search.start_ns = wall_clock_ns();
	if (run->resume && !resume_load(run->resume)) {
		close_session(&run->search);
		return SIMUL_EXIT_USAGE;
	}
	progress_start(&run->search.progress, run->search.opt.quiet);
	if (run->machines && !search_together(run)) {
		progress_end(&run->search.progress);
		close_session(&run->search);
		return SIMUL_EXIT_USAGE;
	}
	if (!run->machines && (!run->resume || !resume_is_finished(run->resume)) && !search(run)) {
		progress_end(&run->search.progress);
		return SIMUL_EXIT_USAGE;
	}
	code = run->resume && !resume_end(run->resume) ? SIMUL_EXIT_USAGE : finish(run);
	segment_close(&run->search.seg);
	jobs_close(&run->search);
	interrupt_obey();
	return code;
}

static int search_command(bool certify, int argc, char **argv)
{
	static struct run run;
	char why[SESSION_MESSAGE];
	int first, code;

	if (!run_options_read(&run.search.opt, certify, argc, argv, &first, &code))
		return code;
	if (certify && !certify_check(&run.search.opt))
		return SIMUL_EXIT_USAGE;
	if (first >= argc) {
		say(certify ? "certify: no program given; for example: simul certify -o queue.cert -- ./queue_test" :
			      "run: no program given; for example: simul run -- ./queue_test --fast");
		return SIMUL_EXIT_USAGE;
	}
	if (!limit_allows_session())
		return SIMUL_EXIT_USAGE;
	run.human = run_is_stdout(run.search.opt.json) || run_is_stdout(run.search.opt.sarif) ? stderr : stdout;
	run.findings = (struct findings){.search = &run.search, .out = run.human};
	run.verdict = (struct verdict){.search = &run.search, .findings = &run.findings};
	if (!target_open(&run.search.target, argv + first, environ, why, sizeof(why))) {
		say("%s", why);
		return SIMUL_EXIT_USAGE;
	}
	choose_strategy(&run.search.opt, run.search.target.path);
	if (!run.search.opt.quiet && target_is_python(&run.search.target))
		say("note: " TARGET_PYTHON_NOTE, argv[first]);
	code = SIMUL_EXIT_USAGE;
	if (run_check_options(&run.search.opt) && resume_open(&run.resume, &run.search, &run.findings) && capture_open(&run.search.capture)) {
		run.search.capture.keep = run.search.opt.memory / OUTPUT_SHARE;
		code = machines_open(&run.machines, &run.search, &run.findings) ? run_session(&run) : SIMUL_EXIT_USAGE;
		capture_close(&run.search.capture);
	}
	certify_from_free(&run.search);
	machines_close(run.machines);
	resume_close(run.resume);
	findings_free(&run.findings);
	sightings_free(&run.verdict.seen);
	lock_advice_free(&run.verdict.lock_advice);
	free(run.search.maps);
	target_close(&run.search.target);
	return code;
}

int cmd_run(int argc, char **argv)
{
	return search_command(false, argc, argv);
}

int cmd_certify(int argc, char **argv)
{
	return search_command(true, argc, argv);
}
