#include "cli/nightly/stress/result_files.h"

#include <string.h>

#include "cli/base/json_out.h"
#include "cli/base/say.h"
#include "cli/supervise/watchdog.h"

#define SCHEMA 1

bool files_check(const struct stress *s)
{
	const char *const path[] = {s->opt.junit, s->opt.sarif, s->opt.json};
	unsigned to_stdout = 0;

	for (int i = 0; i < 3; i++)
		to_stdout += path[i] && !strcmp(path[i], "-");
	if (to_stdout > 1) {
		say("stress: only one of --junit, --sarif and --json can go to standard output");
		return false;
	}
	if (s->opt.junit && !junit_check())
		return false;
	return output_check("junit", path[0]) && output_check("sarif", path[1]) && output_check("json", path[2]);
}

static json_t *bug_object(const struct stress_bug *b)
{
	json_t *o = json_object();

	json_object_set_new(o, "kind", json_text(b->kind));
	json_object_set_new(o, "title", json_text(b->title));
	json_object_set_new(o, "message", json_text(b->message));
	json_object_set_new(o, "file", json_text(b->file));
	json_object_set_new(o, "line", b->file ? json_integer(b->line) : json_null());
	json_object_set_new(o, "confirmed", json_boolean(b->confirmed));
	json_object_set_new(o, "earlier", json_boolean(b->earlier));
	json_object_set_new(o, "replayed", json_boolean(b->replayed));
	json_object_set_new(o, "recording", json_text(b->recording));
	return o;
}

static json_t *test_object(const struct stress_test *t)
{
	char *none[] = {NULL};
	json_t *o = json_object(), *bugs = json_array();

	for (size_t i = 0; i < t->n_bugs; i++)
		json_array_append_new(bugs, bug_object(&t->bug[i]));
	json_object_set_new(o, "name", json_text(t->name));
	json_object_set_new(o, "suite", json_text(t->suite));
	json_object_set_new(o, "command", json_masked(t->listed.argv ? t->listed.argv : none, false));
	json_object_set_new(o, "result", json_text(stress_status_text(t->status)));
	json_object_set_new(o, "reason", json_text(t->why));
	json_object_set_new(o, "note", json_text(t->note));
	json_object_set_new(o, "unchanged", json_boolean(t->unchanged));
	json_object_set_new(o, "diverged", json_boolean(t->diverged));
	json_object_set_new(o, "seconds", json_real((double)t->spent_ns / 1e9));
	json_object_set_new(o, "native_seconds",
		t->native.passed && t->native.ns ? json_real((double)t->native.ns / 1e9) : json_null());
	json_object_set_new(o, "bugs", bugs);
	json_object_set_new(o, "run", t->run ? json_incref(t->run) : json_null());
	return o;
}

static json_t *result_object(const struct stress *s, int code)
{
	json_t *o = json_object(), *tests = json_array();

	for (size_t i = 0; i < s->tests.n; i++)
		json_array_append_new(tests, test_object(&s->tests.test[i]));
	json_object_set_new(o, "schema", json_integer(SCHEMA));
	json_object_set_new(o, "version", json_text(SIMUL_VERSION));
	json_object_set_new(o, "exit_status", json_integer(code));
	json_object_set_new(o, "seconds", json_real((double)(wall_clock_ns() - s->start_ns) / 1e9));
	json_object_set_new(o, "options", json_strings(s->passed));
	json_object_set_new(o, "tests", tests);
	return o;
}

bool files_write(const struct stress *s, int code)
{
	bool ok = true;

	if (s->opt.junit)
		ok &= junit_write(s, s->opt.junit);
	if (s->opt.sarif)
		ok &= output_put(sarif_object(s, code), "sarif", s->opt.sarif);
	if (s->opt.json)
		ok &= json_put(result_object(s, code), s->opt.json);
	return ok;
}
