#include "cli/nightly/stress/output.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/base/say.h"

#define LINE_SHOWN 200

/* ---- regular expressions ---- */

/* CMake's regular expressions are POSIX extended ones, except that braces are literal. malloc()ed. */
static char *extended(const char *pattern)
{
	char *out = xcalloc(2 * strlen(pattern) + 1, 1), *to = out;
	bool in_set = false, begins = false;

	for (const char *p = pattern; *p; p++) {
		if (!in_set && *p == '\\' && p[1])
			*to++ = *p++;
		else if (!in_set && (*p == '{' || *p == '}'))
			*to++ = '\\';
		else if (!in_set && *p == '[')
			in_set = begins = true;
		else if (in_set && *p == ']' && !begins)
			in_set = false;
		else if (*p != '^')
			begins = false;
		*to++ = *p;
	}
	return out;
}

const char *output_matches(char *const *patterns, const char *text)
{
	const char *found = NULL;

	for (; text && patterns && *patterns && !found; patterns++) {
		char *pattern = extended(*patterns);
		regex_t re;

		if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB)) {
			say("note: the regular expression \"%s\" of a test cannot be used, and is ignored", *patterns);
		} else {
			if (!regexec(&re, text, 0, NULL, 0))
				found = *patterns;
			regfree(&re);
		}
		free(pattern);
	}
	return found;
}

/* ---- TAP ---- */

struct tap {
	long planned, tests, skipped; /* planned -1: no plan so far */
	char *failed; /* the first line that says so */
};

static void fail(struct tap *tap, const char *line)
{
	if (!tap->failed)
		tap->failed = xasprintf("\"%.*s\"", LINE_SHOWN, line);
}

/* What a TAP test says after the first #. */
enum directive {
	NO_DIRECTIVE,
	EXPECTED_FAILURE, /* "todo": the test is expected to fail */
	SKIP, /* the test did not run */
};

static enum directive directive(const char *line)
{
	const char *at = strchr(line, '#');

	at = at ? at + 1 + strspn(at + 1, " \t") : "";
	if (!strncasecmp(at, "skip", 4))
		return SKIP;
	return !strncasecmp(at, "todo", 4) && !isalnum((unsigned char)at[4]) ? EXPECTED_FAILURE : NO_DIRECTIVE;
}

/* Lines of subtests are indented; the line after them has their result. As in Meson, a test that is `not ok` was not skipped, whatever its
   directive says. */
static void take_line(struct tap *tap, const char *line)
{
	bool bad = !strncmp(line, "not ok", 6), good = !strncmp(line, "ok", 2);
	char after = line[bad ? 6 : good ? 2 : 0];

	if ((bad || good) && (!after || isspace((unsigned char)after))) {
		enum directive says = directive(line);

		tap->tests++;
		tap->skipped += good && says == SKIP;
		if (bad ? says != EXPECTED_FAILURE : says == EXPECTED_FAILURE)
			fail(tap, line);
	} else if (!strncmp(line, "1..", 3) && isdigit((unsigned char)line[3])) {
		tap->planned = strtol(line + 3, NULL, 10);
	} else if (!strncmp(line, "Bail out!", 9)) {
		fail(tap, line);
	}
}

enum tap_result output_tap(const char *text, char **why)
{
	struct tap tap = {.planned = -1};
	char *all = xstrdup(text ? text : ""), *rest = all, *line;

	while ((line = strsep(&rest, "\n"))) {
		line[strcspn(line, "\r")] = 0;
		take_line(&tap, line);
	}
	free(all);
	*why = NULL;
	if (tap.failed)
		*why = xasprintf("its TAP output reports %s", tap.failed);
	else if (tap.planned >= 0 && tap.planned != tap.tests)
		*why = xasprintf("its TAP output announces %ld tests but contains %ld", tap.planned, tap.tests);
	else if (tap.skipped == tap.tests)
		*why = xstrdup(tap.tests ? "its TAP output reports that all tests were skipped" : "its TAP output has no tests");
	free(tap.failed);
	return tap.failed || (tap.planned >= 0 && tap.planned != tap.tests) ? TAP_FAILED : tap.skipped == tap.tests ? TAP_SKIPPED : TAP_PASSED;
}
