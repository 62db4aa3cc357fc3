/*
 * Reads the text of a recording. The checksum is verified first, then the syntax line by line,
 * then every range (format_valid.c). The content is used only after all three.
 */
#include "recorder/format/format_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static bool read_objects(struct scan *s, object_id obj[2])
{
	for (int i = 0; i < 2; i++) {
		uint64_t v;
		if (!scan_ref(s, 'o', &v))
			return false;
		obj[i] = (object_id)v;
	}
	return true;
}

/* ---- tables ---- */

static int parse_pending(const char *text)
{
	return strcmp(text, "ended") == 0 ? EV_NONE : event_kind_parse(text);
}

static bool read_thread(struct reader *rd)
{
	struct recording *r = rd->r;
	size_t n = r->n_threads;
	struct rec_thread *t;
	int pending;

	if (n >= MAX_THREADS)
		return scan_fail(&rd->s, "there are too many threads");
	r->threads = xgrow(r->threads, n, sizeof(*r->threads));
	rd->thread_stack = xgrow(rd->thread_stack, n, sizeof(*rd->thread_stack));
	rd->waits_for = xgrow(rd->waits_for, n, sizeof(*rd->waits_for));
	t = &r->threads[r->n_threads++];
	memset(t, 0, sizeof(*t));
	rd->waits_for[n] = NULL;
	if (!format_read_path(&rd->s, &t->path) || !scan_name(&rd->s, parse_pending, "a kind of event", &pending))
		return false;
	t->pending_kind = (uint8_t)pending;
	return read_objects(&rd->s, t->pending_obj) && format_read_path(&rd->s, &rd->waits_for[n]) &&
		format_read_stack_ref(&rd->s, &rd->thread_stack[n]) && scan_string(&rd->s, &t->start);
}

/* Requires that the numbers at the start of table lines count up from 1. */
static bool expect_number(struct scan *s, uint64_t found, size_t n)
{
	return found == n + 1 || scan_fail(s, "line %zu of the table is missing", n + 1);
}

static bool read_object(struct reader *rd)
{
	struct recording *r = rd->r;
	struct rec_object *o;
	uint64_t number;
	int kind;

	if (!scan_ref(&rd->s, 'o', &number) || !expect_number(&rd->s, number, r->n_objects))
		return false;
	r->objects = xgrow(r->objects, r->n_objects, sizeof(*r->objects));
	o = &r->objects[r->n_objects++];
	memset(o, 0, sizeof(*o));
	if (!scan_name(&rd->s, object_kind_parse, "a kind of object", &kind))
		return false;
	o->kind = (uint8_t)kind;
	if (!scan_u32(&rd->s, &o->number) || !scan_string(&rd->s, &o->name) || !scan_string(&rd->s, &o->origin))
		return false;
	return kind != OBJ_MEMORY || rd->version < 2 ||
		(scan_u64(&rd->s, UINT64_MAX, &o->addr) && scan_u32(&rd->s, &o->size));
}

/* ---- [memory] ---- */

static bool read_raced(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->memory.raced);
}

static bool read_page(struct reader *rd)
{
	return format_read_page(&rd->s, &rd->r->memory);
}

static bool read_late(struct reader *rd)
{
	return format_read_late(&rd->s, &rd->r->memory);
}

static bool read_spin(struct reader *rd)
{
	return format_read_spin(&rd->s, &rd->r->memory);
}

static bool read_round(struct reader *rd)
{
	return format_read_round(&rd->s, &rd->r->memory);
}

static bool read_flags(struct scan *s, uint8_t *out)
{
	char buf[16];
	unsigned flags = 0;

	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	if (strncmp(buf, "0x", 2) == 0) {
		char *end;
		unsigned long v = strtoul(buf + 2, &end, 16);
		*out = (uint8_t)v;
		return (v <= UINT8_MAX && !*end && buf[2]) || scan_fail(s, "\"%s\" is not a set of flags", buf);
	}
	for (const char *p = strcmp(buf, "-") ? buf : ""; *p; p++) {
		const char *letter = strchr("bwfr", *p);
		if (!letter)
			return scan_fail(s, "\"%s\" is not a set of flags", buf);
		flags |= 1u << (letter - "bwfr");
	}
	*out = (uint8_t)flags;
	return true;
}

