/* Prints the summary of a search and its verdict. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/bugs/findings.h"
#include "cli/supervise/counts.h"
#include "cli/supervise/jobs.h"
#include "cli/supervise/search.h"
#include "cli/verdict/graphs_left.h"
#include "cli/verdict/isolation.h"
#include "cli/verdict/policy_text.h"
#include "cli/verdict/sampling.h"
#include "cli/verdict/verdict.h"
#include "explore/explore.h"

static const char *within_regions(const struct verdict *v)
{
	return verdict_only_regions(&v->search->seg) ? " within the regions to explore" : "";
}

char *verdict_bug_text(const struct recording *r)
{
	const char *thread = r->failure.thread < r->n_threads ? r->threads[r->failure.thread].path : NULL;
	const char *in = r->failure.process ? r->failure.process : thread;
	char *text = xasprintf("%s%s%s%s%s", bug_kind_text(r->failure.kind), r->failure.where ? " at " : "",
		r->failure.where ? r->failure.where : "", in ? " in " : "", in ? in : "");

	printable_replace(&text, PRINTABLE_LINE);
	return text;
}

static void print_bug(const struct finding *f, FILE *out)
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

/* What the strategy counts: one of them, or several. */
static const char *unit_name(const struct session_config *config, bool several)
{
	if (config->strategy == STRATEGY_EXHAUSTIVE)
		return several ? "interleavings" : "interleaving";
	if (config->strategy == STRATEGY_STEPS)
		return several ? "classes of schedules" : "class of schedules";
	if (config->strategy == STRATEGY_GRAPHS)
		return several ? "execution graphs" : "execution graph";
	if (config->sections)
		return several ? "classes" : "class";
	return several ? "traces" : "trace";
}

/* Returns what follows the word "complete": " under TSO"; "" under sequential consistency. */
static const char *under_model(const struct session_config *config)
{
	static const char *const texts[] = {"", " under TSO", " under PSO", " under RC11"};
	return texts[config->settings.model];
}

/* Names the option that restricts when waits time out: other orders were not explored. */
static const char *with_time(const struct session_config *config)
{
	return config->settings.discrete_time ? " with --time-model discrete" : config->settings.patience ? " with --patience" : "";
}

/* Returns `text` with a semicolon before it, in buf; "" for NULL. */
static const char *further(const char *text, char *buf, size_t size)
{
	buf[0] = 0;
	if (text)
		text_set(buf, size, "; %s", text);
	return buf;
}

/* Returns the kinds of regions that the search takes into account, enum region_bits. */
static uint32_t regions(const struct verdict *v)
{
	return shared_load(&v->search->seg.session->ctl.discoveries.applied_regions);
}

/* Returns the number of traces explored, or of interleavings for the exhaustive strategy. */
static uint64_t units(const struct verdict *v)
{
	uint32_t strategy = v->search->config.strategy;
	/* then some traces may have been explored repeatedly */
	bool atomic = regions(v) & REGION_ATOMIC;

	if (strategy == STRATEGY_EXHAUSTIVE || strategy == STRATEGY_STEPS || (strategy == STRATEGY_OPTIMAL && !atomic))
		return v->stats.executions;
	return v->stats.distinct_traces;
}

static void print_jobs(const struct verdict *v, FILE *out)
{
	char why[SESSION_MESSAGE + 64];

	jobs_why(v->search, why, sizeof(why));
	if (why[0])
		fprintf(out, "jobs: %u, not %u: %s\n", v->search->workers.most, v->search->jobs, why);
	else if (v->search->workers.most > 1)
		fprintf(out, "jobs: %u\n", v->search->workers.most);
}

/* Prints ", 12 of 1680 traces explored fail in this way", if the search continued after the bug. */
static void print_share(const struct verdict *v, const struct finding *f, FILE *out)
{
	uint32_t strategy = v->search->config.strategy;
	bool repeats = explore_samples(strategy) || strategy == STRATEGY_BPOR;
	uint64_t n = repeats ? v->stats.executions : units(v);

	if (!v->search->opt.keep_going || !f->count || f->count > n ||
		(strategy == STRATEGY_AUTO && !v->stats.finished))
		return;
	const char *unit = repeats ? "executions" : unit_name(&v->search->config, true);
	fprintf(out, ", %" PRIu64 " of %" PRIu64 " %s%s fail%s in this way", f->count, n, unit,
		repeats ? "" : " explored", f->count == 1 ? "s" : "");
}

/* Returns whether the number of traces within the bound is only a lower bound. */
static bool within_bound_unknown(const struct verdict *v)
{
	return v->stats.bound_unknown || (v->search->config.strategy == STRATEGY_BPOR && v->stats.distinct_overflow);
}

