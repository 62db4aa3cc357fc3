/*
 * Meson: the introspection file in each build directory (equal to `meson introspect --tests`). The file does not say which tests are
 * expected to fail, and for variables that are prepended or appended to, it has only the added part. Meson's own list has both. That is a
 * Python pickle, so Meson is asked to read it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/say.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/supervise/process.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"

#define MESON_SKIP 77 /* exit status, as for automake */

/* Prints [name, should_fail, environment] of each test, in the order of the introspection file. */
#define MORE "def tell():\n" \
	" import json, os, pickle\n" \
	" with open('meson-private/meson_test_setup.dat', 'rb') as f: tests = pickle.load(f)\n" \
	" def env(t): return t.env.get_env(dict(os.environ)) if hasattr(t.env, 'get_env') else dict(t.env)\n" \
	" print(json.dumps([[t.name, t.should_fail, {k: v for k, v in env(t).items() if os.environ.get(k) != v}] for t in tests]))\n" \
	"tell()\n"

/* Returns Meson's own list, an array parallel to the introspection file; NULL: Meson cannot be asked, and a message was printed. */
static json_t *ask_more(struct stress *s, const char *dir)
{
	char *argv[] = {"meson", "runpython", "-c", MORE, NULL}, why[512] = "";
	struct process_plan plan = {.argv = argv, .cwd = dir, .limit_ns = s->opt.native_ns, .whole = true};
	struct process p = {.pid = 0};
	bool ran = process_run(&p, &plan, why, sizeof(why));
	json_t *more = ran && p.out.text ? json_loads(p.out.text, 0, NULL) : NULL;

	if (!json_is_array(more)) {
		char *said = last_line(p.err.text);

		say("note: meson does not report which tests should fail, nor which variables are appended to: %s", ran ? said : why);
		free(said);
		json_decref(more);
		more = NULL;
	}
	process_free(&p);
	return more;
}

static char **environment(const json_t *object)
{
	struct string_list w = {.n = 0};
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
		if (json_is_string(value))
			strings_take(&w, xasprintf("%s=%s", name, json_string_value(value)));
	return w.word;
}

/* Exit statuses have the meaning of automake; with TAP, each status but 0 is a failure. */
static void set_protocol(struct stress_test *t, const char *protocol)
{
	t->listed.tap = protocol && !strcmp(protocol, "tap");
	t->listed.skip_code = t->listed.tap || (protocol && !strcmp(protocol, "rust")) ? 0 : MESON_SKIP;
}

/* Suites are "PROJECT:SUITE"; both that and the second part are labels. */
static char **labels(const json_t *suites)
{
	struct string_list w = {.n = 0};
	const json_t *suite;
	size_t i;

	json_array_foreach(suites, i, suite) {
		const char *text = json_string_value(suite), *colon = text ? strchr(text, ':') : NULL;

		if (text)
			strings_take(&w, xstrdup(text));
		if (colon)
			strings_take(&w, xstrdup(colon + 1));
	}
	return w.word;
}

static void add_meson_test(struct stress *s, const char *dir, const json_t *test, const json_t *more)
{
	const char *name = json_string_value(json_object_get(test, "name")), *cwd = json_string_value(json_object_get(test, "workdir"));
	const char *suite = json_string_value(json_array_get(json_object_get(test, "suite"), 0)), *known = json_string_value(json_array_get(more, 0));
	char *whole = xasprintf("%s%s%s", dir, suite && *suite ? ":" : "", suite ? suite : "");
	struct stress_test *t = stress_tests_add(&s->tests, whole, name ? name : "(no name)");
	bool same = known && name && !strcmp(known, name);

	free(whole);
	t->listed.argv = strings_of_json(json_object_get(test, "cmd"));
	t->listed.env = environment(same ? json_array_get(more, 2) : json_object_get(test, "env"));
	t->listed.cwd = xstrdup(cwd ? cwd : dir);
	t->listed.labels = labels(json_object_get(test, "suite"));
	t->listed.limit_ns = (uint64_t)(json_number_value(json_object_get(test, "timeout")) > 0 ? json_integer_value(json_object_get(test, "timeout")) : 0) *
		NS_PER_S;
	t->listed.serial = json_is_false(json_object_get(test, "is_parallel"));
	set_protocol(t, json_string_value(json_object_get(test, "protocol")));
	if (!t->listed.argv)
		stress_settle(t, STRESS_UNUSABLE, xstrdup("it has no command"));
	else if (same && json_is_true(json_array_get(more, 1)))
		stress_settle(t, STRESS_SKIPPED, xstrdup("it is expected to fail (should_fail), and simul looks for failures"));
}

bool list_meson(struct stress *s, const char *dir, char *why, size_t size)
{
	char *real = realpath(dir, NULL), *path;
	json_error_t error;
	json_t *root, *test, *more = NULL;
	bool ok;
	size_t i;

	if (!real) {
		text_set(why, size, "%s", strerror(errno));
		return false;
	}
	path = xasprintf("%s/meson-info/intro-tests.json", real);
	root = json_load_file(path, 0, &error);
	ok = json_is_array(root);
	if (!ok)
		text_set(why, size, "%s is not a list of tests (%s); --meson needs a Meson build directory", path, root ? "not an array" : error.text);
	else if (json_array_size(root))
		more = ask_more(s, real);
	json_array_foreach(root, i, test)
		add_meson_test(s, real, test, json_array_get(more, i));
	free(path);
	free(real);
	json_decref(root);
	json_decref(more);
	return ok;
}
