/* Prints the summary of a search and its verdict. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/findings.h"
#include "cli/run.h"
#include "cli/supervise/counts.h"
#include "cli/supervise/jobs.h"
#include "cli/verdict/isolation.h"
#include "cli/verdict/sampling.h"
#include "cli/verdict/verdict.h"
#include "explore/explore.h"

static const char *within_regions(const struct run *run)
{
	return verdict_only_regions(run) ? " within the regions to explore" : "";
}

char *verdict_bug_text(const struct recording *r)
{
	const char *thread = r->failure.thread < r->n_threads ? r->threads[r->failure.thread].path : NULL;
	char *text = xasprintf("%s%s%s%s%s", bug_kind_text(r->failure.kind), r->failure.where ? " at " : "",
		r->failure.where ? r->failure.where : "", thread ? " in " : "", thread ? thread : "");

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
	fprintf(out, "%s (execution %" PRIu64 "%s, %s)", text, f->execution, f->warm_up ? " of the warm-up" : "", confirmed);
	if (f->path)
		fprintf(out, " - recording %s", f->path);
	free(text);
}

static const char *unit_explored(const struct run *run)
{
	return run->search.config.strategy == STRATEGY_EXHAUSTIVE ? "interleavings" : run->search.config.strategy == STRATEGY_STEPS ? "classes of schedules" :
		run->search.config.sections ? "classes" : "traces";
}

/* Returns what follows the word "complete": " under TSO"; "" under sequential consistency. */
static const char *under_model(const struct run *run)
{
	return run->search.config.settings.model == MODEL_TSO ? " under TSO" : run->search.config.settings.model == MODEL_PSO ? " under PSO" : "";
}

/* Names the option that restricts when waits time out: other orders were not explored. */
static const char *with_time(const struct run *run)
{
	return run->search.config.settings.discrete_time ? " with --time-model discrete" : run->search.config.settings.patience ? " with --patience" : "";
}

/* Returns `text` with a semicolon before it, in buf; "" for NULL. */
static const char *further(const char *text, char *buf, size_t size)
{
	buf[0] = 0;
	if (text)
		text_set(buf, size, "; %s", text);
	return buf;
}

/* Returns the number of traces explored, or of interleavings for the exhaustive strategy. */
static uint64_t units(const struct run *run)
{
	bool atomic = shared_load(&run->search.seg.session->ctl.discoveries.applied_regions) & REGION_ATOMIC; /* then some traces may have been explored repeatedly */
	if (run->search.config.strategy == STRATEGY_EXHAUSTIVE || run->search.config.strategy == STRATEGY_STEPS || (run->search.config.strategy == STRATEGY_OPTIMAL && !atomic))
		return run->stats.executions;
	return run->stats.distinct_traces;
}

static void print_jobs(const struct run *run)
{
	char why[SESSION_MESSAGE + 64];

	jobs_why(&run->search, why, sizeof(why));
	if (why[0])
		fprintf(run->human, "jobs: %u, not %u: %s\n", run->search.workers.most, run->search.jobs, why);
	else if (run->search.workers.most > 1)
		fprintf(run->human, "jobs: %u\n", run->search.workers.most);
}

/* Prints ", 12 of 1680 traces explored fail in this way", if the search continued after the bug. */
static void print_share(const struct run *run, const struct finding *f)
{
	bool repeats = run->search.config.strategy == STRATEGY_RANDOM || run->search.config.strategy == STRATEGY_BPOR;
	uint64_t n = repeats ? run->stats.executions : units(run);

	if (!run->search.opt.keep_going || !f->count || f->count > n || (run->search.config.strategy == STRATEGY_AUTO && !run->stats.finished))
		return;
	fprintf(run->human, ", %" PRIu64 " of %" PRIu64 " %s%s fail%s in this way", f->count, n, repeats ? "executions" : unit_explored(run),
		repeats ? "" : " explored", f->count == 1 ? "s" : "");
}

