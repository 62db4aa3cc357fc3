/* --sarif: SARIF 2.1.0 (OASIS), for code scanning: one result for each bug, its steps as a code flow. */
#include <stdlib.h>
#include <string.h>

#include "cli/base/json_out.h"
#include "cli/bugs/findings.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/result_files.h"
#include "cli/nightly/stress/bug_location.h"
#include "cli/nightly/stress/show.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"
#include "cli/supervise/search.h"
#include "cli/verdict/verdict.h"

#define SCHEMA_URI "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* Writes characters that a URI reference does not allow as %XX. malloc()ed. */
static char *uri_of(const char *path)
{
	char *uri = xcalloc(3 * strlen(path) + 8, 1), *to = uri;

	if (*path == '/')
		to += sprintf(to, "file://");
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~/+", c))
			*to++ = (char)c;
		else
			to += sprintf(to, "%%%02X", c);
	}
	return uri;
}

static json_t *message(const char *text)
{
	return json_pack("{s:o}", "text", json_text(text));
}

static json_t *physical_location(const char *file, int line)
{
	char *uri = uri_of(file);
	json_t *artifact = json_pack("{s:o}", "uri", json_text(uri));

	if (*file != '/')
		json_object_set_new(artifact, "uriBaseId", json_text("%SRCROOT%"));
	free(uri);
	return json_pack("{s:{s:o,s:{s:i}}}", "physicalLocation", "artifactLocation", artifact, "region", "startLine", line > 0 ? line : 1);
}

/* Returns the whole interleaving as one thread flow, so that viewers keep its order. Each step names its thread. */
static json_t *code_flow(const struct stress_bug *b)
{
	json_t *locations = json_array(), *step;
	size_t i;

	json_array_foreach(b->flow, i, step) {
		json_t *location = physical_location(json_string_value(json_object_get(step, "file")),
			(int)json_integer_value(json_object_get(step, "line")));

		json_object_set_new(location, "message", message(json_string_value(json_object_get(step, "text"))));
		json_array_append_new(locations, json_pack("{s:o,s:O}", "location", location, "executionOrder", json_object_get(step, "step")));
	}
	return json_pack("{s:[{s:o}]}", "threadFlows", "locations", locations);
}

/* GitHub requires a location for each result: the position of the test, or its program. */
static json_t *place_of_test(const struct stress_test *t)
{
	const struct stress_listed *l = &t->listed;

	return l->file ? physical_location(location_in_sources(l->file), l->line) :
			 physical_location(location_in_sources(t->files.path ? t->files.path : l->argv[0]), 1);
}

static json_t *result(const struct stress_test *t, const struct stress_bug *b)
{
	char *line = bugs_line(b), signature[24];
	bool repeats = strstr(line, b->message) != NULL;
	char *text = xasprintf("%s: %s%s%s", t->name, line, repeats ? "" : "\n", repeats ? "" : b->message);
	json_t *o = json_object();

	snprintf(signature, sizeof(signature), "%016llx", (unsigned long long)b->signature);
	json_object_set_new(o, "ruleId", json_text(b->kind));
	json_object_set_new(o, "level", json_text("error"));
	json_object_set_new(o, "message", message(text));
	json_object_set_new(o, "locations", json_pack("[o]", b->file ? physical_location(b->file, b->line) : place_of_test(t)));
	if (b->signature)
		json_object_set_new(o, "partialFingerprints", json_pack("{s:s}", "simulSignature/v1", signature));
	if (json_array_size(b->flow))
		json_object_set_new(o, "codeFlows", json_pack("[o]", code_flow(b)));
	free(line);
	free(text);
	return o;
}

