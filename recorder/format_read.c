/*
 * Reading the text of a recording. The checksum is verified first, then the syntax line by line,
 * then every range (format_valid.c): nothing is used before all three agreed.
 */
#include "recorder/format.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/xalloc.h"

/* A recording being read. What refers to later lines is kept here until the end. */
struct reader {
	struct scan s;
	struct recording *r;
	unsigned version;
	size_t n_args, n_env, n_patterns;
	size_t n_stacks;
	struct rec_stack *stacks;
	size_t failure_stack;    /* numbers of stacks, 0 = none */
	size_t *step_stack, *thread_stack;
	char *failure_thread;    /* paths */
	char **waits_for;
	size_t copied;           /* frames copied into steps so far */
	bool has_output;
	char *output;
	size_t output_size;
};

/* One kind of line: `read` gets the cursor behind the key. */
struct line {
	const char *key;
	bool (*read)(struct reader *rd);
};

static bool replace_text(struct scan *s, char **field)
{
	free(*field);
	return scan_text(s, field);
}

static bool replace_string(struct scan *s, char **field)
{
	free(*field);
	return scan_string(s, field);
}

static bool read_stack_ref(struct scan *s, size_t *out)
{
	uint64_t v;

	if (!scan_ref(s, 's', &v))
		return false;
	*out = (size_t)v;
	return true;
}

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

static bool read_path(struct scan *s, char **out)
{
	char buf[FORMAT_MAX_PATH];

	if (!scan_word(s, buf, sizeof(buf)))
		return false;
	free(*out);
	*out = xstrdup(buf);
	return true;
}

/* ---- [program] ---- */

static bool append(struct scan *s, char ***list, size_t *n)
{
	char *text;

	if (!scan_text(s, &text))
		return false;
	*list = realloc(*list, (*n + 2) * sizeof(**list));
	INVARIANT(*list, "out of memory");
	(*list)[(*n)++] = text;
	(*list)[*n] = NULL;
	return true;
}

static bool read_simul(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->written_by);
}
static bool read_program(struct reader *rd)
{
	return replace_text(&rd->s, &rd->r->program);
}
static bool read_build_id(struct reader *rd)
{
	return replace_text(&rd->s, &rd->r->build_id);
}
static bool read_arg(struct reader *rd)
{
	return append(&rd->s, &rd->r->argv, &rd->n_args);
}
static bool read_env(struct reader *rd)
{
	return append(&rd->s, &rd->r->env, &rd->n_env);
}
static bool read_cwd(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->cwd);
}
static bool read_stdin(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->stdin_file);
}

static bool read_env_size(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->env_entries) && scan_u32(&rd->s, &rd->r->env_bytes);
}
static bool read_stack_limit(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->stack_limit);
}

/* ---- [options] ---- */

static int parse_backend(const char *text)
{
	return strcmp(text, "fiber") == 0 ? THREADS_FIBER : strcmp(text, "kernel") == 0 ? THREADS_KERNEL : -1;
}