/* Prints the executions that the note of lengthy_go_on is about. */
static void print_before_windows(const struct lengthy *l, FILE *out)
{
	uint64_t n = l->cut + l->ended;

	if (l->windows && n)
		fprintf(out, "executions before windows, counted apart: %" PRIu64 " (%" PRIu64 " cut)\n", n, l->cut);
}

static void print_summary(const struct verdict *v, FILE *out)
{
	const struct session_config *config = &v->search->config;
	const struct explore_stats *st = &v->stats;
	const struct counts counts = counts_of(st, v->search->seg.session->ctl.warm_up.executions);
	const struct distinct distinct = counts_distinct(config->strategy, st);
	char why[512], estimate[128], left[256];
	const char *isolation = isolation_used(config, v->search->seg.session, why, sizeof(why));
	char threads[512];

	isolation_threads_reason(config, v->kernel_threads_for, threads, sizeof(threads));
	if (counts.warm_up && !counts.executions)
		fprintf(out, "executions: 0, and %" PRIu64 " of the warm-up\n", counts.warm_up);
	else
		fprintf(out, "executions: %" PRIu64 "\n", counts.executions);
	if (counts.warm_up && counts.executions) /* a bug may be from one of these */
		fprintf(out, "warm-up executions to find shared memory, counted apart: %" PRIu64 "\n", counts.warm_up);
	print_before_windows(&v->search->lengthy, out);
	if (st->samples)
		fprintf(out, "of these, samples (%s): %" PRIu64 "\n", explore_strategy_name(STRATEGY_SURW), st->samples);
	/* larger bounds repeat what smaller ones explored */
	if (config->strategy == STRATEGY_AUTO && st->samples && st->samples == st->executions)
		fprintf(out, "distinct traces: not counted, as all executions were samples\n");
	else if (config->strategy == STRATEGY_AUTO && distinct.n < counts.executions)
		fprintf(out, "distinct traces: %s%" PRIu64 "\n", distinct.least ? "at least " : "", distinct.n);
	if (st->block_traces)
		fprintf(out, "block traces: %s%" PRIu64 ", without turns that only wait\n",
			st->block_overflow || !st->finished ? "at least " : "", st->block_traces);
	progress_estimate(st, estimate, sizeof(estimate));
	if (estimate[0])
		fprintf(out, "estimated executions of the whole search: %s\n", estimate);
	else if (st->estimate > st->executions && !st->finished)
		fputs("estimated executions of the whole search: no end in sight\n", out);
	if (config->settings.patience)
		fprintf(out, "timeouts of %.9g s and more: only when no thread can proceed otherwise "
			"(--patience)\n", (double)config->settings.patience / NS_PER_S);
	if (config->settings.discrete_time)
		fputs("time: passes only when nothing else can happen (--time-model discrete)\n", out);
	if (config->settings.barrier_first)
		fputs("serial result of barriers: the thread with the smallest number (--barrier-serial first)\n", out);
	policy_summary(v->search->seg.session, out);
	if (regions(v) & REGION_SECTIONS)
		fputs("sections: steps, ordered only by shared data (--sections)\n", out);
	else if (config->sections)
		fputs("sections: none is a step (--sections), so that the search is the same as without\n", out);
	if (!config->settings.late_exit)
		fputs("exits: at any point (--exit any)\n", out);
	fprintf(out, "blocked: %" PRIu64 "\n", st->blocked);
	fprintf(out, "cut: %" PRIu64 "\n", explore_cut(st) + st->bounded_out);
	if (st->samples_cut)
		fprintf(out, "samples among those cut (%s): %" PRIu64 "\n", explore_strategy_name(STRATEGY_SURW),
			st->samples_cut);
	if (st->assumed)
		fprintf(out, "cut by simul_assume: %" PRIu64 "\n", st->assumed);
	if (config->bound)
		fprintf(out, "within the bound: %s%" PRIu64 "\n", within_bound_unknown(v) ? "at least " : "", st->within_bound);
	fprintf(out, "events: %" PRIu64 "\n", st->events);
	sampling_print(config, st, out);
	if (v->seen.coverage.uncovered)
		fprintf(out, "functions not covered: %" PRIu64 "\n", v->seen.coverage.uncovered);
	fprintf(out, "bugs: %zu\n", v->findings->n);
	print_jobs(v, out);
	fprintf(out, "isolation: %s%s%s\n", isolation, why[0] ? ": " : "", why);
	if (threads[0])
		fprintf(out, "threads: kernel: %s\n", threads);
	if (v->search->seg.session->ctl.rewind.resumed)
		fprintf(out, "executions started from snapshots: %" PRIu64 "\n", v->search->seg.session->ctl.rewind.resumed);
	if (v->search->seg.session->ctl.execution.lost)
		fprintf(out, "executions killed from outside (out of memory?) and repeated: %" PRIu64 "\n", v->search->seg.session->ctl.execution.lost);
	if (v->search->sup.output_cut)
		fprintf(out, "note: an execution wrote more than %.3g MiB to standard output or standard error: only the end was kept "
			"(--memory)\n",
			(double)v->search->capture.keep / (1 << 20));
	if (config->settings.model == MODEL_RC11 && v->seen.coverage.why[0])
		fprintf(out, "note: not explored: %s\n", v->seen.coverage.why);
	if (graphs_left_text(st->graphs_left, left, sizeof(left))[0])
		fprintf(out, "note: %s\n", left);
	fprintf(out, "seconds: %.2f\n", v->seconds);
	races_print(&v->seen.races, config->settings.fail_on_race, out);
}