/* Returns whether the number of traces within the bound is only a lower bound. */
static bool within_bound_unknown(const struct run *run)
{
	return run->stats.bound_unknown || (run->search.config.strategy == STRATEGY_BPOR && run->stats.distinct_overflow);
}

static void print_summary(const struct run *run)
{
	const struct explore_stats *st = &run->stats;
	const struct counts counts = counts_of(st, run->search.seg.session->ctl.warm_up.executions);
	char why[512], estimate[128];
	const char *isolation = isolation_used(run, why, sizeof(why));
	char threads[512];

	isolation_threads_reason(run, threads, sizeof(threads));
	if (counts.warm_up && !counts.executions)
		fprintf(run->human, "executions: 0, and %" PRIu64 " of the warm-up\n", counts.warm_up);
	else
		fprintf(run->human, "executions: %" PRIu64 "\n", counts.executions);
	if (counts.warm_up && counts.executions) /* a bug may be from one of these */
		fprintf(run->human, "warm-up executions to find shared memory, counted apart: %" PRIu64 "\n", counts.warm_up);
	if (st->samples)
		fprintf(run->human, "of these, samples (%s): %" PRIu64 "\n", explore_strategy_name(STRATEGY_SURW), st->samples);
	if (run->search.config.strategy == STRATEGY_AUTO && counts.distinct < counts.executions) /* larger bounds repeat what smaller ones explored */
		fprintf(run->human, "distinct traces: %s%" PRIu64 "\n", counts.distinct_least ? "at least " : "", counts.distinct);
	progress_estimate(st, estimate, sizeof(estimate));
	if (estimate[0])
		fprintf(run->human, "estimated executions of the whole search: %s\n", estimate);
	else if (st->estimate > st->executions && !st->finished)
		fputs("estimated executions of the whole search: no end in sight\n", run->human);
	if (run->search.config.settings.patience)
		fprintf(run->human, "timeouts of %.9g s and more: only when no thread can proceed otherwise "
			"(--patience)\n", (double)run->search.config.settings.patience / NS_PER_S);
	if (run->search.config.settings.discrete_time)
		fputs("time: passes only when nothing else can happen (--time-model discrete)\n", run->human);
	if (run->search.config.settings.barrier_first)
		fputs("serial result of barriers: the thread with the smallest number (--barrier-serial first)\n", run->human);
	if (run->search.config.sections)
		fputs("sections: steps, ordered only by shared data (--sections); data races are not looked for\n", run->human);
	if (!run->search.config.settings.late_exit)
		fputs("exits: at any point (--exit any)\n", run->human);
	fprintf(run->human, "blocked: %" PRIu64 "\n", st->blocked);
	fprintf(run->human, "cut: %" PRIu64 "\n", st->cut + st->bounded_out);
	if (st->assumed)
		fprintf(run->human, "cut by simul_assume: %" PRIu64 "\n", st->assumed);
	if (run->search.config.bound)
		fprintf(run->human, "within the bound: %s%" PRIu64 "\n", within_bound_unknown(run) ? "at least " : "", st->within_bound);
	fprintf(run->human, "events: %" PRIu64 "\n", st->events);
	sampling_print(run);
	if (run->coverage.uncovered)
		fprintf(run->human, "functions not covered: %" PRIu64 "\n", run->coverage.uncovered);
	fprintf(run->human, "bugs: %zu\n", run->findings.n);
	print_jobs(run);
	fprintf(run->human, "isolation: %s%s%s\n", isolation, why[0] ? ": " : "", why);
	if (threads[0])
		fprintf(run->human, "threads: kernel: %s\n", threads);
	if (run->search.seg.session->ctl.rewind.resumed)
		fprintf(run->human, "executions started from snapshots: %" PRIu64 "\n", run->search.seg.session->ctl.rewind.resumed);
	if (run->search.seg.session->ctl.execution.lost)
		fprintf(run->human, "executions killed from outside (out of memory?) and repeated: %" PRIu64 "\n", run->search.seg.session->ctl.execution.lost);
	if (run->search.sup.output_cut)
		fprintf(run->human, "note: an execution wrote more than %.3g MiB to standard output or standard error: only the end was kept "
			"(--memory)\n",
			(double)run->search.capture.keep / (1 << 20));
	fprintf(run->human, "seconds: %.2f\n", run->seconds);
	races_print(&run->races, run->search.config.settings.fail_on_race, run->human);
}

