/* --json: one object, the schema of which is fixed (see the manual page). */
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/run.h"
#include "cli/say.h"
#include "explore/explore.h"

#define SCHEMA 1

/* Program output and paths need not be UTF-8; JSON has to. */
static json_t *text(const char *s)
{
	json_t *j = s ? json_string(s) : json_null();
	char *copy;

	if (j)
		return j;
	copy = strdup(s);
	for (char *p = copy; p && *p; p++)
		if ((unsigned char)*p >= 128)
			*p = '?';
	j = json_string(copy ? copy : "");
	free(copy);
	return j;
}

static json_t *number(uint64_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *bug_object(const struct finding *f)
{
	const struct recording *r = f->recording;
	const char *thread = r->bug_thread < r->n_threads ? r->threads[r->bug_thread].path : NULL;
	json_t *o = json_object();

	json_object_set_new(o, "kind", text(bug_kind_text(r->bug_kind)));
	json_object_set_new(o, "message", text(r->message));
	json_object_set_new(o, "where", text(r->where));
	json_object_set_new(o, "thread", text(thread));
	json_object_set_new(o, "execution", number(f->execution));
	json_object_set_new(o, "preemptions", number(r->preemptions));
	json_object_set_new(o, "confirmed", json_boolean(f->same > 0));
	json_object_set_new(o, "recording", text(f->path));
	return o;
}

static json_t *bug_list(const struct run *run)
{
	json_t *list = json_array();

	for (size_t i = 0; i < run->n_findings; i++)
		json_array_append_new(list, bug_object(&run->findings[i]));
	return list;
}

static uint64_t peak_memory_kb(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return (uint64_t)(self.ru_maxrss > children.ru_maxrss ? self.ru_maxrss : children.ru_maxrss);
}

static json_t *reason(const struct run *run)
{
	if (run->verdict == VERDICT_COMPLETE)
		return run->coverage.why[0] ? text(run->coverage.why) : json_null();
	return run->reason[0] ? text(run->reason) : json_null();
}

static json_t *race_list(const struct run *run)
{
	json_t *list = json_array();

	for (size_t i = 0; i < run->races.n; i++) {
		const struct race_note *note = &run->races.note[i];
		json_t *o = json_object();

		json_object_set_new(o, "object", text(note->object));
		json_object_set_new(o, "first", text(note->where[0]));
		json_object_set_new(o, "second", text(note->where[1]));
		json_object_set_new(o, "certain", json_boolean(note->certain));
		json_object_set_new(o, "count", number(note->count));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *run_object(const struct run *run)
{
	static const char *const isolation[] = {"fork", "exec", "rewind"};
	static const char *const verdicts[] = {"complete", "bounded", "incomplete", "bug"};
	const struct explore_stats *st = &run->stats;
	json_t *o = json_object();

	json_object_set_new(o, "schema", json_integer(SCHEMA));
	json_object_set_new(o, "program", text(run->target.argv[0]));
	json_object_set_new(o, "build_id", text(run->target.build_id));
	json_object_set_new(o, "model", text("sc"));
	json_object_set_new(o, "strategy", text(explore_strategy_name(run->config.strategy)));
	json_object_set_new(o, "isolation", text(isolation[run->config.isolation]));
	json_object_set_new(o, "verdict", text(verdicts[run->verdict]));
	json_object_set_new(o, "preemptions", json_null());
	json_object_set_new(o, "reason", reason(run));
	json_object_set_new(o, "executions", number(st->executions));
	json_object_set_new(o, "within_bound", number(st->executions));
	json_object_set_new(o, "blocked", number(st->blocked));
	json_object_set_new(o, "cut", number(st->cut));
	json_object_set_new(o, "distinct_traces", number(st->distinct_traces));
	json_object_set_new(o, "events", number(st->events));
	json_object_set_new(o, "seconds", json_real(run->seconds));
	json_object_set_new(o, "estimate", number(st->finished ? st->executions : st->estimate));
	json_object_set_new(o, "peak_memory_kb", number(peak_memory_kb()));
	json_object_set_new(o, "uncovered_functions", number(run->coverage.uncovered));
	json_object_set_new(o, "bugs", bug_list(run));
	json_object_set_new(o, "races", race_list(run));
	json_object_set_new(o, "learning_executions", number(run->learning_executions));
	return o;
}

bool json_write(const struct run *run)
{
	bool to_stdout = !strcmp(run->opt.json, "-"), ok;
	FILE *f = to_stdout ? stdout : fopen(run->opt.json, "we");
	json_t *o;

	if (!f) {
		say("--json %s: cannot be written: %s", run->opt.json, strerror(errno));
		return false;
	}
	o = run_object(run);
	ok = json_dumpf(o, f, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) == 0;
	ok &= fputc('\n', f) != EOF && fflush(f) == 0;
	json_decref(o);
	if (!to_stdout)
		ok &= fclose(f) == 0;
	if (!ok)
		say("--json %s: cannot be written: %s", run->opt.json, strerror(errno));
	return ok;
}
