/* The report of a divergence. */
#include "replay/diverge.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "replay/confirm.h"

#define LAST_STEPS 10

static const char *thread_name(const struct recording *r, thread_id t)
{
	return t < r->n_threads ? r->threads[t].path : "a thread that the recording does not have";
}

/* Returns the thread whose stores an agent moves to memory; for a thread, the thread itself. */
static thread_id owner_of(const struct recording *r, thread_id t)
{
	struct thread_names *names;
	char why[160];

	if (!is_agent(t))
		return t;
	names = xcalloc(1, sizeof(*names));
	t = schedule_names(names, r, why, sizeof(why)) ? agent_owner(names, t) : NO_THREAD;
	free(names);
	return t;
}

/* Returns the id of the recorded object that corresponds to object i of a step, or 0. */
static object_id recorded_object(const struct recording *r, const struct forced_step *f, int i)
{
	uint64_t addr;
	uint32_t size;

	if (!object_is_memory(f->obj[i]))
		return f->obj[i] <= r->n_objects && r->objects[f->obj[i] - 1].kind != OBJ_MEMORY ? f->obj[i] : 0;
	if (!rec_memory_bytes(&r->memory, f->obj, f->span, &addr, &size))
		return 0;
	for (size_t o = 0; o < r->n_objects; o++)
		if (r->objects[o].kind == OBJ_MEMORY && r->objects[o].addr == addr && r->objects[o].size == size)
			return (object_id)o + 1;
	return 0;
}

static void put_clean(FILE *out, const char *text)
{
	char *clean = printable(text, PRINTABLE_LINE);

	fputs(clean, out);
	free(clean);
}

static void put_where(FILE *out, const char *where)
{
	fputs("  (", out);
	put_clean(out, where);
	fputc(')', out);
}

/* Prints the name of object i; `name` is its name in the replay, or NULL. */
static void put_object(FILE *out, const struct recording *r, const struct forced_step *f, int i, const char *name)
{
	object_id o = recorded_object(r, f, i);
	char buf[160];

	if (name)
		put_clean(out, name);
	else if (o)
		put_clean(out, rec_object_text(r, o, buf, sizeof(buf)));
	else
		fprintf(out, "%s that the recording does not have", object_is_memory(f->obj[i]) ? "memory" : "an object");
}

/* Prints the store that an agent moves: "T0.1's store to x". */
static void put_store(FILE *out, const struct recording *r, const struct forced_step *f, const char *const name[2])
{
	thread_id owner = owner_of(r, f->thread);

	fprintf(out, "%s's store to ", owner < r->n_threads ? r->threads[owner].path : "another thread");
	put_object(out, r, f, 0, name ? name[0] : NULL);
}

/* Prints an operation with the names of its objects: "T0.1  lock mutex#3". */
static void put_side(FILE *out, const struct recording *r, const struct forced_step *f,
	const char *const name[2])
{
	if (f->kind == EV_UPDATE) {
		put_store(out, r, f, name);
		fputs(" reaches memory", out);
		return;
	}
	fprintf(out, "%s", thread_name(r, owner_of(r, f->thread)));
	if (f->kind == EV_NONE)
		return;
	fprintf(out, "  %s", event_kind_text(f->kind));
	for (int i = 0; i < 2; i++) {
		if (!f->obj[i] || (i && object_is_memory(f->obj[0])))
			continue; /* the second part of one range */
		fputs(i ? ", " : " ", out);
		put_object(out, r, f, i, name ? name[i] : NULL);
	}
	if (f->alt && alternative_exists(f->alt))
		fprintf(out, " (%s)", alternative_text(f->alt));
}

static void put_enabled(FILE *out, const struct recording *r, const struct session_divergence *d)
{
	const char *comma = "";

	fputs("  enabled   {", out);
	for (unsigned i = 0; i < 128; i++) {
		bool store = i >= 64;
		thread_id t = i % 64;

		if (!((store ? d->draining_mask : d->enabled_mask) >> t & 1))
			continue;
		fprintf(out, "%s%s%s", comma, t < r->n_threads ? r->threads[t].path : "(new thread)",
			store ? "'s store to memory" : "");
		comma = ", ";
	}
	fputs("}\n", out);
}

