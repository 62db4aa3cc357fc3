/* --junit: XML for Jenkins, GitLab and others; it follows tests/stress/junit.xsd. libxml2 is loaded only for it
   (cli/base/library.h). */
#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/library.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/result_files.h"
#include "cli/nightly/stress/show.h"
#include "cli/supervise/watchdog.h"

/* libxml2 2.14 changed its ABI. */
#if LIBXML_VERSION >= 21400
#define LIBXML_SONAME "libxml2.so.16"
#define LIBXML_PACKAGE "libxml2-16"
#else
#define LIBXML_SONAME "libxml2.so.2"
#define LIBXML_PACKAGE "libxml2"
#endif

/* The functions of libxml2 that are used. */
#define LIBXML(X) \
	X(xmlTextWriterWriteAttribute) X(xmlTextWriterStartElement) X(xmlTextWriterWriteString) \
	X(xmlTextWriterEndElement) X(xmlTextWriterWriteFormatAttribute) X(xmlBufferCreate) X(xmlNewTextWriterMemory) \
	X(xmlTextWriterSetIndent) X(xmlTextWriterStartDocument) X(xmlTextWriterEndDocument) X(xmlFreeTextWriter) \
	X(xmlBufferContent) X(xmlBufferLength) X(xmlBufferFree)

static struct {
	LIBXML(LIBRARY_POINTER)
} xml;
static const char *const libxml_names[] = {LIBXML(LIBRARY_NAME) NULL};
static struct library libxml = {
	.soname = LIBXML_SONAME, .package = LIBXML_PACKAGE, .name = libxml_names, .function = &xml};

bool junit_check(void)
{
	char why[512];

	if (library_load(&libxml, why, sizeof(why)))
		return true;
	say("--junit: %s", why);
	return false;
}

static void attribute(xmlTextWriter *w, const char *name, const char *value)
{
	char *text = printable(value, PRINTABLE_LINES); /* XML 1.0 has no other characters */

	xml.xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST text);
	free(text);
}

static void element(xmlTextWriter *w, const char *name, const char *message, const char *type, const char *content)
{
	char *text = printable(content, PRINTABLE_LINES);

	xml.xmlTextWriterStartElement(w, BAD_CAST name);
	if (message)
		attribute(w, "message", message);
	if (type)
		attribute(w, "type", type);
	xml.xmlTextWriterWriteString(w, BAD_CAST text);
	xml.xmlTextWriterEndElement(w);
	free(text);
}

static void put_bug(xmlTextWriter *w, const struct stress_bug *b)
{
	char *line = bugs_line(b), *text = xasprintf("%s\n%s%s%s%s%s%s", b->message, b->report ? "\n" : "", b->report ? b->report : "",
		b->recording ? "\nTo reproduce it: simul replay " : "", b->recording ? b->recording : "", b->recording ? "\n" : "",
		b->replayed ? "It was found in an earlier run and reproduced in this one.\n" : "");

	element(w, "failure", line, b->kind, text);
	free(line);
	free(text);
}

/* Writes the verdict, also for a test that passes, since it states how much was tried. */
static void put_verdict(xmlTextWriter *w, const struct stress_test *t)
{
	char *detail = show_detail(t), number[48] = "", *text;

	if (t->run)
		text_set(number, sizeof(number), ", %lld executions", (long long)json_integer_value(json_object_get(t->run, "executions")));
	text = xasprintf("simul: %s%s%s%s\n", stress_status_text(t->status), number, *detail ? ": " : "", detail);

	element(w, "system-out", NULL, NULL, text);
	free(detail);
	free(text);
}

