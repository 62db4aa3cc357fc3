/* A certificate as a file: the reader. It checks everything in the file: see certificate.h. certificate_words.c reads the parts of a line. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "enforce/certificate_words.h"
#include "enforce/partial_order.h"
#include "sched/event.h"

#define HEAD "simul certificate "
#define LARGEST_RANGE 4096 /* bytes: the writer divides them at pages */

/* ---- lines ---- */

static bool set_string(struct reader *r, const char *word, char **to)
{
	if (!words_take(r, word))
		return false;
	free(*to);
	*to = words_string(r);
	return true;
}

static void read_program(struct reader *r)
{
	struct certificate *c = r->c;

	if (set_string(r, "simul", &c->written_by) || set_string(r, "path", &c->program) || set_string(r, "build-id", &c->build_id) ||
		set_string(r, "input", &c->input))
		return;
	if (words_take(r, "processors")) {
		c->processors = (uint32_t)words_number(r, 1 << 20);
	} else if (words_take(r, "arg")) {
		char *text = words_string(r);

		if (text)
			xappend(&c->argv, &r->n_args, text);
		r->bad |= !text;
	} else if (words_take(r, "env")) {
		c->env = xgrow(c->env, c->n_env, sizeof(*c->env));
		words_skip(r);
		c->env[c->n_env].hidden = words_take(r, "-");
		c->env[c->n_env].digest = c->env[c->n_env].hidden ? 0 : words_digits(r, 16, UINT64_MAX);
		c->env[c->n_env++].name = words_string(r);
		r->bad |= !c->env[c->n_env - 1].name;
	} else {
		r->bad = true;
	}
}

static void read_instead(struct reader *r)
{
	struct certificate *c = r->c;

	while (!words_end(r) && !r->bad) {
		c->instead = xgrow(c->instead, c->n_instead, sizeof(*c->instead));
		c->instead[c->n_instead++] = (uint32_t)words_number(r, CERTIFICATE_MOST) - 1;
	}
}

static void read_search(struct reader *r)
{
	struct certificate *c = r->c;

	if (set_string(r, "model", &c->model) || set_string(r, "strategy", &c->strategy) || set_string(r, "frozen", &c->frozen) ||
		set_string(r, "but", &c->but) || set_string(r, "from", &c->from))
		return;
	if (words_take(r, "executions"))
		c->executions = words_number(r, UINT64_MAX);
	else if (words_take(r, "estimate"))
		c->estimate = words_number(r, UINT64_MAX);
	else if (words_take(r, "freed"))
		r->bad |= !(c->freed_waits = words_take(r, "waits")) && !words_take(r, "reused");
	else if (words_take(r, "spurious"))
		c->spurious = (uint32_t)words_number(r, UINT32_MAX);
	else if (words_take(r, "exit"))
		r->bad |= !(c->exit_any = words_take(r, "any")) && !words_take(r, "late");
	else if (words_take(r, "fails"))
		r->bad |= !(words_take(r, "race") ? (c->fail_on_race = true) : (c->robustness = words_take(r, "robustness")));
	else if (words_take(r, "certified"))
		c->certified = (uint32_t)words_number(r, CERTIFICATE_MOST);
	else if (words_take(r, "instead"))
		read_instead(r);
	else
		r->bad = true;
}

static void read_module(struct reader *r)
{
	struct certificate *c = r->c;
	uint32_t i = words_ref(r, 'm', CERTIFICATE_MOST);

	c->modules = xgrow(c->modules, c->n_modules, sizeof(*c->modules));
	struct cert_module *m = &c->modules[c->n_modules++];
	m->path = words_string(r);
	m->build_id = words_string(r);
	r->bad |= i != c->n_modules - 1 || !m->path || !m->build_id;
}