static bool find_thread(struct reader *rd, const char *path, thread_id *out)
{
	*out = NO_THREAD;
	if (strcmp(path, "-") == 0)
		return true;
	for (size_t i = 0; i < rd->r->n_threads; i++) {
		if (strcmp(rd->r->threads[i].path, path) == 0) {
			*out = (thread_id)i;
			return true;
		}
	}
	return scan_fail(&rd->s, "there is no thread %.64s", path);
}

/* Reads the path of a drain agent: its thread, `~`, and the address that it drains unless it drains all stores. */
static bool read_agent(struct reader *rd, char *path, struct rec_step *st)
{
	char *tilde = strchr(path, '~'), *end = NULL;

	st->place = PLACE_ALL;
	if (tilde && tilde[1]) {
		if (strspn(tilde + 1, "0123456789abcdef") <= 16)
			st->place = strtoull(tilde + 1, &end, 16);
		if (!end || *end || st->place == PLACE_ALL)
			return scan_fail(&rd->s, "\"%.64s\" is not a drain agent", path);
	}
	if (!tilde)
		return scan_fail(&rd->s, "\"%.64s\" is not a drain agent", path);
	*tilde = '\0';
	return find_thread(rd, path, &st->thread);
}

/* Reads the agent that will move a buffered store to memory. */
static bool read_store_result(struct reader *rd, char *path, struct rec_step *st)
{
	thread_id thread = st->thread;

	st->buffered = true;
	return read_agent(rd, path, st) &&
		(st->thread == thread || scan_fail(&rd->s, "a store goes into the buffer of another thread"));
}

/* Reads NUMBER:EPOCH of an update. */
static bool read_update_result(struct reader *rd, const char *text, struct rec_step *st)
{
	unsigned number, epoch;
	char more;

	if (strspn(text, "0123456789:") != strlen(text) || strlen(text) > 9 ||
		sscanf(text, "%u:%u%c", &number, &epoch, &more) != 2 || number >= UPDATE_NUMBERS || epoch >= UPDATE_EPOCHS)
		return scan_fail(&rd->s, "\"%.64s\" is not the number of a store", text);
	st->number = (uint16_t)number;
	st->epoch = (uint8_t)epoch;
	return true;
}

static bool read_result(struct reader *rd, struct rec_step *st)
{
	char buf[FORMAT_MAX_PATH + 24];

	if (st->kind == EV_UPDATE)
		return scan_word(&rd->s, buf, sizeof(buf)) && read_update_result(rd, buf, st);
	if (st->kind == EV_STORE && scan_more(&rd->s) && *rd->s.at == 'T')
		return scan_word(&rd->s, buf, sizeof(buf)) && read_store_result(rd, buf, st);
	return scan_i32(&rd->s, &st->result);
}

static int parse_alt(const char *text)
{
	return strcmp(text, "-") == 0 ? ALT_NORMAL : alternative_parse(text);
}

static bool read_step(struct reader *rd)
{
	struct recording *r = rd->r;
	char path[FORMAT_MAX_PATH + 24];
	uint64_t number;
	struct rec_step *st;
	int kind, alt;

	if (!scan_u64(&rd->s, UINT32_MAX, &number) || !expect_number(&rd->s, number, r->n_steps))
		return false;
	r->steps = xgrow(r->steps, r->n_steps, sizeof(*r->steps));
	rd->step_stack = xgrow(rd->step_stack, r->n_steps, sizeof(*rd->step_stack));
	st = &r->steps[r->n_steps];
	memset(st, 0, sizeof(*st));
	rd->step_stack[r->n_steps++] = 0;
	if (!scan_word(&rd->s, path, sizeof(path)) ||
		!scan_name(&rd->s, parse_alt, "an alternative", &alt) ||
		!scan_name(&rd->s, event_kind_parse, "a kind of event", &kind) ||
		!(kind == EV_UPDATE ? read_agent(rd, path, st) : find_thread(rd, path, &st->thread)))
		return false;
	st->alt = (uint8_t)alt;
	st->kind = (uint8_t)kind;
	return read_flags(&rd->s, &st->flags) && read_objects(&rd->s, st->obj) && read_result(rd, st) &&
		format_read_stack_ref(&rd->s, &rd->step_stack[r->n_steps - 1]);
}

