/* --json: one object with a fixed schema (see the manual page). */
#include <string.h>
#include <sys/resource.h>

#include "cli/bugs/findings.h"
#include "cli/verdict/graphs_left.h"
#include "cli/verdict/isolation.h"
#include "cli/supervise/jobs.h"
#include "cli/base/json_out.h"
#include "cli/verdict/json.h"
#include "cli/verdict/policy_text.h"
#include "cli/verdict/verdict.h"
#include "recorder/json/settings_json.h"
#include "cli/options/run_options.h"
#include "cli/supervise/counts.h"
#include "cli/supervise/search.h"
#include "cli/verdict/sampling.h"
#include "explore/explore.h"

#define SCHEMA 1

static json_t *bug_object(const struct finding *f)
{
	const struct recording *r = f->recording;
	const char *thread = r->failure.thread < r->n_threads ? r->threads[r->failure.thread].path : NULL;
	json_t *o = json_object();

	json_object_set_new(o, "kind", json_text(bug_kind_text(r->failure.kind)));
	json_object_set_new(o, "message", json_text(r->failure.message));
	json_object_set_new(o, "where", json_text(r->failure.where));
	json_object_set_new(o, "thread", json_text(thread));
	json_object_set_new(o, "process", json_text(r->failure.process));
	json_object_set_new(o, "execution", json_number(f->execution));
	json_object_set_new(o, "warm_up", json_boolean(f->warm_up));
	json_object_set_new(o, "count", json_number(f->count));
	json_object_set_new(o, "samples", json_number(f->samples));
	json_object_set_new(o, "bound", f->bound ? json_integer(f->bound - 1) : json_null());
	json_object_set_new(o, "needs_preemptions",
		r->needs.enough && r->needs.enough == r->needs.least ? json_integer(r->needs.enough - 1) : json_null());
	json_object_set_new(o, "preemptions", json_number(r->preemptions));
	json_object_set_new(o, "switches", json_number(recording_switches(r)));
	json_object_set_new(o, "confirmed", json_boolean(f->same > 0));
	json_object_set_new(o, "recording", json_text(f->path));
	return o;
}

static json_t *bug_list(const struct findings *findings)
{
	json_t *list = json_array();

	for (size_t i = 0; i < findings->n; i++)
		json_array_append_new(list, bug_object(&findings->list[i]));
	return list;
}

static uint64_t peak_memory_kb(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return (uint64_t)(self.ru_maxrss > children.ru_maxrss ? self.ru_maxrss : children.ru_maxrss);
}

/* Returns the memory that the search uses; of several workers, the first one's. */
static uint64_t search_memory_kb(const struct segment *seg)
{
	const struct session_layout *l = &seg->layout;
	uint64_t used = explore_used((const char *)seg->session + l->explore_off);

	return (used < l->explore_size ? used : l->explore_size) / 1024;
}

static json_t *reason(const struct verdict *v)
{
	if (v->kind == VERDICT_COMPLETE || (v->kind == VERDICT_BOUNDED && v->search->config.bound))
		return v->seen.coverage.why[0] ? json_text(v->seen.coverage.why) : json_null();
	if (v->kind == VERDICT_BOUNDED && v->limited)
		return json_text(v->limited);
	return v->reason[0] ? json_text(v->reason) : json_null();
}

/* Returns the bound that the verdict names. */
static json_t *preemptions(const struct verdict *v)
{
	if (v->search->config.bound)
		return json_integer(v->search->config.bound - 1);
	return verdict_bounded_by(v) & BOUNDED_PREEMPTIONS ? json_integer(v->stats.bound_done - 1) : json_null();
}

/* Lists the bounds of the verdict "bounded". */
static json_t *bounded_by(const struct verdict *v)
{
	unsigned by = verdict_bounded_by(v);
	json_t *list = json_array();

	if (by & BOUNDED_PREEMPTIONS)
		json_array_append_new(list, json_text("preemptions"));
	if (by & BOUNDED_ROUNDS)
		json_array_append_new(list, json_text("rounds"));
	return list;
}

