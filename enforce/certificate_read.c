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
	if (!scan_take(&r->s, word))
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
	if (scan_take(&r->s, "processors")) {
		c->processors = (uint32_t)words_number(r, 1 << 20);
	} else if (scan_take(&r->s, "arg")) {
		char *text = words_string(r);

		if (text)
			xappend(&c->argv, &r->n_args, text);
		r->s.bad |= !text;
	} else if (scan_take(&r->s, "env")) {
		c->env = xgrow(c->env, c->n_env, sizeof(*c->env));
		scan_blanks(&r->s);
		c->env[c->n_env].hidden = scan_take(&r->s, "-");
		c->env[c->n_env].digest = c->env[c->n_env].hidden ? 0 : scan_digits(&r->s, 16, UINT64_MAX);
		c->env[c->n_env++].name = words_string(r);
		r->s.bad |= !c->env[c->n_env - 1].name;
	} else {
		r->s.bad = true;
	}
}

static void read_instead(struct reader *r)
{
	struct certificate *c = r->c;

	while (!scan_end(&r->s) && !r->s.bad) {
		c->instead = xgrow(c->instead, c->n_instead, sizeof(*c->instead));
		c->instead[c->n_instead++] = (uint32_t)words_number(r, CERTIFICATE_MOST) - 1;
	}
}

static void read_fails(struct reader *r)
{
	if (scan_take(&r->s, "race"))
		r->c->fail_on_race = true;
	else
		r->s.bad |= !(r->c->robustness = scan_take(&r->s, "robustness"));
}

static void read_setting(struct reader *r, const struct setting *of)
{
	char word[32], *text = NULL;
	uint64_t value = 0;

	if (of->kind == SETTING_TEXT) {
		text = words_string(r);
		r->s.bad |= !text || !setting_named(of, text, &value);
	} else if (of->names) {
		r->s.bad |= !scan_word(&r->s, word, sizeof(word)) || !setting_named(of, word, &value);
	} else {
		value = words_number(r, of->most);
	}
	free(text);
	setting_set(&r->c->settings, of, value);
}

static bool read_settings(struct reader *r)
{
	for (const struct setting *of = settings_table; of < settings_table + SETTINGS; of++)
		if (of->certificate == CERTIFICATE_SAME && scan_take(&r->s, of->json)) {
			read_setting(r, of);
			return true;
		}
	return false;
}

static void read_search(struct reader *r)
{
	struct certificate *c = r->c;

	if (read_settings(r) || set_string(r, "strategy", &c->strategy) || set_string(r, "frozen", &c->frozen) ||
		set_string(r, "but", &c->but) || set_string(r, "from", &c->from))
		return;
	if (scan_take(&r->s, "executions"))
		c->executions = words_number(r, UINT64_MAX);
	else if (scan_take(&r->s, "estimate"))
		c->estimate = words_number(r, UINT64_MAX);
	else if (scan_take(&r->s, "freed"))
		r->s.bad |= !(c->freed_waits = scan_take(&r->s, "waits")) && !scan_take(&r->s, "reused");
	else if (scan_take(&r->s, "calls"))
		r->s.bad |= !(c->inline_calls = scan_take(&r->s, "inline"));
	else if (scan_take(&r->s, "fails"))
		read_fails(r);
	else if (scan_take(&r->s, "certified"))
		c->certified = (uint32_t)words_number(r, CERTIFICATE_MOST);
	else if (scan_take(&r->s, "instead"))
		read_instead(r);
	else
		r->s.bad = true;
}

static void read_module(struct reader *r)
{
	struct certificate *c = r->c;
	uint32_t i = words_ref(r, 'm', CERTIFICATE_MOST);

	c->modules = xgrow(c->modules, c->n_modules, sizeof(*c->modules));
	struct cert_module *m = &c->modules[c->n_modules++];
	m->path = words_string(r);
	m->build_id = words_string(r);
	r->s.bad |= i != c->n_modules - 1 || !m->path || !m->build_id;
}

static void read_thread(struct reader *r)
{
	struct certificate *c = r->c;
	uint32_t i = words_ref(r, 't', MAX_THREADS - 1);
	struct cert_thread t = {0};

	t.parent = (uint32_t)words_number(r, MAX_THREADS);
	t.child = (uint32_t)words_number(r, UINT16_MAX);
	t.start = words_string(r);
	if (scan_take(&r->s, "stack"))
		t.stack = (uint32_t)words_number(r, STACK_LOW - 1);
	if (scan_take(&r->s, "at")) {
		t.at = words_number(r, STACK_TOP(0) - STACK_BYTES);
		t.bytes = words_number(r, STACK_MOST);
		t.guard = words_number(r, STACK_MOST);
		r->s.bad |= !t.bytes || t.at % STACK_LOW || t.guard > t.at;
	}
	c->threads = xgrow(c->threads, c->n_threads, sizeof(*c->threads));
	c->threads[c->n_threads++] = t;
	r->s.bad |= i != c->n_threads - 1 || (i ? t.parent >= i || !t.child : t.parent || t.child);
}

