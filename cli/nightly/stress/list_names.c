/*
 * Frameworks whose programs print the names of their tests, and run the one that an argument selects: GLib, Catch2,
 * doctest, Boost.Test. Each has a row in a table. The names are read from text, since not all have another format.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/supervise/process.h"
#include "cli/target/environment.h"
#include "base/xalloc.h"

#define MOST_DEPTH 32        /* of Boost's test suites in each other */
#define DOCTEST_RULE "====="
#define CATCH2_SKIP 4        /* exit status if the test skips itself */

struct format {
	const char *needs;         /* for messages: "--catch2 needs a Catch2 program" */
	const char *ask[2][4];     /* arguments that print the list, NULL-terminated; second row: other versions */
	bool on_stderr;            /* the list is on standard error */
	bool counts;               /* the exit status may be the number of tests, up to 255 */
	/* Appends the names that the output has; it may change the text. false: this is no list. */
	bool (*take)(char *text, struct string_list *names);
	const char *select[2];     /* arguments before the name, the last one without a space between; NULL: fewer */
	const char *escape;        /* characters of a name that need a backslash */
	const char *one_of;        /* characters of a name that must be replaced by '?', which matches any character */
	int skip_code;             /* these two as in struct stress_listed; 0 and NULL: none */
	const char *skip_output;
};

/* GLib prints a line for each path, and comments and the plan of TAP. */
static bool take_glib(char *text, struct string_list *names)
{
	for (char *line; (line = strsep(&text, "\n"));) {
		if (*line == '/')
			strings_take(names, xstrdup(line));
		else if (*line && *line != '#' && strncmp(line, "1..", 3) && strncmp(line, "TAP ", 4))
			return false;
	}
	return true;
}

/* Catch2 prints a line for each name. */
static bool take_catch2(char *text, struct string_list *names)
{
	for (char *line; (line = strsep(&text, "\n"));)
		if (*line)
			strings_take(names, xstrdup(line));
	return true;
}

/* doctest prints the names between two rules. */
static bool take_doctest(char *text, struct string_list *names)
{
	unsigned rules = 0;

	for (char *line; (line = strsep(&text, "\n"));) {
		if (!strncmp(line, DOCTEST_RULE, strlen(DOCTEST_RULE)))
			rules++;
		else if (rules == 1 && *line)
			strings_take(names, xstrdup(line));
	}
	return rules == 2;
}

/* The depth of a line in Boost's tree, which indents by four spaces. */
static size_t boost_depth(const char *line)
{
	return strspn(line, " ") / 4;
}

/* Cuts a line of Boost's tree, "    name*: description", to the name. Returns whether the test is enabled: then an
   asterisk follows the name. */
static bool boost_name(char *line)
{
	char *colon = strstr(line, ": "), *end;
	bool enabled;

	if (colon)
		*colon = 0;
	end = line + strlen(line);
	while (end > line && end[-1] == ' ')
		end--;
	enabled = end > line && end[-1] == '*';
	end[enabled ? -1 : 0] = 0;
	return enabled;
}

/* Appends the path of a test, SUITE/SUITE/TEST. */
static void take_path(char *const *part, size_t depth, struct string_list *names)
{
	char *path = xstrdup(part[0]), *longer;

	for (size_t i = 1; i <= depth; i++) {
		longer = xasprintf("%s/%s", path, part[i]);
		free(path);
		path = longer;
	}
	strings_take(names, path);
}

/* Boost.Test prints a tree, whose leaves are the tests. */
static bool take_boost(char *text, struct string_list *names)
{
	char *part[MOST_DEPTH];
	size_t most = 0;

	for (char *line; (line = strsep(&text, "\n")) && *line;) {
		size_t depth = boost_depth(line);
		bool leaf = !text || boost_depth(text) <= depth, enabled = boost_name(line);

		if (depth > most || depth >= MOST_DEPTH)
			return false;
		part[depth] = line + depth * 4;
		most = depth + 1;
		if (leaf && enabled)
			take_path(part, depth, names);
	}
	return true;
}

static const struct format formats[] = {
	[FRAMEWORK_GLIB] = {
		.needs = "--glib needs a program that calls g_test_init",
		.ask = {{"-l"}},
		.take = take_glib,
		.select = {"-p", ""},
		.skip_output = "# SKIP",
	},
	[FRAMEWORK_CATCH2] = {
		.needs = "--catch2 needs a Catch2 program",
		.ask = {{"--list-test-names-only"}, {"--list-tests", "--verbosity", "quiet"}},
		.counts = true,
		.take = take_catch2,
		.select = {""},
		.escape = "\\,[]\"~-",
		.skip_code = CATCH2_SKIP,
	},
	[FRAMEWORK_DOCTEST] = {
		.needs = "--doctest needs a doctest program",
		.ask = {{"--list-test-cases", "--no-colors=true"}},
		.take = take_doctest,
		.select = {"--case-sensitive=true", "--test-case="},
		.one_of = ",\\",
	},
	[FRAMEWORK_BOOST] = {
		.needs = "--boost needs a Boost.Test program",
		.ask = {{"--list_content=HRF"}},
		.on_stderr = true,
		.take = take_boost,
		.select = {"--run_test="},
	},
};

