#include "cli/nightly/stress/outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/json_out.h"
#include "cli/nightly/stress/bugs.h"

static const char *base_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static json_t *bug_object(const struct stress_bug *b)
{
	char signature[24];
	json_t *o = json_object();

	snprintf(signature, sizeof(signature), "%016" PRIx64, b->signature);
	json_object_set_new(o, "kind", json_text(b->kind));
	json_object_set_new(o, "title", json_text(b->title));
	json_object_set_new(o, "message", json_text(b->message));
	json_object_set_new(o, "recording", json_text(base_of(b->recording)));
	json_object_set_new(o, "file", json_text(b->file));
	json_object_set_new(o, "line", json_integer(b->line));
	json_object_set_new(o, "report", json_text(b->report));
	json_object_set_new(o, "flow", b->flow ? json_incref(b->flow) : json_null());
	json_object_set_new(o, "signature", json_text(signature));
	json_object_set_new(o, "confirmed", json_boolean(b->confirmed));
	json_object_set_new(o, "earlier", json_boolean(b->earlier));
	json_object_set_new(o, "replayed", json_boolean(b->replayed));
	return o;
}

json_t *outcome_of(const struct stress_test *t)
{
	json_t *o = json_object(), *bugs = json_array();

	for (size_t i = 0; i < t->n_bugs; i++)
		json_array_append_new(bugs, bug_object(&t->bug[i]));
	json_object_set_new(o, "status", json_text(stress_status_text(t->status)));
	json_object_set_new(o, "why", json_text(t->why));
	json_object_set_new(o, "note", json_text(t->note));
	json_object_set_new(o, "output", json_text(t->native.output));
	json_object_set_new(o, "failure", json_text(t->native.failure));
	json_object_set_new(o, "failed", json_integer(t->native.failed));
	json_object_set_new(o, "over", json_boolean(t->over));
	json_object_set_new(o, "unchanged", json_boolean(t->unchanged));
	json_object_set_new(o, "diverged", json_boolean(t->diverged));
	json_object_set_new(o, "native_done", json_boolean(t->native.done));
	json_object_set_new(o, "passed", json_boolean(t->native.passed));
	json_object_set_new(o, "native_cut", json_boolean(t->native.cut));
	json_object_set_new(o, "native_seconds", json_real((double)t->native.ns / 1e9));
	json_object_set_new(o, "settled", json_boolean(t->settled));
	json_object_set_new(o, "restarts", json_integer(t->restarts));
	json_object_set_new(o, "slices", json_integer(t->slices));
	json_object_set_new(o, "seconds", json_real((double)t->spent_ns / 1e9));
	json_object_set_new(o, "replay_alone", json_boolean(t->replay_alone));
	json_object_set_new(o, "run", t->run ? json_incref(t->run) : json_null());
	json_object_set_new(o, "bugs", bugs);
	return o;
}

/* ---- reading ---- */

static char *text_of(const json_t *o, const char *key)
{
	return xstrdup(json_string_value(json_object_get(o, key)));
}

static unsigned count_of(const json_t *o, const char *key)
{
	json_int_t n = json_integer_value(json_object_get(o, key));

	return n < 0 || n > INT32_MAX ? 0 : (unsigned)n;
}

/* Returns the nanoseconds of a number of seconds. */
static uint64_t time_of(const json_t *o, const char *key)
{
	double seconds = json_number_value(json_object_get(o, key));

	return seconds > 0 && seconds < 1e9 ? (uint64_t)(seconds * 1e9) : 0;
}

static enum stress_status status_of(const json_t *o)
{
	const char *text = json_string_value(json_object_get(o, "status"));

	for (int i = 0; text && i < STRESS_STATUSES; i++)
		if (!strcmp(text, stress_status_text((enum stress_status)i)))
			return (enum stress_status)i;
	return STRESS_WAITING;
}