static bool read_text(struct reader *rd, enum label_kind kind)
{
	struct recording *r = rd->r;
	char path[FORMAT_MAX_PATH];
	struct rec_label *l;
	uint64_t before;

	r->labels = xgrow(r->labels, r->n_labels, sizeof(*r->labels));
	l = &r->labels[r->n_labels++];
	memset(l, 0, sizeof(*l));
	if (!scan_u64(&rd->s, r->n_steps, &before) || !scan_word(&rd->s, path, sizeof(path)) ||
		!find_thread(rd, path, &l->thread) || !scan_text(&rd->s, &l->text))
		return false;
	l->before = before;
	l->kind = kind;
	return true;
}

static bool read_label(struct reader *rd)
{
	return read_text(rd, LABEL_PROGRAM);
}

static bool read_phase(struct reader *rd)
{
	return read_text(rd, LABEL_PHASE);
}

static bool read_order(struct reader *rd)
{
	return read_text(rd, LABEL_ORDER);
}

static bool read_value(struct reader *rd)
{
	return format_read_value(&rd->s, rd->r);
}

static bool read_pointer(struct reader *rd)
{
	return format_read_pointer(&rd->s, rd->r);
}

static bool read_type(struct reader *rd)
{
	return format_read_type(&rd->s, rd->r, &rd->typed);
}

static bool read_word(struct reader *rd)
{
	return format_read_word(&rd->s, rd->r, rd->typed);
}

static bool read_try(struct reader *rd)
{
	struct recording *r = rd->r;
	char path[FORMAT_MAX_PATH + 24];
	uint64_t step, before;
	int kind, result;
	thread_id thread;

	if (!scan_name(&rd->s, rec_try_kind_parse, "a kind of try", &kind) || !scan_word(&rd->s, path, sizeof(path)) ||
		!find_thread(rd, path, &thread) || !scan_u64(&rd->s, UINT32_MAX, &step) || !scan_u64(&rd->s, UINT32_MAX, &before) ||
		!scan_name(&rd->s, rec_try_result_parse, "a result", &result))
		return false;
	r->tries = xgrow(r->tries, r->n_tries, sizeof(*r->tries));
	r->tries[r->n_tries++] = (struct rec_try){ .kind = (uint8_t)kind, .result = (uint8_t)result, .thread = thread,
		.step = step ? (size_t)step - 1 : NO_STEP, .before = (size_t)before - 1 };
	return true;
}

static bool read_orders(struct reader *rd)
{
	struct rec_orders *o = &rd->r->orders;
	uint64_t number;
	int result;

	if (o->runs)
		return scan_fail(&rd->s, "there are two lines \"orders\"");
	if (!scan_u32(&rd->s, &o->runs) || !scan_name(&rd->s, rec_orders_result_parse, "a result", &result) ||
		!scan_u64(&rd->s, UINT32_MAX, &number))
		return false;
	if (!o->runs || !number)
		return scan_fail(&rd->s, "there were no replays, or no places");
	o->prevented = result > 0;
	o->fewest = result == 2;
	o->step = o->prevented ? (size_t)number - 1 : 0;
	o->n = o->prevented ? 0 : (size_t)number;
	return true;
}

static bool read_at(struct reader *rd)
{
	struct rec_orders *o = &rd->r->orders;
	uint64_t step;
	int order;

	if (!o->prevented)
		return scan_fail(&rd->s, "no line \"orders\" comes before this one");
	if (!scan_name(&rd->s, rec_order_parse, "a memory order", &order) || !scan_u64(&rd->s, UINT32_MAX, &step))
		return false;
	o->place = xgrow(o->place, o->n, sizeof(*o->place));
	o->place[o->n++] = (struct rec_stronger){ .order = (uint8_t)order, .step = (size_t)step - 1 };
	return true;
}

