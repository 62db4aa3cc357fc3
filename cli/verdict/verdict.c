/* Decides the verdict, which must never claim more than was explored. verdict_text.c prints it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/exit_codes.h"
#include "cli/base/interrupt.h"
#include "cli/bugs/findings.h"
#include "cli/supervise/counts.h"
#include "cli/supervise/lengthy.h"
#include "cli/supervise/search.h"
#include "cli/verdict/divergence.h"
#include "cli/verdict/sampling.h"
#include "cli/verdict/systemc.h"
#include "cli/base/say.h"
#include "cli/verdict/verdict.h"
#include "explore/explore.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"
#include "sched/choice.h"
#include "sched/memory.h"
#include "sched/policy.h"
#include "sched/rounds.h"

/* ---- reasons ---- */

static void add_reason(struct verdict *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add_reason(struct verdict *v, const char *fmt, ...)
{
	size_t used = strlen(v->reason);
	va_list ap;

	if (used)
		text_add(v->reason, sizeof(v->reason), "; ");
	used = strlen(v->reason);
	va_start(ap, fmt);
	vsnprintf(v->reason + used, sizeof(v->reason) - used, fmt, ap);
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

/* Adds what was not explored of threads that this policy orders. */
static void policy_reasons(struct verdict *v, const struct session_policies *found, enum policy_number number)
{
	const struct policy *p = policy_of(number);
	char path[SESSION_MESSAGE];

	segment_text(found->path, path);
	if (shared_load(&found->unknown) & POLICY_BIT(number))
		add_reason(v, "the orders of %s %s are not explored: simul does not know this build of %s (%.200s)",
			p->scheduler, p->threads, p->scheduler, path);
	if (shared_load(&found->full) & POLICY_BIT(number))
		add_reason(v, "more than %u %s %s were runnable; from there on, %s ran in one order only", CHOOSE_MOST,
			p->scheduler, p->threads, p->threads);
}

/* Returns whether GNU Pth's scheduler ran, with this policy or of an unknown build. */
static bool pth_seen(const struct session_facts *facts, enum policy_number policy)
{
	return (shared_load(&facts->policies.ran) | shared_load(&facts->policies.unknown)) & POLICY_BIT(policy);
}

/* Adds what was not explored of a program that schedules threads of its own. */
static void cooperative_reasons(struct verdict *v)
{
	const struct session_facts *facts = &v->search->seg.session->ctl.facts;

	for (enum policy_number i = 0; i < POLICIES; i++)
		policy_reasons(v, &facts->policies, i);
	if (v->search->config.settings.pth_order && !pth_seen(facts, POLICY_PTH_ANY))
		add_reason(v, "--pth-order any found no scheduler of GNU Pth (link with -lpth dynamically)");
	if (systemc_is_inside(v->search->target.path))
		add_reason(v, "the orders of SystemC processes are not explored: SystemC is linked statically (link with -lsystemc dynamically)");
	if (shared_load(&facts->cooperative) & SYSTEMC_RESET_UNSEEN)
		add_reason(v,
			"a signal reset a SystemC method, but no loaded module imports "
			"async_reset_signal_is; from there on, processes ran in one order only");
}

/* Nothing was explored: writes the only message, which states the cause and the remedy. */
static void no_threads(struct verdict *v)
{
	const char *program = v->search->target.argv[0];
	struct execution e;
	char why[256], exit_text[128] = "";
	bool pth = pth_seen(&v->search->seg.session->ctl.facts, POLICY_PTH);
	bool failed = v->search->sup.wait_status != 0;
	bool systemc = shared_load(&v->search->seg.session->ctl.facts.cooperative) & SYSTEMC_LOADED;
	bool own_order = systemc_is_inside(v->search->target.path) ||
			 shared_load(&v->search->seg.session->ctl.facts.policies.unknown) & POLICY_BIT(POLICY_SYSTEMC);

	v->unusable = true;
	v->no_threads = !failed;
	if (failed)
		describe_exit(v->search->sup.wait_status, exit_text, sizeof(exit_text));
	if (v->search->sup.end == SESSION_NO_THREADS && segment_execution(&v->search->seg, &e, why, sizeof(why))) {
		if (e.bug.kind != BUG_NONE) {
			failed = true;
			v->no_threads = false;
			text_set(exit_text, sizeof(exit_text), "%.120s", e.bug.message);
		}
		execution_free(&e);
	}
	if (shared_load(&v->search->seg.session->ctl.facts.native_children))
		add_reason(v, "nothing to explore: the program creates its threads in child processes, which run without "
			      "simul: make it run its tests in one process (Check: CK_FORK=no; Acutest: --no-exec), or "
			      "run simul on the program that it starts");
	else if (own_order && !failed)
		add_reason(v,
			"nothing to explore: %s created no thread, and its SystemC processes, if it has any, run in "
			"their kernel's own order",
			program);
	else if (systemc && failed)
		add_reason(v, "nothing to explore: %s failed before two of its SystemC processes were runnable at once (%s); first make it work "
			"without simul, and check its arguments", program, exit_text);
	else if (systemc)
		add_reason(v, "nothing to explore: %s ended before any of its SystemC processes ran; simul explores the orders of processes that "
			"are runnable at once (and of threads): check the arguments, and that sc_start is called", program);
	else if (pth && !failed)
		add_reason(v, "nothing to explore: %s has only threads of GNU Pth, which runs the ready one of highest "
			      "priority; to explore every order of them, as a what-if, add --pth-order any",
			program);
	else if (failed)
		add_reason(v, "nothing to explore: %s failed before it created a thread (%s); first make it work without simul, and check its "
			"arguments", program, exit_text);
	else
		add_reason(v, "nothing to explore: %s ended without creating a thread; simul explores the "
			"interleavings of threads made with pthread_create, std::thread or thrd_create: check "
			"the arguments, or give the program that starts the threads", program);
	if (shared_load(&v->search->seg.session->ctl.facts.cooperative) & COROUTINES_RAN)
		add_reason(v, "coroutines run in the order that the program's own code decides; no other is tried");
	cooperative_reasons(v);
}

/* Writes how far the search came: "after 12 executions"; if the first one did not end, how many events it has. */
static void how_far(const struct verdict *v, const struct counts *counts, char *buf, size_t size)
{
	const struct explore_stats *st = &v->stats;
	uint32_t events = shared_load(&v->search->seg.session->ctl.execution.trace_n);
	char done[80];

	if (events && !(counts->all + explore_cut(st) + st->blocked + st->assumed))
		text_set(buf, size, "in the first execution%s, after %" PRIu32 " events",
			v->search->config.strategy == STRATEGY_WINDOWS ? " in slices" : "", events);
	else
		text_set(buf, size, "after %s", counts_text(counts, done, sizeof(done)));
}

static void stop_reason(struct verdict *v)
{
	const struct counts counts = counts_of(&v->stats, v->search->seg.session->ctl.warm_up.executions);
	char done[80];

	how_far(v, &counts, done, sizeof(done));
	switch (v->search->sup.cause) {
	case STOP_TIME:
		if (!counts.all && shared_load(&v->search->seg.session->ctl.handshake.state) == STATE_STARTING)
			add_reason(v, "time budget used up before the program created a thread%s",
				v->native_children ? "" : " (simul sees each memory access, so setup takes longer: "
							  "reduce the work, or use --no-patch)");
		else
			add_reason(v, "time budget used up %s", done);
		return;
	case STOP_EXECUTIONS:
		add_reason(v, "budget of executions used up %s", done);
		return;
	case STOP_USER:
		add_reason(v, "interrupted %s", done);
		return;
	case STOP_BUG:
		add_reason(v, "stopped at the first bug, %s (--keep-going continues)", done);
		return;
	case STOP_LENGTHY: /* the search with windows, which follows, did not begin */
	case STOP_NONE:
		add_reason(v, "stopped %s", done);
		return;
	}
}

static void end_reason(struct verdict *v)
{
	char text[160];

	switch (v->search->sup.end) {
	case SESSION_OVER:
		if (!v->stats.finished && !v->stats.out_of_memory && !v->stats.diverged)
			stop_reason(v);
		return;
	case SESSION_AGAIN:
	case SESSION_STOPPED:
		stop_reason(v);
		return;
	case SESSION_NO_THREADS:
	case SESSION_DIED:
		no_threads(v);
		return;
	case SESSION_REFUSED:
		v->unusable = true;
		add_reason(v, "%s", v->search->sup.text);
		return;
	case SESSION_STUCK:
		describe_exit(v->search->sup.wait_status, text, sizeof(text));
		v->unusable = true;
		add_reason(v, "%s repeatedly ends before it creates the threads to be tested (%s)",
			v->search->target.argv[0], text);
		return;
	case SESSION_SLOW_START:
		v->unusable = true;
		add_reason(v, "%s created no thread in %.0f s of CPU time; if it needs that long to set up, raise "
			"--hang-timeout", v->search->target.argv[0], 6 * (double)v->search->opt.hang_ns / 1e9);
		return;
	case SESSION_INTERNAL:
		v->internal = true;
		add_reason(v, "internal error of simul inside the program: %s (please report it)",
			v->search->sup.text);
		return;
	}
}

static void divergence_reason(struct verdict *v)
{
	char what[800];

	divergence_describe(v->search, &v->stats, what, sizeof(what));
	if (v->search->seg.session->ctl.warm_up.unsettled) {
		add_reason(v, "a schedule could not be repeated, since not all spin loops are known: %s", what);
		return;
	}
	add_reason(v, "the program is not deterministic: %s (possible causes: files changed by child processes, time, random numbers, addresses, or a call "
		"that simul does not see)", what);
}

/* Adds why no window was finished: how long executions take. */
static void no_window_reason(struct verdict *v)
{
	uint64_t began = v->search->lengthy.slices_ns, now = wall_clock_ns(), n = v->stats.executions + v->stats.cut;
	unsigned jobs = v->search->workers.n > 1 ? v->search->workers.n : 1;

	if (!v->stats.windows && began)
		add_reason(v, "an execution takes %.1f s, and a window needs up to %u",
			(double)(now - began) / 1e9 * jobs / (double)n, WINDOW_EXECUTIONS);
}

/* Returns what explores executions that are too long, for a search in which most are. */
static const char *instead_of_whole(const struct verdict *v)
{
	if (explore_samples(v->search->config.strategy) || !lengthy_mostly(v->search, &v->stats))
		return "";
	if (v->search->opt.settings.model == MODEL_RC11)
		return "; --strategy windows, which explores parts of executions, does not exist under --model rc11";
	if (lengthy_without(&v->search->opt))
		return "; --strategy windows, which explores parts of executions, does not support these options";
	return "; --strategy windows explores parts of executions";
}

/* Adds how many executions were cut. Samples do not make a search incomplete that is complete without them. */
static void cut_reason(struct verdict *v)
{
	const struct explore_stats *st = &v->stats;
	uint64_t samples = st->finished && !st->cut ? 0 : st->samples_cut, n = st->cut + samples;
	char among[96] = "";

	if (!n)
		return;
	if (samples)
		text_set(among, sizeof(among), ", samples among them: %" PRIu64 "%s", samples,
			st->samples ? "" : "; no sample ran to its end");
	add_reason(v, "%" PRIu64 " execution%s cut after %u steps (--max-steps)%s%s", n, n == 1 ? " was" : "s were",
		v->search->config.settings.max_steps, among, instead_of_whole(v));
}

/* Adds the reasons why the search is incomplete. Bounds completed before remain complete. */
static void omissions(struct verdict *v)
{
	const struct explore_stats *st = &v->stats;

	if (st->out_of_memory)
		add_reason(v, "the memory of the search (--memory %" PRIu64 "M) is used up after %" PRIu64
			" executions", v->search->opt.memory >> 20, st->executions);
	if (v->search->config.strategy == STRATEGY_WINDOWS && st->executions + st->cut) {
		char text[512];

		add_reason(v, "windows explored: %s", sampling_windows(st, text, sizeof(text)));
		no_window_reason(v);
	}
	cut_reason(v);
}

bool verdict_only_regions(const struct segment *seg)
{
	return shared_load(&seg->session->ctl.discoveries.applied_regions) & REGION_EXPLORE;
}

/* An exit cut off what a thread would have done. */
static void cut_short_reason(struct verdict *v)
{
	const struct session_control *ctl = &v->search->seg.session->ctl;
	struct thread_names *names;
	uint32_t t = shared_load(&ctl->facts.cut_short_thread);
	char name[64] = "a thread";

	uint32_t how = shared_load(&ctl->facts.cut_short);

	if (!how)
		return;
	names = xcalloc(1, sizeof(*names));
	if (segment_names(&v->search->seg, names) && t < names->count)
		thread_name_format(names, (thread_id)t, name, sizeof(name));
	free(names);
	add_reason(v, how & CUT_RUNNING ? "%s was still running long after exit was called; its later steps are not explored"
					  : "%s was still waiting for another process when the program exited; its later steps are not explored", name);
}

/* Adds the reasons why results may be unreliable. */
static void weaknesses(struct verdict *v)
{
	const struct explore_stats *st = &v->stats;
	char what[SESSION_MESSAGE];
	size_t unconfirmed = v->findings->n - findings_confirmed(v->findings);
	const struct session_control *ctl = &v->search->seg.session->ctl;

	if (st->diverged)
		divergence_reason(v);
	cut_short_reason(v);
	if (!v->unusable)
		cooperative_reasons(v);
	if (shared_load(&ctl->facts.time_forced))
		add_reason(v, "a thread kept running for long while others slept, so their waits ended; what it could do before is not explored");
	if (shared_load(&ctl->facts.endless))
		add_reason(v,
			"threads may wait in loops for ever: an execution that others should cover did not end in %u "
			"steps (--max-steps)%s",
			v->search->config.settings.max_steps, explore_cut(st) ? "" : instead_of_whole(v));
	if (v->search->config.strategy == STRATEGY_TRUST && (shared_load(&ctl->facts.trust_misses) & TRUST_REQUEUES))
		add_reason(v, "futex calls moved waiters (FUTEX_REQUEUE), and --strategy trust misses orders of some programs with them (--strategy optimal explores all)");
	if (v->search->config.strategy == STRATEGY_TRUST && (shared_load(&ctl->facts.trust_misses) & TRUST_HANDLERS))
		add_reason(v, "signal handlers ran, and --strategy trust misses orders of some programs with them (--strategy optimal explores all)");
	if (st->renamed)
		add_reason(v, "which object an operation uses depends on the schedule (an address on the heap, or "
			      "what a file name stands for), so some orders may have been missed (--strategy source "
			      "does not rely on it)");
	if (segment_agents_full(&v->search->seg))
		add_reason(v, "threads store to more locations than there are store buffers (%u)", MAX_AGENTS);
	if (segment_memory_full(&v->search->seg))
		add_reason(v, "threads share more memory than simul can track (%u pages)", MEMORY_PAGES);
	if (segment_await_doubts(&v->search->seg) & AWAIT_FULL)
		add_reason(v, "there are more spin loops than simul can track");
	if (segment_await_doubts(&v->search->seg) & AWAIT_PAST)
		add_reason(v,
			"a thread spins on memory that was written in parts, or very often, before the thread came "
			"there; what it could have found then is not known");
	if (v->search->seg.session->ctl.warm_up.unsettled)
		add_reason(v, "the warm-up was ended after %" PRIu64 " executions, although it still found new spin loops or shared memory, and the search "
			"went on with those known by then", v->search->seg.session->ctl.warm_up.executions);
	if (v->uncontrolled) {
		segment_text(v->search->seg.session->ctl.facts.uncontrolled_what, what);
		add_reason(v, "%u call%s could not be controlled, the first: %.200s", v->uncontrolled,
			v->uncontrolled == 1 ? "" : "s", what);
	}
	if (verdict_only_regions(&v->search->seg) && !((ctl->discoveries.regions_begun | ctl->discoveries.regions_before) & REGION_EXPLORE))
		add_reason(v, "the first region to explore (simul_explore_begin) was not reached: before it, only one schedule runs");
	if (v->native_children && !v->no_threads)
		add_reason(v, "%u process%s that the program started created threads, which simul did not control",
			v->native_children, v->native_children == 1 ? "" : "es");
	if (v->findings->unrecorded)
		add_reason(v, "%u failure%s could not be recorded because the program overwrote simul's memory", v->findings->unrecorded,
			v->findings->unrecorded == 1 ? "" : "s");
	if (unconfirmed)
		add_reason(v, "%zu failure%s not happen again in replays", unconfirmed,
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

static void count_sightings(struct verdict *v)
{
	const struct session *s = v->search->seg.session;

	for (size_t i = 0; i < v->findings->n; i++) {
		v->findings->list[i].count = 0;
		v->findings->list[i].warm_up = v->findings->list[i].warm_up_before != s->ctl.warm_up.executions;
		for (unsigned k = 0; k < s->signatures && k < SESSION_SIGNATURES; k++)
			if (s->seen[k].signature == v->findings->list[i].signature)
				take_sighting(&v->findings->list[i], &s->seen[k]);
	}
}

const char *verdict_limits(const struct segment *seg)
{
	bool loops = segment_loops_limited(seg), threads = segment_threads_stopped(seg);

	return loops && threads ? LIMITED_TEXT ", " ENDLESS_TEXT : loops ? LIMITED_TEXT : threads ? ENDLESS_TEXT : NULL;
}

/* No execution ended within the limits. Names a loop: it may end by itself after more turns than a probe has room
   for. */
static void no_end_reason(struct verdict *v)
{
	struct symbols *symbols = v->search->maps ? symbols_open(v->search->maps) : NULL;
	uint64_t pc = segment_limited_loop(&v->search->seg);
	char *where = symbols && pc ? symbolize_where(symbols, pc) : NULL;

	add_reason(v, "no execution ended while its waiting loops made at most %u rounds%s%.200s%s", ROUNDS_TRIED,
		where ? " (one is at " : "", where ? where : "",
		where ? "; if it ends by itself, use a larger --max-steps or --strategy windows)" : "");
	free(where);
	symbols_close(symbols);
}

void verdict_decide(struct verdict *v)
{
	size_t missing;

	workers_stats(&v->search->workers, &v->search->seg, &v->stats);
	v->uncontrolled = shared_load(&v->search->seg.session->ctl.facts.uncontrolled);
	v->native_children = shared_load(&v->search->seg.session->ctl.facts.native_children);
	v->limited = v->stats.finished ? verdict_limits(&v->search->seg) : NULL;
	count_sightings(v);
	end_reason(v);
	omissions(v);
	missing = strlen(v->reason);
	if (v->limited && !v->stats.distinct_traces)
		no_end_reason(v);
	weaknesses(v);
	v->weakness = !v->reason[missing] ? NULL : v->reason + missing + (v->reason[missing] == ';' ? 2 : 0);
	if (v->unusable || v->internal || v->reason[missing])
		v->stats.bound_done = 0;
	if (v->findings->n)
		v->kind = VERDICT_BUG;
	else if (!v->reason[0] && v->stats.finished)
		v->kind = (v->search->config.bound && v->stats.bounded_out) || v->limited ? VERDICT_BOUNDED : VERDICT_COMPLETE;
	else
		v->kind = v->stats.bound_done ? VERDICT_BOUNDED : VERDICT_INCOMPLETE;
}

bool verdict_is_unfinished(const struct verdict *v)
{
	return (v->kind == VERDICT_INCOMPLETE || v->kind == VERDICT_BOUNDED) && !v->unusable && !v->internal;
}

unsigned verdict_bounded_by(const struct verdict *v)
{
	unsigned by = 0;

	if (v->kind != VERDICT_BOUNDED)
		return 0;
	if (v->limited)
		by |= BOUNDED_ROUNDS;
	if (v->search->config.bound ? v->stats.bounded_out != 0 : !v->limited)
		by |= BOUNDED_PREEMPTIONS;
	return by;
}

int verdict_exit_code(const struct verdict *v)
{
	if (v->kind == VERDICT_BUG)
		return SIMUL_EXIT_BUG;
	if (v->internal)
		return SIMUL_EXIT_INTERNAL;
	if (v->unusable)
		return SIMUL_EXIT_USAGE;
	if (v->search->opt.require_complete && (v->kind == VERDICT_INCOMPLETE || (v->kind == VERDICT_BOUNDED && !v->search->config.bound)))
		return SIMUL_EXIT_INCOMPLETE;
	return SIMUL_EXIT_OK;
}
