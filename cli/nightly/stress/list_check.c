/*
 * Check cannot list its tests. But its XML log names the suite and the test case (TCase) of each test that ran, and
 * CK_RUN_SUITE and CK_RUN_CASE select one. CK_FORK=no keeps it in one process. A program that decides these things in
 * its code ignores the variables.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/supervise/process.h"
#include "base/xalloc.h"

/* Returns the text of the element, if the line is <TAG>TEXT</TAG>, without escapes. malloc()ed; NULL: it is not. */
static char *element(const char *line, const char *tag)
{
	static const char *const escapes[][2] = {
		{"&quot;", "\""},
		{"&apos;", "'"},
		{"&lt;", "<"},
		{"&gt;", ">"},
		{"&amp;", "&"},
	};
	char *begin = xasprintf("<%s>", tag), *end = xasprintf("</%s>", tag), *text = NULL, *to;
	const char *from = strstr(line, begin), *stop = from ? strstr(from, end) : NULL;

	if (stop) {
		from += strlen(begin);
		to = text = xcalloc((size_t)(stop - from) + 1, 1);
		while (from < stop) {
			size_t n = 1, i = 0;

			*to = *from;
			for (; i < sizeof(escapes) / sizeof(escapes[0]) && n == 1; i++)
				if (!strncmp(from, escapes[i][0], strlen(escapes[i][0]))) {
					*to = escapes[i][1][0];
					n = strlen(escapes[i][0]);
				}
			to++;
			from += n;
		}
		*to = 0;
	}
	free(begin);
	free(end);
	return text;
}

static void add_check_case(struct stress *s, const char *program, const char *suite, const char *tcase)
{
	char *name = xasprintf("%s/%s", suite, tcase);
	struct string_list argv = {.n = 0}, env = {.n = 0};
	struct stress_test *t;

	for (size_t i = 0; i < s->tests.n; i++) /* a line of the log is a test; a test case may have several */
		if (!strcmp(s->tests.test[i].suite, program) && !strcmp(s->tests.test[i].name, name)) {
			free(name);
			return;
		}
	t = stress_tests_add(&s->tests, program, name);
	strings_take(&argv, xstrdup(program));
	strings_take(&env, xstrdup("CK_FORK=no"));
	strings_take(&env, xasprintf("CK_RUN_SUITE=%s", suite));
	strings_take(&env, xasprintf("CK_RUN_CASE=%s", tcase));
	t->listed.argv = argv.word;
	t->listed.env = env.word;
	free(name);
}

/* Adds the test cases that the log names. Returns how many tests it names. */
static size_t take(struct stress *s, const char *program, char *text)
{
	char *suite = NULL;
	size_t n = 0;

	for (char *line; (line = strsep(&text, "\n"));) {
		char *title = element(line, "title"), *tcase = element(line, "description");

		if (title) {
			free(suite);
			suite = title;
		}
		if (tcase && suite) {
			add_check_case(s, program, suite, tcase);
			n++;
		}
		free(tcase);
	}
	free(suite);
	return n;
}

void list_check(struct stress *s, const char *program)
{
	char *argv[] = {(char *)program, NULL}, *env[] = {"CK_XML_LOG_FILE_NAME=-", "CK_VERBOSITY=silent", NULL};
	char why[512], how[128];
	struct process_plan plan = {.argv = argv, .env = env, .limit_ns = s->opt.native_ns, .whole = true};
	struct process p = {.pid = 0};
	bool ran = process_run(&p, &plan, why, sizeof(why));

	if (!ran) {
		list_failed(s, program, xasprintf("cannot list the tests of a program: %s", why));
	} else if (!p.out.text || !take(s, program, p.out.text)) {
		char *said = last_line(p.err.text);

		process_describe(&p, how, sizeof(how));
		list_failed(s, program,
			xasprintf("%s named no tests when it was run (%s%s%s); --check needs a Check program", program,
				how, *said ? ": " : "", said));
		free(said);
	}
	process_free(&p);
}
