/* A recording as JSON, for programs: the same content as the `.simul` file, names resolved. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "recorder/json/report_json.h"
#include "recorder/report/diagnosis.h"
#include "recorder/json/json_phrases.h"
#include "recorder/json/settings_json.h"
#include "recorder/memory_error.h"
#include "recorder/order/order.h"
#include "recorder/report/report_internal.h"
#include "base/xalloc.h"
#include "sched/choice.h"

static json_t *where_json(const struct rec_stack *stack)
{
	char buf[CELL_TEXT];

	return stack->n ? json_text(report_where(stack, false, buf, sizeof(buf))) : json_null();
}

static json_t *objects_of(const object_id obj[2])
{
	json_t *a = json_array();

	for (int i = 0; i < 2; i++)
		if (obj[i])
			json_array_append_new(a, json_number(obj[i]));
	return a;
}

static json_t *thread_json(const struct report *p, thread_id t)
{
	return t == NO_THREAD ? json_null() : json_text(report_thread(p, t));
}

/* The steps of other agents that step i comes directly after; null when the order is not known. */
static json_t *after_json(const struct order *order, size_t i)
{
	json_t *a = json_array();

	if (!order->known) {
		json_decref(a);
		return json_null();
	}
	for (size_t k = order->first[i]; k < order->first[i + 1]; k++) {
		json_t *o = json_object();
		json_object_set_new(o, "step", json_number(order->edge[k].from + 1));
		json_object_set_new(o, "why", json_text(order_why_text(order->edge[k].why)));
		json_array_append_new(a, o);
	}
	return a;
}

/* {"hex": "0x0000002a", "text": "42"}; null when the value is not known. */
static json_t *value_json(const struct report *p, object_id o, const uint8_t *bytes, unsigned size, bool known)
{
	char text[CELL_TEXT], hex[3 + 2 * REC_VALUE] = "0x";
	json_t *v;

	if (!known)
		return json_null();
	for (unsigned i = 0; i < size; i++)
		snprintf(hex + 2 + 2 * i, 3, "%02x", bytes[size - 1 - i]);
	v = json_object();
	json_object_set_new(v, "hex", json_text(hex));
	json_object_set_new(v, "text", json_text(report_value(p, o, bytes, size, text, sizeof(text))));
	return v;
}

