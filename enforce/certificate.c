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

	for (uint32_t i = 0; i < c->n_events; i++) {
		const struct cert_event *e = &c->events[i];

		if (e->kind == EV_THREAD_JOIN || e->kind == EV_EXIT)
			continue;
		for (uint32_t k = 0; k < e->n; k++)
			sum += c->after[e->first + k] < n;
	}
	return sum;
}
