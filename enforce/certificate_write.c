/* A certificate as a file: the writer. docs/format-certificate.md describes what it writes. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/whole_file.h"
#include "base/xalloc.h"
#include "enforce/certificate.h"
#include "sched/event.h"

static void put_string(FILE *f, const char *text)
{
	if (!text) {
		fputs(" -", f);
		return;
	}
	fputs(" \"", f);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (*p < ' ' || *p == '"' || *p == '\\' || *p == 127)
			fprintf(f, "\\x%02x", *p);
		else
			fputc(*p, f);
	fputc('"', f);
}

static void put_line(FILE *f, const char *word, const char *text)
{
	fputs(word, f);
	put_string(f, text);
	fputc('\n', f);
}

static void put_thread_range(FILE *f, uint64_t area, uint64_t down, uint32_t size)
{
	bool tls = area >= TLS_FIRST;

	fprintf(f, " %s%" PRIu64 "-0x%" PRIx64 "/%" PRIu32, tls ? "tls" : "t", tls ? area - TLS_FIRST : area, down, size);
}

static void put_range(FILE *f, const struct cert_range *r)
{
	if (r->module == NO_MODULE)
		fputs(" -", f);
	else if (r->module == FILES_MODULE)
		fputs(" files", f);
	else if (r->module == HEAP_MODULE && r->offset > STACK_TOP(0) - STACK_BYTES)
		put_thread_range(f, (r->offset - STACK_TOP(0) + STACK_BYTES - 1) / STACK_BYTES, STACK_BYTES - (r->offset - STACK_TOP(0)) % STACK_BYTES,
			r->size);
	else if (r->module == HEAP_MODULE)
		fprintf(f, " heap+0x%" PRIx64 "/%" PRIu32, r->offset, r->size);
	else
		fprintf(f, " m%" PRIu32 "+0x%" PRIx64 "/%" PRIu32, r->module, r->offset, r->size);
}

static void put_program(FILE *f, const struct certificate *c)
{
	fputs("[program]\n", f);
	put_line(f, "simul", c->written_by);
	put_line(f, "path", c->program);
	put_line(f, "build-id", c->build_id);
	for (char **a = c->argv; *a; a++)
		put_line(f, "arg", *a);
	put_line(f, "input", c->input);
	fprintf(f, "processors %" PRIu32 "\n", c->processors);
	for (size_t i = 0; i < c->n_env; i++) {
		if (c->env[i].hidden)
			fputs("env -", f);
		else
			fprintf(f, "env %016" PRIx64, c->env[i].digest);
		put_string(f, c->env[i].name);
		fputc('\n', f);
	}
}

static void put_settings(FILE *f, const struct settings *s)
{
	for (const struct setting *of = settings_table; of < settings_table + SETTINGS; of++) {
		uint64_t value = setting_get(s, of);

		if (of->certificate != CERTIFICATE_SAME)
			continue;
		if (of->kind == SETTING_TEXT)
			put_line(f, of->json, of->names[value]);
		else if (of->names)
			fprintf(f, "%s %s\n", of->json, of->names[value]);
		else
			fprintf(f, "%s %" PRIu64 "\n", of->json, value);
	}
}

static void put_search(FILE *f, const struct certificate *c)
{
	fputs("[search]\n", f);
	put_settings(f, &c->settings);
	put_line(f, "strategy", c->strategy);
	fprintf(f, "executions %" PRIu64 "\nestimate %" PRIu64 "\ncertified %" PRIu32 "\n", c->executions, c->estimate, c->certified);
	for (size_t k = 0; k < c->n_instead; k++)
		fprintf(f, "%s%" PRIu32 "%s", k ? " " : "instead ", c->instead[k] + 1, k + 1 < c->n_instead ? "" : "\n");
	fprintf(f, "freed %s\n", c->freed_waits ? "waits" : "reused");
	if (c->inline_calls)
		fputs("calls inline\n", f);
	if (c->fail_on_race)
		fputs("fails race\n", f);
	if (c->robustness)
		fputs("fails robustness\n", f);
	if (c->from)
		put_line(f, "from", c->from);
	put_line(f, "frozen", c->frozen);
	put_line(f, "but", c->but);
}

static void put_objects(FILE *f, const struct certificate *c)
{
	fputs("[modules]\n", f);
	for (size_t i = 0; i < c->n_modules; i++) {
		fprintf(f, "m%zu", i);
		put_string(f, c->modules[i].path);
		put_string(f, c->modules[i].build_id);
		fputc('\n', f);
	}
	fputs("[threads]\n", f);
	for (size_t i = 0; i < c->n_threads; i++) {
		fprintf(f, "t%zu %" PRIu32 " %" PRIu32, i, c->threads[i].parent, c->threads[i].child);
		put_string(f, c->threads[i].start);
		fprintf(f, " stack %" PRIu32, c->threads[i].stack);
		if (c->threads[i].bytes)
			fprintf(f, " at %" PRIu64 " %" PRIu64 " %" PRIu64, c->threads[i].at, c->threads[i].bytes, c->threads[i].guard);
		fputc('\n', f);
	}
	fputs("[objects]\n", f);
	for (size_t i = 0; i < c->n_objects; i++) {
		const struct cert_object *o = &c->objects[i];

		fprintf(f, "o%zu %s %" PRIu32, i + 1, object_kind_text(o->kind), o->kind == OBJ_THREAD ? o->thread : o->number);
		put_range(f, &o->at);
		put_string(f, o->name);
		fputc('\n', f);
	}
	fputs("[shared]\n", f);
	for (size_t i = 0; i < c->n_shared; i++) {
		fputs("bytes", f);
		put_range(f, &c->shared[i]);
		fputc('\n', f);
	}
	fputs("[sites]\n", f);
	for (size_t i = 0; i < c->n_sites; i++) {
		fputs("code", f);
		put_range(f, &c->sites[i]);
		fputc('\n', f);
	}
}

static void put_events(FILE *f, const struct certificate *c)
{
	fputs("[events]\n", f);
	for (size_t i = 0; i < c->n_events; i++) {
		const struct cert_event *e = &c->events[i];

		fprintf(f, "%zu t%" PRIu32 " %s %s %s", i + 1, e->thread, event_kind_text(e->kind), e->alt ? alternative_text(e->alt) : "-",
			e->failed ? "failed" : "-");
		for (int k = 0; k < 2; k++)
			if (e->object[k])
				fprintf(f, " o%" PRIu32, e->object[k]);
			else
				fputs(" -", f);
		put_string(f, e->where);
		if (e->value_size)
			fprintf(f, " read 0x%" PRIx64 "/%u", e->value, e->value_size);
		for (uint32_t k = 0; k < e->n; k++)
			fprintf(f, " %s%" PRIu32, k ? "" : "after ", c->after[e->first + k] + 1);
		fputc('\n', f);
	}
}

int certificate_write(const struct certificate *c, const char *path, const char **why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int error;

	INVARIANT(f, "out of memory");
	fprintf(f, "simul certificate %d\n", CERTIFICATE_VERSION);
	put_program(f, c);
	put_search(f, c);
	put_objects(f, c);
	put_events(f, c);
	fflush(f);
	fprintf(f, "end %016" PRIx64 "\n", certificate_digest(text, size));
	if (fclose(f)) {
		free(text);
		*why = "out of memory";
		return -ENOMEM;
	}
	error = write_whole(path, text, size, 0666, why);
	free(text);
	return error;
}
