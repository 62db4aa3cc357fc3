/* GitHub's workflow commands: errors shown beside the source lines of a change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/bug_location.h"
#include "cli/nightly/stress/show.h"
#include "base/printable.h"
#include "base/xalloc.h"

/* Characters to escape in a property and in a message. */
#define IN_PROPERTY "%\r\n:,"
#define IN_MESSAGE "%\r\n"

static void put(FILE *out, const char *text, const char *special)
{
	char *clean = printable(text, PRINTABLE_LINES);

	for (const char *c = clean; *c; c++) {
		if (strchr(special, *c))
			fprintf(out, "%%%02X", (unsigned char)*c);
		else
			fputc(*c, out);
	}
	free(clean);
}

static void annotate(FILE *out, const char *file, int line, const char *title, const char *message)
{
	fputs("::error ", out);
	if (file) {
		fputs("file=", out);
		put(out, location_in_sources(file), IN_PROPERTY);
		fprintf(out, ",line=%d,", line > 0 ? line : 1);
	}
	fputs("title=", out);
	put(out, title, IN_PROPERTY);
	fputs("::", out);
	put(out, message, IN_MESSAGE);
	fputc('\n', out);
}

static void annotate_bug(FILE *out, const struct stress_test *t, const struct stress_bug *b)
{
	char *title = xasprintf("simul: %s: %s", t->name, b->kind), *line = bugs_line(b);
	char *message = xasprintf("%s\n%s%s%s", line, b->message, b->recording ? "\nsimul replay " : "", b->recording ? b->recording : "");
	const char *file = b->file && b->file[0] != '/' ? b->file : t->listed.file;

	annotate(out, file, file == b->file ? b->line : t->listed.line, title, message);
	free(title);
	free(line);
	free(message);
}

void show_annotations(const struct stress *s, FILE *out)
{
	for (size_t i = 0; i < s->tests.n; i++) {
		const struct stress_test *t = &s->tests.test[i];

		for (size_t k = 0; k < t->n_bugs; k++)
			annotate_bug(out, t, &t->bug[k]);
		if (t->status == STRESS_NATIVE || t->status == STRESS_UNUSABLE || t->status == STRESS_FAULT) {
			char *title = xasprintf("simul: %s: %s", t->name, stress_status_text(t->status)), *detail = show_detail(t);

			annotate(out, t->listed.file, t->listed.line, title, detail);
			free(title);
			free(detail);
		}
	}
	fflush(out);
}
