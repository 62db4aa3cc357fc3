/* A recording as JSON, for programs: the same content as the `.simul` file, names resolved. */
#include <errno.h>
#include <jansson.h>

#include "recorder/diagnosis.h"
#include "recorder/report_internal.h"

/* JSON strings are UTF-8: other bytes of the program's become U+FFFD. NULL becomes null. */
static json_t *text(const char *s)
{
	char *clean;
	size_t size, n = 0;
	FILE *f;
	json_t *j;

	if (!s)
		return json_null();
	j = json_string(s);
	if (j)
		return j;
	f = open_memstream(&clean, &size);
	if (!f)
		return NULL;
	for (; s[n]; n++)
		fputs((unsigned char)s[n] < 0x80 ? (char[2]){ s[n], 0 } : "\xef\xbf\xbd", f);
	j = fclose(f) == 0 ? json_string(clean) : NULL;
	free(clean);
	return j;
}

static json_t *number(uint64_t v)
{
	return json_integer((json_int_t)v);
}

static json_t *hex(uint64_t v)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "0x%llx", (unsigned long long)v);
	return json_string(buf);
}

static json_t *string_list(char **list)
{
	json_t *a = json_array();

	for (; list && *list; list++)
		json_array_append_new(a, text(*list));
	return a;
}

static json_t *stack_json(const struct rec_stack *stack)
{
	json_t *a = json_array();

	for (size_t i = 0; i < stack->n; i++) {
		const struct rec_frame *f = &stack->frame[i];
		json_t *o = json_object();
		json_object_set_new(o, "function", text(f->function));
		json_object_set_new(o, "directory", text(f->dir));
		json_object_set_new(o, "file", text(f->file));
		json_object_set_new(o, "line", f->line ? json_integer(f->line) : json_null());
		json_object_set_new(o, "module", text(f->module));
		json_object_set_new(o, "offset", hex(f->offset));
		json_object_set_new(o, "user", json_boolean(f->flags & REC_FRAME_USER));
		json_object_set_new(o, "inlined", json_boolean(f->flags & REC_FRAME_INLINED));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *where_json(const struct rec_stack *stack)
{
	char buf[CELL_TEXT];

	return stack->n ? text(report_where(stack, false, buf, sizeof(buf))) : json_null();
}

static json_t *objects_of(const object_id obj[2])
{
	json_t *a = json_array();

	for (int i = 0; i < 2; i++)
		if (obj[i])
			json_array_append_new(a, number(obj[i]));
	return a;
}

static json_t *thread_json(const struct report *p, thread_id t)
{
	return t == NO_THREAD ? json_null() : text(report_thread(p, t));
}

static json_t *steps_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_steps; i++) {
		const struct rec_step *s = &p->r->steps[i];
		const struct rec_frame *f = rec_stack_user_frame(&s->stack);
		json_t *o = json_object();
		char buf[CELL_TEXT];
		json_object_set_new(o, "step", number(i + 1));
		json_object_set_new(o, "thread", thread_json(p, s->thread));
		json_object_set_new(o, "event", text(event_kind_text(s->kind)));
		json_object_set_new(o, "alternative", s->alt ? text(alternative_text(s->alt)) : json_null());
		json_object_set_new(o, "objects", objects_of(s->obj));
		json_object_set_new(o, "result", json_integer(s->result));
		json_object_set_new(o, "failed", json_boolean(rec_step_failed(s)));
		json_object_set_new(o, "waited", json_boolean(s->flags & EVF_WAITED));
		json_object_set_new(o, "preemption", json_boolean(p->preempted[i]));
		if (s->buffered)
			json_object_set_new(o, "buffered", json_true());
		if (s->kind == EV_UPDATE && p->partner[i] != NO_STEP)
			json_object_set_new(o, "update_of", number(p->partner[i] + 1));
		if (rec_step_forwarded(s))
			json_object_set_new(o, "forwarded", json_true());
		json_object_set_new(o, "text", text(report_step_text(p, s, buf, sizeof(buf))));
		json_object_set_new(o, "function", text(f ? f->function : NULL));
		json_object_set_new(o, "where", where_json(&s->stack));
		json_object_set_new(o, "stack", stack_json(&s->stack));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *threads_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_threads; i++) {
		const struct rec_thread *t = &p->r->threads[i];
		json_t *o = json_object();
		json_object_set_new(o, "thread", text(t->path));
		json_object_set_new(o, "start", text(report_start(p, (thread_id)i)));
		json_object_set_new(o, "pending",
			t->pending_kind ? text(event_kind_text(t->pending_kind)) : json_null());
		json_object_set_new(o, "objects", objects_of(t->pending_obj));
		json_object_set_new(o, "waits_for", thread_json(p, t->waits_for));
		json_object_set_new(o, "where", where_json(&t->stack));
		json_object_set_new(o, "stack", stack_json(&t->stack));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *objects_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_objects; i++) {
		const struct rec_object *obj = &p->r->objects[i];
		json_t *o = json_object();
		json_object_set_new(o, "id", number(i + 1));
		json_object_set_new(o, "kind", text(object_kind_text(obj->kind)));
		json_object_set_new(o, "number", number(obj->number));
		json_object_set_new(o, "name", text(p->object[i]));
		json_object_set_new(o, "first_use", text(obj->origin));
		json_array_append_new(a, o);
	}
	return a;
}

