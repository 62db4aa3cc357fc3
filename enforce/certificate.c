/* A certificate in memory. */
#include "enforce/certificate.h"

#include <stdio.h>

#include "recorder/xalloc.h"
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
	for (size_t i = 0; i < c->n_events; i++)
		free(c->events[i].where);
	for (size_t i = 0; i < c->n_env; i++)
		free(c->env[i].name);
	free_list(c->argv);
	free(c->written_by);
	free(c->program);
	free(c->build_id);
	free(c->input);
	free(c->model);
	free(c->strategy);
	free(c->frozen);
	free(c->but);
	free(c->env);
	free(c->modules);
	free(c->threads);
	free(c->objects);
	free(c->shared);
	free(c->sites);
	free(c->events);
	free(c->after);
	free(c);
}

uint64_t certificate_digest(const char *bytes, size_t size)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		h = (h ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return h;
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

uint32_t certificate_constraints(const struct certificate *c, uint32_t n)
{
	uint32_t sum = 0;

	uint32_t *seen = xcalloc(c->n_threads, c->n_threads * sizeof(*seen)); /* [t][u]: events of u that t has waited for */
	uint32_t *last = xcalloc(c->n_objects + 1, c->n_threads * sizeof(*last)); /* [object][thread]: events up to the latest on it in the prefix */

	for (uint32_t i = 0; i < c->n_events; i++) {
		const struct cert_event *e = &c->events[i];
		uint32_t *mine = seen + e->thread * c->n_threads;
		bool implied = e->kind == EV_THREAD_JOIN || e->kind == EV_EXIT;

		for (uint32_t k = 0; i < n && k < e->n; k++) {
			const struct cert_event *before = &c->events[c->after[e->first + k]];

			sum += !implied;
			if (mine[before->thread] < before->k + 1)
				mine[before->thread] = before->k + 1;
		}
		for (int k = 0; k < 2; k++)
			for (uint32_t u = 0; e->object[k] && i >= n && u < c->n_threads; u++) {
				uint32_t wanted = last[e->object[k] * c->n_threads + u];

				if (u == e->thread || wanted <= mine[u])
					continue;
				mine[u] = wanted;
				sum += !implied;
			}
		if (e->kind == EV_THREAD_CREATE && e->object[0]) { /* what came before the creation comes before the new thread */
			uint32_t child = c->objects[e->object[0] - 1].thread;

			mine[e->thread] = e->k + 1;
			memcpy(seen + child * c->n_threads, mine, c->n_threads * sizeof(*mine));
		}
		for (int k = 0; k < 2 && i < n; k++)
			last[e->object[k] * c->n_threads + e->thread] = e->k + 1;
	}
	free(seen);
	free(last);
	return sum;
}
