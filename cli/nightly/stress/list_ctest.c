/* CTest: `ctest --show-only=json-v1`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/nightly/stress/modify.h"
#include "cli/supervise/process.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"

static const json_t *property(const json_t *test, const char *name)
{
	const json_t *list = json_object_get(test, "properties"), *p;
	size_t i;

	json_array_foreach(list, i, p) {
		const char *is = json_string_value(json_object_get(p, "name"));

		if (is && !strcmp(is, name))
			return json_object_get(p, "value");
	}
	return NULL;
}

/* Returns why simul stress cannot run the test as ctest does. */
static const char *not_for_us(const json_t *test)
{
	static const char *const cannot[][2] = {
		{"WILL_FAIL", "it is expected to fail (WILL_FAIL), and simul looks for failures"},
		{"PASS_REGULAR_EXPRESSION", "its output decides whether it passes (PASS_REGULAR_EXPRESSION), and simul checks only the exit status"},
	};

	if (json_is_true(property(test, "DISABLED")))
		return "it is disabled";
	for (size_t i = 0; i < sizeof(cannot) / sizeof(cannot[0]); i++) {
		const json_t *p = property(test, cannot[i][0]);

		if (p && !json_is_false(p))
			return cannot[i][1];
	}
	return NULL;
}

/* Returns a property as a list: it is an array of strings, or a single string. NULL: the test does not have it. */
static char **list_of(const json_t *test, const char *name)
{
	const json_t *value = property(test, name);
	struct string_list w = {.n = 0};

	if (json_is_string(value))
		strings_take(&w, xstrdup(json_string_value(value)));
	return w.word ? w.word : strings_of_json(value);
}

static void set_limit(struct stress_test *t, double seconds)
{
	t->listed.limit_ns = seconds > 0 && seconds < 1e9 ? (uint64_t)(seconds * 1e9) : 0;
}

static void add_ctest_test(struct stress *s, const char *dir, const json_t *test)
{
	const char *name = json_string_value(json_object_get(test, "name")), *cwd = json_string_value(property(test, "WORKING_DIRECTORY")), *no;
	struct stress_test *t = stress_tests_add(&s->tests, dir, name ? name : "(no name)");
	const char *unknown;

	t->listed.argv = strings_of_json(json_object_get(test, "command"));
	t->listed.env = modify_environment(list_of(test, "ENVIRONMENT"), property(test, "ENVIRONMENT_MODIFICATION"), &unknown);
	t->listed.cwd = xstrdup(cwd ? cwd : dir);
	t->listed.skip_code = (int)json_integer_value(property(test, "SKIP_RETURN_CODE"));
	t->listed.skip_output = list_of(test, "SKIP_REGULAR_EXPRESSION");
	t->listed.fail_output = list_of(test, "FAIL_REGULAR_EXPRESSION");
	t->listed.labels = list_of(test, "LABELS");
	t->listed.needs = list_of(test, "REQUIRED_FILES");
	t->listed.after = list_of(test, "DEPENDS");
	t->listed.setup = list_of(test, "FIXTURES_SETUP");
	t->listed.cleanup = list_of(test, "FIXTURES_CLEANUP");
	t->listed.required = list_of(test, "FIXTURES_REQUIRED");
	set_limit(t, json_number_value(property(test, "TIMEOUT")));
	t->listed.serial = json_is_true(property(test, "RUN_SERIAL")) || property(test, "RESOURCE_LOCK");
	no = not_for_us(test);
	if (no)
		stress_settle(t, STRESS_SKIPPED, xstrdup(no));
	else if (!t->listed.argv)
		stress_settle(t, STRESS_UNUSABLE, xstrdup("ctest has no command for it: its program is not built"));
	else if (unknown)
		stress_settle(t, STRESS_SKIPPED, xasprintf("simul does not support this ENVIRONMENT_MODIFICATION: %s", unknown));
}

static bool take(struct stress *s, const char *dir, const char *text)
{
	json_t *root = text ? json_loads(text, 0, NULL) : NULL, *test;
	const json_t *tests = json_object_get(root, "tests");
	bool ok = json_is_array(tests);
	size_t i;

	json_array_foreach(tests, i, test)
		add_ctest_test(s, dir, test);
	json_decref(root);
	return ok;
}

/* Returns whether there are several configurations. Then CTest lists commands only for a named one. */
static bool needs_config(const char *dir)
{
	char *path = xasprintf("%s/CMakeCache.txt", dir), *line = NULL;
	FILE *f = fopen(path, "re");
	bool several = false;
	size_t size = 0;

	while (f && !several && getline(&line, &size, f) > 0)
		several = !strncmp(line, "CMAKE_CONFIGURATION_TYPES:", 26);
	if (f)
		fclose(f);
	free(line);
	free(path);
	return several;
}

static bool ask(struct stress *s, const char *dir, char *why, size_t size)
{
	char *config = (char *)s->opt.config, *argv[] = {"ctest", "--show-only=json-v1", config ? "-C" : NULL, config, NULL};
	struct process_plan plan = {.argv = argv, .cwd = dir, .limit_ns = s->opt.native_ns, .whole = true};
	struct process p = {.pid = 0};
	bool ok;

	if (!config && needs_config(dir)) {
		text_set(why, size, "this build directory has several configurations; choose one: --config Debug");
		return false;
	}
	ok = process_run(&p, &plan, why, size);
	if (ok && !take(s, dir, p.out.text)) {
		char *said = last_line(p.err.text);

		ok = false;
		text_set(why, size, "ctest --show-only=json-v1 did not list the tests (this needs CMake 3.14 or later): %s", said);
		free(said);
	}
	process_free(&p);
	return ok;
}

bool list_ctest(struct stress *s, const char *dir, char *why, size_t size)
{
	char *real = realpath(dir, NULL), *file;
	bool ok;

	if (!real) {
		text_set(why, size, "%s", strerror(errno));
		return false;
	}
	file = xasprintf("%s/CTestTestfile.cmake", real);
	ok = !access(file, R_OK);
	free(file);
	if (!ok)
		text_set(why, size, "there is no CTestTestfile.cmake; --ctest needs the CMake build directory of a project with enable_testing()");
	else
		ok = ask(s, real, why, size);
	free(real);
	return ok;
}