static void read_thread(struct reader *r)
{
	struct certificate *c = r->c;
	uint32_t i = words_ref(r, 't', MAX_THREADS - 1);
	struct cert_thread t = {0};

	t.parent = (uint32_t)words_number(r, MAX_THREADS);
	t.child = (uint32_t)words_number(r, UINT16_MAX);
	t.start = words_string(r);
	if (words_take(r, "stack"))
		t.stack = (uint32_t)words_number(r, STACK_LOW - 1);
	if (words_take(r, "at")) {
		t.at = words_number(r, STACK_TOP(0) - STACK_BYTES);
		t.bytes = words_number(r, STACK_MOST);
		t.guard = words_number(r, STACK_MOST);
		r->bad |= !t.bytes || t.at % STACK_LOW || t.guard > t.at;
	}
	c->threads = xgrow(c->threads, c->n_threads, sizeof(*c->threads));
	c->threads[c->n_threads++] = t;
	r->bad |= i != c->n_threads - 1 || (i ? t.parent >= i || !t.child : t.parent || t.child);
}

static void read_object(struct reader *r)
{
	struct certificate *c = r->c;
	struct cert_object o = {0};
	char word[32];
	uint32_t i = words_ref(r, 'o', CERTIFICATE_MOST);
	int kind = object_kind_parse(words_next(r, word, sizeof(word)));

	o.kind = (uint8_t)(kind > 0 ? kind : 0);
	o.number = (uint32_t)words_number(r, CERTIFICATE_MOST);
	o.thread = o.kind == OBJ_THREAD ? o.number : 0; /* 0 is a valid index: an event of a damaged file may treat any object as a thread */
	o.at = words_range(r, true);
	o.name = words_string(r);
	c->objects = xgrow(c->objects, c->n_objects, sizeof(*c->objects));
	c->objects[c->n_objects++] = o;
	r->bad |= i != c->n_objects || kind <= 0 || (o.kind == OBJ_THREAD && o.thread >= c->n_threads) ||
		(o.kind == OBJ_MEMORY && (o.at.module == NO_MODULE || !o.at.size || o.at.size > 4096));
}

static void read_range(struct reader *r, const char *word, struct cert_range **list, size_t *n)
{
	struct cert_range range;

	if (!words_take(r, word)) {
		r->bad = true;
		return;
	}
	range = words_range(r, false);
	r->bad |= range.size > LARGEST_RANGE;
	*list = xgrow(*list, *n, sizeof(**list));
	(*list)[(*n)++] = range;
}

static void read_after(struct reader *r, struct cert_event *e)
{
	struct certificate *c = r->c;

	e->first = (uint32_t)c->n_after;
	if (!words_take(r, "after"))
		return;
	do {
		uint64_t i = words_number(r, c->n_events);

		if (r->bad || !i || c->n_after >= CERTIFICATE_MOST || c->events[i - 1].thread == e->thread) {
			r->bad = true;
			return;
		}
		c->after = xgrow(c->after, c->n_after, sizeof(*c->after));
		c->after[c->n_after++] = (uint32_t)i - 1;
		e->n++;
	} while (!words_end(r));
}

/* "read 0x2a/4", or nothing. */
static void read_value(struct reader *r, struct cert_event *e)
{
	if (!words_take(r, "read"))
		return;
	words_skip(r);
	if (r->end - r->p < 2 || memcmp(r->p, "0x", 2)) {
		r->bad = true;
		return;
	}
	r->p += 2;
	e->value = words_digits(r, 16, UINT64_MAX);
	if (r->p >= r->end || *r->p != '/') {
		r->bad = true;
		return;
	}
	r->p++;
	e->value_size = (uint8_t)words_digits(r, 10, sizeof(e->value));
	r->bad |= !e->value_size;
}

/* Returns the kind that the next word names, or -1. Most lines name one of a few kinds, which the reader remembers by their first letter and length. */
static int read_kind(struct reader *r)
{
	char word[32];
	struct known_kind *known;

	words_next(r, word, sizeof(word));
	known = &r->kind[((unsigned char)word[0] + strlen(word)) % READER_KINDS];
	if (strcmp(known->word, word)) {
		memcpy(known->word, word, sizeof(word));
		known->kind = event_kind_parse(word);
	}
	return known->kind;
}