static bool read_stack(struct reader *rd)
{
	size_t number;

	if (!format_read_stack_ref(&rd->s, &number) || !expect_number(&rd->s, number, rd->n_stacks))
		return false;
	rd->stacks = xgrow(rd->stacks, rd->n_stacks, sizeof(*rd->stacks));
	memset(&rd->stacks[rd->n_stacks++], 0, sizeof(*rd->stacks));
	return true;
}

static bool read_frame(struct reader *rd)
{
	struct rec_stack *st = rd->n_stacks ? &rd->stacks[rd->n_stacks - 1] : NULL;
	struct rec_frame *f;

	if (!st || st->n >= FORMAT_MAX_FRAMES)
		return scan_fail(&rd->s, st ? "a stack is too deep" : "a frame without a stack");
	st->frame = xgrow(st->frame, st->n, sizeof(*st->frame));
	f = &st->frame[st->n++];
	memset(f, 0, sizeof(*f));
	return scan_string(&rd->s, &f->function) && scan_string(&rd->s, &f->dir) &&
		scan_string(&rd->s, &f->file) && scan_i32(&rd->s, &f->line) &&
		scan_string(&rd->s, &f->module) && scan_u64(&rd->s, UINT64_MAX, &f->offset) &&
		scan_u32(&rd->s, &f->flags);
}

static bool read_out(struct reader *rd)
{
	char *text;
	size_t n;

	if (!scan_text(&rd->s, &text))
		return false;
	n = strlen(text);
	rd->output = xgrow_text(rd->output, rd->output_size, n + 1);
	memcpy(rd->output + rd->output_size, text, n + 1);
	rd->output_size += n;
	free(text);
	return true;
}

/* ---- the whole file ---- */

static const struct line thread_lines[] = { { "thread", read_thread }, { NULL, NULL } };
static const struct line object_lines[] = { { "", read_object }, { NULL, NULL } };
static const struct line memory_lines[] = { { "page", read_page }, { "late", read_late },
	{ "spin", read_spin }, { "round", read_round }, { "raced", read_raced }, { NULL, NULL } };
static const struct line step_lines[] = { { "", read_step }, { NULL, NULL } };
static const struct line label_lines[] = { { "label", read_label }, { "phase", read_phase }, { "order", read_order },
	{ NULL, NULL } };
static const struct line value_lines[] = {
	{ "value", read_value }, { "type", read_type }, { "word", read_word }, { "pointer", read_pointer }, { NULL, NULL },
};
static const struct line try_lines[] = {
	{ "try", read_try },
	{ "orders", read_orders },
	{ "at", read_at },
	{ NULL, NULL },
};
static const struct line stack_lines[] = { { "stack", read_stack }, { "frame", read_frame }, { NULL, NULL } };
static const struct line output_lines[] = { { "out", read_out }, { NULL, NULL } };

static const struct {
	const char *name;
	const struct line *lines;
	bool optional;
} sections[] = {
	{ "[program]", format_program_lines, false }, { "[options]", format_option_lines, false },
	{ "[failure]", format_failure_lines, false }, { "[threads]", thread_lines, false },
	{ "[objects]", object_lines, false }, { "[memory]", memory_lines, true },
	{ "[schedule]", step_lines, false }, { "[labels]", label_lines, true }, { "[values]", value_lines, true },
	{ "[tries]", try_lines, true },
	{ "[stacks]", stack_lines, false },
	{ "[output]", output_lines, true },
};
#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

/* Reads one line with the section's table. A table whose key is "" has lines without keys. */
static bool read_line(struct reader *rd, const struct line *line)
{
	char key[32];

	if (line->key[0]) {
		if (!scan_word(&rd->s, key, sizeof(key)))
			return false;
		while (line->key && strcmp(line->key, key) != 0)
			line++;
		if (!line->key)
			return scan_fail(&rd->s, "\"%s\" is not a key of this section", key);
	}
	return line->read(rd) && scan_done(&rd->s);
}

