/*
 * `simul show --html`: the page of recorder/html/ with a recording in it. At build time recorder/html/assemble.sh combines the page,
 * its style and its program into one text with placeholders. This file fills the placeholders.
 */
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "recorder/html/html.h"
#include "recorder/html/html_data.h"
#include "recorder/json/json_phrases.h"

/* recorder/html/embed.S */
extern const char html_page[], html_page_end[];

/* Writes text between tags or in an attribute. No part of it can become a tag. */
static void put_escaped(FILE *out, const char *text)
{
	char *clean = printable(text, PRINTABLE_LINES);

	for (const char *p = clean; *p; p++) {
		if (strchr("<>&\"'", *p))
			fprintf(out, "&#%u;", (unsigned char)*p);
		else
			fputc(*p, out);
	}
	free(clean);
}

/* Returns whether `at` starts an escape such as "\u202e" whose character must not reach the page. */
static bool is_harmful_escape(const char *at)
{
	char digits[5] = "";

	if (at[0] != '\\' || at[1] != 'u')
		return false;
	memcpy(digits, at + 2, 4);
	return printable_is_harmful(strtoul(digits, NULL, 16)) || !strcmp(digits, "db40"); /* the first half of invisible tags */
}

/* Writes JSON into a script element. No byte of it can end the element or begin a comment, and no text in it has a harmful character. */
static void put_data(FILE *out, const struct report *p, const char *name)
{
	json_t *data = html_data(p, name);
	char *text = json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII);

	INVARIANT(text, "out of memory");
	json_decref(data);
	for (const char *at = text; *at; at++) {
		if (strchr("<>&", *at)) { /* these occur only inside strings */
			fprintf(out, "\\u%04x", (unsigned)*at);
			continue;
		}
		if (*at == 0x7f) {
			fputs("\\\\x7f", out);
			continue;
		}
		if (is_harmful_escape(at))
			fputc('\\', out);
		fputc(*at, out);
		if (at[0] == '\\' && at[1] == '\\') /* the backslash itself: what follows is no escape */
			fputc(*++at, out);
	}
	free(text);
}

static void put_report(FILE *out, const struct recording *r)
{
	const struct report_options options = { .width = 88, .no_schedule = true };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	INVARIANT(f, "out of memory");
	report_show(f, r, &options);
	INVARIANT(fclose(f) == 0, "out of memory");
	put_escaped(out, text);
	free(text);
}

static void fill(FILE *out, const struct report *p, const char *name, const char *hole, size_t n)
{
	if (n == 4 && memcmp(hole, "NAME", n) == 0)
		put_escaped(out, name);
	else if (n == 6 && memcmp(hole, "REPORT", n) == 0)
		put_report(out, p->r);
	else if (n == 4 && memcmp(hole, "DATA", n) == 0)
		put_data(out, p, name);
	else
		INVARIANT(false, "the page has a hole that nothing fills: %.*s", (int)n, hole);
}

char *report_html(const struct recording *r, const char *name, size_t *size)
{
	const char *at = html_page, *hole;
	struct report p;
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	INVARIANT(out, "out of memory");
	report_begin(&p, out, r, NULL);
	/* placeholders look like {{{NAME}}} */
	while ((hole = memmem(at, (size_t)(html_page_end - at), "{{{", 3))) {
		const char *end = memmem(hole, (size_t)(html_page_end - hole), "}}}", 3);
		INVARIANT(end, "the page has a hole that does not end");
		fwrite(at, 1, (size_t)(hole - at), out);
		fill(out, &p, name, hole + 3, (size_t)(end - hole - 3));
		at = end + 3;
	}
	fwrite(at, 1, (size_t)(html_page_end - at), out);
	report_finish(&p);
	INVARIANT(fclose(out) == 0, "out of memory");
	return text;
}
