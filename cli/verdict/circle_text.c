#include "cli/verdict/circle_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"
#include "cli/base/json_out.h"
#include "cli/collect/race_text.h"

void circle_describe(struct circle_note *out, const struct session_circles *seen, const struct thread_names *names, struct symbols *symbols)
{
	memset(out, 0, sizeof(*out));
	out->executions = seen->executions;
	if (!out->executions)
		return;
	out->others = seen->others;
	out->n = seen->n < SESSION_CIRCLE ? seen->n : SESSION_CIRCLE;
	out->cut = out->n < seen->n;
	for (size_t i = 0; i < out->n; i++) {
		struct session_stack at = {.n = 1, .pc = {seen->thread[i].pc}};
		char name[64] = "?";

		if (seen->thread[i].id < names->count)
			thread_name_format(names, (thread_id)seen->thread[i].id, name, sizeof(name));
		out->thread[i] = xstrdup(name);
		out->where[i] = stack_where(&at, symbols);
	}
}

void circle_free(struct circle_note *note)
{
	for (size_t i = 0; i < note->n; i++) {
		free(note->thread[i]);
		free(note->where[i]);
	}
}

/* "T0.1, T0.2 and T0.3" */
static void put_threads(const struct circle_note *note, FILE *out)
{
	for (size_t i = 0; i < note->n; i++)
		fprintf(out, "%s%s", !i ? "" : i + 1 < note->n || note->cut ? ", " : " and ", note->thread[i]);
	if (note->cut)
		fputs(" and others", out);
}

char *circle_text(const struct circle_note *note, uint64_t executions)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!note->executions || !note->n)
		return xstrdup("");
	out = open_memstream(&text, &size);
	INVARIANT(out, "out of memory");
	fprintf(out, "; in %" PRIu64 " of %" PRIu64 " execution%s %sthread%s ", note->executions, executions, executions == 1 ? "" : "s",
		note->others ? "threads waited for each other for ever when the process ended, in the first of them " : "", note->n == 1 ? "" : "s");
	put_threads(note, out);
	if (note->n == 1)
		fputs(note->others ? ", for itself" : " waited for itself for ever when the process ended", out);
	else if (!note->others)
		fputs(" waited for each other for ever when the process ended", out);
	for (size_t i = 0; i < note->n; i++)
		fprintf(out, "%s%s", i ? ", " : " (", note->where[i]);
	fputc(')', out);
	INVARIANT(fclose(out) == 0, "out of memory");
	return text;
}

json_t *circle_json(const struct circle_note *note)
{
	json_t *o, *threads = json_array();

	if (!note->executions) {
		json_decref(threads);
		return json_null();
	}
	for (size_t i = 0; i < note->n; i++) {
		json_t *t = json_object();
		json_object_set_new(t, "thread", json_text(note->thread[i]));
		json_object_set_new(t, "where", json_text(note->where[i]));
		json_array_append_new(threads, t);
	}
	o = json_object();
	json_object_set_new(o, "executions", json_number(note->executions));
	json_object_set_new(o, "others", json_boolean(note->others));
	json_object_set_new(o, "threads", threads);
	return o;
}