static json_t *steps_json(const struct report *p, const struct order *order)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_steps; i++) {
		const struct rec_step *s = &p->r->steps[i];
		const struct rec_frame *f = rec_stack_user_frame(&s->stack);
		json_t *o = json_object();
		char buf[CELL_TEXT];
		json_object_set_new(o, "step", json_number(i + 1));
		json_object_set_new(o, "thread", thread_json(p, s->thread));
		json_object_set_new(o, "event", json_text(event_kind_text(s->kind)));
		json_object_set_new(o, "alternative", s->alt ? json_text(alternative_text(s->alt)) : json_null());
		json_object_set_new(o, "objects", objects_of(s->obj));
		json_object_set_new(o, "result", json_integer(s->kind == EV_CHOOSE ? (int)choose_chosen(s->result).first : s->result));
		json_object_set_new(o, "failed", json_boolean(rec_step_failed(s)));
		json_object_set_new(o, "waited", json_boolean(s->flags & EVF_WAITED));
		json_object_set_new(o, "switch", json_boolean(report_is_switch(p->r, i)));
		json_object_set_new(o, "preemption", json_boolean(p->preempted[i]));
		if (report_switch_try(p, i))
			json_object_set_new(o, "essential", json_boolean(report_is_essential(p, i)));
		json_object_set_new(o, "after", after_json(order, i));
		if (s->buffered || s->kind == EV_UPDATE)
			json_object_set_new(o, "agent", json_text(rec_agent_text(p->r, s, buf, sizeof(buf))));
		if (s->buffered)
			json_object_set_new(o, "buffered", json_true());
		if (s->kind == EV_UPDATE && p->partner[i] != NO_STEP)
			json_object_set_new(o, "update_of", json_number(p->partner[i] + 1));
		if (rec_step_forwarded(s))
			json_object_set_new(o, "forwarded", json_true());
		if (s->value.size) {
			json_object_set_new(o, "value_before", value_json(p, s->obj[0], s->value.before, s->value.size, s->value.has_before));
			json_object_set_new(o, "value_after", value_json(p, s->obj[0], s->value.after, s->value.size, s->value.has_after));
		}
		json_object_set_new(o, "text", json_text(report_step_text(p, s, buf, sizeof(buf))));
		json_object_set_new(o, "function", json_text(f ? f->function : NULL));
		json_object_set_new(o, "where", where_json(&s->stack));
		json_object_set_new(o, "stack", json_stack(&s->stack));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *labels_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_labels; i++) {
		const struct rec_label *l = &p->r->labels[i];
		json_t *o = json_object();
		json_object_set_new(o, "before_step", json_number(l->before + 1));
		json_object_set_new(o, "thread", thread_json(p, l->thread));
		json_object_set_new(o, "kind", json_text(label_kind_text(l->kind)));
		json_object_set_new(o, "text", json_text(l->text));
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
		json_object_set_new(o, "thread", json_text(t->path));
		json_object_set_new(o, "start", json_text(report_start(p, (thread_id)i)));
		json_object_set_new(o, "pending",
			t->pending_kind ? json_text(event_kind_text(t->pending_kind)) : json_null());
		json_object_set_new(o, "objects", objects_of(t->pending_obj));
		json_object_set_new(o, "waits_for", thread_json(p, t->waits_for));
		json_object_set_new(o, "where", where_json(&t->stack));
		json_object_set_new(o, "stack", json_stack(&t->stack));
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
		json_object_set_new(o, "id", json_number(i + 1));
		json_object_set_new(o, "kind", json_text(object_kind_text(obj->kind)));
		json_object_set_new(o, "number", json_number(obj->number));
		json_object_set_new(o, "name", json_text(p->object[i]));
		json_object_set_new(o, "first_use", json_text(obj->origin));
		if (obj->kind == OBJ_MEMORY) {
			json_object_set_new(o, "address", json_hex(obj->addr));
			json_object_set_new(o, "size", json_number(obj->size));
		}
		json_array_append_new(a, o);
	}
	return a;
}

/* The steps that sequential consistency does not allow together. "next" is each step's relation to the next one. */
static json_t *cycle_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->failure.n_cycle; i++) {
		const struct rec_step *s = &p->r->steps[p->r->failure.cycle[i].step];
		json_t *o = json_object();
		char buf[CELL_TEXT];
		json_object_set_new(o, "step", json_number(p->r->failure.cycle[i].step + 1));
		json_object_set_new(o, "thread", thread_json(p, s->thread));
		json_object_set_new(o, "text", json_text(report_step_text(p, s, buf, sizeof(buf))));
		json_object_set_new(o, "where", where_json(&s->stack));
		json_object_set_new(o, "next", json_text(cycle_step_text(p->r->failure.cycle[i].next)));
		json_array_append_new(a, o);
	}
	return a;
}

/* The original schedule, when a simpler one has replaced it; otherwise null. */
static json_t *found_json(const struct recording *r)
{
	json_t *o;

	if (!r->found.steps)
		return json_null();
	o = json_object();
	json_object_set_new(o, "preemptions", json_number(r->found.preemptions));
	json_object_set_new(o, "switches", json_number(r->found.switches));
	json_object_set_new(o, "steps", json_number(r->found.steps));
	return o;
}

/* The thread that allocated or freed the block; null when there is none or it is not known. */
static json_t *owner_json(const struct report *p, int i)
{
	const struct rec_block *b = &p->r->failure.block;

	if (b->owner[i] == NO_THREAD)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "thread", thread_json(p, b->owner[i]), "where", where_json(&b->stack[i]), "stack",
		json_stack(&b->stack[i]));
}