/* The steps that sequential consistency does not allow together; "next": how each comes before the next one. */
static json_t *cycle_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_cycle; i++) {
		const struct rec_step *s = &p->r->steps[p->r->cycle[i].step];
		json_t *o = json_object();
		char buf[CELL_TEXT];
		json_object_set_new(o, "step", number(p->r->cycle[i].step + 1));
		json_object_set_new(o, "thread", thread_json(p, s->thread));
		json_object_set_new(o, "text", text(report_step_text(p, s, buf, sizeof(buf))));
		json_object_set_new(o, "where", where_json(&s->stack));
		json_object_set_new(o, "next", text(cycle_step_text(p->r->cycle[i].next)));
		json_array_append_new(a, o);
	}
	return a;
}

/* The schedule that was found, when a simpler one took its place; null: it is that one. */
static json_t *found_json(const struct recording *r)
{
	json_t *o;

	if (!r->found.steps)
		return json_null();
	o = json_object();
	json_object_set_new(o, "preemptions", number(r->found.preemptions));
	json_object_set_new(o, "switches", number(r->found.switches));
	json_object_set_new(o, "steps", number(r->found.steps));
	return o;
}

static json_t *failure_json(const struct report *p)
{
	const struct recording *r = p->r;
	json_t *o = json_object();

	json_object_set_new(o, "kind", text(bug_kind_text(r->bug_kind)));
	json_object_set_new(o, "message", text(r->message));
	json_object_set_new(o, "where", text(r->where));
	json_object_set_new(o, "thread", thread_json(p, r->bug_thread));
	json_object_set_new(o, "signal", json_integer(r->signal));
	json_object_set_new(o, "status", json_integer(r->status));
	json_object_set_new(o, "signature", hex(r->signature));
	json_object_set_new(o, "preemptions", number(r->preemptions));
	json_object_set_new(o, "switches", number(recording_switches(r)));
	json_object_set_new(o, "found", found_json(r));
	json_object_set_new(o, "confirmed", number(r->confirmed));
	json_object_set_new(o, "confirm_tries", number(r->confirm_tries));
	json_object_set_new(o, "fewest", json_boolean(r->fewest));
	json_object_set_new(o, "stack", stack_json(&r->stack));
	if (r->n_cycle)
		json_object_set_new(o, "cycle", cycle_json(p));
	return o;
}

static json_t *diagnosis_json(const struct report *p)
{
	struct diagnosis d;
	json_t *o, *steps;
	char *words;

	diagnose(p, &d);
	if (!d.kind)
		return json_null();
	o = json_object();
	steps = json_array();
	words = diagnosis_text(p, &d);
	json_object_set_new(o, "kind", text(diagnosis_kind_text(d.kind)));
	json_object_set_new(o, "likely", json_boolean(d.likely));
	json_object_set_new(o, "text", text(words));
	for (int i = 0; i < DIAGNOSIS_STEPS; i++)
		if (d.step[i] != NO_STEP)
			json_array_append_new(steps, number(d.step[i] + 1));
	json_object_set_new(o, "steps", steps);
	free(words);
	return o;
}

static json_t *program_json(const struct recording *r)
{
	json_t *o = json_object();

	json_object_set_new(o, "path", text(r->program));
	json_object_set_new(o, "build_id", text(r->build_id));
	json_object_set_new(o, "args", string_list(r->argv));
	json_object_set_new(o, "env", string_list(r->env));
	json_object_set_new(o, "cwd", text(r->cwd));
	json_object_set_new(o, "stdin", text(r->stdin_file));
	return o;
}

static json_t *options_json(const struct recording *r)
{
	json_t *o = json_object();

	json_object_set_new(o, "threads", text(r->threads_backend == THREADS_KERNEL ? "kernel" : "fiber"));
	json_object_set_new(o, "spurious", number(r->spurious));
	json_object_set_new(o, "max_steps", number(r->max_steps));
	json_object_set_new(o, "start_time", number(r->start_time));
	json_object_set_new(o, "seed", hex(r->seed));
	json_object_set_new(o, "model", text(memory_model_text(r->model)));
	json_object_set_new(o, "robustness", json_boolean(r->robustness));
	json_object_set_new(o, "strategy", text(r->strategy));
	json_object_set_new(o, "execution", number(r->execution));
	return o;
}

int report_json(FILE *out, const struct recording *r)
{
	struct report p;
	json_t *o = json_object();
	int err;

	report_begin(&p, out, r, NULL);
	json_object_set_new(o, "schema", json_integer(1));
	json_object_set_new(o, "simul", text(r->written_by));
	json_object_set_new(o, "program", program_json(r));
	json_object_set_new(o, "options", options_json(r));
	json_object_set_new(o, "failure", failure_json(&p));
	json_object_set_new(o, "diagnosis", diagnosis_json(&p));
	json_object_set_new(o, "threads", threads_json(&p));
	json_object_set_new(o, "objects", objects_json(&p));
	json_object_set_new(o, "schedule", steps_json(&p));
	json_object_set_new(o, "output", text(r->output));
	report_finish(&p);
	errno = 0;
	err = json_dumpf(o, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF && fflush(out) == 0 ? 0 :
		errno ? -errno : -ENOMEM;
	json_decref(o);
	return err;
}
