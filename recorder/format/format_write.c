/* Writes the text of a recording, section by section as in docs/format.md. */
#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/xalloc.h"
#include "recorder/memory_error.h"

/* Each distinct stack is written once. The table finds the number of an equal stack. */
struct stack_table {
	size_t n;           /* texts in use */
	char **text;        /* serialised frames of stack i + 1 */
	size_t buckets;     /* power of two */
	size_t *bucket;     /* number of a stack, 0 = free */
};

static char *stack_text(const struct rec_stack *stack)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	INVARIANT(f, "out of memory");
	for (size_t i = 0; i < stack->n; i++) {
		const struct rec_frame *fr = &stack->frame[i];
		fputs("frame ", f);
		format_put_string(f, fr->function);
		fputc(' ', f);
		format_put_string(f, fr->dir);
		fputc(' ', f);
		format_put_string(f, fr->file);
		fprintf(f, " %d ", fr->line);
		format_put_string(f, fr->module);
		fprintf(f, " 0x%llx 0x%x\n", (unsigned long long)fr->offset, fr->flags);
	}
	INVARIANT(fclose(f) == 0, "out of memory");
	return text;
}

/* Returns the bucket of the text, or the free one where it belongs. */
static size_t *bucket_of(const struct stack_table *t, const char *text)
{
	return &t->bucket[TABLE_SLOT(i, format_checksum(text, strlen(text)), t->buckets,
		!t->bucket[i] || !strcmp(t->text[t->bucket[i] - 1], text))];
}

static void grow_buckets(struct stack_table *t)
{
	t->buckets = t->buckets ? t->buckets * 2 : 64;
	free(t->bucket);
	t->bucket = xcalloc(t->buckets, sizeof(*t->bucket));
	for (size_t i = 1; i <= t->n; i++)
		*bucket_of(t, t->text[i - 1]) = i;
}

/* Returns the number of this stack, from 1; 0 for an empty one. */
static size_t stack_number(struct stack_table *t, const struct rec_stack *stack)
{
	char *text;
	size_t *bucket;

	if (!stack->n)
		return 0;
	if ((t->n + 1) * 2 > t->buckets)
		grow_buckets(t);
	text = stack_text(stack);
	bucket = bucket_of(t, text);
	if (*bucket) {
		free(text);
		return *bucket;
	}
	t->text = xgrow(t->text, t->n, sizeof(*t->text));
	t->text[t->n++] = text;
	return *bucket = t->n;
}

static void put_stack_number(FILE *f, struct stack_table *t, const struct rec_stack *stack)
{
	size_t n = stack_number(t, stack);

	if (n)
		fprintf(f, "s%zu", n);
	else
		fputc('-', f);
}

static void put_field(FILE *f, const char *key, const char *text)
{
	fprintf(f, "%s ", key);
	format_put_string(f, text);
	fputc('\n', f);
}

static void put_setting(FILE *f, const struct settings *s, const struct setting *of)
{
	uint64_t value = setting_get(s, of);

	if (of->not_0 && !value)
		return;
	if (of->kind == SETTING_TEXT)
		put_field(f, of->line, of->names[value]);
	else if (of->kind == SETTING_WORD)
		fprintf(f, "%s %s\n", of->line, of->names[value]);
	else
		fprintf(f, "%s %" PRIu64 "\n", of->line, value);
}