/* Returns whether a failure ended the process before all other threads had ended. Memory that they share only in what they would have done
   then was not found to be shared, so traces that differ in its accesses alone were not explored. */
static bool ended_early(const struct findings *findings)
{
	for (size_t i = 0; i < findings->n; i++) {
		const struct recording *r = findings->list[i].recording;
		size_t ended = 1; /* the thread that failed never does */

		for (size_t k = 0; k < r->n_steps; k++)
			ended += r->steps[k].kind == EV_THREAD_EXIT;
		if (r->failure.kind != BUG_DEADLOCK && r->failure.kind != BUG_LIVELOCK && r->failure.kind != BUG_EXIT && ended < r->n_threads)
			return true;
	}
	return false;
}

static void print_bug_verdict(const struct verdict *v, const char *stuck, FILE *out)
{
	size_t confirmed = findings_confirmed(v->findings);
	const struct finding *best = NULL;
	char explored[2048], limits[160], upto[64];

	coverage_text(&v->seen.coverage, explored, sizeof(explored));
	for (size_t i = 0; i < v->findings->n; i++) {
		const struct finding *f = &v->findings->list[i];

		if (!best || (!best->same && f->same))
			best = f;
		if (v->findings->n > 1) {
			fprintf(out, "bug %zu: ", i + 1);
			print_bug(f, out);
			print_share(v, f, out);
			fputc('\n', out);
		}
	}
	fprintf(out, "simul: %s%s: ", confirmed > 1 ? "bugs found" : confirmed ? "bug found" :
		"unconfirmed failure", under_model(&v->search->config));
	if (v->findings->n > 1)
		fprintf(out, "%zu, the first: ", v->findings->n);
	print_bug(best, out);
	if (v->findings->n == 1)
		print_share(v, best, out);
	if (!confirmed)
		fprintf(out, "; replayed: %s", best->other);
	bounds_text(&v->stats, upto, sizeof(upto));
	if (upto[0] && !v->stats.finished && v->search->opt.keep_going)
		fprintf(out, "; the search is %s", upto);
	if (!v->reason[0] && v->stats.finished)
		fprintf(out, "; the search is complete%s%s%s%s%s%s%s", v->stats.bounded_out ? " up to the bound on preemptions" : "",
			within_regions(v), under_model(&v->search->config), with_time(&v->search->config), explored,
			further(v->limited, limits, sizeof(limits)), ended_early(v->findings) ? ", apart from what only runs after a failure" : "");
	fprintf(out, "%s\n", stuck);
}

/* Returns "; 3 more executions were cut by simul_assume"; "" if none was. */
static char *assumed_text(uint64_t n, char *buf, size_t size)
{
	buf[0] = 0;
	if (n)
		text_set(buf, size, "; %" PRIu64 " more execution%s cut by simul_assume", n, n == 1 ? " was" : "s were");
	return buf;
}

static const char *coroutines_text(const struct verdict *v)
{
	bool ran = shared_load(&v->search->seg.session->ctl.facts.cooperative) & COROUTINES_RAN;

	return ran ? "; coroutines only in the program's own order" : "";
}