static void read_object(struct reader *r)
{
	struct certificate *c = r->c;
	struct cert_object o = {0};
	char word[32];
	uint32_t i = words_ref(r, 'o', CERTIFICATE_MOST);
	int kind = scan_word(&r->s, word, sizeof(word)) ? object_kind_parse(word) : -1;

	o.kind = (uint8_t)(kind > 0 ? kind : 0);
	o.number = (uint32_t)words_number(r, CERTIFICATE_MOST);
	o.thread = o.kind == OBJ_THREAD ? o.number : 0; /* 0 is a valid index: an event of a damaged file may treat any object as a thread */
	o.at = words_range(r, true);
	o.name = words_string(r);
	c->objects = xgrow(c->objects, c->n_objects, sizeof(*c->objects));
	c->objects[c->n_objects++] = o;
	r->s.bad |= (o.at.module == FILES_MODULE) && o.kind != OBJ_FD;
	r->s.bad |= i != c->n_objects || kind <= 0 || (o.kind == OBJ_THREAD && o.thread >= c->n_threads) ||
		(o.kind == OBJ_MEMORY && (o.at.module == NO_MODULE || !o.at.size || o.at.size > 4096));
}

static void read_range(struct reader *r, const char *word, struct cert_range **list, size_t *n)
{
	struct cert_range range;

	if (!scan_take(&r->s, word)) {
		r->s.bad = true;
		return;
	}
	range = words_range(r, false);
	r->s.bad |= range.size > LARGEST_RANGE;
	*list = xgrow(*list, *n, sizeof(**list));
	(*list)[(*n)++] = range;
}

static void read_after(struct reader *r, struct cert_event *e)
{
	struct certificate *c = r->c;

	e->first = (uint32_t)c->n_after;
	if (!scan_take(&r->s, "after"))
		return;
	do {
		uint64_t i = words_number(r, c->n_events);

		if (r->s.bad || !i || c->n_after >= CERTIFICATE_MOST || c->events[i - 1].thread == e->thread) {
			r->s.bad = true;
			return;
		}
		c->after = xgrow(c->after, c->n_after, sizeof(*c->after));
		c->after[c->n_after++] = (uint32_t)i - 1;
		e->n++;
	} while (!scan_end(&r->s));
}

/* "read 0x2a/4", or nothing. */
static void read_value(struct reader *r, struct cert_event *e)
{
	if (!scan_take(&r->s, "read"))
		return;
	scan_blanks(&r->s);
	r->s.bad |= !scan_mark(&r->s, "0x");
	e->value = scan_digits(&r->s, 16, UINT64_MAX);
	r->s.bad |= !scan_mark(&r->s, "/");
	e->value_size = (uint8_t)scan_digits(&r->s, 10, sizeof(e->value));
	r->s.bad |= !e->value_size;
}

/* Returns the kind that the next word names, or -1. Most lines name one of a few kinds, which the reader remembers by their first letter and length. */
static int read_kind(struct reader *r)
{
	char word[32];
	struct known_kind *known;

	scan_word(&r->s, word, sizeof(word));
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

	e.thread = c->n_threads ? words_ref(r, 't', c->n_threads - 1) : (r->s.bad = true, 0);
	kind = read_kind(r);
	alt = 0;
	if (!scan_take(&r->s, "-"))
		alt = scan_word(&r->s, word, sizeof(word)) ? alternative_parse(word) : -1;
	e.failed = !scan_take(&r->s, "-");
	r->s.bad |= e.failed && !scan_take(&r->s, "failed");
	for (int k = 0; k < 2; k++)
		if (!scan_take(&r->s, "-"))
			e.object[k] = words_ref(r, 'o', c->n_objects);
	e.where = words_place(r);
	e.kind = (uint8_t)(kind > 0 ? kind : 0);
	e.alt = (uint8_t)(alt > 0 ? alt : 0);
	if (!r->s.bad)
		read_value(r, &e);
	if (!r->s.bad)
		read_after(r, &e);
	c->events = xgrow(c->events, c->n_events, sizeof(*c->events));
	c->events[c->n_events++] = e;
	r->s.bad |= i != c->n_events || kind <= 0 || alt < 0;
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
		r->s.bad = true;
	r->s.bad |= !scan_end(&r->s);
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

	if (!c->program || !c->build_id || !c->argv || !c->input || !settings_valid(&c->settings) || !c->strategy)
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
	const char *start = strchr(text, '\n') + 1;
	char section[32] = "";

	r->s = (struct scan){.at = start, .line_end = start, .end = text + end, .raw = true};
	while (!r->s.bad && scan_line(&r->s))
		if (*r->s.at == '[')
			scan_word(&r->s, section, sizeof(section));
		else
			read_line(r, section);
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
	r.c->settings.model = UINT32_MAX; /* not valid: there must be a line for it */
	r.c->settings.late_exit = 1;      /* old certificates do not say it */
	r.c->env_complete = strtol(text + sizeof(HEAD) - 1, NULL, 10) >= 8;
	parse(&r, text, end);
	if (r.s.bad)
		snprintf(message, size, "%s is damaged: line %u makes no sense; make it again with simul certify", path,
			r.s.line + 1);
	else if ((why = inconsistent(r.c)) != NULL)
		snprintf(message, size, "%s is damaged: %s; make it again with simul certify", path, why);
	free(text);
	if (!r.s.bad && !why)
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