static void put_head(FILE *f, const struct recording *r)
{
	fprintf(f, FORMAT_MAGIC "%d\n", RECORDING_VERSION);
	fputs("# A failing schedule. `simul replay` runs it again, `simul show` explains it.\n"
	      "# The last line is a checksum: this file is for reading, not for editing.\n", f);
	fputs("\n[program]\n", f);
	put_field(f, "simul", r->written_by);
	put_field(f, "path", r->start.program);
	put_field(f, "build-id", r->start.build_id);
	if (r->origin)
		put_field(f, "origin", r->origin);
	for (char **a = r->start.argv; *a; a++)
		put_field(f, "arg", *a);
	for (char **e = r->start.env; *e; e++)
		put_field(f, "env", *e);
	for (char **h = r->start.hidden; *h; h++)
		put_field(f, "env-hidden", *h);
	put_field(f, "cwd", r->start.cwd);
	put_field(f, "stdin", r->start.stdin_file);
	if (r->start.inherited)
		put_field(f, "inherited", r->start.inherited);
	fprintf(f, "env-size %u %u\nstack-limit %llu\n", r->start.env_entries, r->start.env_bytes,
		(unsigned long long)r->start.stack_limit);
	fputs("\n[options]\n", f);
	for (unsigned i = 0; i < SETTINGS; i++)
		put_setting(f, &r->settings, &settings_table[i]);
	put_field(f, "strategy", r->strategy);
	fprintf(f, "execution %llu\n", (unsigned long long)r->execution);
	for (char **p = r->patch_patterns; *p; p++)
		put_field(f, "patch-also", *p);
	for (uint32_t i = 0; i < r->pool.n; i++)
		fprintf(f, "pool %llu %llu%s%s\n", (unsigned long long)r->pool.thread[i].stack_size,
			(unsigned long long)r->pool.thread[i].guard_size, *r->pool.thread[i].path ? " " : "",
			r->pool.thread[i].path);
}

static const char *thread_path(const struct recording *r, thread_id t)
{
	return t == NO_THREAD ? "-" : r->threads[t].path;
}

static void put_block(FILE *f, const struct rec_block *b, const struct recording *r, struct stack_table *t)
{
	static const char *const what[2] = { "allocated", "freed" };

	if (!b->error)
		return;
	fprintf(f, "memory %s %s 0x%llx %llu 0x%llx %llu\n", memory_error_name(b->error),
		b->object ? object_kind_text(b->object) : b->write ? "write" : "read",
		(unsigned long long)b->addr, (unsigned long long)b->size, (unsigned long long)b->block,
		(unsigned long long)b->block_size);
	for (int i = 0; i < 2; i++) {
		if (b->owner[i] == NO_THREAD)
			continue;
		fprintf(f, "%s %s ", what[i], thread_path(r, b->owner[i]));
		put_stack_number(f, t, &b->stack[i]);
		fputc('\n', f);
	}
}

static void put_failure(FILE *f, const struct recording *r, struct stack_table *t)
{
	fputs("\n[failure]\n", f);
	fprintf(f, "kind %s\nthread %s\n", bug_kind_text(r->failure.kind), thread_path(r, r->failure.thread));
	fprintf(f, "signal %d\nstatus %d\n", r->failure.signal, r->failure.status);
	fprintf(f, "signature 0x%016llx\n", (unsigned long long)r->failure.signature);
	put_field(f, "message", r->failure.message);
	put_field(f, "where", r->failure.where);
	if (r->failure.process)
		put_field(f, "process", r->failure.process);
	fputs("stack ", f);
	put_stack_number(f, t, &r->failure.stack);
	fprintf(f, "\npreemptions %u\nconfirmed %u %u\n", r->preemptions, r->confirmed, r->confirm_tries);
	if (r->fewest)
		fputs("fewest 1\n", f);
	if (r->fewest_choices)
		fputs("fewest-choices 1\n", f);
	if (r->found.steps)
		fprintf(f, "minimised %u %u %zu\n", r->found.preemptions, r->found.switches, r->found.steps);
	if (r->found.steps && r->found.choices)
		fprintf(f, "found-choices %u\n", r->found.choices);
	if (r->needs.enough)
		fprintf(f, "needs %u %u\n", r->needs.least - 1, r->needs.enough - 1);
	if (r->timed_out.ns)
		fprintf(f, "timed-out %zu %llu %u\n", r->timed_out.step, (unsigned long long)r->timed_out.ns, (unsigned)r->timed_out.other);
	put_block(f, &r->failure.block, r, t);
	for (size_t i = 0; i < r->failure.n_cycle; i++)
		fprintf(f, "cycle %zu %s\n", r->failure.cycle[i].step + 1, cycle_step_text(r->failure.cycle[i].next));
}

