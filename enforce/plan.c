/* Makes the plan, which the library gets, from a certificate. */
#include "enforce/plan_make.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/state_places.h"
#include "base/xalloc.h"
#include "sched/event.h"

/* The file that the plan is written to, and its size so far. */
struct out {
	int fd;
	size_t n;
	bool ok;
};

static uint64_t put(struct out *o, const void *bytes, size_t size)
{
	size_t at = (o->n + 63) & ~(size_t)63;

	o->ok = o->ok && (!size || pwrite(o->fd, bytes, size, (off_t)at) == (ssize_t)size);
	o->n = at + size;
	return at;
}

/* Texts, one after the other. */
struct pool {
	char *at;
	size_t n;
};

static uint32_t put_text(struct pool *texts, const char *text)
{
	size_t size = strlen(text) + 1;
	uint32_t at = (uint32_t)texts->n;

	texts->at = xgrow_text(texts->at, texts->n, size);
	memcpy(texts->at + texts->n, text, size);
	texts->n += size;
	return at;
}

_Static_assert(PLAN_NONE == NO_MODULE && PLAN_HEAP == HEAP_MODULE && PLAN_FILES == FILES_MODULE,
	"ranges are handed over as they are");

/* On a stack or thread-local. */
static bool of_thread(const struct cert_range *r)
{
	return r->module == HEAP_MODULE && r->offset > STACK_TOP(0) - STACK_BYTES;
}

/* If the byte belongs to the area of a thread that ends at `top`, makes *bytes at least its distance from the end. */
static void reach(uint64_t top, uint64_t offset, uint64_t *bytes)
{
	uint64_t down = top - offset;

	if (offset < top && down < STACK_BYTES && down > *bytes)
		*bytes = down;
}

/* Finds where shared bytes and objects lie: whether some are in blocks of the heap, and how far from the end of each thread's stack and
   thread-local variables. */
static void find_places(const struct certificate *c, struct plan_thread *threads, struct plan *plan)
{
	for (size_t i = 0; i < c->n_shared + c->n_objects; i++) {
		const struct cert_range *r = i < c->n_shared ? &c->shared[i] : &c->objects[i - c->n_shared].at;

		plan->heap |= r->module == HEAP_MODULE && !of_thread(r) && !stands_for_key(r->offset);
		for (uint32_t t = 0; t < c->n_threads && of_thread(r); t++) {
			reach(STACK_TOP(t), r->offset, &threads[t].stack_bytes);
			reach(TLS_TOP(t), r->offset, &threads[t].tls_bytes);
		}
		plan->stacks |= of_thread(r);
	}
}

static struct plan_range to_range(const struct cert_range *r)
{
	return (struct plan_range){r->module, r->size, r->offset};
}

/* The texts of events so far. Many events have the same text: a loop performs them. A place holds one event with its text, and a later one replaces it. */
#define EVENT_TEXTS 1024
struct event_texts {
	const struct cert_event *event[EVENT_TEXTS];
	uint32_t text[EVENT_TEXTS];
};

static bool same_text(const struct cert_event *a, const struct cert_event *b)
{
	return a->kind == b->kind && a->object[0] == b->object[0] && a->where == b->where;
}

static void make_event_text(const struct certificate *c, const struct cert_event *e, char *buf, size_t size)
{
	char name[256] = "";

	if (e->object[0])
		certificate_object(c, e->object[0] - 1, name, sizeof(name));
	snprintf(buf, size, "%s%s%s%s%s", event_kind_text(e->kind), name[0] ? " " : "", name, e->where ? " at " : "", e->where ? e->where : "");
}

static uint32_t event_text(struct event_texts *known, struct pool *texts, const struct certificate *c, const struct cert_event *e)
{
	size_t h = (e->kind * 31u + e->object[0] * 7u + (uintptr_t)e->where / 16) % EVENT_TEXTS;
	char text[512];

	if (!known->event[h] || !same_text(known->event[h], e)) {
		make_event_text(c, e, text, sizeof(text));
		known->event[h] = e;
		known->text[h] = put_text(texts, text);
	}
	return known->text[h];
}

/* Lists the events that touch each object, where the last one of the prefix stands for all that may be performed
   instead, and the events that others may wait for: those with edges, the last one of each thread on each object, the
   last one of each thread, and those that depend on everything. Events after the prefix wait for the last three kinds.
   */
