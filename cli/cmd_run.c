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
#include "cli/cmd.h"
#include "cli/base/interrupt.h"
#include "cli/supervise/jobs.h"
#include "cli/base/json_out.h"
#include "cli/base/limits.h"
#include "cli/nightly/machines/machines.h"
#include "cli/options/options.h"
#include "cli/options/run_choices.h"
#include "cli/resume/resume.h"
#include "cli/run.h"
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

#define DEFAULT_STEPS 100000
#define MAX_STEPS 10000000
#define MIN_MEMORY (UINT64_C(16) << 20)
#define OUTPUT_SHARE 32 /* each of the two outputs may use this fraction of --memory */
#define MAX_MEMORY (UINT64_C(32) << 30) /* arena references have 32 bits and count units of 8 bytes */

static void defaults(struct run_options *o)
{
	memset(o, 0, sizeof(*o));
	o->settings.max_steps = DEFAULT_STEPS;
	o->hang_ns = 10 * NS_PER_S;
	o->memory = UINT64_C(1) << 30;
	o->settings.seed = o->settings.late_exit = o->settings.memory_check = 1;
	o->preemptions = NO_BOUND;
	o->strategy = STRATEGY_DEFAULT;
	o->isolation = ISOLATION_AUTO;
	o->output_dir = ".";
}

static bool read_options(struct run_options *o, bool certify, int argc, char **argv, int *first, int *code)
{
	static const char *strategies[STRATEGY_COUNT + 1];
	const struct option_spec specs[] = {
		{"strategy", 0, OPTION_CHOICE, &o->strategy, 0, 0, strategies},
		{"preemptions", 0, OPTION_U32, &o->preemptions, 0, 1000, NULL},
		{"depth", 0, OPTION_U32, &o->depth, 1, EXPLORE_DEPTH_MAX, NULL},
		{"seed", 0, OPTION_U64, &o->settings.seed, 0, 0, NULL},
		{"executions", 0, OPTION_U64, &o->executions, 1, 0, NULL},
		{"time", 0, OPTION_DURATION, &o->time_ns, NS_PER_S / 1000, 0, NULL},
		{"keep-going", 0, OPTION_FLAG, &o->keep_going, 0, 0, NULL},
		{"resume", 0, OPTION_STRING, &o->resume_dir, 0, 0, NULL},
		{"output", 0, OPTION_STRING, &o->output_dir, 0, 0, NULL},
		{"quiet", 'q', OPTION_FLAG, &o->quiet, 0, 0, NULL},
		{"json", 0, OPTION_STRING, &o->json, 0, 0, NULL},
		{"sarif", 0, OPTION_STRING, &o->sarif, 0, 0, NULL},
		{"isolation", 0, OPTION_CHOICE, &o->isolation, 0, 0, choices_isolation},
		{"no-snapshots", 0, OPTION_FLAG, &o->no_snapshots, 0, 0, NULL},
		{"threads", 0, OPTION_CHOICE, &o->settings.threads, 0, 0, names_threads},
		{"spurious", 0, OPTION_U32, &o->settings.spurious, 0, 1000, NULL},
		{"patience", 0, OPTION_DURATION, &o->settings.patience, NS_PER_S / 1000, 0, NULL},
		{"time-model", 0, OPTION_CHOICE, &o->settings.discrete_time, 0, 0, names_discrete_time},
		{"exit", 0, OPTION_CHOICE, &o->settings.late_exit, 0, 0, names_late_exit},
		{"lock", 0, OPTION_LIST, &o->lock, 0, 0, NULL},
		{"leave-out", 0, OPTION_LIST, &o->leave_out, 0, 0, NULL},
		{"own-locks", 0, OPTION_CHOICE, &o->own_locks, 0, 0, choices_own_locks},
		{"barrier-serial", 0, OPTION_CHOICE, &o->settings.barrier_first, 0, 0, names_barrier_first},
		{"sections", 0, OPTION_FLAG, &o->sections, 0, 0, NULL},
		{"max-steps", 0, OPTION_U32, &o->settings.max_steps, 1, MAX_STEPS, NULL},
		{"hang-timeout", 0, OPTION_DURATION, &o->hang_ns, NS_PER_S / 10, 86400 * NS_PER_S, NULL},
		{"patch", 0, OPTION_LIST, &o->patch, 0, 0, NULL},
		{"no-patch", 0, OPTION_FLAG, &o->no_patch, 0, 0, NULL},
		{"fail-on-race", 0, OPTION_ON, &o->settings.fail_on_race, 0, 0, NULL},
		{"no-memory-check", 0, OPTION_OFF, &o->settings.memory_check, 0, 0, NULL},
		{"no-minimize", 0, OPTION_FLAG, &o->no_minimize, 0, 0, NULL},
		{"require-complete", 0, OPTION_FLAG, &o->require_complete, 0, 0, NULL},
		{"keep-files", 0, OPTION_STRING, &o->keep_files, 0, 0, NULL},
		{"show-output", 0, OPTION_FLAG, &o->show_output, 0, 0, NULL},
		{"memory", 0, OPTION_SIZE, &o->memory, MIN_MEMORY, MAX_MEMORY, NULL},
		{"model", 0, OPTION_CHOICE, &o->settings.model, 0, 0, names_model},
		{"jobs", 0, OPTION_U32, &o->jobs, 1, WORKERS_MOST, NULL},
		{"robustness", 0, OPTION_ON, &o->settings.robustness, 0, 0, NULL},
		/* certify has -o FILE; run has an option for tests instead */
		{certify ? "certificate" : "shuffle", certify ? 'o' : 0, certify ? OPTION_STRING : OPTION_U32,
			certify ? (void *)&o->certificate : (void *)&o->shuffle, 0, 0, NULL},
		{certify ? "from" : "passing", 0, OPTION_STRING, certify ? &o->from : &o->passing, 0, 0, NULL},
		{certify ? NULL : "search", 0, OPTION_STRING, &o->search, 0, 0, NULL}, /* the last one: certify does not have it */
		{NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL},
	};

	for (unsigned i = 0; i < STRATEGY_COUNT; i++)
		strategies[i] = explore_strategy_name(i);
	return options_read(certify ? "certify" : "run", specs, false, argc, argv, first, code);
}