static void put_object_id(FILE *f, object_id o, int width)
{
	char buf[16] = "-";

	if (o)
		snprintf(buf, sizeof(buf), "o%u", o);
	fprintf(f, " %-*s", width, buf);
}

static void put_threads(FILE *f, const struct recording *r, struct stack_table *t)
{
	fputs("\n[threads]\n#      path pending object second waits-for stack start-routine\n", f);
	for (size_t i = 0; i < r->n_threads; i++) {
		const struct rec_thread *th = &r->threads[i];
		fprintf(f, "thread %s %s", th->path,
			th->pending_kind == EV_NONE ? "ended" : event_kind_text(th->pending_kind));
		put_object_id(f, th->pending_obj[0], 1);
		put_object_id(f, th->pending_obj[1], 1);
		fprintf(f, " %s ", thread_path(r, th->waits_for));
		put_stack_number(f, t, &th->stack);
		fputc(' ', f);
		format_put_string(f, th->start);
		fputc('\n', f);
	}
}

static void put_objects(FILE *f, const struct recording *r)
{
	fputs("\n[objects]\n", f);
	for (size_t i = 0; i < r->n_objects; i++) {
		const struct rec_object *o = &r->objects[i];
		fprintf(f, "o%zu %s %u ", i + 1, object_kind_text(o->kind), o->number);
		format_put_string(f, o->name);
		fputc(' ', f);
		format_put_string(f, o->origin);
		if (o->kind == OBJ_MEMORY)
			fprintf(f, " 0x%llx %u", (unsigned long long)o->addr, o->size);
		fputc('\n', f);
	}
}

/* " 16-19 24" */
static void put_ranges(FILE *f, const uint64_t bytes[MEMORY_PAGE / 64])
{
	for (unsigned i = 0, end; i < MEMORY_PAGE; i = end + 1) {
		for (; i < MEMORY_PAGE && !(bytes[i / 64] >> i % 64 & 1); i++)
			;
		for (end = i; end < MEMORY_PAGE && bytes[end / 64] >> end % 64 & 1; end++)
			;
		if (end > i + 1)
			fprintf(f, " %u-%u", i, end - 1);
		else if (end > i)
			fprintf(f, " %u", i);
	}
	fputc('\n', f);
}

/* "page 0x4000 16-19 24", perhaps "late 24" */
static void put_page(FILE *f, const struct rec_page *p)
{
	bool late = false;

	fprintf(f, "page 0x%llx", (unsigned long long)p->base);
	put_ranges(f, p->shared);
	for (unsigned i = 0; i < MEMORY_PAGE / 64; i++)
		late |= p->late[i] != 0;
	if (late) {
		fputs("late", f);
		put_ranges(f, p->late);
	}
}

static void put_memory(FILE *f, const struct rec_memory *m)
{
	if (!m->n_pages && !m->n_nodes && !m->raced)
		return;
	fputs("\n[memory]\n# bytes whose accesses are steps; then the known spin loops\n", f);
	for (size_t i = 0; i < m->n_pages; i++)
		put_page(f, &m->page[i]);
	for (size_t i = 0; i < m->n_nodes; i++)
		fprintf(f, "spin 0x%llx 0x%llx 0x%llx %u 0x%x 0x%x\n", (unsigned long long)m->node[i].state,
			(unsigned long long)m->node[i].addr, (unsigned long long)m->node[i].pc, m->node[i].size,
			m->node[i].expected, format_spin_number(m->node[i].what));
	for (size_t i = 0; i < m->n_edges; i++)
		fprintf(f, "round %u 0x%x %u %u\n", m->edge[i].from, m->edge[i].found, m->edge[i].to,
			m->edge[i].flags);
	if (m->raced)
		fprintf(f, "raced 0x%llx\n", (unsigned long long)m->raced);
}

