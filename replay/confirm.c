#include "replay/confirm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void schedule_from_events(struct schedule *s, const struct event *events, uint32_t n,
	const struct thread_names *names, const struct session_pool *pool, const struct rec_memory *memory)
{
	memset(s, 0, sizeof(*s));
	s->n = n;
	s->names = *names;
	s->pool = *pool;
	s->memory = rec_memory_copy(memory);
	s->step = xcalloc(n, sizeof(*s->step));
	for (uint32_t i = 0; i < n; i++)
		s->step[i] = (struct forced_step){
			.thread = events[i].thread,
			.alt = events[i].alt,
			.kind = events[i].kind,
			.obj = {events[i].obj[0], events[i].obj[1]},
			.span = events[i].span,
		};
}

static void share_page(struct memory_table *t, const struct rec_page *p)
{
	for (unsigned i = 0; i < MEMORY_PAGE; i++) {
		if (!p->shared[i / 64])
			i |= 63; /* no bits in this word */
		else if (p->late[i / 64] >> i % 64 & 1)
			memory_discover(t, p->base + i, 1);
		else if (p->shared[i / 64] >> i % 64 & 1)
			memory_share(t, p->base + i, 1);
	}
}

static bool install_pages(const struct rec_memory *m, struct memory_table *t)
{
	for (size_t i = 0; i < m->n_pages; i++) {
		if (memory_page_intern(t, m->page[i].base) != i)
			return false;
		share_page(t, &m->page[i]);
	}
	return true;
}

bool schedule_install_memory(const struct rec_memory *m, struct memory_table *memory, struct await_table *await)
{
	if (!install_pages(m, memory))
		return false;
	for (size_t i = 0; i < m->n_nodes; i++)
		if (await_node(await, &m->node[i]) != i + 1)
			return false;
	for (size_t i = 0; i < m->n_edges; i++)
		await_install(await, &m->edge[i]);
	return true;
}

/* Translates the objects of a step to ids in a session: memory by its pages, other objects by number. */
static bool raw_objects(const struct recording *r, struct memory_table *t, const object_id from[2],
	struct forced_step *to)
{
	for (int k = 0; k < 2; k++) {
		const struct rec_object *o = from[k] ? &r->objects[from[k] - 1] : NULL;
		object_id cell[2];

		if (!o || o->kind != OBJ_MEMORY) {
			if (o)
				to->obj[k] = from[k];
			continue;
		}
		if (!o->size || !memory_page_find(t, o->addr) || !memory_name(t, o->addr, o->size, cell, &to->span))
			return false;
		to->obj[k] = cell[0];
		if (k == 0)
			to->obj[1] = cell[1];
	}
	return true;
}

/* Returns the thread or agent that makes this step. */
static thread_id who_moves(struct thread_names *names, const struct rec_step *s)
{
	return s->kind == EV_UPDATE ? agent_intern(names, s->thread, s->place) : s->thread;
}

static bool steps_from_recording(struct schedule *s, const struct recording *r, struct memory_table *t)
{
	for (size_t i = 0; i < r->n_steps; i++) {
		s->step[i] = (struct forced_step){
			.thread = who_moves(&s->names, &r->steps[i]),
			.alt = r->steps[i].alt,
			.kind = r->steps[i].kind,
		};
		if (!raw_objects(r, t, r->steps[i].obj, &s->step[i]))
			return false;
	}
	return true;
}

bool schedule_names(struct thread_names *names, const struct recording *r, char *why, size_t size)
{
	thread_names_init(names);
	for (size_t i = 0; i < r->n_threads; i++) {
		if (thread_name_parse(names, r->threads[i].path) == i)
			continue;
		snprintf(why, size, "thread %s has an impossible path", r->threads[i].path);
		return false;
	}
	for (size_t i = 0; i < r->n_steps; i++) {
		if (who_moves(names, &r->steps[i]) != NO_THREAD)
			continue;
		snprintf(why, size, "its threads store to more addresses than the tables have room for");
		return false;
	}
	return true;
}

bool schedule_from_recording(struct schedule *s, const struct recording *r, char *why, size_t size)
{
	struct memory_table *t;
	bool ok;

	memset(s, 0, sizeof(*s));
	if (!schedule_names(&s->names, r, why, size))
		return false;
	s->n = (uint32_t)r->n_steps;
	s->pool = r->pool;
	s->memory = rec_memory_copy(&r->memory);
	s->step = xcalloc(r->n_steps, sizeof(*s->step));
	t = xcalloc(1, sizeof(*t));
	ok = install_pages(&s->memory, t) && steps_from_recording(s, r, t);
	free(t);
	if (!ok)
		snprintf(why, size, "a step names memory that cannot be found");
	return ok;
}

void schedule_free(struct schedule *s)
{
	free(s->step);
	rec_memory_free(&s->memory);
	s->step = NULL;
	s->n = 0;
}

void confirm_judge(struct confirm_outcome *out, uint64_t signature)
{
	if (out->bug.kind != BUG_NONE && out->bug.signature == signature)
		out->kind = CONFIRM_SAME;
	else if (out->divergence.happened)
		out->kind = CONFIRM_DIVERGED;
	else if (out->bug.kind != BUG_NONE)
		out->kind = CONFIRM_OTHER_FAILURE;
	else
		out->kind = CONFIRM_NO_FAILURE;
}

void confirm(confirm_run run, void *ctx, unsigned tries, struct confirm_result *out)
{
	struct confirm_outcome *o = xcalloc(1, sizeof(*o));

	memset(out, 0, sizeof(*out));
	for (unsigned i = 0; i < tries; i++) {
		memset(o, 0, sizeof(*o));
		run(ctx, i, o);
		if (o->kind != CONFIRM_INTERRUPTED)
			out->tries++;
		if (o->kind == CONFIRM_SAME) {
			out->same++;
			continue;
		}
		if (!out->differed)
			out->other = *o;
		out->differed = true;
		if (o->kind == CONFIRM_NOT_RUN || o->kind == CONFIRM_INTERRUPTED)
			break;
	}
	free(o);
}

void confirm_describe(const struct confirm_outcome *o, char *buf, size_t size)
{
	switch (o->kind) {
	case CONFIRM_SAME:
		snprintf(buf, size, "the same failure");
		return;
	case CONFIRM_OTHER_FAILURE:
		snprintf(buf, size, "another failure: %s: %s", bug_kind_text(o->bug.kind), o->bug.message);
		return;
	case CONFIRM_NO_FAILURE:
		snprintf(buf, size, "the schedule was followed to its end and nothing failed");
		return;
	case CONFIRM_DIVERGED:
		snprintf(buf, size, "the program did something else at step %u of the same schedule",
			o->divergence.step + 1);
		return;
	case CONFIRM_NOT_RUN:
		snprintf(buf, size, CONFIRM_NOT_RUN_SAYS "%s", o->text);
		return;
	case CONFIRM_INTERRUPTED:
		snprintf(buf, size, "%s", o->text[0] ? o->text : "interrupted");
		return;
	}
}