/* Returns the text that code scanning shows with each result of a kind. */
static json_t *rule(const char *kind)
{
	static const struct {
		const char *kind, *title, *text;
	} known[] = {
		{"deadlock", "Deadlock", "In some interleaving, no thread can continue: each unfinished thread waits for another one."},
		{"assert", "Failed assertion", "An assertion fails, or an exception is not caught, in some interleaving of the threads."},
		{"crash", "Crash", "The program crashes in some interleaving of its threads."},
		{"exit", "Failing exit status", "The program fails by its exit status in some interleaving of its threads, and not in others."},
		{"livelock", "Livelock", "In some interleaving, threads spin on a condition that no thread can change."},
		{"misuse", "Misuse of a lock or thread", "A lock, condition variable or thread is used in a way that POSIX forbids."},
		{"hang", "Hang", "In some interleaving, a thread computes forever."},
		{"race", "Data race", "Two threads access the same memory, one of them writes, and nothing orders the accesses."},
		{"memory", "Memory error", "In some interleaving, the program uses freed memory, memory beyond a heap block, or a stack frame after "
			"its function returned."},
		{"robustness", "Missing fence", "The program depends on an order of memory accesses that the processor does not guarantee."},
	};
	const char *title = kind, *text = kind;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].kind, kind)) {
			title = known[i].title;
			text = known[i].text;
		}
	return json_pack("{s:s,s:s,s:{s:s},s:{s:s},s:{s:s},s:{s:s}}", "id", kind, "name", title, "shortDescription", "text", title, "fullDescription",
		"text", text, "help", "text", "The steps of the result are one failing interleaving. `simul replay` reproduces it from the recording "
		"of this run; `simul show` shows every step.", "defaultConfiguration", "level", "error");
}

/* Returns a rule for each kind of bug that was found. */
static json_t *rules(const json_t *results)
{
	json_t *list = json_array(), *seen = json_object();
	const json_t *r;
	size_t i;

	json_array_foreach(results, i, r) {
		const char *kind = json_string_value(json_object_get(r, "ruleId"));

		if (json_object_get(seen, kind))
			continue;
		json_object_set_new(seen, kind, json_true());
		json_array_append_new(list, rule(kind));
	}
	json_decref(seen);
	return list;
}

static json_t *notification(const struct stress_test *t)
{
	char *detail = show_detail(t), *text = xasprintf("%s: %s%s%s", t->name, stress_status_text(t->status), *detail ? ": " : "", detail);
	json_t *o = json_pack("{s:s,s:o}", "level", "error", "message", message(text));

	free(detail);
	free(text);
	return o;
}

json_t *sarif_object(const struct stress *s, int code)
{
	json_t *results = json_array(), *notes = json_array(), *driver;

	for (size_t i = 0; i < s->tests.n; i++) {
		const struct stress_test *t = &s->tests.test[i];

		for (size_t k = 0; k < t->n_bugs; k++)
			json_array_append_new(results, result(t, &t->bug[k]));
		if (t->status == STRESS_NATIVE || t->status == STRESS_UNUSABLE || t->status == STRESS_FAULT)
			json_array_append_new(notes, notification(t));
	}
	driver = json_pack("{s:s,s:s,s:o}", "name", "simul", "version", SIMUL_VERSION, "rules", rules(results));
	return json_pack("{s:s,s:s,s:[{s:{s:o},s:[{s:b,s:i,s:o}],s:o,s:s}]}", "$schema", SCHEMA_URI, "version", "2.1.0", "runs", "tool", "driver",
		driver, "invocations", "executionSuccessful", json_array_size(notes) == 0, "exitCode", code, "toolExecutionNotifications",
		notes, "results", results, "columnKind", "utf16CodeUnits");
}

bool sarif_write_run(const struct verdict *v, int code)
{
	struct stress s = {.lock = -1};
	struct stress_test *t = stress_tests_add(&s.tests, "run", v->search->target.argv[0]);
	struct string_list command = {.n = 0};
	bool ok;

	strings_copy(&command, v->search->target.argv);
	t->listed.argv = command.word;
	t->files.path = xstrdup(v->search->target.path);
	for (size_t i = 0; i < v->findings->n; i++)
		bugs_add(t, v->findings->list[i].recording);
	t->status = v->findings->n ? STRESS_BUG : v->internal ? STRESS_FAULT : v->unusable ? STRESS_UNUSABLE : STRESS_COMPLETE;
	t->why = xstrdup(v->reason);
	ok = output_put(sarif_object(&s, code), "sarif", v->search->opt.sarif);
	stress_tests_free(&s.tests);
	return ok;
}
