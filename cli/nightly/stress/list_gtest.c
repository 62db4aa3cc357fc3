/* GoogleTest: --gtest_list_tests with --gtest_output=json, so that names are not parsed from text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/base/json_out.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/supervise/process.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"

#define DISABLED "DISABLED_"
#define SAYS_SKIPPED "\\[  SKIPPED \\]" /* in the output of the only test that runs */

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

static void add_gtest_test(struct stress *s, const char *program, const char *suite, const json_t *o)
{
	const char *name = text_of(o, "name"), *file = text_of(o, "file");
	char *whole = xasprintf("%s.%s", suite, name);
	struct stress_test *t;
	struct string_list w = {.n = 0}, skips = {.n = 0};

	if (strncmp(suite, DISABLED, strlen(DISABLED)) && strncmp(name, DISABLED, strlen(DISABLED)) && !strstr(suite, "/" DISABLED)) {
		t = stress_tests_add(&s->tests, program, whole);
		strings_take(&skips, xstrdup(SAYS_SKIPPED));
		strings_copy(&w, (char *[]){(char *)program, NULL});
		strings_take(&w, xasprintf("--gtest_filter=%s", whole));
		t->listed.argv = w.word;
		t->listed.skip_output = skips.word;
		t->listed.file = *file ? xstrdup(file) : NULL;
		t->listed.line = (int)json_integer_value(json_object_get(o, "line"));
	}
	free(whole);
}

static bool take(struct stress *s, const char *program, const char *path)
{
	json_t *root = json_load_file(path, 0, NULL), *suite, *test;
	const json_t *suites = json_object_get(root, "testsuites");
	bool ok = json_is_array(suites);
	size_t i, k;

	json_array_foreach(suites, i, suite) {
		json_array_foreach(json_object_get(suite, "testsuite"), k, test)
			add_gtest_test(s, program, text_of(suite, "name"), test);
	}
	json_decref(root);
	return ok;
}

/* Returns whether the file system is full. GoogleTest does not report that it could not write. */
static bool is_full(const char *path)
{
	struct statvfs fs;

	return !statvfs(path, &fs) && !fs.f_bavail;
}

/* Runs the program so that it writes its list to `path`. */
static void ask(struct stress *s, const char *program, const char *path)
{
	char *output = xasprintf("--gtest_output=json:%s", path), why[512], how[128];
	char *argv[] = {(char *)program, "--gtest_list_tests", output, NULL};
	struct process_plan plan = {.argv = argv, .limit_ns = s->opt.native_ns};
	struct process p = {.pid = 0};
	bool ran = process_run(&p, &plan, why, sizeof(why));

	if (!ran || !take(s, program, path)) {
		char *said = last_line(p.out.text);

		process_describe(&p, how, sizeof(how));
		list_failed(s, program, is_full(path) ? xasprintf("cannot write its list of tests to %s: %s; set TMPDIR to another directory", path,
			strerror(ENOSPC)) : ran ? xasprintf("%s --gtest_list_tests listed no tests (%s%s%s); --gtest needs a program built with "
				"GoogleTest 1.10 or later", program, how, *said ? ": " : "", said) : xasprintf("cannot list the tests of a program: %s", why));
		free(said);
	}
	process_free(&p);
	free(output);
}

void list_gtest(struct stress *s, const char *program)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = xasprintf("%s/simul-gtest-XXXXXX", tmp && *tmp ? tmp : "/tmp"), *path;

	if (!mkdtemp(dir)) {
		list_failed(s, program, xasprintf("no temporary directory for the list of tests: %s: %s", dir, strerror(errno)));
		free(dir);
		return;
	}
	path = xasprintf("%s/list.json", dir);
	ask(s, program, path);
	unlink(path);
	rmdir(dir);
	free(path);
	free(dir);
}
