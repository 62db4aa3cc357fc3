/* Writes the doctor's findings as JSON. The manual page describes the schema. */
#include "cli/doctor/doctor.h"
#include "cli/base/json_out.h"
#include "preload/base/page_watch.h"

#define SCHEMA 1

static json_t *modules(const struct doctor *d)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < doctor_modules(d); i++) {
		const struct session_module *m = &d->sensors->module[i];
		json_t *o = json_object();

		json_object_set_new(o, "path", json_text(m->path[0] ? m->path : d->target.path));
		json_object_set_new(o, "refused", json_text(m->refused[0] ? m->refused : NULL));
		json_object_set_new(o, "when_called", json_boolean(m->lazy));
		json_object_set_new(o, "text_bytes", json_number(m->text_bytes));
		json_object_set_new(o, "functions", json_number(m->functions));
		json_object_set_new(o, "covered", json_number(m->covered));
		json_object_set_new(o, "uncovered", json_number(m->uncovered));
		json_object_set_new(o, "accesses", json_number(m->accesses));
		json_object_set_new(o, "not_seen", json_number(m->not_hooked));
		json_object_set_new(o, "microseconds", json_number(m->microseconds));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *holes(const struct doctor *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->n_holes; i++) {
		json_t *o = json_object();

		json_object_set_new(o, "function", json_text(d->hole[i].name));
		json_object_set_new(o, "module", json_text(d->hole[i].module));
		json_object_set_new(o, "offset", json_number(d->hole[i].offset));
		json_object_set_new(o, "reason", json_text(d->hole[i].reason));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *names(char *const *name, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_text(name[i]));
	return list;
}

bool doctor_json(const struct doctor *d)
{
	json_t *o = json_object();

	json_object_set_new(o, "schema", json_integer(SCHEMA));
	json_object_set_new(o, "program", json_text(d->target.argv[0]));
	json_object_set_new(o, "build_id", json_text(d->target.build_id));
	json_object_set_new(o, "library_calls", json_true());
	json_object_set_new(o, "accesses", json_boolean(doctor_sees_accesses(d)));
	json_object_set_new(o, "sanitize_thread", json_boolean(doctor_tsan(d)));
	json_object_set_new(o, "debug_info", json_boolean(d->facts.debug_info));
	json_object_set_new(o, "page_scan", json_boolean(watch_possible()));
	json_object_set_new(o, "addresses", json_text(!d->unplaced[0] ? "fixed" : d->randomised ? "random" : "kernel"));
	json_object_set_new(o, "modules", modules(d));
	json_object_set_new(o, "uncovered_functions", json_number(d->sensors->holes));
	json_object_set_new(o, "uncovered", holes(d));
	json_object_set_new(o, "without_unwind_information", names(d->facts.bare_name, d->facts.bare));
	json_object_set_new(o, "libraries_not_seen", names(d->unseen, d->n_unseen));
	json_object_set(o, "short_run", d->short_run ? d->short_run : json_null());
	return json_put(o, d->opt.json);
}