static void read_event(struct reader *r)
{
	struct certificate *c = r->c;
	struct cert_event e = {0};
	char word[32];
	uint64_t i = words_number(r, CERTIFICATE_MOST);
	int kind, alt;

	e.thread = c->n_threads ? words_ref(r, 't', c->n_threads - 1) : (r->bad = true, 0);
	kind = read_kind(r);
	alt = words_take(r, "-") ? 0 : alternative_parse(words_next(r, word, sizeof(word)));
	e.failed = !words_take(r, "-");
	r->bad |= e.failed && !words_take(r, "failed");
	for (int k = 0; k < 2; k++)
		if (!words_take(r, "-"))
			e.object[k] = words_ref(r, 'o', c->n_objects);
	e.where = words_string(r);
	e.kind = (uint8_t)(kind > 0 ? kind : 0);
	e.alt = (uint8_t)(alt > 0 ? alt : 0);
	if (!r->bad)
		read_value(r, &e);
	if (!r->bad)
		read_after(r, &e);
	c->events = xgrow(c->events, c->n_events, sizeof(*c->events));
	c->events[c->n_events++] = e;
	r->bad |= i != c->n_events || kind <= 0 || alt < 0;
}

static void read_line(struct reader *r, const char *section)
{
	if (!strcmp(section, "[events]")) /* most lines are there */
		read_event(r);
	else if (!strcmp(section, "[program]"))
		read_program(r);
	else if (!strcmp(section, "[search]"))
		read_search(r);
	else if (!strcmp(section, "[modules]"))
		read_module(r);
	else if (!strcmp(section, "[threads]"))
		read_thread(r);
	else if (!strcmp(section, "[objects]"))
		read_object(r);
	else if (!strcmp(section, "[shared]"))
		read_range(r, "bytes", &r->c->shared, &r->c->n_shared);
	else if (!strcmp(section, "[sites]"))
		read_range(r, "code", &r->c->sites, &r->c->n_sites);
	else
		r->bad = true;
	r->bad |= !words_end(r);
}

/* ---- the file ---- */

/* Opens the file for reading. O_NONBLOCK: a named pipe that nobody writes to would block forever. It does not matter for regular files. */
static FILE *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

static char *load(const char *path, size_t *size, char *message, size_t message_size)
{
	FILE *f = open_file(path);
	struct stat st;
	char *text;

	if (!f || fstat(fileno(f), &st)) {
		snprintf(message, message_size, "cannot read %s: %s", path, strerror(errno));
		if (f)
			fclose(f);
		return NULL;
	}
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > CERTIFICATE_BYTES) {
		snprintf(message, message_size, "%s is no certificate: it is %s", path, S_ISREG(st.st_mode) ? "too large" : "no regular file");
		fclose(f);
		return NULL;
	}
	text = xcalloc((size_t)st.st_size + 1, 1);
	*size = fread(text, 1, (size_t)st.st_size, f);
	fclose(f);
	return text;
}

/* Checks version and checksum. Sets *end to the start of the last line. Returns false with a message on failure. */
static bool check_frame(const char *path, const char *text, size_t size, size_t *end, char *message, size_t message_size)
{
	char last[32];
	long version;
	size_t at;

	if (size < sizeof(HEAD) || memcmp(text, HEAD, sizeof(HEAD) - 1)) {
		snprintf(message, message_size, "%s is no certificate of simul: make one with simul certify", path);
		return false;
	}
	version = strtol(text + sizeof(HEAD) - 1, NULL, 10);
	if (version > CERTIFICATE_VERSION) {
		snprintf(message, message_size, "%s was written by a newer simul (certificate version %ld, this one reads up to %d): use that "
			"simul, or make it again with simul certify", path, version, CERTIFICATE_VERSION);
		return false;
	}
	at = size;
	while (at && text[at - 1] == '\n')
		at--;
	while (at && text[at - 1] != '\n')
		at--;
	if (strlen(text) != size || size - at < 5 || memcmp(text + at, "end ", 4) || text[size - 1] != '\n') {
		snprintf(message, message_size, "%s is incomplete: its end is missing; make it again with simul certify", path);
		return false;
	}
	snprintf(last, sizeof(last), "end %016" PRIx64 "\n", certificate_digest(text, at));
	if (version < 1 || strcmp(last, text + at)) {
		snprintf(message, message_size, "%s is damaged: its checksum is wrong; make it again with simul certify", path);
		return false;
	}
	*end = at;
	return true;
}

