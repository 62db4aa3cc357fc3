#include "replay/confirm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/xalloc.h"

void schedule_from_events(struct schedule *s, const struct event *events, uint32_t n,
	const struct thread_names *names, const struct session_pool *pool)
{
	memset(s, 0, sizeof(*s));
	s->n = n;
	s->names = *names;
	s->pool = *pool;
	s->step = xcalloc(n, sizeof(*s->step));
	for (uint32_t i = 0; i < n; i++)
		s->step[i] = (struct forced_step){
			.thread = events[i].thread,
			.alt = events[i].alt,
			.kind = events[i].kind,
			.obj = {events[i].obj[0], events[i].obj[1]},
		};
}

bool schedule_from_recording(struct schedule *s, const struct recording *r, char *why, size_t size)
{
	memset(s, 0, sizeof(*s));
	thread_names_init(&s->names);
	for (size_t i = 0; i < r->n_threads; i++) {
		if (thread_name_parse(&s->names, r->threads[i].path) == i)
			continue;
		snprintf(why, size, "thread %s stands at a place where it cannot be", r->threads[i].path);
		return false;
	}
	s->n = (uint32_t)r->n_steps;
	s->pool = r->pool;
	s->step = xcalloc(r->n_steps, sizeof(*s->step));
	for (size_t i = 0; i < r->n_steps; i++)
		s->step[i] = (struct forced_step){
			.thread = r->steps[i].thread,
			.alt = r->steps[i].alt,
			.kind = r->steps[i].kind,
			.obj = {r->steps[i].obj[0], r->steps[i].obj[1]},
		};
	return true;
}

void schedule_free(struct schedule *s)
{
	free(s->step);
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
		snprintf(buf, size, "it could not be run: %s", o->text);
		return;
	case CONFIRM_INTERRUPTED:
		snprintf(buf, size, "interrupted");
		return;
	}
}
