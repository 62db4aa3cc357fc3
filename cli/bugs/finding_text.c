#include "cli/bugs/finding_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/printable.h"

#define SHOWN_LINES 20
#define CHECK_LINES 8

/* Returns where the last `most` lines begin. */
static const char *last_lines(const char *text, unsigned most)
{
	const char *from = text + strlen(text);
	unsigned lines = 0;

	while (from > text && (from[-1] != '\n' || lines < most))
		lines += *--from == '\n';
	return from;
}

/* Returns the line that names the failed check of a test framework, or NULL. What follows it in the output is about
   the end of the tests. */
static const char *check_line(const struct recording *r, const char *text)
{
	const char *at = r->failure.kind == BUG_EXIT && r->failure.where ? strstr(text, r->failure.where) : NULL;

	while (at && at > text && at[-1] != '\n')
		at--;
	return at;
}

/* Returns whether a test framework writes the line around its tests, whatever they do. */
static bool is_banner(const char *line)
{
	static const char *const begins[] = {"[====", "[----", "[ RUN ", "[  FAILED", "[  PASSED", "[       OK",
		"[  SKIPPED", "Running main() from ", "Note: Google Test", "====", "----", "~~~~", "....",
		"test cases:", "assertions:", "Filters: ", "Randomness seeded to:", "[doctest] "};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Returns the end of what the framework says about a failed check: the next line that is empty or a banner. */
static size_t check_length(const char *from)
{
	const char *at = from;

	while (*at && *at != '\n' && !is_banner(at))
		at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
	return (size_t)(at - from);
}

/* Returns whether the text has lines other than banners. */
static bool has_words(const char *text)
{
	while (*text && (*text == '\n' || is_banner(text)))
		text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
	return *text;
}

static void show_output(FILE *out, const struct recording *r)
{
	char *text = printable(r->failure.output ? r->failure.output : "", PRINTABLE_LINES);
	const char *check = check_line(r, text), *from = check ? check : last_lines(text, SHOWN_LINES);
	const char *end = check ? check + check_length(check) : text + strlen(text);
	const char *part = "";

	if (check)
		part = ", the failed check";
	else if (from > text)
		part = ", last part";

	if (has_words(from))
		fprintf(out, "\nOutput%s:\n", part);
	else
		end = from;
	for (unsigned lines = 0; from < end && lines < (check ? CHECK_LINES : SHOWN_LINES + 1); lines++) {
		size_t n = strcspn(from, "\n");

		fprintf(out, "  | %.*s\n", (int)n, from);
		from += n + (from[n] == '\n');
	}
	if (from < end)
		fprintf(out, "  | …\n");
	free(text);
}

void finding_show(FILE *out, const struct recording *r, struct report_options options, const char *other)
{
	char *rest = NULL;
	size_t size;
	FILE *f = open_memstream(&rest, &size);

	INVARIANT(f, "out of memory");
	if (other)
		fprintf(f, "A replay with a different result: %s.\n", other);
	show_output(f, r);
	INVARIANT(fclose(f) == 0, "out of memory");
	options.lines = FINDING_LINES;
	for (const char *at = rest; *at; at++)
		options.lines -= *at == '\n' && options.lines > 1;
	report_bug_summary(out, r, &options);
	fputs(rest, out);
	free(rest);
}