static bool read_sections(struct reader *rd)
{
	size_t section = 0; /* index + 1 of the current one */
	char name[32];

	while (scan_line(&rd->s)) {
		if (*rd->s.at == '[') {
			if (!scan_word(&rd->s, name, sizeof(name)))
				return false;
			while (section < SECTIONS && sections[section].optional && strcmp(sections[section].name, name) != 0)
				section++;
			if (section == SECTIONS || strcmp(sections[section].name, name) != 0)
				return scan_fail(&rd->s, "the section %s is not expected here", name);
			section++;
			continue;
		}
		if (section == 0)
			return scan_fail(&rd->s, "a section is missing");
		if (!read_line(rd, sections[section - 1].lines))
			return false;
	}
	while (section < SECTIONS - 1 && sections[section].optional)
		section++;
	rd->has_output = section == SECTIONS;
	return section >= SECTIONS - 1 || scan_fail(&rd->s, "the section %s is missing", sections[section].name);
}

static bool give_stack(struct reader *rd, size_t number, struct rec_stack *out)
{
	if (number > rd->n_stacks)
		return scan_fail(&rd->s, "there is no stack s%zu", number);
	if (number == 0)
		return true;
	rd->copied += rd->stacks[number - 1].n;
	if (rd->copied > FORMAT_MAX_COPIED + (MAX_THREADS + 1) * FORMAT_MAX_FRAMES)
		return scan_fail(&rd->s, "the stacks are too large");
	*out = rec_stack_copy(&rd->stacks[number - 1]);
	return true;
}

/* Resolves the references to later lines. */
static bool resolve(struct reader *rd)
{
	struct recording *r = rd->r;

	if (rd->failure_thread && !find_thread(rd, rd->failure_thread, &r->failure.thread))
		return false;
	if (!give_stack(rd, rd->failure_stack, &r->failure.stack))
		return false;
	for (int i = 0; i < 2; i++)
		if ((rd->block_owner[i] && !find_thread(rd, rd->block_owner[i], &r->failure.block.owner[i])) ||
			!give_stack(rd, rd->block_stack[i], &r->failure.block.stack[i]))
			return false;
	for (size_t i = 0; i < r->n_threads; i++) {
		if (!find_thread(rd, rd->waits_for[i], &r->threads[i].waits_for) ||
			!give_stack(rd, rd->thread_stack[i], &r->threads[i].stack))
			return false;
	}
	for (size_t i = 0; i < r->n_steps; i++)
		if (!give_stack(rd, rd->step_stack[i], &r->steps[i].stack))
			return false;
	if (rd->has_output) {
		r->failure.output = rd->output ? rd->output : xstrdup("");
		rd->output = NULL;
	}
	return true;
}

static void reader_free(struct reader *rd)
{
	for (size_t i = 0; i < rd->n_stacks; i++)
		rec_stack_free(&rd->stacks[i]);
	free(rd->stacks);
	/* waits_for grows with the threads and has an entry for each */
	for (size_t i = 0; i < rd->r->n_threads; i++)
		free(rd->waits_for[i]);
	free(rd->waits_for);
	free(rd->failure_thread);
	free(rd->block_owner[0]);
	free(rd->block_owner[1]);
	free(rd->step_stack);
	free(rd->thread_stack);
	free(rd->output);
}

struct recording *format_read_body(const char *text, size_t size, unsigned version, unsigned first_line,
	unsigned *line, char *problem, size_t problem_size)
{
	struct reader rd = { .s = { .at = text, .end = text + size, .line_end = text }, .version = version };
	struct recording *r = rd.r = recording_new();
	const char *why = NULL;
	bool ok;

	ok = read_sections(&rd) && resolve(&rd);
	if (ok && !recording_valid(r, &why))
		ok = scan_fail(&rd.s, "%s", why);
	*line = rd.s.line + first_line - 1;
	snprintf(problem, problem_size, "%s", rd.s.problem);
	reader_free(&rd);
	if (ok)
		return r;
	recording_free(r);
	return NULL;
}