static bool read_backend(struct reader *rd)
{
	int v;

	if (!scan_name(&rd->s, parse_backend, "a kind of threads", &v))
		return false;
	rd->r->threads_backend = (uint32_t)v;
	return true;
}
static bool read_spurious(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->spurious);
}
static bool read_max_steps(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->max_steps);
}
static bool read_start_time(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->start_time);
}
static bool read_seed(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->seed);
}
static bool read_model(struct reader *rd)
{
	char *text = NULL;
	int v;

	if (!scan_string(&rd->s, &text))
		return false;
	v = text ? memory_model_parse(text) : MODEL_SC;
	if (v < 0)
		scan_fail(&rd->s, "the memory model \"%.20s\" is not known", text);
	free(text);
	rd->r->model = v < 0 ? MODEL_SC : (uint32_t)v;
	return v >= 0;
}
static bool read_strategy(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->strategy);
}
static bool read_execution(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->execution);
}
static bool read_switch(struct scan *s, uint32_t *out)
{
	uint64_t v;

	if (!scan_u64(s, 1, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}
static bool read_patch(struct reader *rd)
{
	return read_switch(&rd->s, &rd->r->patch);
}
static bool read_fail_on_race(struct reader *rd)
{
	return read_switch(&rd->s, &rd->r->fail_on_race);
}
static bool read_robustness(struct reader *rd)
{
	return read_switch(&rd->s, &rd->r->robustness);
}
static bool read_patch_also(struct reader *rd)
{
	return append(&rd->s, &rd->r->patch_patterns, &rd->n_patterns);
}
static bool read_pool(struct reader *rd)
{
	struct session_pool *pool = &rd->r->pool;
	uint32_t n = pool->n;

	if (n >= SESSION_POOL)
		return scan_fail(&rd->s, "there are too many pool lines");
	pool->n++;
	return scan_u64(&rd->s, UINT64_MAX, &pool->thread[n].stack_size) &&
	       scan_u64(&rd->s, UINT64_MAX, &pool->thread[n].guard_size) &&
	       (!scan_more(&rd->s) || scan_word(&rd->s, pool->thread[n].path, sizeof(pool->thread[n].path)));
}

/* ---- [failure] ---- */

static bool read_bug_kind(struct reader *rd)
{
	int v;

	if (!scan_name(&rd->s, bug_kind_parse, "a kind of failure", &v))
		return false;
	rd->r->bug_kind = (uint32_t)v;
	return true;
}
static bool read_bug_thread(struct reader *rd)
{
	return read_path(&rd->s, &rd->failure_thread);
}
static bool read_signal(struct reader *rd)
{
	return scan_i32(&rd->s, &rd->r->signal);
}
static bool read_status(struct reader *rd)
{
	return scan_i32(&rd->s, &rd->r->status);
}
static bool read_signature(struct reader *rd)
{
	return scan_u64(&rd->s, UINT64_MAX, &rd->r->signature);
}
static bool read_message(struct reader *rd)
{
	return replace_text(&rd->s, &rd->r->message);
}
static bool read_where(struct reader *rd)
{
	return replace_string(&rd->s, &rd->r->where);
}
static bool read_failure_stack(struct reader *rd)
{
	return read_stack_ref(&rd->s, &rd->failure_stack);
}
static bool read_preemptions(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->preemptions);
}
static bool read_confirmed(struct reader *rd)
{
	return scan_u32(&rd->s, &rd->r->confirmed) && scan_u32(&rd->s, &rd->r->confirm_tries);
}
static bool read_cycle(struct reader *rd)
{
	struct recording *r = rd->r;
	uint64_t step;
	int next;

	if (r->n_cycle >= ROBUST_MOST)
		return scan_fail(&rd->s, "there are too many cycle lines");
	if (!scan_u64(&rd->s, UINT32_MAX, &step) || !scan_name(&rd->s, cycle_step_parse, "an order", &next))
		return false;
	r->cycle = xgrow(r->cycle, r->n_cycle, sizeof(*r->cycle));
	r->cycle[r->n_cycle++] = (struct rec_cycle){ (size_t)step - 1, (uint8_t)next };
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
	if (!read_path(&rd->s, &t->path) || !scan_name(&rd->s, parse_pending, "a kind of event", &pending))
		return false;
	t->pending_kind = (uint8_t)pending;
	return read_objects(&rd->s, t->pending_obj) && read_path(&rd->s, &rd->waits_for[n]) &&
		read_stack_ref(&rd->s, &rd->thread_stack[n]) && scan_string(&rd->s, &t->start);
}

/* The number that starts a table line must count up from 1. */
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

static bool read_page(struct reader *rd)
{
	return format_read_page(&rd->s, &rd->r->memory);
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
		return (v <= UINT8_MAX && !*end && buf[2]) || scan_fail(s, "\"%s\" are no flags", buf);
	}
	for (const char *p = strcmp(buf, "-") ? buf : ""; *p; p++) {
		const char *letter = strchr("bwfr", *p);
		if (!letter)
			return scan_fail(s, "\"%s\" are no flags", buf);
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

/* The path of a drain agent: its thread, `~`, and the address of the stores that it drains unless these are all. */
static bool read_agent(struct reader *rd, char *path, struct rec_step *st)
{
	char *tilde = strchr(path, '~'), *end = NULL;

	st->place = PLACE_ALL;
	if (tilde && tilde[1]) {
		if (strspn(tilde + 1, "0123456789abcdef") <= 16)
			st->place = strtoull(tilde + 1, &end, 16);
		if (!end || *end || st->place == PLACE_ALL)
			return scan_fail(&rd->s, "\"%.64s\" is nobody who moves stores to memory", path);
	}
	if (!tilde)
		return scan_fail(&rd->s, "\"%.64s\" is nobody who moves stores to memory", path);
	*tilde = '\0';
	return find_thread(rd, path, &st->thread);
}

/* A store into a buffer names the agent that will move it to memory. */
static bool read_store_result(struct reader *rd, char *path, struct rec_step *st)
{
	thread_id thread = st->thread;

	st->buffered = true;
	return read_agent(rd, path, st) &&
		(st->thread == thread || scan_fail(&rd->s, "a store goes into the buffer of another thread"));
}

/* NUMBER:EPOCH */
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
		read_stack_ref(&rd->s, &rd->step_stack[r->n_steps - 1]);
}

static bool read_stack(struct reader *rd)
{
	size_t number;

	if (!read_stack_ref(&rd->s, &number) || !expect_number(&rd->s, number, rd->n_stacks))
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
	rd->output = realloc(rd->output, rd->output_size + n + 1);
	INVARIANT(rd->output, "out of memory");
	memcpy(rd->output + rd->output_size, text, n + 1);
	rd->output_size += n;
	free(text);
	return true;
}

/* ---- the file as a whole ---- */

static const struct line program_lines[] = {
	{ "simul", read_simul }, { "path", read_program }, { "build-id", read_build_id }, { "arg", read_arg },
	{ "env", read_env }, { "cwd", read_cwd }, { "stdin", read_stdin }, { "env-size", read_env_size },
	{ "stack-limit", read_stack_limit }, { NULL, NULL },
};
static const struct line option_lines[] = {
	{ "threads", read_backend }, { "spurious", read_spurious }, { "max-steps", read_max_steps },
	{ "start-time", read_start_time }, { "seed", read_seed }, { "model", read_model },
	{ "strategy", read_strategy }, { "execution", read_execution }, { "pool", read_pool },
	{ "patch", read_patch }, { "fail-on-race", read_fail_on_race }, { "patch-also", read_patch_also },
	{ "robustness", read_robustness }, { NULL, NULL },
};
static const struct line failure_lines[] = {
	{ "kind", read_bug_kind }, { "thread", read_bug_thread }, { "signal", read_signal },
	{ "status", read_status }, { "signature", read_signature }, { "message", read_message },
	{ "where", read_where }, { "stack", read_failure_stack }, { "preemptions", read_preemptions },
	{ "confirmed", read_confirmed }, { "cycle", read_cycle }, { NULL, NULL },
};
static const struct line thread_lines[] = { { "thread", read_thread }, { NULL, NULL } };
static const struct line object_lines[] = { { "", read_object }, { NULL, NULL } };
static const struct line memory_lines[] = {
	{ "page", read_page }, { "spin", read_spin }, { "round", read_round }, { NULL, NULL },
};
static const struct line step_lines[] = { { "", read_step }, { NULL, NULL } };
static const struct line stack_lines[] = { { "stack", read_stack }, { "frame", read_frame }, { NULL, NULL } };
static const struct line output_lines[] = { { "out", read_out }, { NULL, NULL } };

static const struct {
	const char *name;
	const struct line *lines;
	bool optional;
} sections[] = {
	{ "[program]", program_lines, false }, { "[options]", option_lines, false },
	{ "[failure]", failure_lines, false }, { "[threads]", thread_lines, false },
	{ "[objects]", object_lines, false }, { "[memory]", memory_lines, true },
	{ "[schedule]", step_lines, false }, { "[stacks]", stack_lines, false },
	{ "[output]", output_lines, true },
};
#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

/* Reads one line with the section's table; a table whose key is "" has lines without a key. */
static bool read_line(struct reader *rd, const struct line *line)
{
	char key[32];

	if (line->key[0]) {
		if (!scan_word(&rd->s, key, sizeof(key)))
			return false;
		while (line->key && strcmp(line->key, key) != 0)
			line++;
		if (!line->key)
			return scan_fail(&rd->s, "\"%s\" is not known here", key);
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

/* Fills in what earlier lines said about later ones. */
static bool resolve(struct reader *rd)
{
	struct recording *r = rd->r;

	if (rd->failure_thread && !find_thread(rd, rd->failure_thread, &r->bug_thread))
		return false;
	if (!give_stack(rd, rd->failure_stack, &r->stack))
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
		r->output = rd->output ? rd->output : xstrdup("");
		rd->output = NULL;
	}
	return true;
}

static void reader_free(struct reader *rd)
{
	for (size_t i = 0; i < rd->n_stacks; i++)
		rec_stack_free(&rd->stacks[i]);
	free(rd->stacks);
	/* waits_for grows with the threads; an entry exists for each */
	for (size_t i = 0; i < rd->r->n_threads; i++)
		free(rd->waits_for[i]);
	free(rd->waits_for);
	free(rd->failure_thread);
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