/* Returns whether the program ended as one that printed `n` names. */
static bool ended_well(const struct format *f, int status, size_t n)
{
	size_t counted = f->counts ? (n < 255 ? n : 255) : 0;

	return WIFEXITED(status) && (!WEXITSTATUS(status) || (size_t)WEXITSTATUS(status) == counted);
}

/* Runs the command so that it prints its list. Returns why it printed none, malloc()ed; NULL: it did. */
static char *ask(struct stress *s, char *const *command, const struct format *f, const char *const *arguments,
	struct string_list *names)
{
	struct string_list argv = {.n = 0};
	struct process_plan plan = {.limit_ns = s->opt.native_ns, .whole = !f->on_stderr, .searched = f->on_stderr};
	struct process p = {.pid = 0};
	char why[512], how[128], *problem = NULL, *said;

	strings_copy(&argv, command);
	strings_copy(&argv, (char **)arguments);
	plan.argv = argv.word;
	if (!process_run(&p, &plan, why, sizeof(why))) {
		problem = xasprintf("cannot list the tests of a program: %s", why);
	} else if (!p.out.text || !f->take(p.out.text, names) || !names->n || !ended_well(f, p.status, names->n)) {
		said = last_line(p.err.size ? p.err.text : p.out.text);
		process_describe(&p, how, sizeof(how));
		problem = xasprintf("%s %s listed no tests (%s%s%s); %s", command[0], arguments[0], how,
			*said ? ": " : "", said, f->needs);
		free(said);
	}
	process_free(&p);
	environment_free(argv.word);
	return problem;
}

/* Returns the last argument of a test's command. malloc()ed. */
static char *selector(const struct format *f, const char *before, const char *name)
{
	char *text = xcalloc(2 * strlen(name) + strlen(before) + 1, 1), *to = stpcpy(text, before);

	for (; *name; name++) {
		if (f->escape && strchr(f->escape, *name))
			*to++ = '\\';
		*to++ = f->one_of && strchr(f->one_of, *name) ? '?' : *name;
	}
	*to = 0;
	return text;
}

static void add_named_test(struct stress *s, const char *suite, char *name, char *const *command,
	const struct format *f, const char *selected)
{
	struct stress_test *t = stress_tests_add(&s->tests, suite, name);
	struct string_list argv = {.n = 0}, skips = {.n = 0};

	free(name);
	strings_copy(&argv, command);
	if (f->select[1])
		strings_take(&argv, xstrdup(f->select[0]));
	strings_take(&argv, selector(f, f->select[f->select[1] ? 1 : 0], selected));
	t->listed.argv = argv.word;
	if (f->skip_output)
		strings_take(&skips, xstrdup(f->skip_output));
	t->listed.skip_output = skips.word;
	t->listed.skip_code = f->skip_code;
}

/* Adds the tests of a command, whose names begin with `before`. Returns why there are none, malloc()ed; NULL: they
   were added. */
static char *add_all(struct stress *s, const struct format *f, const char *suite, const char *before,
	char *const *command)
{
	struct string_list names = {.n = 0};
	char *problem = ask(s, command, f, f->ask[0], &names);

	if (problem && f->ask[1][0]) {
		free(problem);
		if (names.word)
			environment_free(names.word);
		names = (struct string_list){.n = 0};
		problem = ask(s, command, f, f->ask[1], &names);
	}
	for (size_t i = 0; !problem && i < names.n; i++)
		add_named_test(s, suite, xasprintf("%s%s", before, names.word[i]), command, f, names.word[i]);
	if (names.word)
		environment_free(names.word);
	return problem;
}

void list_names(struct stress *s, const char *program)
{
	char *command[] = {(char *)program, NULL};
	char *problem = add_all(s, &formats[s->opt.framework], program, "", command);

	if (problem)
		list_failed(s, program, problem);
}

bool list_glib_command(struct stress *s, const char *suite, const char *before, char *const *command)
{
	char *problem = add_all(s, &formats[FRAMEWORK_GLIB], suite, before, command);
	bool ok = !problem;

	free(problem);
	return ok;
}
