/*
 * A recording as data for the page of `simul show --html`. Unlike --json this format is private to the page (recorder/html/model.js
 * is its only reader) and may change with it. Steps are columns of numbers, which keeps 10,000 of them small.
 */
#include "recorder/html/html_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/html/source_text.h"
#include "recorder/json/json_phrases.h"
#include "recorder/order/order.h"

/* The bits of a step's `flags`; model.js has the same values. */
enum html_flags {
	H_WAITED = 1,
	H_FAILED = 2,
	H_FORWARDED = 4,
	H_FAILURE = 8,
	H_BUFFERED = 16,
	H_UPDATE = 32,
	H_IDLE = 64 /* see report_is_idle */
};

/* A list of distinct values, numbered by first use. */
struct table {
	json_t *list, *number;
};

struct page {
	const struct report *p;
	struct order order;
	struct table kinds, texts, stacks, frames;
	struct sources *sources;
};

static struct table table_new(void)
{
	return (struct table){ json_array(), json_object() };
}

/* Returns the number of this value in the table. Takes over the reference. */
static json_int_t table_add(struct table *t, json_t *value)
{
	char *key = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII);
	json_t *known;
	json_int_t n;

	INVARIANT(key, "out of memory");
	known = json_object_get(t->number, key);
	if (known) {
		json_decref(value);
		n = json_integer_value(known);
	} else {
		n = (json_int_t)json_array_size(t->list);
		json_array_append_new(t->list, value);
		json_object_set_new(t->number, key, json_integer(n));
	}
	free(key);
	return n;
}

static json_t *table_done(struct table *t)
{
	json_decref(t->number);
	return t->list;
}

/* [function, file, line, module, flags]; file is a number, or -1. */
static json_t *frame_json(struct page *g, const struct rec_frame *f)
{
	json_t *a = json_array();

	json_array_append_new(a, json_text(f->function));
	json_array_append_new(a, json_integer(sources_add(g->sources, f)));
	json_array_append_new(a, json_integer(f->line));
	json_array_append_new(a, json_text(f->module));
	json_array_append_new(a, json_integer(f->flags));
	return a;
}

/* [where, the frame whose line `where` names, frames...] */
static json_int_t stack_number(struct page *g, const struct rec_stack *stack)
{
	const struct rec_frame *user = rec_stack_line_frame(stack);
	char where[CELL_TEXT];
	json_t *a;

	if (!stack->n)
		return -1;
	a = json_array();
	json_array_append_new(a, json_text(report_where(stack, false, where, sizeof(where))));
	json_array_append_new(a, json_integer(user ? user - stack->frame : 0));
	for (size_t i = 0; i < stack->n; i++)
		json_array_append_new(a, json_integer(table_add(&g->frames, frame_json(g, &stack->frame[i]))));
	return table_add(&g->stacks, a);
}

/* Finds the last step in which the failed check of a test framework takes part, and its frame there. Returns NO_STEP if
   there is none. */
static size_t check_step(const struct recording *r, size_t *frame)
{
	char where[CELL_TEXT];

	if (r->failure.kind != BUG_EXIT || !r->failure.where)
		return NO_STEP;
	for (size_t i = r->n_steps; i-- > 0;)
		for (*frame = 0; *frame < r->steps[i].stack.n; ++*frame) {
			const struct rec_frame *f = &r->steps[i].stack.frame[*frame];
			if (!strcmp(rec_frame_where(f, where, sizeof(where)), r->failure.where))
				return i;
		}
	return NO_STEP;
}

/* The stack of the failed check, since the process exits later, at no line of the user; -1: it is not known. */
static void put_check(struct page *g, json_t *to)
{
	const struct recording *r = g->p->r;
	size_t frame = 0, step = check_step(r, &frame);

	json_object_set_new(to, "checkStack",
		json_integer(step == NO_STEP ? -1 : stack_number(g, &r->steps[step].stack)));
	json_object_set_new(to, "checkFrame", json_integer((json_int_t)frame));
}

/* Returns whether the label's thread had a step after the label and before step i. */
static bool follows_label(const struct recording *r, const struct rec_label *l, size_t i)
{
	for (size_t k = l->before; k < i; k++)
		if (r->steps[k].thread == l->thread && r->steps[k].kind != EV_UPDATE)
			return true;
	return false;
}

/* Writes the thread's labels at step i, or at the end, each followed by a space. Returns the number of bytes. */
static size_t labels_text(const struct recording *r, thread_id thread, size_t i, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = 0;
	for (size_t k = 0; k < r->n_labels; k++) {
		char label[CELL_TEXT];
		if (r->labels[k].kind != LABEL_PROGRAM || r->labels[k].thread != thread || r->labels[k].before > i ||
			follows_label(r, &r->labels[k], i))
			continue;
		n += (size_t)snprintf(buf + n, size - n, "%s ", report_label_text(&r->labels[k], label, sizeof(label)));
		n = n < size ? n : size - 1;
	}
	return n;
}