/* Returns the path of a recording here, malloc()ed; NULL: the name is missing, or is no name of a recording. */
static char *recording_here(const struct stress_test *t, const char *name)
{
	return name && *name && *name != '.' && !strchr(name, '/') ? xasprintf("%s/%s", t->files.recordings, name) : NULL;
}

static void take_bug(struct stress_test *t, const json_t *o)
{
	const char *signature = json_string_value(json_object_get(o, "signature"));
	json_t *flow = json_object_get(o, "flow");
	struct stress_bug *b;

	t->bug = xgrow(t->bug, t->n_bugs, sizeof(*t->bug));
	b = &t->bug[t->n_bugs++];
	*b = (struct stress_bug){.kind = text_of(o, "kind"), .title = text_of(o, "title"), .message = text_of(o, "message"),
		.file = text_of(o, "file"), .line = (int)count_of(o, "line"), .report = text_of(o, "report"),
		.recording = recording_here(t, json_string_value(json_object_get(o, "recording"))),
		.flow = json_is_array(flow) ? json_incref(flow) : NULL, .signature = signature ? strtoull(signature, NULL, 16) : 0,
		.confirmed = json_is_true(json_object_get(o, "confirmed")), .earlier = json_is_true(json_object_get(o, "earlier")),
		.replayed = json_is_true(json_object_get(o, "replayed"))};
	b->kind = b->kind ? b->kind : xstrdup("unknown");
	b->title = b->title ? b->title : xstrdup(b->kind);
	b->message = b->message ? b->message : xstrdup("");
}

/* The result of `simul run --json` names recordings by their path on the machine where it ran. */
static json_t *run_here(const struct stress_test *t, const json_t *run)
{
	json_t *copy = json_is_object(run) ? json_deep_copy(run) : NULL, *bug;
	size_t i;

	json_array_foreach(json_object_get(copy, "bugs"), i, bug) {
		char *path = recording_here(t, base_of(json_string_value(json_object_get(bug, "recording"))));

		if (path)
			json_object_set_new(bug, "recording", json_text(path));
		free(path);
	}
	return copy;
}

static void drop_result(struct stress_test *t)
{
	char **texts[] = {&t->why, &t->note, &t->native.output, &t->native.failure};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		free(*texts[i]);
		*texts[i] = NULL;
	}
	for (size_t i = 0; i < t->n_bugs; i++)
		stress_bug_free(&t->bug[i]);
	t->n_bugs = t->replayed = 0;
	json_decref(t->run);
	t->run = NULL;
}

void outcome_take(struct stress_test *t, const json_t *o)
{
	const json_t *bugs = json_object_get(o, "bugs"), *bug;
	size_t i;

	drop_result(t);
	t->status = status_of(o);
	t->why = text_of(o, "why");
	t->note = text_of(o, "note");
	t->native.output = text_of(o, "output");
	t->native.failure = text_of(o, "failure");
	t->native.failed = count_of(o, "failed");
	if (t->native.failed && !t->native.failure)
		t->native.failure = xstrdup("it fails without simul");
	t->over = json_is_true(json_object_get(o, "over"));
	t->unchanged = json_is_true(json_object_get(o, "unchanged"));
	t->diverged = json_is_true(json_object_get(o, "diverged"));
	t->native.done = json_is_true(json_object_get(o, "native_done"));
	t->native.passed = json_is_true(json_object_get(o, "passed"));
	t->native.cut = json_is_true(json_object_get(o, "native_cut"));
	t->native.ns = time_of(o, "native_seconds");
	t->settled = json_is_true(json_object_get(o, "settled"));
	t->restarts = count_of(o, "restarts");
	t->slices = count_of(o, "slices");
	t->spent_ns = time_of(o, "seconds");
	t->replay_alone = json_is_true(json_object_get(o, "replay_alone"));
	t->run = run_here(t, json_object_get(o, "run"));
	json_array_foreach(bugs, i, bug)
		take_bug(t, bug);
	if (t->status == STRESS_BUG && !t->n_bugs)
		t->status = STRESS_INCOMPLETE;
}