/* Writes EVF_* flags as letters; as a number if some have none. */
static void put_flags(FILE *f, unsigned flags)
{
	char buf[8] = "", *p = buf;

	if (flags & ~15u) {
		fprintf(f, " 0x%x", flags);
		return;
	}
	for (int bit = 0; bit < 4; bit++)
		if (flags & (1u << bit))
			*p++ = "bwfr"[bit];
	*p = '\0';
	fprintf(f, " %-3s", buf[0] ? buf : "-");
}

/* Writes text of a comment, without characters that could end the line. */
static void put_plain(FILE *f, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, f);
}

/* The comment at the end of a step line. It is for people; the reader skips it. */
static void put_step_comment(FILE *f, const struct recording *r, const struct rec_step *s)
{
	const struct rec_frame *fr = rec_stack_user_frame(&s->stack);
	char object[128], where[256];

	rec_object_text(r, s->obj[0], object, sizeof(object));
	rec_frame_where(fr, where, sizeof(where));
	fputs(" ; ", f);
	put_plain(f, object);
	if (fr && fr->function && strcmp(fr->function, where) != 0) {
		fputs("  ", f);
		put_plain(f, fr->function);
	}
	fputs("  ", f);
	put_plain(f, where);
	fputc('\n', f);
}

static void put_result(FILE *f, const struct recording *r, const struct rec_step *s)
{
	char agent[FORMAT_MAX_PATH + 24];

	if (s->buffered) {
		rec_agent_text(r, s, agent, sizeof(agent));
		fprintf(f, " %s ", agent);
	} else if (s->kind == EV_UPDATE) {
		fprintf(f, " %u:%u ", s->number, s->epoch);
	} else {
		fprintf(f, " %d ", s->result);
	}
}

static void put_steps(FILE *f, const struct recording *r, struct stack_table *t)
{
	char path[FORMAT_MAX_PATH + 24];
	int width = 2;

	for (size_t i = 0; i < r->n_threads; i++)
		if ((int)strlen(r->threads[i].path) > width)
			width = (int)strlen(r->threads[i].path);
	fputs("\n[schedule]\n# step thread alternative event flags object second result stack ; reading aid\n",
		f);
	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		const char *alt = alternative_text(s->alt);
		if (s->kind == EV_UPDATE)
			rec_agent_text(r, s, path, sizeof(path));
		fprintf(f, "%zu %-*s %-8s %-14s", i + 1, width, s->kind == EV_UPDATE ? path : r->threads[s->thread].path,
			alt[0] ? alt : "-", event_kind_text(s->kind));
		put_flags(f, s->flags);
		put_object_id(f, s->obj[0], 3);
		put_object_id(f, s->obj[1], 3);
		put_result(f, r, s);
		put_stack_number(f, t, &s->stack);
		put_step_comment(f, r, s);
	}
}

static void put_labels(FILE *f, const struct recording *r)
{
	if (r->n_labels)
		fputs("\n[labels]\n# steps before it, thread, text\n", f);
	for (size_t i = 0; i < r->n_labels; i++) {
		fprintf(f, "%s %zu %s ", label_kind_text(r->labels[i].kind), r->labels[i].before,
			r->threads[r->labels[i].thread].path);
		format_put_string(f, r->labels[i].text);
		fputc('\n', f);
	}
}

/* Writes the bytes as one hexadecimal number. */
static void put_bytes(FILE *f, const uint8_t *bytes, unsigned size, bool known)
{
	fputs(known ? " 0x" : " -", f);
	while (known && size-- > 0)
		fprintf(f, "%02x", bytes[size]);
}

/* Writes the type of the values of object o. */
static void put_type(FILE *f, object_id o, const struct value_type *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct value_field *v = &t->field[i];
		fprintf(f, "type o%u %u %u %s ", o, v->bit, v->bits, value_kind_text(v->kind));
		format_put_string(f, v->name);
		fputc('\n', f);
		for (size_t k = 0; k < v->n_words; k++) {
			fprintf(f, "word 0x%llx ", (unsigned long long)v->word[k].value);
			format_put_string(f, v->word[k].name);
			fputc('\n', f);
		}
	}
}