/* Returns whether a failure ended the process before all other threads had ended. Memory that they share only in what they would have done
   then was not found to be shared, so traces that differ in its accesses alone were not explored. */
static bool ended_early(const struct run *run)
{
	for (size_t i = 0; i < run->findings.n; i++) {
		const struct recording *r = run->findings.list[i].recording;
		size_t ended = 1; /* the thread that failed never does */

		for (size_t k = 0; k < r->n_steps; k++)
			ended += r->steps[k].kind == EV_THREAD_EXIT;
		if (r->failure.kind != BUG_DEADLOCK && r->failure.kind != BUG_LIVELOCK && r->failure.kind != BUG_EXIT && ended < r->n_threads)
			return true;
	}
	return false;
}

static void print_bug_verdict(const struct run *run, const char *stuck)
{
	size_t confirmed = findings_confirmed(&run->findings);
	const struct finding *best = NULL;
	char explored[2048], limits[160], upto[64];

	coverage_text(&run->coverage, explored, sizeof(explored));
	for (size_t i = 0; i < run->findings.n; i++) {
		const struct finding *f = &run->findings.list[i];

		if (!best || (!best->same && f->same))
			best = f;
		if (run->findings.n > 1) {
			fprintf(run->human, "bug %zu: ", i + 1);
			print_bug(run, f, run->human);
			print_share(run, f);
			fputc('\n', run->human);
		}
	}
	fprintf(run->human, "simul: %s%s: ", confirmed > 1 ? "bugs found" : confirmed ? "bug found" :
		"unconfirmed failure", under_model(run));
	if (run->findings.n > 1)
		fprintf(run->human, "%zu, the first: ", run->findings.n);
	print_bug(run, best, run->human);
	if (run->findings.n == 1)
		print_share(run, best);
	if (!confirmed)
		fprintf(run->human, "; replayed: %s", best->other);
	bounds_text(&run->stats, upto, sizeof(upto));
	if (upto[0] && !run->stats.finished && run->search.opt.keep_going)
		fprintf(run->human, "; the search is %s", upto);
	if (!run->reason[0] && run->stats.finished)
		fprintf(run->human, "; the search is complete%s%s%s%s%s%s%s", run->stats.bounded_out ? " up to the bound on preemptions" : "",
			within_regions(run), under_model(run), with_time(run), explored, further(run->limited, limits, sizeof(limits)), ended_early(run) ? ", apart from what only runs after a failure" : "");
	fprintf(run->human, "%s\n", stuck);
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

static void print_complete_verdict(const struct run *run, const char *explored, const char *stuck)
{
	const char *sequential = run->search.config.settings.robustness ? units(run) == 1 ? ", and it is sequentially consistent" :
		", and all are sequentially consistent" : "";
	const char *classes = run->search.config.sections ? " (order of sections that share no data not counted)" :
		run->search.config.strategy == STRATEGY_STEPS ? " (order of independent steps of processes not counted)" : "";
	char assumed[80], limits[160];

	fprintf(run->human, "simul: complete%s%s%s%s%s: ", within_regions(run), under_model(run), with_time(run), explored, further(run->limited, limits, sizeof(limits)));
	if (!units(run) && run->stats.assumed) {
		fprintf(run->human, "simul_assume cut each of %" PRIu64 " execution%s, so none ran to its end; no bug%s (%.2f s)\n",
			run->stats.assumed, run->stats.assumed == 1 ? "" : "s", stuck, run->seconds);
		return;
	}
	if (units(run) == 1)
		fprintf(run->human, "there is only one %s%s, no bug%s", run->search.config.strategy == STRATEGY_STEPS ? "class of schedules" :
			run->search.config.sections ? "class" : "trace", classes, sequential);
	else
		fprintf(run->human, "every one of %" PRIu64 " %s explored%s, no bug%s", units(run), unit_explored(run), classes, sequential);
	fprintf(run->human, "%s%s%s%s (%.2f s)\n", assumed_text(run, assumed, sizeof(assumed)),
		shared_load(&run->search.seg.session->ctl.facts.ran_on) && !run->limited ? "; turns of waiting loops that change nothing left out" : "",
		shared_load(&run->search.seg.session->ctl.facts.cooperative) & COROUTINES_RAN ? "; coroutines (swapcontext) only in the program's own order" : "",
		stuck, run->seconds);
}

/* Prints the verdict of --strategy auto when it was stopped after some bounds were complete. */
static void print_auto_verdict(const struct run *run, const char *explored, const char *stuck)
{
	const struct explore_stats *st = &run->stats;
	char limits[160], upto[64];

	bounds_text(st, upto, sizeof(upto));
	fprintf(run->human, "simul: %s%s%s: %" PRIu64 " trace%s explored, no bug so far; beyond that, unfinished (%s)%s (%.2f s)\n", upto, explored,
		further(segment_threads_stopped(&run->search.seg) ? ENDLESS_TEXT : NULL, limits, sizeof(limits)), st->bound_traces, st->bound_traces == 1 ? "" : "s", run->reason, stuck, run->seconds);
}

static void print_bounded_verdict(const struct run *run, const char *explored, const char *stuck)
{
	const struct explore_stats *st = &run->stats;
	uint32_t most = run->search.config.bound - 1;
	char assumed[80], limits[160];

	fprintf(run->human, "simul: complete up to %u preemption%s%s%s: %s%" PRIu64 " trace%s within the bound", most, most == 1 ? "" : "s",
		explored, further(run->limited, limits, sizeof(limits)), within_bound_unknown(run) ? "at least " : "", st->within_bound, st->within_bound == 1 ? "" : "s");
	if (run->search.config.strategy == STRATEGY_BPOR)
		fprintf(run->human, " explored, in %" PRIu64 " execution%s", st->executions, st->executions == 1 ? "" : "s");
	else
		fprintf(run->human, ", and %" PRIu64 " beyond it, explored", st->executions - st->within_bound);
	fprintf(run->human, ", no bug%s%s (%.2f s)\n", assumed_text(run, assumed, sizeof(assumed)), stuck, run->seconds);
}

static void print_verdict(const struct run *run)
{
	char explored[2048];

	coverage_text(&run->coverage, explored, sizeof(explored));
	if ((run->unusable || run->internal) && !run->findings.n) {
		say("%s", run->reason);
		return;
	}
	if (!run->search.opt.quiet)
		print_summary(run);
	char *stuck = circle_text(&run->circle, run->stats.executions);
	if (run->verdict == VERDICT_BUG)
		print_bug_verdict(run, stuck);
	else if (run->verdict == VERDICT_COMPLETE || (run->verdict == VERDICT_BOUNDED && verdict_bounded_by(run) == BOUNDED_ROUNDS))
		print_complete_verdict(run, explored, stuck);
	else if (run->verdict == VERDICT_BOUNDED && !run->search.config.bound)
		print_auto_verdict(run, explored, stuck);
	else if (run->verdict == VERDICT_BOUNDED)
		print_bounded_verdict(run, explored, stuck);
	else
		fprintf(run->human, "simul: incomplete%s%s: %s, no %sbug found so far%s (%.2f s)\n", within_regions(run), under_model(run), run->reason,
			run->findings.unrecorded ? "other " : "", stuck, run->seconds);
	free(stuck);
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
