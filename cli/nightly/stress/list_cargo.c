/*
 * Cargo: `cargo test --no-run --message-format=json` builds the test programs of a Rust package and names them. Each program lists its tests
 * (--list --format terse) and runs one of them alone (--exact NAME).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/supervise/process.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/target/environment.h"
#include "base/xalloc.h"

#define IS_TEST ": test"
#define IS_BENCHMARK ": benchmark"

/* A test program, as cargo describes it. */
struct artifact {
	const char *program, *target, *kind; /* its path; the name of the library, program or file in tests/; "lib", "bin", "test" */
	char *cwd;                           /* directory of the package, where cargo runs it; malloc()ed */
};

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

static bool ends_with(const char *line, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n > m && !strncmp(line + n - m, end, m);
}

/* Appends the names in the lines "NAME: test". false: a line is neither that nor a benchmark, so the program has another list. */
static bool take_names(const char *text, struct string_list *names)
{
	for (const char *line = text ? text : ""; *line;) {
		size_t n = strcspn(line, "\n");

		if (ends_with(line, n, IS_TEST))
			strings_take(names, xasprintf("%.*s", (int)(n - strlen(IS_TEST)), line));
		else if (n && !ends_with(line, n, IS_BENCHMARK))
			return false;
		line += n + (line[n] == '\n');
	}
	return true;
}

/* Asks the program for its tests, or only for the ignored ones. Returns why it did not list them, malloc()ed; NULL: it did. */
static char *ask_program(struct stress *s, const struct artifact *a, bool ignored, struct string_list *names)
{
	char *argv[] = {(char *)a->program, "--list", "--format", "terse", ignored ? "--ignored" : NULL, NULL}, why[512], how[128], *said;
	struct process_plan plan = {.argv = argv, .cwd = a->cwd, .limit_ns = s->opt.native_ns, .whole = true};
	struct process p = {.pid = 0};
	char *problem = NULL;

	if (!process_run(&p, &plan, why, sizeof(why))) {
		problem = xasprintf("cannot list the tests of a program: %s", why);
	} else if (!WIFEXITED(p.status) || WEXITSTATUS(p.status) || !take_names(p.out.text, names)) {
		said = last_line(p.err.size ? p.err.text : p.out.text);
		process_describe(&p, how, sizeof(how));
		problem = xasprintf("%s --list listed no tests (%s%s%s); --cargo needs Rust's own test harness", a->program, how, *said ? ": " : "", said);
		free(said);
	}
	process_free(&p);
	return problem;
}

static void add_cargo_test(struct stress *s, const struct artifact *a, const char *test)
{
	char *suite = xasprintf("%s:%s", a->cwd, a->kind), *name = xasprintf("%s::%s", a->target, test);
	struct stress_test *t = stress_tests_add(&s->tests, suite, name);
	struct string_list argv = {.n = 0}, env = {.n = 0};

	strings_copy(&argv, (char *[]){(char *)a->program, "--exact", (char *)test, "--test-threads=1", NULL});
	strings_take(&env, xasprintf("CARGO_MANIFEST_DIR=%s", a->cwd));
	t->listed.argv = argv.word;
	t->listed.env = env.word;
	t->listed.cwd = xstrdup(a->cwd);
	free(suite);
	free(name);
}

/* Adds the tests of one program, without those that cargo test ignores. */
static void add_all(struct stress *s, const struct artifact *a)
{
	struct string_list names = {.n = 0}, ignored = {.n = 0};
	char *problem = ask_program(s, a, false, &names);

	if (!problem && names.n)
		problem = ask_program(s, a, true, &ignored);
	if (problem)
		list_failed(s, a->program, problem);
	for (size_t i = 0; !problem && i < names.n; i++)
		if (!strings_have(ignored.word, names.word[i]))
			add_cargo_test(s, a, names.word[i]);
	if (names.word)
		environment_free(names.word);
	if (ignored.word)
		environment_free(ignored.word);
}

/* Takes one of cargo's messages. Test programs are artifacts that have a program and were built for tests. */
static void take(struct stress *s, const json_t *message)
{
	const json_t *target = json_object_get(message, "target");
	struct artifact a = {.program = text_of(message, "executable"), .target = text_of(target, "name")};
	const char *kind = json_string_value(json_array_get(json_object_get(target, "kind"), 0)), *manifest = text_of(message, "manifest_path");
	const char *slash = strrchr(manifest, '/');

	if (strcmp(text_of(message, "reason"), "compiler-artifact") || !*a.program || !slash ||
		!json_is_true(json_object_get(json_object_get(message, "profile"), "test")))
		return;
	a.kind = kind ? kind : "test";
	a.cwd = xasprintf("%.*s", (int)(slash - manifest), manifest);
	add_all(s, &a);
	free(a.cwd);
}

/* Takes cargo's output: one object in each line, between lines of other programs. */
static void take_messages(struct stress *s, char *text)
{
	char *line;

	while (text && (line = strsep(&text, "\n"))) {
		json_t *message = *line == '{' ? json_loads(line, 0, NULL) : NULL;

		if (message && !interrupt_count())
			take(s, message);
		json_decref(message);
	}
}

bool list_cargo(struct stress *s, const char *dir, char *why, size_t size)
{
	char *argv[] = {"cargo", "test", "--no-run", "--message-format=json", NULL}, how[128], *said;
	struct process_plan plan = {.argv = argv, .cwd = dir, .whole = true}; /* no limit: it compiles */
	struct process p = {.pid = 0};
	bool ok = process_run(&p, &plan, why, size);

	if (ok && (!WIFEXITED(p.status) || WEXITSTATUS(p.status))) {
		ok = false;
		said = last_line(p.err.text);
		process_describe(&p, how, sizeof(how));
		text_set(why, size, "cargo test --no-run failed (%s%s%s)", how, *said ? ": " : "", said);
		free(said);
	}
	if (ok)
		take_messages(s, p.out.text);
	process_free(&p);
	return ok;
}