static void put_values(FILE *f, const struct recording *r)
{
	bool any = r->n_pointers != 0;

	for (size_t i = 0; i < r->n_steps && !any; i++)
		any = r->steps[i].value.size != 0;
	for (size_t i = 0; i < r->n_objects && !any; i++)
		any = r->objects[i].type.n != 0;
	if (!any)
		return;
	fputs("\n[values]\n# steps with the value before and after; types of values; names of addresses\n", f);
	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_value *v = &r->steps[i].value;
		if (!v->size)
			continue;
		fprintf(f, "value %zu", i + 1);
		put_bytes(f, v->before, v->size, v->has_before);
		put_bytes(f, v->after, v->size, v->has_after);
		fputc('\n', f);
	}
	for (size_t i = 0; i < r->n_objects; i++)
		put_type(f, (object_id)i + 1, &r->objects[i].type);
	for (size_t i = 0; i < r->n_pointers; i++) {
		fprintf(f, "pointer 0x%llx ", (unsigned long long)r->pointers[i].addr);
		format_put_string(f, r->pointers[i].name);
		fputc('\n', f);
	}
}

/* "orders 12 fewest 9", then "at acquire 8" for each place */
static void put_orders(FILE *f, const struct rec_orders *o)
{
	if (!o->runs)
		return;
	fputs("# stronger memory orders: replays result step, or number of places; the places\n", f);
	fprintf(f, "orders %u %s %zu\n", o->runs, rec_orders_result_text(o), o->prevented ? o->step + 1 : o->n);
	for (size_t i = 0; o->prevented && i < o->n; i++)
		fprintf(f, "at %s %zu\n", rec_order_text(o->place[i].order), o->place[i].step + 1);
}

static void put_tries(FILE *f, const struct recording *r)
{
	if (!r->n_tries && !r->orders.runs)
		return;
	fputs("\n[tries]\n# experiments: kind thread step before-step result\n", f);
	for (size_t i = 0; i < r->n_tries; i++) {
		const struct rec_try *t = &r->tries[i];
		fprintf(f, "try %s %s %zu %zu %s\n", rec_try_kind_text(t->kind), thread_path(r, t->thread),
			t->step == NO_STEP ? 0 : t->step + 1, t->before + 1, rec_try_result_text(t->result));
	}
	put_orders(f, &r->orders);
}

static void put_stacks(FILE *f, const struct stack_table *t)
{
	fputs("\n[stacks]\n# innermost frame first: function directory file line module offset flags\n", f);
	for (size_t i = 0; i < t->n; i++)
		fprintf(f, "stack s%zu\n%s", i + 1, t->text[i]);
}

/* One line of the file for each line of output; long lines are split. */
static void put_output(FILE *f, const char *output)
{
	char piece[401];

	fputs("\n[output]\n", f);
	while (*output) {
		size_t n = strcspn(output, "\n");
		n = output[n] ? n + 1 : n;
		n = n > sizeof(piece) - 1 ? sizeof(piece) - 1 : n;
		memcpy(piece, output, n);
		piece[n] = '\0';
		put_field(f, "out", piece);
		output += n;
	}
}

char *recording_format(const struct recording *r, size_t *size)
{
	struct stack_table t = { 0 };
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	INVARIANT(f, "out of memory");
	put_head(f, r);
	put_failure(f, r, &t);
	put_threads(f, r, &t);
	put_objects(f, r);
	put_memory(f, &r->memory);
	put_steps(f, r, &t);
	put_labels(f, r);
	put_values(f, r);
	put_tries(f, r);
	put_stacks(f, &t);
	if (r->failure.output)
		put_output(f, r->failure.output);
	INVARIANT(fflush(f) == 0, "out of memory");
	fprintf(f, "end %016llx\n", (unsigned long long)format_checksum(text, *size));
	INVARIANT(fclose(f) == 0, "out of memory");
	for (size_t i = 0; i < t.n; i++)
		free(t.text[i]);
	free(t.text);
	free(t.bucket);
	return text;
}
