/* A recording in memory: making, freeing and naming its parts. */
#include "recorder/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct recording *recording_new(void)
{
	struct recording *r = xcalloc(1, sizeof(*r));

	r->version = RECORDING_VERSION;
	r->failure.thread = NO_THREAD;
	r->failure.block.owner[0] = r->failure.block.owner[1] = NO_THREAD;
	r->start.build_id = xstrdup("");
	r->failure.message = xstrdup("");
	r->start.argv = xcalloc(1, sizeof(*r->start.argv));
	r->start.env = xcalloc(1, sizeof(*r->start.env));
	r->start.hidden = xcalloc(1, sizeof(*r->start.hidden));
	r->patch_patterns = xcalloc(1, sizeof(*r->patch_patterns));
	return r;
}

void rec_stack_free(struct rec_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++) {
		free(stack->frame[i].function);
		free(stack->frame[i].dir);
		free(stack->frame[i].file);
		free(stack->frame[i].module);
	}
	free(stack->frame);
	stack->frame = NULL;
	stack->n = 0;
}

struct rec_stack rec_stack_copy(const struct rec_stack *stack)
{
	struct rec_stack copy = { stack->n, NULL };

	if (!stack->n)
		return copy;
	copy.frame = xcalloc(stack->n, sizeof(*copy.frame));
	for (size_t i = 0; i < stack->n; i++) {
		const struct rec_frame *from = &stack->frame[i];
		struct rec_frame *to = &copy.frame[i];
		*to = *from;
		to->function = xstrdup(from->function);
		to->dir = xstrdup(from->dir);
		to->file = xstrdup(from->file);
		to->module = xstrdup(from->module);
	}
	return copy;
}

static void free_strings(char **list)
{
	if (!list)
		return;
	for (size_t i = 0; list[i]; i++)
		free(list[i]);
	free(list);
}

static void free_tables(struct recording *r)
{
	for (size_t i = 0; i < r->n_threads; i++) {
		free(r->threads[i].path);
		free(r->threads[i].start);
		rec_stack_free(&r->threads[i].stack);
	}
	free(r->threads);
	for (size_t i = 0; i < r->n_objects; i++) {
		free(r->objects[i].name);
		free(r->objects[i].origin);
		value_type_free(&r->objects[i].type);
	}
	free(r->objects);
	for (size_t i = 0; i < r->n_steps; i++)
		rec_stack_free(&r->steps[i].stack);
	free(r->steps);
	for (size_t i = 0; i < r->n_labels; i++)
		free(r->labels[i].text);
	free(r->labels);
	for (size_t i = 0; i < r->n_pointers; i++)
		free(r->pointers[i].name);
	free(r->pointers);
	free(r->tries);
	free(r->orders.place);
}

void recording_free(struct recording *r)
{
	if (!r)
		return;
	free_tables(r);
	free(r->written_by);
	free(r->start.program);
	free(r->start.build_id);
	free(r->origin);
	free_strings(r->start.argv);
	free_strings(r->start.env);
	free_strings(r->start.hidden);
	free_strings(r->patch_patterns);
	rec_memory_free(&r->memory);
	free(r->start.cwd);
	free(r->start.stdin_file);
	free(r->start.inherited);
	free(r->strategy);
	free(r->failure.message);
	free(r->failure.where);
	free(r->failure.process);
	rec_stack_free(&r->failure.stack);
	free(r->failure.cycle);
	for (int i = 0; i < 2; i++)
		rec_stack_free(&r->failure.block.stack[i]);
	free(r->failure.output);
	free(r);
}

void rec_memory_free(struct rec_memory *m)
{
	free(m->page);
	free(m->node);
	free(m->edge);
	memset(m, 0, sizeof(*m));
}

