/*
 * CMocka cannot list tests and has no option to select one. But its XML output names the tests that ran. A program linked with libcmocka.so
 * runs the tests chosen by cmocka_set_test_filter(), which preload/standin/cmocka.c calls with the name from an environment variable.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/nightly/stress/last_line.h"
#include "cli/nightly/stress/list.h"
#include "cli/supervise/process.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"

#define BEFORE_NAME "<testcase name=\""
#define AFTER_NAME "\" time=\""

static void add_cmocka_test(struct stress *s, const char *program, const char *helper, const char *name, size_t length)
{
	char *text = xasprintf("%.*s", (int)length, name);
	struct stress_test *t = stress_tests_add(&s->tests, program, text);
	const char *also = getenv("LD_PRELOAD");
	struct string_list argv = {.n = 0}, env = {.n = 0};

	strings_copy(&argv, (char *[]){(char *)program, NULL});
	strings_take(&env, xasprintf("LD_PRELOAD=%s%s%s", helper, also && *also ? ":" : "", also ? also : ""));
	strings_take(&env, xasprintf("SIMUL_CMOCKA_TEST=%s", text));
	t->listed.argv = argv.word;
	t->listed.env = env.word;
	free(text);
}

/* CMocka does not escape quotes and angle brackets in names, so its output cannot be parsed as XML. */
static size_t take(struct stress *s, const char *program, const char *helper, const char *text)
{
	size_t n = 0;

	while (text && (text = strstr(text, BEFORE_NAME))) {
		const char *end;

		text += strlen(BEFORE_NAME);
		end = strstr(text, AFTER_NAME);
		if (!end || memchr(text, '\n', (size_t)(end - text)))
			continue;
		add_cmocka_test(s, program, helper, text, (size_t)(end - text));
		text = end;
		n++;
	}
	return n;
}

void list_cmocka(struct stress *s, const char *program, const char *helper)
{
	char *argv[] = {(char *)program, NULL}, *env[] = {"CMOCKA_MESSAGE_OUTPUT=XML", NULL}, why[512], how[128];
	struct process_plan plan = {.argv = argv, .env = env, .limit_ns = s->opt.native_ns, .whole = true};
	struct process p = {.pid = 0};
	bool ran = process_run(&p, &plan, why, sizeof(why));

	if (!ran || !take(s, program, helper, p.out.text)) {
		char *said = last_line(p.err.size ? p.err.text : p.out.text);

		process_describe(&p, how, sizeof(how));
		list_failed(s, program, ran ? xasprintf("%s named no tests when it was run (%s%s%s); --cmocka needs a CMocka program", program,
			how, *said ? ": " : "", said) : xasprintf("cannot list the tests of a program: %s", why));
		free(said);
	}
	process_free(&p);
}