static void print_complete_verdict(const struct verdict *v, const char *explored, const char *stuck, FILE *out)
{
	const char *sequential = v->search->config.settings.robustness ? units(v) == 1 ? ", and it is sequentially consistent" :
		", and all are sequentially consistent" : "";
	const char *classes = v->search->config.sections ? " (order of sections that share no data not counted)" :
		v->search->config.strategy == STRATEGY_STEPS ? " (order of independent steps of processes not counted)" : "";
	char assumed[80], limits[160];

	fprintf(out, "simul: complete%s%s%s%s%s: ", within_regions(v), under_model(&v->search->config),
		with_time(&v->search->config), explored, further(v->limited, limits, sizeof(limits)));
	if (!units(v) && v->stats.assumed) {
		fprintf(out, "simul_assume cut each of %" PRIu64 " execution%s, so none ran to its end; no bug%s (%.2f s)\n",
			v->stats.assumed, v->stats.assumed == 1 ? "" : "s", stuck, v->seconds);
		return;
	}
	const char *unit = unit_name(&v->search->config, units(v) != 1);
	if (units(v) == 1)
		fprintf(out, "there is only one %s%s, no bug%s", unit, classes, sequential);
	else
		fprintf(out, "every one of %" PRIu64 " %s explored%s, no bug%s", units(v), unit, classes, sequential);
	fprintf(out, "%s%s%s%s (%.2f s)\n", assumed_text(v->stats.assumed, assumed, sizeof(assumed)),
		shared_load(&v->search->seg.session->ctl.facts.ran_on) && !v->limited ? "; turns of waiting loops that change nothing left out" : "",
		coroutines_text(v), stuck, v->seconds);
}

/* Prints the verdict of --strategy auto when it was stopped after some bounds were complete. */
static void print_auto_verdict(const struct verdict *v, const char *explored, const char *stuck, FILE *out)
{
	const struct explore_stats *st = &v->stats;
	char limits[160], upto[64];

	bounds_text(st, upto, sizeof(upto));
	fprintf(out, "simul: %s%s%s: %" PRIu64 " trace%s explored, no bug so far; beyond that, unfinished (%s)%s (%.2f s)\n", upto, explored,
		further(segment_threads_stopped(&v->search->seg) ? ENDLESS_TEXT : NULL, limits, sizeof(limits)), st->bound_traces,
		st->bound_traces == 1 ? "" : "s", v->reason, stuck, v->seconds);
}

static void print_bounded_verdict(const struct verdict *v, const char *explored, const char *stuck, FILE *out)
{
	const struct explore_stats *st = &v->stats;
	uint32_t most = v->search->config.bound - 1;
	char assumed[80], limits[160];

	fprintf(out, "simul: complete up to %u preemption%s%s%s: %s%" PRIu64 " trace%s within the bound", most, most == 1 ? "" : "s",
		explored, further(v->limited, limits, sizeof(limits)), within_bound_unknown(v) ? "at least " : "", st->within_bound, st->within_bound == 1 ? "" : "s");
	if (v->search->config.strategy == STRATEGY_BPOR)
		fprintf(out, " explored, in %" PRIu64 " execution%s", st->executions, st->executions == 1 ? "" : "s");
	else
		fprintf(out, ", and %" PRIu64 " beyond it, explored", st->executions - st->within_bound);
	fprintf(out, ", no bug%s%s (%.2f s)\n", assumed_text(v->stats.assumed, assumed, sizeof(assumed)), stuck, v->seconds);
}

static void print_verdict(const struct verdict *v, FILE *out)
{
	char explored[2048];

	coverage_text(&v->seen.coverage, explored, sizeof(explored));
	if ((v->unusable || v->internal) && !v->findings->n) {
		say("%s", v->reason);
		return;
	}
	if (!v->search->opt.quiet)
		print_summary(v, out);
	char what_if[256], *circle = circle_text(&v->seen.circle, v->stats.executions);
	char *stuck = xasprintf("%s%s", circle, policy_verdict(v->search->seg.session, what_if, sizeof(what_if)));
	if (v->kind == VERDICT_BUG)
		print_bug_verdict(v, stuck, out);
	else if (v->kind == VERDICT_COMPLETE || (v->kind == VERDICT_BOUNDED && verdict_bounded_by(v) == BOUNDED_ROUNDS))
		print_complete_verdict(v, explored, stuck, out);
	else if (v->kind == VERDICT_BOUNDED && !v->search->config.bound)
		print_auto_verdict(v, explored, stuck, out);
	else if (v->kind == VERDICT_BOUNDED)
		print_bounded_verdict(v, explored, stuck, out);
	else
		fprintf(out, "simul: incomplete%s%s: %s, no %sbug found so far%s (%.2f s)\n", within_regions(v), under_model(&v->search->config), v->reason,
			v->findings->unrecorded ? "other " : "", stuck, v->seconds);
	free(stuck);
	free(circle);
}

void verdict_print(const struct verdict *v, FILE *out)
{
	FILE *to = printable_stream(out);

	print_verdict(v, to);
	fclose(to);
	fflush(out);
}