static char *step_text(const struct report *p, size_t i, char *buf, size_t size)
{
	const struct rec_step *s = &p->r->steps[i];
	size_t n = s->kind == EV_UPDATE ? 0 : labels_text(p->r, s->thread, i, buf, size);

	report_step_text(p, s, buf + n, size - n);
	return buf;
}

static char *stuck_text(const struct report *p, size_t thread, char *buf, size_t size)
{
	size_t n = labels_text(p->r, (thread_id)thread, p->r->n_steps, buf, size);

	report_stuck_text(p, &p->r->threads[thread], buf + n, size - n);
	return buf;
}

static json_int_t text_number(struct page *g, const char *text)
{
	return table_add(&g->texts, json_text(text));
}

/* The number of a value's text; -1 when the value is not known. */
static json_int_t value_number(struct page *g, object_id o, const uint8_t *bytes, unsigned size, bool known)
{
	char text[CELL_TEXT];

	return known && size ? text_number(g, report_value(g->p, o, bytes, size, text, sizeof(text))) : -1;
}

static void put(json_t *columns, const char *name, json_int_t value)
{
	json_array_append_new(json_object_get(columns, name), json_integer(value));
}

static json_int_t step_flags(const struct report *p, size_t i)
{
	const struct rec_step *s = &p->r->steps[i];

	return (s->flags & EVF_WAITED && s->kind != EV_UPDATE ? H_WAITED : 0) |
	       (report_is_idle(s) ? H_IDLE : 0) | (rec_step_failed(s) ? H_FAILED : 0) |
	       (rec_step_forwarded(s) ? H_FORWARDED : 0) | (report_is_failing(p, i) ? H_FAILURE : 0) |
	       (s->buffered ? H_BUFFERED : 0) | (s->kind == EV_UPDATE ? H_UPDATE : 0);
}

/* 0: the same thread continues; 1: switch to another thread; 2: preemption. */
static json_int_t switch_of(const struct report *p, size_t i)
{
	return p->preempted[i] ? 2 : report_is_switch(p->r, i);
}

/* The result of the experiment that leaves out the switch before the step, enum rec_try_result; -1: it was not made. */
static json_int_t tried_number(const struct report *p, size_t step)
{
	const struct rec_try *t = report_switch_try(p, step);

	return t ? t->result : -1;
}

/* The number of the text of the phase in which the step is; -1: it is in none that is known. */
static json_int_t phase_number(struct page *g, size_t step)
{
	const struct rec_label *phase = report_phase(g->p->r, step);

	return phase ? text_number(g, phase->text) : -1;
}

/* 1: the step is a choice of the program's scheduler that is its own; 2: another choice; 3: a step before one, which
   is part of the same choice; 0: no choice. */
static json_int_t choice_number(const struct report *p, size_t step)
{
	if (!report_choice(p->r, step))
		return 0;
	if (report_is_own_choice(p->r, step))
		return 1;
	return report_is_other_choice(p->r, step) ? 2 : 3;
}

static json_t *steps_json(struct page *g)
{
	static const char *const names[] = { "agent", "kind", "text", "stack", "o1", "o2", "switch", "flags",
		"partner", "hold", "result", "found", "left", "tried", "phase", "choice" };
	const struct report *p = g->p;
	int64_t *hold = xcalloc(p->r->n_steps, sizeof(*hold));
	json_t *c = json_object();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		json_object_set_new(c, names[i], json_array());
	recording_mark_holds(p->r, hold);
	for (size_t i = 0; i < p->r->n_steps; i++) {
		const struct rec_step *s = &p->r->steps[i];
		char text[CELL_TEXT];
		put(c, "agent", (json_int_t)g->order.agent[i]);
		put(c, "kind", table_add(&g->kinds, json_text(event_kind_text(s->kind))));
		put(c, "text", text_number(g, step_text(p, i, text, sizeof(text))));
		put(c, "stack", stack_number(g, &s->stack));
		put(c, "o1", s->obj[0]);
		put(c, "o2", s->obj[1]);
		put(c, "switch", switch_of(p, i));
		put(c, "flags", step_flags(p, i));
		put(c, "partner", p->partner[i] == NO_STEP ? -1 : (json_int_t)p->partner[i]);
		put(c, "hold", hold[i]);
		put(c, "result", s->result);
		put(c, "found", value_number(g, s->obj[0], s->value.before, s->value.size, s->value.has_before));
		put(c, "tried", tried_number(p, i));
		put(c, "phase", phase_number(g, i));
		put(c, "choice", choice_number(p, i));
		put(c, "left", value_number(g, s->obj[0], s->value.after, s->value.size, s->value.has_after));
	}
	free(hold);
	return c;
}