static uint32_t *find_uses(const struct certificate *c, struct plan_object *objects, struct plan_event *events, uint32_t *total)
{
	uint32_t *uses, n = 0, *last = xcalloc(c->n_threads, sizeof(*last));

	for (size_t i = 0; i < c->n_events; i++)
		for (int k = 0; k < 2; k++)
			n += c->events[i].object[k] != 0;
	uses = xcalloc(n, sizeof(*uses));
	for (size_t i = 0; i < c->n_events; i++)
		for (int k = 0; k < 2; k++)
			if (c->events[i].object[k])
				objects[c->events[i].object[k] - 1].n++;
	*total = 0;
	for (size_t o = 0; o < c->n_objects; o++) {
		objects[o].first = *total;
		*total += objects[o].n;
		objects[o].n = 0;
	}
	for (uint32_t i = 0; i < c->n_events; i++)
		for (int k = 0; k < 2; k++)
			if (c->events[i].object[k]) {
				struct plan_object *o = &objects[c->events[i].object[k] - 1];

				uses[o->first + o->n++] = i < c->certified ? i : c->certified - 1;
			}
	for (size_t o = 0; o < c->n_objects; o++) {
		memset(last, 0, c->n_threads * sizeof(*last));
		for (uint32_t k = objects[o].n; k-- > 0;) {
			uint32_t i = uses[objects[o].first + k];

			if (i < c->certified && !last[events[i].thread])
				events[i].waited = last[events[i].thread] = 1;
		}
	}
	memset(last, 0, c->n_threads * sizeof(*last));
	for (uint32_t i = c->certified; i-- > 0;)
		if (!last[events[i].thread])
			events[i].waited = last[events[i].thread] = 1;
	for (uint32_t i = 0; i < c->certified; i++)
		if (event_kind_flags(c->events[i].kind) & K_ALL)
			events[i].waited = 1;
	for (uint32_t i = 0; i < c->certified; i++)
		for (uint32_t k = 0; k < c->events[i].n; k++)
			events[c->after[c->events[i].first + k]].waited = 1;
	for (size_t i = c->certified; i < c->n_events; i++) /* it waits for all events on its objects */
		for (int k = 0; k < 2; k++)
			for (uint32_t u = 0, o = c->events[i].object[k]; o && u < objects[o - 1].n; u++)
				events[uses[objects[o - 1].first + u]].waited = 1;
	free(last);
	return uses;
}

static void put_all(struct out *out, struct pool *texts, const struct certificate *c, const struct plan_options *o, struct plan *plan)
{
	struct plan_module *modules = xcalloc(c->n_modules, sizeof(*modules));
	struct plan_thread *threads = xcalloc(c->n_threads, sizeof(*threads));
	struct plan_object *objects = xcalloc(c->n_objects, sizeof(*objects));
	struct plan_event *events = xcalloc(c->n_events, sizeof(*events));
	struct plan_range *ranges = xcalloc(c->n_shared + c->n_sites, sizeof(*ranges));
	struct plan_env *env = xcalloc(c->n_env, sizeof(*env));
	uint32_t *mine = xcalloc(c->n_events, sizeof(*mine)), *uses, total = 0;
	struct event_texts *known = xcalloc(1, sizeof(*known));
	char text[512];

	for (size_t i = 0; i < c->n_modules; i++)
		modules[i] = (struct plan_module){put_text(texts, c->modules[i].path), put_text(texts, c->modules[i].build_id)};
	for (uint32_t i = 0; i < c->n_threads; i++) {
		threads[i] = (struct plan_thread){put_text(texts, certificate_path(c, i, text, sizeof(text))), c->threads[i].parent,
			c->threads[i].child, total, c->threads[i].events, c->threads[i].stack,
			c->threads[i].at, c->threads[i].bytes, c->threads[i].guard, 0, 0};
		total += c->threads[i].events;
	}
	for (uint32_t i = 0; i < c->n_objects; i++)
		objects[i] = (struct plan_object){.kind = c->objects[i].kind, .name = put_text(texts, certificate_object(c, i, text, sizeof(text))),
			.thread = c->objects[i].thread, .at = to_range(&c->objects[i].at)};
	for (uint32_t i = 0; i < c->n_events; i++) {
		const struct cert_event *e = &c->events[i];

		events[i] = (struct plan_event){.thread = e->thread, .k = e->k, .kind = e->kind, .alt = e->alt, .failed = e->failed,
			.object = {e->object[0], e->object[1]}, .first = e->first, .n = e->n, .text = event_text(known, texts, c, e),
			.number = i + 1, .value_size = o->any_value ? 0 : e->value_size, .value = e->value};
		mine[threads[e->thread].first + e->k] = i;
	}
	for (size_t i = 0; i < c->n_shared; i++)
		ranges[i] = to_range(&c->shared[i]);
	for (size_t i = 0; i < c->n_sites; i++)
		ranges[c->n_shared + i] = to_range(&c->sites[i]);
	for (size_t i = 0; i < c->n_env; i++)
		env[i] = (struct plan_env){c->env[i].digest, put_text(texts, c->env[i].name), c->env[i].hidden};
	find_places(c, threads, plan);
	uses = find_uses(c, objects, events, &total);
	for (uint32_t i = c->certified; i < c->n_events; i++)
		events[i].number = c->instead[i - c->certified] + 1;
	for (size_t i = 0; i < c->n_events && o->relaxed; i++)
		events[i].waited = 1; /* any event may be the last one on its object */
	plan->modules = put(out, modules, c->n_modules * sizeof(*modules));
	plan->threads = put(out, threads, c->n_threads * sizeof(*threads));
	plan->objects = put(out, objects, c->n_objects * sizeof(*objects));
	plan->events = put(out, events, c->n_events * sizeof(*events));
	plan->shared = put(out, ranges, c->n_shared * sizeof(*ranges));
	plan->sites = put(out, ranges + c->n_shared, c->n_sites * sizeof(*ranges));
	plan->env = put(out, env, c->n_env * sizeof(*env));
	plan->mine = put(out, mine, c->n_events * sizeof(*mine));
	plan->uses = put(out, uses, total * sizeof(*uses));
	plan->after = put(out, c->after, c->n_after * sizeof(*c->after));
	plan->texts = put(out, texts->at, texts->n);
	free(modules);
	free(threads);
	free(objects);
	free(events);
	free(ranges);
	free(env);
	free(mine);
	free(known);
	free(uses);
}