/* Returns whether the events that may replace the last one of the prefix are the first ones of other threads after it. */
static bool instead_fits(const struct certificate *c)
{
	uint32_t *next = xcalloc(c->n_threads, sizeof(*next)); /* by thread: its first event after the prefix, + 1 */
	bool fits = !c->n_instead || (c->certified && partial_order_may_swap(c->events[c->certified - 1].kind));

	for (size_t i = c->n_events; i-- > c->certified;)
		next[c->events[i].thread] = (uint32_t)i + 1;
	for (size_t k = 0; k < c->n_instead && fits; k++) {
		uint32_t i = c->instead[k];

		fits = i < c->n_events && next[c->events[i].thread] == i + 1 && c->events[i].thread != c->events[c->certified - 1].thread &&
			!c->events[i].alt && partial_order_may_swap(c->events[i].kind);
		if (fits)
			next[c->events[i].thread] = 0; /* each thread only once */
	}
	free(next);
	return fits;
}

/* What no single line shows. */
static const char *inconsistent(struct certificate *c)
{
	bool exit = false;

	if (!c->program || !c->build_id || !c->argv || !c->input || !c->model || !c->strategy)
		return "it does not say what it was made for";
	if (!c->n_threads || c->certified > c->n_events)
		return "it certifies more events than it has";
	if (c->n_threads * c->n_objects > CERTIFICATE_TABLE)
		return "it is too large";
	for (size_t i = 0; i < c->n_events; i++) {
		struct cert_event *e = &c->events[i];

		if (exit)
			return "events follow the end of the program";
		exit = e->kind == EV_EXIT;
		e->k = c->threads[e->thread].events++;
	}
	return instead_fits(c) ? NULL : "events that it does not have may be performed instead of its last one";
}

static void parse(struct reader *r, const char *text, size_t end)
{
	char section[32] = "";
	const char *at = strchr(text, '\n') + 1, *stop = text + end;

	for (r->line = 2; at < stop && !r->bad; r->line++) {
		const char *eol = memchr(at, '\n', (size_t)(stop - at));

		r->p = at;
		r->end = eol ? eol : stop;
		at = r->end + 1;
		if (r->p == r->end || *r->p == '#')
			continue;
		if (*r->p == '[') {
			words_next(r, section, sizeof(section));
			continue;
		}
		read_line(r, section);
	}
}

struct certificate *certificate_read(const char *path, char *message, size_t size)
{
	struct reader r = {0};
	size_t bytes = 0, end = 0;
	char *text = load(path, &bytes, message, size);
	const char *why = NULL;

	if (!text)
		return NULL;
	if (!check_frame(path, text, bytes, &end, message, size)) {
		free(text);
		return NULL;
	}
	r.c = certificate_new();
	r.c->env_complete = strtol(text + sizeof(HEAD) - 1, NULL, 10) >= 8;
	parse(&r, text, end);
	if (r.bad)
		snprintf(message, size, "%s is damaged: line %u makes no sense; make it again with simul certify", path, r.line - 1);
	else if ((why = inconsistent(r.c)) != NULL)
		snprintf(message, size, "%s is damaged: %s; make it again with simul certify", path, why);
	free(text);
	if (!r.bad && !why)
		return r.c;
	certificate_free(r.c);
	return NULL;
}

bool certificate_is_one(const char *path)
{
	char head[sizeof(HEAD)] = "";
	FILE *f = open_file(path);
	struct stat st;
	bool is = f && !fstat(fileno(f), &st) && S_ISREG(st.st_mode) && fread(head, 1, sizeof(HEAD) - 1, f) == sizeof(HEAD) - 1 && !strcmp(head, HEAD);

	if (f)
		fclose(f);
	return is;
}
