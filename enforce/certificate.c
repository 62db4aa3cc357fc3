/* A certificate in memory. */
#include "enforce/certificate.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "sched/event.h"

struct certificate *certificate_new(void)
{
	return xcalloc(1, sizeof(struct certificate));
}

static void free_list(char **list)
{
	for (char **p = list; p && *p; p++)
		free(*p);
	free(list);
}

void certificate_free(struct certificate *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_modules; i++) {
		free(c->modules[i].path);
		free(c->modules[i].build_id);
	}
	for (size_t i = 0; i < c->n_threads; i++)
		free(c->threads[i].start);
	for (size_t i = 0; i < c->n_objects; i++)
		free(c->objects[i].name);
	for (size_t i = 0; i < c->places.n; i++)
		free(c->places.text[i]);
	for (size_t i = 0; i < c->n_env; i++)
		free(c->env[i].name);
	free_list(c->argv);
	free(c->written_by);
	free(c->program);
	free(c->build_id);
	free(c->input);
	free(c->strategy);
	free(c->frozen);
	free(c->but);
	free(c->from);
	free(c->env);
	free(c->modules);
	free(c->threads);
	free(c->objects);
	free(c->shared);
	free(c->sites);
	free(c->events);
	free(c->places.text);
	free(c->after);
	free(c->instead);
	free(c);
}

const char *certificate_place(struct certificate *c, const char *place, size_t size)
{
	struct cert_places *all = &c->places;
	const char **known = &all->known[hash_bytes(HASH_START, place, size) % CERTIFICATE_PLACES];

	if (*known && !strncmp(*known, place, size) && !(*known)[size])
		return *known;
	char *text = xcalloc(size + 1, 1);
	memcpy(text, place, size);
	all->text = xgrow(all->text, all->n, sizeof(*all->text));
	all->text[all->n++] = text;
	return *known = text;
}

uint64_t certificate_digest(const char *bytes, size_t size)
{
	return hash_bytes(HASH_START, bytes, size);
}

char *certificate_path(const struct certificate *c, uint32_t thread, char *buf, size_t size)
{
	uint32_t chain[64];
	size_t n = 0, at;

	for (; thread && n < 64; thread = c->threads[thread].parent)
		chain[n++] = c->threads[thread].child;
	at = (size_t)snprintf(buf, size, "T0");
	while (n-- && at < size)
		at += (size_t)snprintf(buf + at, size - at, ".%u", chain[n]);
	return buf;
}

char *certificate_object(const struct certificate *c, uint32_t object, char *buf, size_t size)
{
	const struct cert_object *o = &c->objects[object];

	if (o->kind == OBJ_THREAD)
		return certificate_path(c, o->thread, buf, size);
	if (o->name)
		snprintf(buf, size, "%s", o->name);
	else
		snprintf(buf, size, "%s#%u", object_kind_text(o->kind), o->number);
	return buf;
}

/* ---- constraints ---- */

struct counting {
	const struct certificate *c;
	uint32_t *seen; /* [t][u]: number of events of u that are known to come before the next event of t */
	uint32_t *last; /* [object][t]: number of events of t up to the latest event of the prefix on the object */
	uint32_t *done; /* by thread: its events so far */
	uint32_t sum;
};

static uint32_t *seen_by(const struct counting *x, uint32_t thread)
{
	return x->seen + (size_t)thread * x->c->n_threads;
}

/* What thread `from` knows, thread `to` knows. */
static void learn(struct counting *x, uint32_t to, uint32_t from)
{
	for (uint32_t u = 0; u < x->c->n_threads; u++)
		if (seen_by(x, to)[u] < seen_by(x, from)[u])
			seen_by(x, to)[u] = seen_by(x, from)[u];
	if (seen_by(x, to)[from] < x->done[from])
		seen_by(x, to)[from] = x->done[from];
}

/* Records that the event waits until `thread` has performed this many events. */
static void count_wait(struct counting *x, const struct cert_event *e, uint32_t thread, uint32_t events)
{
	uint32_t *known = &seen_by(x, e->thread)[thread];

	if (thread == e->thread || events <= *known)
		return;
	*known = events;
	x->sum += e->kind != EV_THREAD_JOIN && e->kind != EV_EXIT;
}

static void count_event(struct counting *x, uint32_t i, uint32_t n)
{
	const struct certificate *c = x->c;
	const struct cert_event *e = &c->events[i];

	for (uint32_t k = 0; i < n && k < e->n; k++) {
		const struct cert_event *before = &c->events[c->after[e->first + k]];

		count_wait(x, e, before->thread, before->k + 1);
	}
	for (int k = 0; k < 2 && i >= n; k++)
		for (uint32_t u = 0; e->object[k] && u < c->n_threads; u++)
			count_wait(x, e, u, x->last[(size_t)e->object[k] * c->n_threads + u]);
	x->done[e->thread]++;
	for (int k = 0; k < 2 && i < n; k++)
		x->last[(size_t)e->object[k] * c->n_threads + e->thread] = x->done[e->thread];
	if (e->kind == EV_THREAD_CREATE && e->object[0])
		learn(x, c->objects[e->object[0] - 1].thread, e->thread);
	if (e->kind == EV_THREAD_JOIN && e->object[0])
		learn(x, e->thread, c->objects[e->object[0] - 1].thread);
}

uint32_t certificate_constraints(const struct certificate *c, uint32_t n)
{
	struct counting x = {.c = c};

	x.seen = xcalloc(c->n_threads, c->n_threads * sizeof(*x.seen));
	x.last = xcalloc(c->n_objects + 1, c->n_threads * sizeof(*x.last));
	x.done = xcalloc(c->n_threads, sizeof(*x.done));
	for (uint32_t i = 0; i < c->n_events; i++)
		count_event(&x, i, n);
	free(x.seen);
	free(x.last);
	free(x.done);
	return x.sum;
}