/* --preemptions implies --strategy trust, --sections --strategy optimal. Programs that only simulate with SystemC get --strategy steps, unless
   other options need another one. path: the program. */
static void choose_strategy(struct run_options *o, const char *path)
{
	bool other = o->preemptions != NO_BOUND || o->sections || o->settings.model != MODEL_SC || o->search || o->certificate;

	if (o->strategy == STRATEGY_DEFAULT && !other && systemc_is_used(path))
		o->strategy = STRATEGY_STEPS;
	else if (o->strategy == STRATEGY_DEFAULT)
		o->strategy = o->preemptions != NO_BOUND ? STRATEGY_TRUST : o->sections ? STRATEGY_OPTIMAL : STRATEGY_AUTO;
}

/* Writes --json and --sarif. false: one message was printed for each failure. */
static bool write_results(const struct run *run, int code)
{
	bool ok = !run->opt.json || json_write(run);

	return (!run->opt.sarif || sarif_write_run(run, code)) && ok;
}

static void fill_config(struct run *run)
{
	const struct run_options *o = &run->opt;
	const char *every = getenv("SIMUL_TEST_SNAPSHOTS");

	run->config = (struct session_config){
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
		.snapshot_every = every ? (uint32_t)strtoul(every, NULL, 10) : 0,
	};
	run->config.settings.start_time = (uint64_t)time(NULL) * NS_PER_S;
	run->config.settings.patch = !o->no_patch && !run->target.sanitized;
	run->config.settings.known_locks = o->own_locks == OWN_LOCKS_ASSUME && !o->certificate ? KNOWN_ALL : KNOWN_LOCKS_NONE;
}

static void on_tick(void *ctx)
{
	struct run *run = ctx;
	struct explore_stats stats;

	sightings_look(run);
	workers_stats(&run->workers, &run->seg, &stats);
	bounds_share(run, &stats);
	machines_add_others(run, &stats);
	advice_show(run, &stats);
	progress_show(&run->progress, &stats, run->seg.session->ctl.learning_executions, shared_load(&run->seg.session->ctl.learning) == LEARNING_RANDOM,
		run->n_findings);
}

