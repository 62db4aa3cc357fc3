/* The verdict. It must never claim more than was explored. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/exit_codes.h"
#include "cli/base/interrupt.h"
#include "cli/run.h"
#include "cli/verdict/isolation.h"
#include "cli/supervise/jobs.h"
#include "cli/verdict/sampling.h"
#include "cli/base/say.h"
#include "explore/explore.h"
#include "recorder/printable.h"
#include "recorder/xalloc.h"
#include "sched/memory.h"

/* ---- reasons ---- */

static void add_reason(struct run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add_reason(struct run *run, const char *fmt, ...)
{
	size_t used = strlen(run->reason);
	va_list ap;

	if (used)
		text_add(run->reason, sizeof(run->reason), "; ");
	used = strlen(run->reason);
	va_start(ap, fmt);
	vsnprintf(run->reason + used, sizeof(run->reason) - used, fmt, ap);
	va_end(ap);
}

static void describe_exit(int status, char *buf, size_t size)
{
	if (WIFSIGNALED(status))
		text_set(buf, size, "it was killed by signal %d, %s", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		text_set(buf, size, "its exit status was %d", WEXITSTATUS(status));
}

/* Nothing was explored: writes the only message, which states the cause and the remedy. */
static void no_threads(struct run *run)
{
	const char *program = run->target.argv[0];
	struct execution e;
	char why[256], exit_text[128] = "";
	bool failed = run->sup.wait_status != 0;

	run->unusable = true;
	run->no_threads = !failed;
	if (failed)
		describe_exit(run->sup.wait_status, exit_text, sizeof(exit_text));
	if (run->sup.end == SESSION_NO_THREADS && segment_execution(&run->seg, &e, why, sizeof(why))) {
		if (e.bug.kind != BUG_NONE) {
			failed = true;
			run->no_threads = false;
			text_set(exit_text, sizeof(exit_text), "%.120s", e.bug.message);
		}
		execution_free(&e);
	}
	if (shared_load(&run->seg.session->ctl.native_children))
		add_reason(run, "nothing to explore: %s creates its threads in child processes, which run without simul: make it run its tests in "
			"one process (Check: CK_FORK=no; Acutest: --no-exec), or run simul on the program that it starts", program);
	else if (failed)
		add_reason(run, "nothing to explore: %s failed before it created a thread (%s); first make it work without simul, and check its "
			"arguments", program, exit_text);
	else
		add_reason(run, "nothing to explore: %s ended without creating a thread; simul explores the "
			"interleavings of threads made with pthread_create, std::thread or thrd_create: check "
			"the arguments, or give the program that starts the threads", program);
}

static void stop_reason(struct run *run)
{
	uint64_t n = run->stats.executions;

	switch (run->sup.cause) {
	case STOP_TIME:
		if (!n && shared_load(&run->seg.session->ctl.state) == STATE_STARTING)
			add_reason(run, "time budget used up before %s created a thread (simul sees each memory access, so setup takes longer: reduce "
				"the work, or use --no-patch)", run->target.argv[0]);
		else
			add_reason(run, "time budget used up after %" PRIu64 " executions", n);
		return;
	case STOP_EXECUTIONS:
		add_reason(run, "budget of executions used up after %" PRIu64 " executions", n);
		return;
	case STOP_USER:
		add_reason(run, "interrupted after %" PRIu64 " executions", n);
		return;
	case STOP_BUG:
		add_reason(run, "stopped at the first bug, after %" PRIu64 " executions (--keep-going continues)", n);
		return;
	case STOP_NONE:
		add_reason(run, "stopped after %" PRIu64 " executions", n);
		return;
	}
}

static void end_reason(struct run *run)
{
	char text[160];

	switch (run->sup.end) {
	case SESSION_OVER:
		if (!run->stats.finished && !run->stats.out_of_memory && !run->stats.diverged)
			stop_reason(run);
		return;
	case SESSION_STOPPED:
		stop_reason(run);
		return;
	case SESSION_NO_THREADS:
	case SESSION_DIED:
		no_threads(run);
		return;
	case SESSION_REFUSED:
		run->unusable = true;
		add_reason(run, "%s", run->sup.text);
		return;
	case SESSION_STUCK:
		describe_exit(run->sup.wait_status, text, sizeof(text));
		run->unusable = true;
		add_reason(run, "%s repeatedly ends before it creates the threads to be tested (%s)",
			run->target.argv[0], text);
		return;
	case SESSION_SLOW_START:
		run->unusable = true;
		add_reason(run, "%s created no thread in %.0f s of CPU time; if it needs that long to set up, raise "
			"--hang-timeout", run->target.argv[0], 6 * (double)run->opt.hang_ns / 1e9);
		return;
	case SESSION_INTERNAL:
		run->internal = true;
		add_reason(run, "internal error of simul inside the program: %s (please report it)",
			run->sup.text);
		return;
	}
}

static const char *did(const struct event *e)
{
	return e->kind == EV_UPDATE ? "a buffered store reaches memory" : event_kind_text(e->kind);
}

static void divergence_reason(struct run *run)
{
	const struct explore_stats *st = &run->stats;
	const struct event *a = &st->divergence.expected, *b = &st->divergence.found;

	add_reason(run, "the program is not deterministic: at step %u it did \"%s\" the first time and \"%s\" when the same schedule was "
		"repeated (possible causes: files changed by child processes, time, random numbers, addresses, or a call that simul does not "
		"see)", st->divergence.step + 1, did(a), did(b));
}

/* Adds the reasons why the search is incomplete. Bounds completed before remain complete. */
static void omissions(struct run *run)
{
	const struct explore_stats *st = &run->stats;

	if (st->out_of_memory)
		add_reason(run, "the memory of the search (--memory %" PRIu64 "M) is used up after %" PRIu64
			" executions", run->opt.memory >> 20, st->executions);
	if (st->cut)
		add_reason(run, "%" PRIu64 " execution%s cut after %u steps (--max-steps)", st->cut,
			st->cut == 1 ? " was" : "s were", run->opt.max_steps);
}

bool verdict_only_regions(const struct run *run)
{
	return shared_load(&run->seg.session->ctl.applied_regions) & REGION_EXPLORE;
}

static const char *within_regions(const struct run *run)
{
	return verdict_only_regions(run) ? " within the regions to explore" : "";
}

/* Some executions were ended because a thread kept running long after exit was called. */
static void cut_short_reason(struct run *run)
{
	const struct session_control *ctl = &run->seg.session->ctl;
	struct thread_names *names;
	uint32_t t = shared_load(&ctl->cut_short_thread);
	char name[64] = "a thread";

	if (!shared_load(&ctl->cut_short))
		return;
	names = xcalloc(1, sizeof(*names));
	if (segment_names(&run->seg, names) && t < names->count)
		thread_name_format(names, (thread_id)t, name, sizeof(name));
	free(names);
	add_reason(run, "%s was still running long after exit was called; its later steps are not explored", name);
}

/* Adds the reasons why results may be unreliable. */
static void weaknesses(struct run *run)
{
	const struct explore_stats *st = &run->stats;
	char what[SESSION_MESSAGE];
	size_t unconfirmed = run->n_findings - findings_confirmed(run);
	const struct session_control *ctl = &run->seg.session->ctl;

	if (st->diverged)
		divergence_reason(run);
	cut_short_reason(run);
	if (shared_load(&ctl->time_forced))
		add_reason(run, "a thread kept running for long while others slept, so their waits ended; what it could do before is not explored");
	if (st->renamed)
		add_reason(run, "synchronisation objects are on the heap at addresses that depend on the schedule, so some orders may have been missed");
	if (segment_agents_full(&run->seg))
		add_reason(run, "threads store to more locations than there are store buffers (%u)", MAX_AGENTS);
	if (segment_memory_full(&run->seg))
		add_reason(run, "threads share more memory than simul can track (%u pages)", MEMORY_PAGES);
	if (segment_await_full(&run->seg))
		add_reason(run, "there are more spin loops than simul can track");
	if (run->seg.session->ctl.unsettled)
		add_reason(run, "the shared memory or spin loops differed in every schedule, so the warm-up never ended");
	if (run->uncontrolled) {
		segment_text(run->seg.session->ctl.uncontrolled_what, what);
		add_reason(run, "%u call%s could not be controlled, the first: %.200s", run->uncontrolled,
			run->uncontrolled == 1 ? "" : "s", what);
	}
	if (verdict_only_regions(run) && !((ctl->regions_begun | ctl->regions_before) & REGION_EXPLORE))
		add_reason(run, "the first region to explore (simul_explore_begin) was not reached: before it, only one schedule runs");
	if (run->native_children && !run->no_threads)
		add_reason(run, "%u process%s of the program created threads that were not controlled",
			run->native_children, run->native_children == 1 ? "" : "es");
	if (run->unrecorded)
		add_reason(run, "%u failure%s could not be recorded because the program overwrote simul's memory", run->unrecorded,
			run->unrecorded == 1 ? "" : "s");
	if (unconfirmed)
		add_reason(run, "%zu failure%s not happen again in replays", unconfirmed,
			unconfirmed == 1 ? " did" : "s did");
}

/* The full search and the last bound may have met the same traces, each at most once. So the counts are not added. */
static void take_sighting(struct finding *f, const struct session_sighting *seen)
{
	f->count = seen->count > seen->bounded ? seen->count : seen->bounded;
	f->samples = seen->sampled;
	if (seen->least && (!f->bound || seen->least < f->bound))
		f->bound = seen->least;
}

static void count_sightings(struct run *run)
{
	const struct session *s = run->seg.session;

	for (size_t i = 0; i < run->n_findings; i++) {
		run->findings[i].count = 0;
		for (unsigned k = 0; k < s->signatures && k < SESSION_SIGNATURES; k++)
			if (s->seen[k].signature == run->findings[i].signature)
				take_sighting(&run->findings[i], &s->seen[k]);
	}
}

void verdict_decide(struct run *run)
{
	size_t missing;

	workers_stats(&run->workers, &run->seg, &run->stats);
	run->uncontrolled = shared_load(&run->seg.session->ctl.uncontrolled);
	run->native_children = shared_load(&run->seg.session->ctl.native_children);
	count_sightings(run);
	end_reason(run);
	omissions(run);
	missing = strlen(run->reason);
	weaknesses(run);
	run->weakness = !run->reason[missing] ? NULL : run->reason + missing + (run->reason[missing] == ';' ? 2 : 0);
	if (run->unusable || run->internal || run->reason[missing])
		run->stats.bound_done = 0;
	if (run->n_findings)
		run->verdict = VERDICT_BUG;
	else if (!run->reason[0] && run->stats.finished)
		run->verdict = run->config.bound && run->stats.bounded_out ? VERDICT_BOUNDED : VERDICT_COMPLETE;
	else
		run->verdict = run->stats.bound_done ? VERDICT_BOUNDED : VERDICT_INCOMPLETE;
}

/* ---- text ---- */

char *verdict_bug_text(const struct recording *r)
{
	const char *thread = r->bug_thread < r->n_threads ? r->threads[r->bug_thread].path : NULL;

	char *text = xasprintf("%s%s%s%s%s", bug_kind_text(r->bug_kind), r->where ? " at " : "",
		r->where ? r->where : "", thread ? " in " : "", thread ? thread : "");

	printable_replace(&text, PRINTABLE_LINE);
	return text;
}

static void print_bug(const struct run *run, const struct finding *f, FILE *out)
{
	char *text = verdict_bug_text(f->recording);
	char confirmed[64];

	if (!f->same)
		text_set(confirmed, sizeof(confirmed), "NOT confirmed");
	else if (f->same < f->tries)
		text_set(confirmed, sizeof(confirmed), "confirmed %u of %u", f->same, f->tries);
	else
		text_set(confirmed, sizeof(confirmed), "confirmed");
	fprintf(out, "%s (execution %" PRIu64 ", %s)", text, f->execution, confirmed);
	if (f->path)
		fprintf(out, " - recording %s", f->path);
	free(text);
}

static const char *unit_explored(const struct run *run)
{
	return run->config.strategy == STRATEGY_EXHAUSTIVE ? "interleavings" : "traces";
}

/* Returns what follows the word "complete": " under TSO"; "" under sequential consistency. */
static const char *under_model(const struct run *run)
{
	return run->config.model == MODEL_TSO ? " under TSO" : run->config.model == MODEL_PSO ? " under PSO" : "";
}

/* Returns the number of traces explored, or of interleavings for the exhaustive strategy. */
static uint64_t units(const struct run *run)
{
	bool atomic = shared_load(&run->seg.session->ctl.applied_regions) & REGION_ATOMIC; /* then some traces may have been explored repeatedly */
	if (run->config.strategy == STRATEGY_EXHAUSTIVE || (run->config.strategy == STRATEGY_OPTIMAL && !atomic))
		return run->stats.executions;
	return run->stats.distinct_traces;
}

static void print_jobs(const struct run *run)
{
	char why[SESSION_MESSAGE + 64];

	jobs_why(run, why, sizeof(why));
	if (why[0])
		fprintf(run->human, "jobs: %u, not %u: %s\n", run->workers.most, run->jobs, why);
	else if (run->workers.most > 1)
		fprintf(run->human, "jobs: %u\n", run->workers.most);
}

/* Prints ", 12 of 1680 traces explored fail in this way", if the search continued after the bug. */
static void print_share(const struct run *run, const struct finding *f)
{
	bool repeats = run->config.strategy == STRATEGY_RANDOM || run->config.strategy == STRATEGY_BPOR;
	uint64_t n = repeats ? run->stats.executions : units(run);

	if (!run->opt.keep_going || !f->count || f->count > n || (run->config.strategy == STRATEGY_AUTO && !run->stats.finished))
		return;
	fprintf(run->human, ", %" PRIu64 " of %" PRIu64 " %s%s fail%s in this way", f->count, n, repeats ? "executions" : unit_explored(run),
		repeats ? "" : " explored", f->count == 1 ? "s" : "");
}

/* Returns whether the number of traces within the bound is only a lower bound. */
static bool within_bound_unknown(const struct run *run)
{
	return run->stats.bound_unknown || (run->config.strategy == STRATEGY_BPOR && run->stats.distinct_overflow);
}

static void print_summary(const struct run *run)
{
	const struct explore_stats *st = &run->stats;
	char why[512], estimate[128];
	const char *isolation = isolation_used(run, why, sizeof(why));

	fprintf(run->human, "executions: %" PRIu64 "\n", st->executions);
	if (st->samples)
		fprintf(run->human, "of these, samples (%s): %" PRIu64 "\n", explore_strategy_name(STRATEGY_SURW), st->samples);
	if (run->config.strategy == STRATEGY_AUTO && st->distinct_traces < st->executions) /* larger bounds repeat what smaller ones explored */
		fprintf(run->human, "distinct traces: %s%" PRIu64 "\n", st->finished ? "" : "at least ", st->distinct_traces);
	progress_estimate(st, estimate, sizeof(estimate));
	if (estimate[0])
		fprintf(run->human, "estimated executions of the whole search: %s\n", estimate);
	if (run->config.patience)
		fprintf(run->human, "timeouts of %.9g s and more: only when no thread can proceed otherwise "
			"(--patience)\n", (double)run->config.patience / NS_PER_S);
	if (run->config.discrete_time)
		fputs("time: passes only when nothing else can happen (--time-model discrete)\n", run->human);
	if (run->config.barrier_first)
		fputs("serial result of barriers: the thread with the smallest number (--barrier-serial first)\n", run->human);
	if (!run->config.late_exit)
		fputs("exits: at any point (--exit any)\n", run->human);
	fprintf(run->human, "blocked: %" PRIu64 "\n", st->blocked);
	fprintf(run->human, "cut: %" PRIu64 "\n", st->cut + st->bounded_out);
	if (st->assumed)
		fprintf(run->human, "cut by simul_assume: %" PRIu64 "\n", st->assumed);
	if (run->config.bound)
		fprintf(run->human, "within the bound: %s%" PRIu64 "\n", within_bound_unknown(run) ? "at least " : "", st->within_bound);
	fprintf(run->human, "events: %" PRIu64 "\n", st->events);
	sampling_print(run);
	if (run->coverage.uncovered)
		fprintf(run->human, "functions not covered: %" PRIu64 "\n", run->coverage.uncovered);
	fprintf(run->human, "bugs: %zu\n", run->n_findings);
	print_jobs(run);
	fprintf(run->human, "isolation: %s%s%s\n", isolation, why[0] ? ": " : "", why);
	if (run->seg.session->ctl.resumed)
		fprintf(run->human, "executions started from snapshots: %" PRIu64 "\n", run->seg.session->ctl.resumed);
	if (run->seg.session->ctl.lost)
		fprintf(run->human, "executions killed from outside (out of memory?) and repeated: %" PRIu64 "\n", run->seg.session->ctl.lost);
	if (run->sup.output_cut)
		fprintf(run->human, "note: an execution wrote more than %.3g MiB to standard output or standard error: only the end was kept (--memory)\n",
			(double)run->capture.keep / (1 << 20));
	fprintf(run->human, "seconds: %.2f\n", run->seconds);
	if (run->learning_executions)
		fprintf(run->human, "%" PRIu64 " warm-up execution%s to find shared memory\n",
			run->learning_executions, run->learning_executions == 1 ? "" : "s");
	races_print(&run->races, run->opt.fail_on_race, run->human);
}

static void print_bug_verdict(const struct run *run)
{
	size_t confirmed = findings_confirmed(run);
	const struct finding *best = NULL;
	char explored[1024], upto[64];

	coverage_text(&run->coverage, explored, sizeof(explored));
	for (size_t i = 0; i < run->n_findings; i++) {
		const struct finding *f = &run->findings[i];

		if (!best || (!best->same && f->same))
			best = f;
		if (run->n_findings > 1) {
			fprintf(run->human, "bug %zu: ", i + 1);
			print_bug(run, f, run->human);
			print_share(run, f);
			fputc('\n', run->human);
		}
	}
	fprintf(run->human, "simul: %s%s: ", confirmed > 1 ? "bugs found" : confirmed ? "bug found" :
		"unconfirmed failure", under_model(run));
	if (run->n_findings > 1)
		fprintf(run->human, "%zu, the first: ", run->n_findings);
	print_bug(run, best, run->human);
	if (run->n_findings == 1)
		print_share(run, best);
	if (!confirmed)
		fprintf(run->human, "; replayed: %s", best->other);
	bounds_text(&run->stats, upto, sizeof(upto));
	if (upto[0] && !run->stats.finished && run->opt.keep_going)
		fprintf(run->human, "; the search is %s", upto);
	if (!run->reason[0] && run->stats.finished)
		fprintf(run->human, "; the search is complete%s%s%s%s", run->stats.bounded_out ? " up to the bound on preemptions" : "",
			within_regions(run), under_model(run), explored);
	fputc('\n', run->human);
}

/* Returns "; 3 more executions were cut by simul_assume"; "" if none was. */
static char *assumed_text(const struct run *run, char *buf, size_t size)
{
	uint64_t n = run->stats.assumed;

	buf[0] = 0;
	if (n)
		text_set(buf, size, "; %" PRIu64 " more execution%s cut by simul_assume", n, n == 1 ? " was" : "s were");
	return buf;
}

static void print_complete_verdict(const struct run *run, const char *explored)
{
	const char *sequential = run->config.robustness ? units(run) == 1 ? ", and it is sequentially consistent" :
		", and all are sequentially consistent" : "";
	char assumed[80];

	fprintf(run->human, "simul: complete%s%s%s: ", within_regions(run), under_model(run), explored);
	if (!units(run) && run->stats.assumed) {
		fprintf(run->human, "simul_assume cut each of %" PRIu64 " execution%s, so none ran to its end; no bug (%.2f s)\n",
			run->stats.assumed, run->stats.assumed == 1 ? "" : "s", run->seconds);
		return;
	}
	if (units(run) == 1)
		fprintf(run->human, "there is only one trace, no bug%s", sequential);
	else
		fprintf(run->human, "every one of %" PRIu64 " %s explored, no bug%s", units(run), unit_explored(run), sequential);
	fprintf(run->human, "%s (%.2f s)\n", assumed_text(run, assumed, sizeof(assumed)), run->seconds);
}

/* Prints the verdict of --strategy auto when it was stopped after some bounds were complete. */
static void print_iterated_verdict(const struct run *run, const char *explored)
{
	const struct explore_stats *st = &run->stats;
	char upto[64];

	bounds_text(st, upto, sizeof(upto));
	fprintf(run->human, "simul: %s%s: %" PRIu64 " trace%s explored, no bug so far; beyond that, unfinished (%s) (%.2f s)\n", upto, explored,
		st->bound_traces, st->bound_traces == 1 ? "" : "s", run->reason, run->seconds);
}

static void print_bounded_verdict(const struct run *run, const char *explored)
{
	const struct explore_stats *st = &run->stats;
	uint32_t most = run->config.bound - 1;
	char assumed[80];

	fprintf(run->human, "simul: complete up to %u preemption%s%s: %s%" PRIu64 " trace%s within the bound", most, most == 1 ? "" : "s",
		explored, within_bound_unknown(run) ? "at least " : "", st->within_bound, st->within_bound == 1 ? "" : "s");
	if (run->config.strategy == STRATEGY_BPOR)
		fprintf(run->human, " explored, in %" PRIu64 " execution%s", st->executions, st->executions == 1 ? "" : "s");
	else
		fprintf(run->human, ", and %" PRIu64 " beyond it, explored", st->executions - st->within_bound);
	fprintf(run->human, ", no bug%s (%.2f s)\n", assumed_text(run, assumed, sizeof(assumed)), run->seconds);
}

static void print_verdict(const struct run *run)
{
	char explored[1024];

	coverage_text(&run->coverage, explored, sizeof(explored));
	if ((run->unusable || run->internal) && !run->n_findings) {
		say("%s", run->reason);
		return;
	}
	if (!run->opt.quiet)
		print_summary(run);
	if (run->verdict == VERDICT_BUG)
		print_bug_verdict(run);
	else if (run->verdict == VERDICT_BOUNDED && !run->config.bound)
		print_iterated_verdict(run, explored);
	else if (run->verdict == VERDICT_BOUNDED)
		print_bounded_verdict(run, explored);
	else if (run->verdict == VERDICT_COMPLETE)
		print_complete_verdict(run, explored);
	else
		fprintf(run->human, "simul: incomplete%s%s: %s, no %sbug found so far (%.2f s)\n", within_regions(run), under_model(run), run->reason,
			run->unrecorded ? "other " : "", run->seconds);
}

void verdict_print(struct run *run)
{
	FILE *out = run->human;

	run->human = printable_stream(out);
	print_verdict(run);
	fclose(run->human);
	run->human = out;
	fflush(out);
}

int verdict_exit_code(const struct run *run)
{
	if (run->verdict == VERDICT_BUG)
		return SIMUL_EXIT_BUG;
	if (run->internal)
		return SIMUL_EXIT_INTERNAL;
	if (run->unusable)
		return SIMUL_EXIT_USAGE;
	if (run->opt.require_complete && (run->verdict == VERDICT_INCOMPLETE || (run->verdict == VERDICT_BOUNDED && !run->config.bound)))
		return SIMUL_EXIT_INCOMPLETE;
	return SIMUL_EXIT_OK;
}