static void put_test(xmlTextWriter *w, const struct stress_test *t)
{
	char *detail = show_detail(t);

	xml.xmlTextWriterStartElement(w, BAD_CAST "testcase");
	attribute(w, "name", t->name);
	attribute(w, "classname", t->suite);
	xml.xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.3f", (double)t->spent_ns / 1e9);
	switch (t->status) {
	case STRESS_BUG:
		for (size_t i = 0; i < t->n_bugs; i++)
			put_bug(w, &t->bug[i]);
		break;
	case STRESS_NATIVE:
	case STRESS_UNUSABLE:
	case STRESS_FAULT:
		element(w, "error", detail, stress_status_text(t->status), t->native.output ? t->native.output : detail);
		break;
	case STRESS_WAITING:
	case STRESS_NO_THREADS:
	case STRESS_SKIPPED:
		xml.xmlTextWriterStartElement(w, BAD_CAST "skipped");
		attribute(w, "message", *detail ? detail : stress_status_text(t->status));
		xml.xmlTextWriterEndElement(w);
		break;
	case STRESS_COMPLETE:
	case STRESS_INCOMPLETE:
		break;
	}
	put_verdict(w, t);
	xml.xmlTextWriterEndElement(w);
	free(detail);
}

static void put_counts(xmlTextWriter *w, const struct stress *s)
{
	unsigned n[STRESS_STATUSES] = {0}, errors, skipped;
	double seconds;

	for (size_t i = 0; i < s->tests.n; i++)
		n[s->tests.test[i].status]++;
	errors = n[STRESS_NATIVE] + n[STRESS_UNUSABLE] + n[STRESS_FAULT];
	skipped = n[STRESS_WAITING] + n[STRESS_NO_THREADS] + n[STRESS_SKIPPED];
	xml.xmlTextWriterWriteAttribute(w, BAD_CAST "name", BAD_CAST "simul stress");
	xml.xmlTextWriterWriteFormatAttribute(w, BAD_CAST "tests", "%zu", s->tests.n);
	xml.xmlTextWriterWriteFormatAttribute(w, BAD_CAST "failures", "%u", n[STRESS_BUG]);
	xml.xmlTextWriterWriteFormatAttribute(w, BAD_CAST "errors", "%u", errors);
	xml.xmlTextWriterWriteFormatAttribute(w, BAD_CAST "skipped", "%u", skipped);
	seconds = (double)(wall_clock_ns() - s->start_ns) / 1e9;
	xml.xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.3f", seconds);
}

static void put_suite(xmlTextWriter *w, const struct stress *s)
{
	time_t at = (time_t)s->started_at;
	char text[32] = "";
	struct tm tm;

	xml.xmlTextWriterStartElement(w, BAD_CAST "testsuite");
	put_counts(w, s);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", gmtime_r(&at, &tm));
	xml.xmlTextWriterWriteAttribute(w, BAD_CAST "timestamp", BAD_CAST text);
	for (size_t i = 0; i < s->tests.n; i++)
		put_test(w, &s->tests.test[i]);
	xml.xmlTextWriterEndElement(w);
}

bool junit_write(const struct stress *s, const char *path)
{
	xmlBuffer *text = xml.xmlBufferCreate();
	xmlTextWriter *w = text ? xml.xmlNewTextWriterMemory(text, 0) : NULL;
	bool to_stdout = !strcmp(path, "-"), ok;
	FILE *f = to_stdout ? stdout : fopen(path, "we");
	size_t length;

	INVARIANT(w, "out of memory");
	xml.xmlTextWriterSetIndent(w, 1);
	xml.xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
	xml.xmlTextWriterStartElement(w, BAD_CAST "testsuites");
	put_suite(w, s);
	ok = xml.xmlTextWriterEndDocument(w) >= 0;
	xml.xmlFreeTextWriter(w);
	INVARIANT(ok, "out of memory");
	length = (size_t)xml.xmlBufferLength(text);
	ok = f && fwrite(xml.xmlBufferContent(text), 1, length, f) == length && fflush(f) == 0;
	if (f && !to_stdout)
		ok &= fclose(f) == 0;
	if (!ok)
		say("--junit %s: cannot be written: %s", path, strerror(errno));
	xml.xmlBufferFree(text);
	return ok;
}