/* "offset" is the distance of the access from the beginning of the block. */
static json_t *memory_json(const struct report *p)
{
	const struct rec_block *b = &p->r->failure.block;
	json_t *o = json_object();

	json_object_set_new(o, "error", json_text(memory_error_name(b->error)));
	json_object_set_new(o, "access", b->size ? json_text(b->object ? object_kind_text(b->object) : b->write ? "write" : "read") : json_null());
	json_object_set_new(o, "address", json_hex(b->addr));
	json_object_set_new(o, "size", json_number(b->size));
	json_object_set_new(o, "block", b->block ? json_hex(b->block) : json_null());
	json_object_set_new(o, "block_size", b->block ? json_number(b->block_size) : json_null());
	json_object_set_new(o, "offset", b->block ? json_integer((json_int_t)(b->addr - b->block)) : json_null());
	json_object_set_new(o, "allocated", owner_json(p, 0));
	json_object_set_new(o, "freed", owner_json(p, 1));
	return o;
}

static json_t *failure_json(const struct report *p)
{
	const struct recording *r = p->r;
	json_t *o = json_object();
	unsigned choices;
	bool more;

	json_object_set_new(o, "kind", json_text(bug_kind_text(r->failure.kind)));
	json_object_set_new(o, "message", json_text(r->failure.message));
	json_object_set_new(o, "where", json_text(r->failure.where));
	json_object_set_new(o, "thread", thread_json(p, r->failure.thread));
	json_object_set_new(o, "process", json_text(r->failure.process));
	json_object_set_new(o, "signal", json_integer(r->failure.signal));
	json_object_set_new(o, "status", json_integer(r->failure.status));
	json_object_set_new(o, "signature", json_hex(r->failure.signature));
	json_object_set_new(o, "preemptions", json_number(r->preemptions));
	json_object_set_new(o, "switches", json_number(recording_switches(r)));
	json_object_set_new(o, "found", found_json(r));
	json_object_set_new(o, "needs_preemptions",
		r->needs.enough && r->needs.enough == r->needs.least ? json_integer(r->needs.enough - 1) : json_null());
	json_object_set_new(o, "timed_out", r->timed_out.ns ? json_pack("{s:o, s:f}", "step", json_number(r->timed_out.step), "seconds",
		(double)r->timed_out.ns / 1e9) : json_null());
	json_object_set_new(o, "confirmed", json_number(r->confirmed));
	json_object_set_new(o, "confirm_tries", json_number(r->confirm_tries));
	json_object_set_new(o, "fewest", json_boolean(r->fewest));
	if (report_other_choices(r, &choices, &more)) {
		json_object_set_new(o, "other_choices", json_number(choices));
		json_object_set_new(o, "fewest_choices", json_boolean(r->fewest_choices));
	}
	json_object_set_new(o, "stack", json_stack(&r->failure.stack));
	if (r->failure.n_cycle)
		json_object_set_new(o, "cycle", cycle_json(p));
	if (r->failure.block.error)
		json_object_set_new(o, "memory", memory_json(p));
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
	json_object_set_new(o, "kind", json_text(diagnosis_kind_text(d.kind)));
	json_object_set_new(o, "likely", json_boolean(d.likely));
	json_object_set_new(o, "text", json_text(words));
	for (int i = 0; i < DIAGNOSIS_STEPS; i++)
		if (d.step[i] != NO_STEP)
			json_array_append_new(steps, json_number(d.step[i] + 1));
	json_object_set_new(o, "steps", steps);
	free(words);
	return o;
}

/* The experiments. "step" is null for the thread's pending operation at the end; a choice has its "value" instead. */
static json_t *tries_json(const struct report *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->r->n_tries; i++) {
		const struct rec_try *t = &p->r->tries[i];
		json_t *o = json_object();
		json_object_set_new(o, "kind", json_text(rec_try_kind_text(t->kind)));
		json_object_set_new(o, "thread", thread_json(p, t->thread));
		if (t->kind == REC_TRY_CHOICE) {
			char name[CELL_TEXT];
			json_object_set_new(o, "value", json_number(t->step));
			report_choice_name(p->r, t->before, (uint32_t)t->step, name, sizeof(name));
			json_object_set_new(o, "first", json_text(name));
		} else {
			json_object_set_new(o, "step", t->step == NO_STEP ? json_null() : json_number(t->step + 1));
		}
		json_object_set_new(o, "before", json_number(t->before + 1));
		json_object_set_new(o, "result", json_text(rec_try_result_text(t->result)));
		json_array_append_new(a, o);
	}
	return a;
}

