/*
 * Automake's `make check`: `make check TESTS=` builds the test programs, and a rule that is added on the command line
 * prints the list of each directory. A program may be a wrapper of libtool, which simul follows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/interrupt.h"
#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/supervise/process.h"
#include "cli/target/environment.h"
#include "cli/base/say.h"
#include "base/xalloc.h"

#define AUTOMAKE_SKIP 77 /* exit status */
#define MOST_DEPTH 32    /* of directories */

/* The lines that the added rule prints begin with these letters. */
#define RULE \
	"simul-tests:;@:$(foreach t,$(XFAIL_TESTS),$(info X$(t)))" \
	"$(info S$(srcdir))$(info E$(AM_TESTS_ENVIRONMENT))$(info V$(TESTS_ENVIRONMENT))" \
	"$(foreach t,$(TESTS),$(info T$(t)))$(foreach d,$(filter-out .,$(SUBDIRS)),$(info D$(d)))"

/* What make printed about a directory. */
struct directory {
	char *path;                      /* absolute */
	const char *below;               /* its path below the build directory, "" or with a slash at the end */
	char *source, *shell, *settings; /* srcdir, AM_TESTS_ENVIRONMENT, TESTS_ENVIRONMENT */
	struct string_list tests, fails, dirs;
};

/* Runs make in the directory. Its standard output, malloc()ed; NULL: it failed, and `why` gives the reason. */
static char *run_make(const char *dir, char **argv, uint64_t limit_ns, char *why, size_t size)
{
	struct process_plan plan = {.argv = argv, .cwd = dir, .limit_ns = limit_ns, .whole = true};
	struct process p = {.pid = 0};
	char how[128], *said, *text = NULL;

	if (process_run(&p, &plan, why, size)) {
		if (WIFEXITED(p.status) && !WEXITSTATUS(p.status)) {
			text = xstrdup(p.out.text ? p.out.text : "");
		} else {
			said = error_line(p.err.text);
			process_describe(&p, how, sizeof(how));
			text_set(why, size, "make in %s failed (%s%s%s)", dir, how, *said ? ": " : "", said);
			free(said);
		}
	}
	process_free(&p);
	return text;
}

static void take_lines(struct directory *d, char *text)
{
	for (char *line; (line = strsep(&text, "\n"));) {
		char *text_of_line = *line ? xstrdup(line + 1) : NULL;

		if (*line == 'T')
			strings_take(&d->tests, text_of_line);
		else if (*line == 'X')
			strings_take(&d->fails, text_of_line);
		else if (*line == 'D')
			strings_take(&d->dirs, text_of_line);
		else if (*line == 'S' && !d->source)
			d->source = text_of_line;
		else if (*line == 'E' && !d->shell)
			d->shell = text_of_line;
		else if (*line == 'V' && !d->settings)
			d->settings = text_of_line;
		else
			free(text_of_line);
	}
}

/* Returns the path of a test from its directory: built there, or among the sources. malloc()ed. */
static char *program_of(const struct directory *d, const char *test)
{
	char *built = xasprintf("%s/%s", d->path, test), *program;

	if (*test == '/')
		program = xstrdup(test);
	else
		program = xasprintf("%s/%s", access(built, F_OK) && d->source ? d->source : ".", test);
	free(built);
	return program;
}

/* Returns whether a line of make's has more than blanks. */
static bool says(const char *text)
{
	return text[strspn(text, " \t")];
}

static void add_automake_test(struct stress *s, const char *top, const struct directory *d, const char *test)
{
	char *name = xasprintf("%s%s", d->below, test), *program = program_of(d, test);
	struct stress_test *t = stress_tests_add(&s->tests, top, name);
	struct string_list argv = {.n = 0}, env = {.n = 0};
	const char *shell = d->shell ? d->shell : "", *settings = d->settings ? d->settings : "";

	if (says(shell) || says(settings)) {
		strings_copy(&argv, (char *[]){"sh", "-c", NULL});
		strings_take(&argv, xasprintf("%s\nexec env %s \"$0\"", shell, settings));
	}
	strings_take(&argv, program);
	strings_take(&env, xasprintf("srcdir=%s", d->source ? d->source : "."));
	t->listed.argv = argv.word;
	t->listed.env = env.word;
	t->listed.cwd = xstrdup(d->path);
	t->listed.skip_code = AUTOMAKE_SKIP;
	if (strings_have(d->fails.word, test))
		stress_settle(t, STRESS_SKIPPED,
			xstrdup("it is expected to fail (XFAIL_TESTS), and simul looks for failures"));
	free(name);
}

static void directory_free(struct directory *d)
{
	struct string_list *lists[] = {&d->tests, &d->fails, &d->dirs};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i]->word)
			environment_free(lists[i]->word);
	free(d->source);
	free(d->shell);
	free(d->settings);
	free(d->path);
}

/* Adds the tests of a directory and of those below it. */
static bool add_directory(struct stress *s, const char *top, const char *below, unsigned depth, char *why, size_t size)
{
	char *argv[] = {"make", "-s", "--no-print-directory", "--eval=" RULE, "simul-tests", NULL};
	struct directory d = {.path = xasprintf("%s/%s", top, below), .below = below};
	char *text = run_make(d.path, argv, s->opt.native_ns, why, size);
	bool ok = text != NULL;

	if (ok)
		take_lines(&d, text);
	for (size_t i = 0; i < d.tests.n; i++)
		add_automake_test(s, top, &d, d.tests.word[i]);
	for (size_t i = 0; ok && i < d.dirs.n && depth < MOST_DEPTH && !interrupt_count(); i++) {
		char *next = xasprintf("%s%s/", below, d.dirs.word[i]);

		ok = add_directory(s, top, next, depth + 1, why, size);
		free(next);
	}
	free(text);
	directory_free(&d);
	return ok;
}

bool list_automake(struct stress *s, const char *dir, char *why, size_t size)
{
	char *build[] = {"make", "-s", "check", "TESTS=", NULL}, *real = realpath(dir, NULL), *built = NULL;
	bool ok = false;

	if (!real)
		text_set(why, size, "%s", strerror(errno));
	else if ((built = run_make(real, build, 0, why, size))) /* no limit: it compiles */
		ok = add_directory(s, real, "", 0, why, size);
	free(built);
	free(real);
	return ok;
}