static json_t *race_list(const struct race_notes *races)
{
	json_t *list = json_array();

	for (size_t i = 0; i < races->n; i++) {
		const struct race_note *note = &races->note[i];
		json_t *o = json_object();

		json_object_set_new(o, "object", json_text(note->object));
		json_object_set_new(o, "first", json_text(note->where[0]));
		json_object_set_new(o, "second", json_text(note->where[1]));
		json_object_set_new(o, "certain", json_boolean(note->certain));
		json_object_set_new(o, "count", json_number(note->count));
		if (note->process[0][0]) {
			json_t *both = json_array();

			json_array_append_new(both, json_text(note->process[0]));
			json_array_append_new(both, json_text(note->process[1]));
			json_object_set_new(o, "processes", both);
			json_object_set_new(o, "delta", json_number(note->delta));
		}
		json_array_append_new(list, o);
	}
	return list;
}

/* Returns why the search ended, as one word for scripts; `reason` is for people. */
static const char *how_it_ended(const struct verdict *v)
{
	/* enum stop_cause; the search that follows STOP_LENGTHY did not begin */
	static const char *const causes[] = {"failed", "time", "executions", "bug", "interrupted", "failed"};

	switch (v->search->sup.end) {
	case SESSION_OVER:
		if (v->stats.finished)
			return "over";
		return v->stats.out_of_memory || v->stats.diverged ? "failed" : causes[v->search->sup.cause];
	case SESSION_AGAIN:
	case SESSION_STOPPED:
		return causes[v->search->sup.cause];
	case SESSION_NO_THREADS:
	case SESSION_DIED:
		return v->no_threads ? "no threads" : "unusable";
	case SESSION_REFUSED:
	case SESSION_STUCK:
	case SESSION_SLOW_START:
		return "unusable";
	case SESSION_INTERNAL:
		return "fault";
	}
	return "failed";
}