static void prepare_supervision(struct run *run)
{
	run->sup = (struct supervision){
		.seg = &run->seg,
		.target = &run->target,
		.capture = &run->capture,
		.time_ns = run->opt.time_ns,
		.start_ns = run->start_ns,
		.max_executions = run->config.max_executions,
		.hang_ns = run->opt.hang_ns,
		.workers = &run->workers,
		.on_bug = findings_on_bug,
		.on_explained = findings_on_explained,
		.on_tick = on_tick,
		.ctx = run,
	};
	if (run->resume)
		resume_watch(run);
	if (run->machines)
		machines_watch(run);
}

/* Runs the session until one execution is complete, and prints the program's output. Returns whether the search should continue. */
static bool run_first(struct run *run)
{
	struct explore_stats before;

	workers_stats(&run->workers, &run->seg, &before);
	run->seg.session->config.max_executions = before.executions + 1;
	run->sup.max_executions = 0; /* the target counts exactly */
	run->workers.jobs = 1;
	supervise(&run->sup);
	run->workers.jobs = run->config.jobs;
	progress_end(&run->progress);
	run->sup.output_cut |= capture_bound(&run->capture); /* it wrote on after the last check of the loop */
	if (!isolation_needs_kernel_threads(run)) /* otherwise all is repeated */
		capture_show(&run->capture);
	run->seg.session->config.max_executions = run->config.max_executions;
	return run->sup.end == SESSION_STOPPED && run->sup.cause == STOP_EXECUTIONS &&
	       run->opt.executions != 1;
}

static void search_once(struct run *run)
{
	prepare_supervision(run);
	if (run->opt.show_output) {
		if (!run_first(run))
			return;
		capture_reset(&run->capture);
		prepare_supervision(run);
	}
	supervise(&run->sup);
}

/* Prints the end of the program's output if the program failed before it created a thread: it may say why. */
static void show_complaint(const struct run *run)
{
	char *tail;

	if (!run->unusable || run->n_findings || run->opt.show_output)
		return;
	tail = capture_tail(&run->capture, 4096);
	printable_replace(&tail, PRINTABLE_LINES);
	if (tail && run->sup.wait_status)
		fprintf(stderr, "%s%s", tail, tail[strlen(tail) - 1] == '\n' ? "" : "\n");
	free(tail);
}

static int finish(struct run *run)
{
	int code;

	run->seconds = (double)(wall_clock_ns() - run->start_ns) / 1e9;
	progress_end(&run->progress);
	if (run->resume)
		run->seconds += (double)resume_earlier_ns(run) / 1e9;
	findings_report_postponed(run);
	sightings_decide(run);
	verdict_decide(run);
	if (run->sup.randomised && !run->opt.quiet && run->n_findings)
		say("note: address randomisation cannot be disabled here, and memory cannot be moved: %s; a program whose behaviour depends on "
			"addresses may not replay", run->sup.unplaced);
	code = verdict_exit_code(run);
	show_complaint(run);
	lock_advice_find(run);
	if (!write_results(run, code))
		code = code == SIMUL_EXIT_OK ? SIMUL_EXIT_USAGE : code;
	if (run->opt.certificate && !certify_write(run) && code == SIMUL_EXIT_OK)
		code = SIMUL_EXIT_USAGE;
	if (run->opt.passing && !passing_write(run) && code == SIMUL_EXIT_OK)
		code = SIMUL_EXIT_USAGE;
	lock_advice_show(run);
	verdict_print(run);
	if (run->human == stdout && ferror(stdout)) { /* nobody can read the verdict there */
		run->human = stderr;
		verdict_print(run);
	}
	return code;
}

/* Makes the memory of the session. false: one message was printed. */
static bool open_session(struct run *run)
{
	char why[SESSION_MESSAGE];

	if (!jobs_open(run))
		return false;
	if (segment_create(&run->seg, &run->config, run->opt.memory, run->from ? run->from->n : 0, run->opt.patch.value, run->workers.common,
		why, sizeof(why)) && (!run->from || segment_set_guide(&run->seg, run->from, why, sizeof(why))))
		return true;
	say("%s", why);
	segment_close(&run->seg);
	jobs_close(run);
	return false;
}