/* Threads, then drain agents, numbered as in the steps. */
static json_t *agents_json(struct page *g)
{
	const struct recording *r = g->p->r;
	json_t *a = json_array();
	size_t n = r->n_threads;

	for (size_t i = 0; i < r->n_threads; i++) {
		const struct rec_thread *t = &r->threads[i];
		char start[CELL_TEXT], text[CELL_TEXT];
		json_t *o = json_object();
		report_clean_text(report_start(g->p, (thread_id)i), start, sizeof(start));
		json_object_set_new(o, "path", json_text(t->path));
		json_object_set_new(o, "start", json_text(start));
		json_object_set_new(o, "owner", json_integer(-1));
		json_object_set_new(o, "pending", t->pending_kind ? json_text(report_pending_text(g->p, t, text, sizeof(text))) : json_null());
		json_object_set_new(o, "stuck", report_is_stuck(g->p, t) ? json_text(stuck_text(g->p, i, text, sizeof(text))) : json_null());
		json_object_set_new(o, "objects", json_pack("[I,I]", (json_int_t)t->pending_obj[0], (json_int_t)t->pending_obj[1]));
		json_object_set_new(o, "stack", json_integer(stack_number(g, i == r->failure.thread && !t->stack.n ? &r->failure.stack : &t->stack)));
		json_object_set_new(o, "waitsFor", json_integer(t->waits_for == NO_THREAD ? -1 : t->waits_for));
		json_array_append_new(a, o);
	}
	for (size_t i = 0; i < r->n_steps; i++) {
		char path[CELL_TEXT];
		json_t *o;
		if (g->order.agent[i] != n)
			continue;
		o = json_object();
		json_object_set_new(o, "path", json_text(rec_agent_text(r, &r->steps[i], path, sizeof(path))));
		json_object_set_new(o, "owner", json_integer(r->steps[i].thread));
		json_array_append_new(a, o);
		n++;
	}
	return a;
}

static json_t *objects_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_objects; i++) {
		json_t *o = json_object();
		json_object_set_new(o, "name", json_text(p->object[i]));
		json_object_set_new(o, "kind", json_text(object_kind_text(p->r->objects[i].kind)));
		json_object_set_new(o, "first", json_text(p->r->objects[i].origin));
		json_array_append_new(a, o);
	}
	return a;
}

/* Flat: from, to, why, from, to, why, ... sorted by `to`; null when the edges are not known. */
static json_t *edges_json(const struct order *o)
{
	json_t *a = json_array();

	if (!o->known) {
		json_decref(a);
		return json_null();
	}
	for (size_t i = 0; i < o->n; i++) {
		json_array_append_new(a, json_integer((json_int_t)o->edge[i].from));
		json_array_append_new(a, json_integer((json_int_t)o->edge[i].to));
		json_array_append_new(a, json_integer(o->edge[i].why));
	}
	return a;
}

static json_t *whys_json(void)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < ORDER_WHYS; i++)
		json_array_append_new(a, json_text(order_why_text(i)));
	return a;
}

json_t *html_data(const struct report *p, const char *name)
{
	struct page g = { .p = p, .kinds = table_new(), .texts = table_new(), .stacks = table_new(), .frames = table_new() };
	const struct recording *r = p->r;
	json_t *o = json_object();

	g.sources = sources_new(r->start.program, r->start.build_id);
	recording_order(r, &g.order);
	json_object_set_new(o, "name", json_text(name));
	json_object_set_new(o, "bug", json_text(bug_kind_text(r->failure.kind)));
	json_object_set_new(o, "preemptions", json_number(r->preemptions));
	json_object_set_new(o, "agents", agents_json(&g));
	json_object_set_new(o, "threads", json_number(r->n_threads));
	json_object_set_new(o, "objects", objects_json(p));
	json_object_set_new(o, "steps", steps_json(&g));
	json_object_set_new(o, "edges", edges_json(&g.order));
	json_object_set_new(o, "whys", whys_json());
	json_object_set_new(o, "bugProcess", json_text(r->failure.process));
	json_object_set_new(o, "bugThread", json_integer(r->failure.thread == NO_THREAD ? -1 : r->failure.thread));
	json_object_set_new(o, "teardown", json_number(report_teardown(p)));
	put_check(&g, o);
	json_object_set_new(o, "failureStack", json_integer(stack_number(&g, &r->failure.stack)));
	json_object_set_new(o, "files", sources_json(g.sources));
	json_object_set_new(o, "kinds", table_done(&g.kinds));
	json_object_set_new(o, "texts", table_done(&g.texts));
	json_object_set_new(o, "stacks", table_done(&g.stacks));
	json_object_set_new(o, "frames", table_done(&g.frames));
	order_free(&g.order);
	return o;
}