static void put_recorded(FILE *out, const struct recording *r, const struct session_divergence *d)
{
	char where[256];

	fputs("  recorded  ", out);
	if (d->reason == DIVERGED_WENT_ON) {
		fprintf(out, "the end, after %zu steps\n", r->n_steps);
		return;
	}
	if (d->expected.kind == EV_UPDATE) {
		put_store(out, r, &d->expected, NULL);
		fputs(" reaches memory", out);
	} else {
		put_side(out, r, &d->expected, NULL);
	}
	if (d->step < r->n_steps) {
		const struct rec_frame *f = rec_stack_user_frame(&r->steps[d->step].stack);
		if (rec_frame_where(f, where, sizeof(where))[0])
			put_where(out, where);
	}
	fputc('\n', out);
}

/* A store should have reached memory but could not. */
static void put_not_drained(FILE *out, const struct recording *r, const struct session_divergence *d,
	const struct diverge_context *c)
{
	thread_id owner = owner_of(r, d->expected.thread);

	if (d->found.kind == EV_UPDATE) {
		put_store(out, r, &d->found, c->found_object);
		fputs(" is next, but must wait for other stores of the thread\n", out);
	} else {
		fprintf(out, "%s has no such store in its buffer\n", thread_name(r, owner));
	}
}

static void put_found(FILE *out, const struct recording *r, const struct session_divergence *d,
	const struct diverge_context *c)
{
	fputs("  now       ", out);
	switch (d->reason) {
	case DIVERGED_ENDED_EARLY:
		fputs("the program ended\n", out);
		return;
	case DIVERGED_NOT_ENABLED:
		if (d->expected.kind == EV_UPDATE) {
			put_not_drained(out, r, d, c);
			return;
		}
		fprintf(out, "%s cannot continue: ", thread_name(r, d->expected.thread));
		if (d->found.kind == EV_NONE) {
			fputs("it has ended or was never created\n", out);
			return;
		}
		fputs("it is blocked in ", out);
		break;
	default:
		break;
	}
	put_side(out, r, &d->found, c->found_object);
	if (c->found_where)
		put_where(out, c->found_where);
	fputc('\n', out);
}

static void put_last_steps(FILE *out, const struct recording *r, const struct session_divergence *d,
	const struct report_options *options)
{
	size_t end = d->step < r->n_steps ? d->step : r->n_steps;
	size_t from = end > LAST_STEPS ? end - LAST_STEPS : 0;

	if (from == end)
		return;
	fputs("\n  the last identical steps\n", out);
	for (size_t i = from; i < end; i++) {
		fputs("  ", out);
		report_step_line(out, r, i, options);
	}
}

/* The usual reasons why a program behaves differently, most likely first. */
static void put_causes(FILE *out, const struct recording *r, const struct session_divergence *d,
	const struct diverge_context *c)
{
	fputs("\n  usual causes\n", out);
	if (c->other_build)
		fputs("    the program was rebuilt after the recording: its steps may differ now\n", out);
	if (d->step == 0)
		fputs("    other arguments, environment variables, working directory or input files\n", out);
	else
		fputs("    input that changed: files, environment, standard input, the network\n", out);
	fputs("    random numbers or identifiers without a fixed seed (process ids, /dev/urandom)\n"
	      "    an order that depends on addresses (pointers as keys of a sorted or hashed container)\n"
	      "    time read in a way that simul does not see (the rdtsc instruction in a library, the vdso)\n"
	      "    threads that synchronise in a way that simul does not see\n", out);
	if (r->memory.n_pages)
		fputs("    memory at other addresses: another kernel, another version of simul or of a library\n", out);
}

static void put_next(FILE *out, const struct session_divergence *d, const struct diverge_context *c)
{
	const char *path = c->recording_path ? c->recording_path : "FILE.simul";

	fputs("\n  what to try\n", out);
	if (c->other_build)
		fputs("    record it again with this build: simul run -- PROGRAM ARGS\n", out);
	if (d->step > 0)
		fprintf(out, "    simul replay --stop-at %u %s    stops just before; look at the program there\n",
			d->step, path);
	fprintf(out, "    simul show %s    what was recorded\n", path);
}

void diverge_report(FILE *out, const struct recording *r, const struct session_divergence *d,
	const struct diverge_context *context, const struct report_options *options)
{
	static const struct diverge_context none;
	const struct diverge_context *c = context ? context : &none;

	fprintf(out, "simul: replay diverged at step %u of %zu\n", d->step + 1, r->n_steps);
	put_recorded(out, r, d);
	put_found(out, r, d, c);
	if (d->reason != DIVERGED_ENDED_EARLY)
		put_enabled(out, r, d);
	put_last_steps(out, r, d, options);
	put_causes(out, r, d, c);
	put_next(out, d, c);
}