/* The replays with stronger memory orders; null: there were none. "places" is empty if they prevented nothing. */
static json_t *orders_json(const struct report *p)
{
	const struct rec_orders *orders = &p->r->orders;
	json_t *o = json_object(), *a = json_array();

	if (!orders->runs) {
		json_decref(o);
		json_decref(a);
		return json_null();
	}
	for (size_t i = 0; orders->prevented && i < orders->n; i++) {
		json_t *place = json_object();
		json_object_set_new(place, "order", json_text(rec_order_text(orders->place[i].order)));
		json_object_set_new(place, "step", json_number(orders->place[i].step + 1));
		json_array_append_new(a, place);
	}
	json_object_set_new(o, "replays", json_number(orders->runs));
	json_object_set_new(o, "prevented", json_boolean(orders->prevented));
	json_object_set_new(o, "step", orders->prevented ? json_number(orders->step + 1) : json_null());
	json_object_set_new(o, "fewest", json_boolean(orders->fewest));
	json_object_set_new(o, "places", a);
	return o;
}

/* Returns the numbers of the descriptors that the program inherited; null: none above 2, or not known. */
static json_t *inherited_json(const char *list)
{
	json_t *a;
	char *end;

	if (!list)
		return json_null();
	a = json_array();
	for (unsigned long n = strtoul(list, &end, 10); end != list; n = strtoul(list, &end, 10)) {
		json_array_append_new(a, json_number(n));
		list = end;
	}
	return a;
}

static json_t *program_json(const struct recording *r)
{
	json_t *o = json_object();

	json_object_set_new(o, "path", json_text(r->start.program));
	json_object_set_new(o, "build_id", json_text(r->start.build_id));
	json_object_set_new(o, "args", json_strings(r->start.argv));
	json_object_set_new(o, "env", json_strings(r->start.env));
	json_object_set_new(o, "cwd", json_text(r->start.cwd));
	json_object_set_new(o, "stdin", json_text(r->start.stdin_file));
	json_object_set_new(o, "inherited", inherited_json(r->start.inherited));
	return o;
}

static json_t *options_json(const struct recording *r)
{
	json_t *o = json_object();

	settings_json(o, &r->settings);
	json_object_set_new(o, "start_time", json_number(r->settings.start_time));
	json_object_set_new(o, "strategy", json_text(r->strategy));
	json_object_set_new(o, "execution", json_number(r->execution));
	return o;
}

int report_json(FILE *out, const struct recording *r)
{
	struct report p;
	struct order order;
	json_t *o = json_object();
	int err;

	report_begin(&p, out, r, NULL);
	recording_order(r, &order);
	json_object_set_new(o, "schema", json_integer(1));
	json_object_set_new(o, "simul", json_text(r->written_by));
	json_object_set_new(o, "program", program_json(r));
	json_object_set_new(o, "options", options_json(r));
	json_object_set_new(o, "failure", failure_json(&p));
	json_object_set_new(o, "diagnosis", diagnosis_json(&p));
	json_object_set_new(o, "tries", tries_json(&p));
	json_object_set_new(o, "stronger_orders", orders_json(&p));
	json_object_set_new(o, "threads", threads_json(&p));
	json_object_set_new(o, "objects", objects_json(&p));
	json_object_set_new(o, "schedule", steps_json(&p, &order));
	json_object_set_new(o, "labels", labels_json(&p));
	json_object_set_new(o, "output", json_text(r->failure.output));
	report_finish(&p);
	order_free(&order);
	errno = 0;
	err = json_dumpf(o, out, JSON_INDENT(1) | JSON_ENSURE_ASCII) == 0 && fputc('\n', out) != EOF && fflush(out) == 0 ? 0 :
		errno ? -errno : -ENOMEM;
	json_decref(o);
	return err;
}