static void close_session(struct run *run)
{
	workers_end(&run->workers);
	segment_close(&run->seg);
	jobs_close(run);
}

/* Makes the memory of the session again, for a search that starts from the beginning. false: one message was printed. */
static bool reopen_session(struct run *run)
{
	close_session(run);
	memset(&run->workers, 0, sizeof(run->workers));
	capture_reset(&run->capture);
	return open_session(run);
}

/* Searches, a second time with kernel threads if fibers cannot run the program. false: one message was printed, and there is no session. */
static bool search(struct run *run)
{
	search_once(run);
	if (!isolation_needs_kernel_threads(run))
		return true;
	run->config.settings.threads = THREADS_KERNEL;
	if (!reopen_session(run))
		return false;
	search_once(run);
	return true;
}

/* Searches together with other machines. *helpers: the other workers of this machine. false: the search cannot begin; one message was printed. */
static bool search_with(struct run *run, struct helpers **helpers)
{
	for (;;) {
		enum machines_entry entry = machines_enter(run);

		if (entry == MACHINES_FAILED)
			return false;
		if (entry == MACHINES_ENTERED) {
			if (machines_is_over(run))
				return true;
			if (run->opt.jobs > 1 && !*helpers && !helpers_start(helpers, run->opt.search, machines_search(run), run->opt.jobs - 1))
				return false;
			search_once(run);
			if (run->sup.end != SESSION_AGAIN)
				return true;
		}
		if (!reopen_session(run))
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

	fill_config(run);
	if (run->target.sanitized && !run->opt.no_patch)
		say("note: the program contains AddressSanitizer's runtime, which must not be explored: the program's code is not patched, and "
			"schedules differ in library calls only");
	if ((run->opt.from && !certify_from(run)) || !open_session(run))
		return SIMUL_EXIT_USAGE;
	run->start_ns = wall_clock_ns();
	if (run->resume && !resume_load(run)) {
		close_session(run);
		return SIMUL_EXIT_USAGE;
	}
	progress_start(&run->progress, run->opt.quiet);
	if (run->machines && !search_together(run)) {
		progress_end(&run->progress);
		close_session(run);
		return SIMUL_EXIT_USAGE;
	}
	if (!run->machines && (!run->resume || !resume_is_finished(run)) && !search(run)) {
		progress_end(&run->progress);
		return SIMUL_EXIT_USAGE;
	}
	code = run->resume && !resume_end(run) ? SIMUL_EXIT_USAGE : finish(run);
	segment_close(&run->seg);
	jobs_close(run);
	interrupt_obey();
	return code;
}

static int search_command(bool certify, int argc, char **argv)
{
	static struct run run;
	char why[SESSION_MESSAGE];
	int first, code;

	defaults(&run.opt);
	if (!read_options(&run.opt, certify, argc, argv, &first, &code))
		return code;
	if (certify && !certify_check(&run.opt))
		return SIMUL_EXIT_USAGE;
	if (first >= argc) {
		say(certify ? "certify: no program given; for example: simul certify -o queue.cert -- ./queue_test" :
			      "run: no program given; for example: simul run -- ./queue_test --fast");
		return SIMUL_EXIT_USAGE;
	}
	if (!limit_allows_session())
		return SIMUL_EXIT_USAGE;
	run.human = run_is_stdout(run.opt.json) || run_is_stdout(run.opt.sarif) ? stderr : stdout;
	if (!target_open(&run.target, argv + first, environ, why, sizeof(why))) {
		say("%s", why);
		return SIMUL_EXIT_USAGE;
	}
	choose_strategy(&run.opt, run.target.path);
	if (!run.opt.quiet && target_is_python(&run.target))
		say("note: " TARGET_PYTHON_NOTE, argv[first]);
	code = SIMUL_EXIT_USAGE;
	if (run_check_options(&run.opt) && resume_open(&run) && capture_open(&run.capture)) {
		run.capture.keep = run.opt.memory / OUTPUT_SHARE;
		code = machines_open(&run) ? run_session(&run) : SIMUL_EXIT_USAGE;
		capture_close(&run.capture);
	}
	certify_from_free(&run);
	machines_close(&run);
	resume_close(&run);
	findings_free(&run);
	sightings_free(&run);
	target_close(&run.target);
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