const char *rec_pointer_name(const struct recording *r, uint64_t addr)
{
	size_t low = 0, high = r->n_pointers;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (r->pointers[mid].addr == addr)
			return r->pointers[mid].name;
		if (r->pointers[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static void *copy_array(const void *from, size_t n, size_t size)
{
	void *copy = n ? xcalloc(n, size) : NULL;

	return n ? memcpy(copy, from, n * size) : NULL;
}

struct rec_memory rec_memory_copy(const struct rec_memory *m)
{
	struct rec_memory copy = *m;

	copy.page = copy_array(m->page, m->n_pages, sizeof(*m->page));
	copy.node = copy_array(m->node, m->n_nodes, sizeof(*m->node));
	copy.edge = copy_array(m->edge, m->n_edges, sizeof(*m->edge));
	return copy;
}

bool rec_memory_bytes(const struct rec_memory *m, const object_id obj[2], uint8_t span, uint64_t *addr,
	uint32_t *size)
{
	const struct event e = { .obj = { obj[0], obj[1] }, .span = span };
	uint64_t low, high;

	if (!event_bytes(&e, &low, &high) || low > high || high - low >= MEMORY_PAGE || low / MEMORY_PAGE >= m->n_pages ||
		high / MEMORY_PAGE != low / MEMORY_PAGE)
		return false;
	*addr = m->page[low / MEMORY_PAGE].base + low % MEMORY_PAGE;
	*size = (uint32_t)(high - low + 1);
	return true;
}

/* Returns whether the function of the C library starts or ends the program, so that its line says nothing about the user's code. */
static bool starts_or_ends(const struct rec_frame *f)
{
	static const char *const names[] = {"__run_exit_handlers", "exit", "_exit", "_Exit", "quick_exit", "__cxa_finalize", "_start", NULL};

	if (!f->function)
		return false;
	for (size_t i = 0; names[i]; i++)
		if (!strcmp(f->function, names[i]))
			return true;
	return !strncmp(f->function, "__libc_start", strlen("__libc_start")) || !strncmp(f->function, "__GI_exit", strlen("__GI_exit")) ||
	       !strncmp(f->function, "__GI__exit", strlen("__GI__exit"));
}

/* Returns whether the frame is in libc but in no function, as the return from a signal handler is. */
static bool is_nameless_libc(const struct rec_frame *f)
{
	return !f->function && f->module && !strncmp(f->module, "libc.so", strlen("libc.so"));
}

const struct rec_frame *rec_stack_user_frame(const struct rec_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		if (stack->frame[i].flags & REC_FRAME_USER)
			return &stack->frame[i];
	size_t first = 0;
	while (first + 1 < stack->n && is_nameless_libc(&stack->frame[first]))
		first++;
	return stack->n && !starts_or_ends(&stack->frame[first]) ? &stack->frame[first] : NULL;
}

char *rec_frame_where(const struct rec_frame *frame, char *buf, size_t size)
{
	if (!frame)
		snprintf(buf, size, "%s", "");
	else if (frame->file && frame->line > 0)
		snprintf(buf, size, "%s:%d", frame->file, frame->line);
	else if (frame->file)
		snprintf(buf, size, "%s", frame->file);
	else if (frame->function)
		snprintf(buf, size, "%s", frame->function);
	else if (frame->module)
		snprintf(buf, size, "%s+0x%llx", frame->module, (unsigned long long)frame->offset);
	else
		snprintf(buf, size, "0x%llx", (unsigned long long)frame->offset);
	return buf;
}

const struct rec_frame *rec_stack_line_frame(const struct rec_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++) {
		const struct rec_frame *f = &stack->frame[i];
		if ((f->flags & REC_FRAME_USER) && f->file && f->line > 0)
			return f;
	}
	return rec_stack_user_frame(stack);
}

/* Returns whether the frame is a wrapper of an atomic access, as std::atomic<T>::load is. */
static bool wraps_access(const struct rec_frame *f)
{
	bool named = f->function && (strstr(f->function, "atomic") || strstr(f->function, "Atomic"));

	return named && !(f->flags & REC_FRAME_USER);
}

const struct rec_frame *rec_stack_access_frame(const struct rec_stack *stack)
{
	const struct rec_frame *line = rec_stack_line_frame(stack), *f = stack->frame;

	if (!line)
		return NULL;
	while (f < line && (wraps_access(f) || !f->file || f->line <= 0))
		f++;
	return f;
}

char *rec_stack_where(const struct rec_stack *stack, char *buf, size_t size)
{
	const struct rec_frame *inner = rec_stack_user_frame(stack), *caller = rec_stack_line_frame(stack);
	size_t n;

	rec_frame_where(inner, buf, size);
	n = strlen(buf);
	if (inner != caller)
		snprintf(buf + n, size - n, " (%s:%d)", caller->file, caller->line);
	return buf;
}

char *rec_agent_text(const struct recording *r, const struct rec_step *s, char *buf, size_t size)
{
	if (s->place == PLACE_ALL)
		snprintf(buf, size, "%s~", r->threads[s->thread].path);
	else
		snprintf(buf, size, "%s~%llx", r->threads[s->thread].path, (unsigned long long)s->place);
	return buf;
}

bool rec_name_is_shared(const struct recording *r, object_id o)
{
	const struct rec_object *x = &r->objects[o - 1];

	for (size_t i = 0; i < r->n_objects && x->name; i++)
		if (i != o - 1 && r->objects[i].name && strcmp(r->objects[i].name, x->name) == 0 && (r->objects[i].kind == OBJ_FUTEX) == (x->kind == OBJ_FUTEX))
			return true;
	return false;
}

char *rec_object_text(const struct recording *r, object_id o, char *buf, size_t size)
{
	const struct rec_object *obj;

	if (o == 0 || o > r->n_objects) {
		snprintf(buf, size, "%s", "");
		return buf;
	}
	obj = &r->objects[o - 1];
	if (!obj->name)
		snprintf(buf, size, "%s#%u", object_kind_text(obj->kind), obj->number);
	else if (rec_name_is_shared(r, o))
		snprintf(buf, size, "%s#%u", obj->name, obj->number);
	else
		snprintf(buf, size, "%s", obj->name);
	return buf;
}

static const char *const bug_texts[BUG_KINDS] = {
	[BUG_NONE] = "none",
	[BUG_DEADLOCK] = "deadlock",
	[BUG_ASSERT] = "assert",
	[BUG_CRASH] = "crash",
	[BUG_EXIT] = "exit",
	[BUG_MISUSE] = "misuse",
	[BUG_HANG] = "hang",
	[BUG_LIVELOCK] = "livelock",
	[BUG_RACE] = "race",
	[BUG_ROBUSTNESS] = "robustness",
	[BUG_MEMORY] = "memory",
};

const char *bug_kind_text(unsigned kind)
{
	return kind < BUG_KINDS ? bug_texts[kind] : "?";
}

int bug_kind_parse(const char *text)
{
	for (int i = 0; i < BUG_KINDS; i++)
		if (strcmp(text, bug_texts[i]) == 0)
			return i;
	return -1;
}

static const char *const cycle_texts[ROBUST_STEPS] = {
	[ROBUST_BEFORE] = "before",
	[ROBUST_ORDER] = "order",
	[ROBUST_LOOSE] = "loose",
	[ROBUST_DELAYED] = "delayed",
};

const char *cycle_step_text(unsigned step)
{
	return step < ROBUST_STEPS ? cycle_texts[step] : "?";
}

int cycle_step_parse(const char *text)
{
	for (int i = 0; i < ROBUST_STEPS; i++)
		if (strcmp(text, cycle_texts[i]) == 0)
			return i;
	return -1;
}

static const char *const try_kinds[REC_TRY_KINDS] = { "order", "store", "choice", "go-on" };
static const char *const try_results[REC_TRY_RESULTS] = { "passes", "fails", "otherwise" };

static int parse_word(const char *text, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -1;
}

const char *label_kind_text(unsigned kind)
{
	static const char *const kinds[LABEL_KINDS] = { "label", "phase", "order" };

	return kind < LABEL_KINDS ? kinds[kind] : "?";
}

const char *rec_try_kind_text(unsigned kind)
{
	return kind < REC_TRY_KINDS ? try_kinds[kind] : "?";
}

int rec_try_kind_parse(const char *text)
{
	return parse_word(text, try_kinds, REC_TRY_KINDS);
}

const char *rec_try_result_text(unsigned result)
{
	return result < REC_TRY_RESULTS ? try_results[result] : "?";
}

int rec_try_result_parse(const char *text)
{
	return parse_word(text, try_results, REC_TRY_RESULTS);
}

static const char *const order_texts[RC11_PLAIN] = { "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst" };

const char *rec_order_text(unsigned order)
{
	return order < RC11_PLAIN ? order_texts[order] : "?";
}

int rec_order_parse(const char *text)
{
	return parse_word(text, order_texts, RC11_PLAIN);
}

static const char *const orders_results[] = { "fails", "prevented", "fewest" };

const char *rec_orders_result_text(const struct rec_orders *o)
{
	return orders_results[o->prevented + (o->prevented && o->fewest)];
}

int rec_orders_result_parse(const char *text)
{
	return parse_word(text, orders_results, 3);
}

bool recording_is_parked(const struct recording *r, const struct rec_thread *t)
{
	object_id o = t->pending_kind == EV_RMW ? t->pending_obj[0] : 0;

	for (size_t i = 0; o && i < r->memory.n_nodes; i++)
		if ((r->memory.node[i].what & AWAIT_PARKS) && r->memory.node[i].addr == r->objects[o - 1].addr)
			return true;
	return false;
}