static json_t *run_object(const struct verdict *v)
{
	static const char *const verdicts[] = {"complete", "bounded", "incomplete", "bug"};
	const struct explore_stats *st = &v->stats;
	const struct counts counts = counts_of(st, v->search->seg.session->ctl.warm_up.executions);
	const struct distinct distinct = counts_distinct(v->search->config.strategy, st);
	const bool estimated = explore_estimate_known(st);
	json_t *o = json_object();
	char why[512], few[SESSION_MESSAGE + 64], lengthy[256];
	const char *isolation = isolation_used(&v->search->config, v->search->seg.session, why, sizeof(why));

	jobs_why(v->search, few, sizeof(few));
	json_object_set_new(o, "schema", json_integer(SCHEMA));
	json_object_set_new(o, "program", json_text(v->search->target.argv[0]));
	json_object_set_new(o, "build_id", json_text(v->search->target.build_id));
	settings_json(o, &v->search->config.settings);
	json_object_set_new(o, "strategy", json_text(explore_strategy_name(v->search->config.strategy)));
	lengthy_why(&v->search->lengthy, lengthy, sizeof(lengthy));
	if (!lengthy[0])
		graphs_left_text(v->stats.graphs_left, lengthy, sizeof(lengthy));
	json_object_set_new(o, "strategy_reason", lengthy[0] ? json_text(lengthy) : json_null());
	json_object_set_new(o, "isolation", json_text(isolation));
	json_object_set_new(o, "isolation_reason", why[0] ? json_text(why) : json_null());
	isolation_threads_reason(&v->search->config, v->kernel_threads_for, why, sizeof(why));
	json_object_set_new(o, "threads_reason", why[0] ? json_text(why) : json_null());
	json_object_set_new(o, "jobs", json_number(v->search->workers.most));
	json_object_set_new(o, "jobs_reason", few[0] ? json_text(few) : json_null());
	json_object_set_new(o, "rewound", json_number(v->search->seg.session->ctl.rewind.rewound));
	json_object_set_new(o, "page_scan", json_text(page_scan_text(v->search->seg.session->ctl.rewind.page_scan)));
	json_object_set_new(o, "killed", json_number(v->search->seg.session->ctl.execution.lost));
	json_object_set_new(o, "from_snapshots", json_number(v->search->seg.session->ctl.rewind.resumed));
	json_object_set_new(o, "restored_events", json_number(v->search->seg.session->ctl.rewind.restored_events));
	json_object_set_new(o, "verdict", json_text(verdicts[v->kind]));
	json_object_set_new(o, "bounded_by", bounded_by(v));
	json_object_set_new(o, "only_regions", json_boolean(verdict_only_regions(&v->search->seg)));
	json_object_set_new(o, "assumed_locks", v->seen.coverage.locks[0] ? json_text(v->seen.coverage.locks) : json_null());
	json_object_set_new(o, "like_locks", lock_advice_json(&v->lock_advice));
	json_object_set_new(o, "equivalence", json_text(v->search->config.sections ? "sections" : v->search->config.strategy == STRATEGY_STEPS ? "steps" : "traces"));
	json_object_set_new(o, "classes", v->search->config.sections ? json_number(st->distinct_traces) :
		v->search->config.strategy == STRATEGY_STEPS ? json_number(st->executions) : json_null());
	json_object_set_new(o, "policies", policy_json(v->search->seg.session));
	json_object_set_new(o, "what_if", json_boolean(policy_tried_what_if(v->search->seg.session)));
	json_object_set_new(o, "preemptions", preemptions(v));
	json_object_set_new(o, "bound_completed", st->bound_done ? json_integer(st->bound_done - 1) : json_null());
	json_object_set_new(o, "bound_traces", st->bound_done ? json_number(st->bound_traces) : json_null());
	json_object_set_new(o, "reason", reason(v));
	json_object_set_new(o, "end", json_text(how_it_ended(v)));
	json_object_set_new(o, "executions", json_number(st->executions));
	json_object_set_new(o, "samples", json_number(explore_samples(v->search->config.strategy) ? st->executions : st->samples));
	json_object_set_new(o, "within_bound", json_number(v->search->config.bound ? st->within_bound : st->executions));
	json_object_set_new(o, "blocked", json_number(st->blocked));
	if (v->search->config.bound) {
		json_object_set_new(o, "failed_within_bound", v->search->config.strategy == STRATEGY_TRUST ? json_number(st->failed_within) : json_null());
		json_object_set_new(o, "bound_unknown", json_number(st->bound_unknown));
	}
	json_object_set_new(o, "cut", json_number(explore_cut(st) + st->bounded_out));
	json_object_set_new(o, "samples_cut",
		json_number(explore_samples(v->search->config.strategy) ? st->cut : st->samples_cut));
	json_object_set_new(o, "assumed", json_number(st->assumed));
	json_object_set_new(o, "distinct_traces", json_number(distinct.n));
	json_object_set_new(o, "distinct_is_lower_bound", json_boolean(distinct.least));
	json_object_set_new(o, "block_traces", st->block_traces ? json_number(st->block_traces) : json_null());
	json_object_set_new(o, "block_traces_is_lower_bound",
		json_boolean(st->block_traces && (st->block_overflow || !st->finished)));
	json_object_set_new(o, "events", json_number(st->events));
	json_object_set_new(o, "sampling", sampling_json(&v->search->config, st));
	json_object_set_new(o, "seconds", json_real(v->seconds));
	json_object_set_new(o, "estimate", json_number(estimated ? st->estimate : 0));
	json_object_set_new(o, "estimate_low", json_number(estimated ? st->estimate_low : 0));
	json_object_set_new(o, "estimate_high", json_number(estimated ? st->estimate_high : 0));
	json_object_set_new(o, "peak_memory_kb", json_number(peak_memory_kb()));
	json_object_set_new(o, "search_memory_kb", json_number(search_memory_kb(&v->search->seg)));
	json_object_set_new(o, "uncontrolled_processes", json_number(v->native_children));
	json_object_set_new(o, "uncovered_functions", json_number(v->seen.coverage.uncovered));
	json_object_set_new(o, "bugs", bug_list(v->findings));
	json_object_set_new(o, "races", race_list(&v->seen.races));
	json_object_set_new(o, "stuck_at_exit", circle_json(&v->seen.circle));
	json_object_set_new(o, "learning_executions", json_number(counts.warm_up));
	json_object_set_new(o, "all_executions", json_number(counts.all));
	return o;
}

bool json_write(const struct verdict *v)
{
	return json_put(run_object(v), v->search->opt.json);
}