/* Returns an event that may be performed instead of the last one of the prefix: it waits for others by rule 2 only, and its outcome need not be that of
   the execution, where it comes later. */
static struct cert_event without_outcome(const struct cert_event *e)
{
	struct cert_event out = *e;

	out.n = out.failed = out.value_size = 0;
	return out;
}

/* Returns the certificate without the events after the prefix, which the library does not need, except for those that may be performed
   instead of its last one: they come at the end. */
static struct certificate cut(const struct certificate *c)
{
	struct certificate out = *c;

	out.n_events = c->certified + c->n_instead;
	if (c->n_instead) {
		out.events = xcalloc(out.n_events, sizeof(*out.events));
		memcpy(out.events, c->events, c->certified * sizeof(*out.events));
	}
	for (size_t k = 0; k < c->n_instead; k++)
		out.events[c->certified + k] = without_outcome(&c->events[c->instead[k]]);
	out.threads = xcalloc(c->n_threads, sizeof(*out.threads));
	memcpy(out.threads, c->threads, c->n_threads * sizeof(*out.threads));
	for (size_t t = 0; t < out.n_threads; t++)
		out.threads[t].events = 0;
	for (size_t i = 0; i < out.n_events; i++)
		out.threads[out.events[i].thread].events++;
	return out;
}

int plan_make(const struct certificate *whole, const struct plan_options *o)
{
	struct certificate prefix = cut(whole), *c = &prefix;
	struct out out = {.fd = memfd_create("simul-plan", 0)};
	struct pool texts = {0};
	uint64_t room = o->trace ? c->n_events * sizeof(uint32_t) : 0;
	struct plan plan = {
		.magic = PLAN_MAGIC,
		.version = PLAN_VERSION,
		.certified = c->certified,
		.uncertified = o->uncertified,
		.any_arguments = o->any_arguments,
		.trace = o->trace,
		.stall_ms = o->stall_ms,
		.processors = c->processors,
		.freed_waits = c->freed_waits,
		.n_modules = (uint32_t)c->n_modules,
		.n_threads = (uint32_t)c->n_threads,
		.n_objects = (uint32_t)c->n_objects,
		.n_events = c->certified,
		.n_instead = (uint32_t)c->n_instead,
		.n_shared = (uint32_t)c->n_shared,
		.n_sites = (uint32_t)c->n_sites,
		.n_env = (uint32_t)c->n_env,
		.env_complete = c->env_complete,
		.inline_calls = c->inline_calls,
	};

	out.ok = out.fd >= 0;
	put(&out, &plan, sizeof(plan)); /* its place; it is written again when it is known */
	put_all(&out, &texts, c, o, &plan);
	plan.progress = (out.n + 63) & ~UINT64_C(63);
	plan.performed = plan.progress + c->n_threads * sizeof(struct plan_progress);
	plan.size = plan.performed + room;
	out.n = 0;
	put(&out, &plan, sizeof(plan));
	out.ok = out.ok && !ftruncate(out.fd, (off_t)plan.size);
	free(texts.at);
	free(prefix.threads);
	if (prefix.events != whole->events)
		free(prefix.events);
	if (!out.ok && out.fd >= 0)
		close(out.fd);
	return out.ok ? out.fd : -1;
}
