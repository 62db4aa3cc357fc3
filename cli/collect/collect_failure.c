/* Describes the failure of an execution: its message, its place and its stack. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/collect/collecting.h"
#include "cli/collect/race_text.h"
#include "recorder/memory_error.h"
#include "recorder/said.h"

#define OUTPUT_TAIL 16384

bool collect_is_exact(const struct session_bug *b)
{
	return b->signal != 0 || b->kind == BUG_HANG;
}

struct rec_stack collect_stack(const struct collecting *c, const struct session_stack *s, uint64_t pc, bool exact)
{
	if (!c->symbols)
		return (struct rec_stack){0, NULL};
	if (s->n)
		return symbolize_stack(c->symbols, s->pc, s->n, exact);
	return pc ? symbolize_stack(c->symbols, &pc, 1, false) : (struct rec_stack){0, NULL};
}

thread_id collect_thread(const struct collecting *c, uint32_t t)
{
	return t < c->e->names.count ? c->index[t] : NO_THREAD;
}

/* Returns whether the race is the bug. */
static bool is_bug(const struct session_race *race, const struct session_bug *b)
{
	uint32_t frames = session_race_frames(race);

	if (!b->stack.n || !race->process[0][0] != !b->fault_addr)
		return false;
	return session_same_place(&race->stack[0], &b->stack, frames) ||
	       session_same_place(&race->stack[1], &b->stack, frames);
}

/* Returns the message of a race, with its variable: "data race on counter: written at a.c:10 by T0.1, read at a.c:22 by T0.2". NULL: it is
   not in the table of races. */
static char *race_message(struct collecting *c)
{
	const struct session_bug *b = &c->e->bug;
	struct session_races *races = segment_races(c->in->seg);
	char *text = NULL, *full = NULL;

	for (uint32_t i = 0; i < races->n && i < SESSION_RACES && !text; i++)
		if (is_bug(&races->race[i], b))
			text = race_text(races, i, &c->e->names, c->symbols, c->r);
	if (text)
		full = xasprintf("data %s%s", b->fault_addr ? "" : "race on ", text);
	free(text);
	free(races);
	return full;
}

/* Returns the target's message; for misuse, with the object that was misused. */
static char *failure_message(const struct recording *r, const struct session_bug *b)
{
	char object[256], text[SESSION_MESSAGE + sizeof(object) + 4];

	rec_object_text(r, b->object, object, sizeof(object));
	if (b->kind != BUG_MISUSE || !object[0] || r->objects[b->object - 1].kind == OBJ_THREAD)
		return xstrdup(b->message);
	snprintf(text, sizeof(text), "%s: %s", b->message, object);
	return xstrdup(text);
}

static void describe_cycle(struct collecting *c)
{
	const struct session_bug *b = &c->e->bug;
	struct recording *r = c->r;

	for (uint32_t i = 0; i < b->cycle_n && b->kind == BUG_ROBUSTNESS; i++) {
		if (b->cycle[i].event >= r->n_steps || b->cycle[i].step >= ROBUST_STEPS)
			continue;
		r->failure.cycle = xgrow(r->failure.cycle, r->failure.n_cycle, sizeof(*r->failure.cycle));
		r->failure.cycle[r->failure.n_cycle++] = (struct rec_cycle){ b->cycle[i].event, (uint8_t)b->cycle[i].step };
	}
}

/* Returns whether the function of Rust's std is part of a panic. std::panicking::try is not: it is below every thread. */
static bool is_panicking(const char *function)
{
	return function && (strstr(function, "core::panicking::") || strstr(function, "rust_panic") || strstr(function, "begin_panic"));
}

/* Returns the thread of the first step in a panic, whose message is the one that counts; NO_THREAD: no step is. */
static thread_id first_to_panic(const struct recording *r)
{
	for (size_t i = 0; i < r->n_steps; i++)
		for (size_t k = 0; k < r->steps[i].stack.n; k++)
			if (is_panicking(r->steps[i].stack.frame[k].function))
				return r->steps[i].thread;
	return NO_THREAD;
}

/* If the program ended itself because of a failure, adds the line that it printed about it, and takes the place named there. The place
   where it ended, in exit or abort, means nothing. */
static void describe_end(struct recording *r)
{
	const struct rec_frame *frame = rec_stack_user_frame(&r->failure.stack);
	struct said said = { .place = "" };
	char *message;

	if (r->failure.kind != BUG_EXIT && (r->failure.kind != BUG_ASSERT || strcmp(r->failure.message, "abort() was called") != 0))
		return;
	if (said_find(r->failure.output, &said)) {
		message = said.panic ? xasprintf("%s; %s", said.line, r->failure.message) : xasprintf("%s; it printed: %s", r->failure.message, said.line);
		free(r->failure.message);
		r->failure.message = message;
		if (said.panic && r->failure.kind == BUG_EXIT && first_to_panic(r) != NO_THREAD)
			r->failure.thread = first_to_panic(r);
	} else if (r->failure.kind == BUG_ASSERT || !frame || (frame->flags & REC_FRAME_USER)) {
		return;
	}
	free(r->failure.where);
	r->failure.where = said.place[0] ? xstrdup(said.place) : NULL;
}

static void describe_block(struct collecting *c)
{
	const struct session_block *from = &c->e->bug.memory;
	struct rec_block *to = &c->r->failure.block;

	if (c->e->bug.kind != BUG_MEMORY)
		return;
	*to = (struct rec_block){ .error = from->error, .write = from->write, .object = (uint8_t)from->object, .addr = from->addr, .size = from->size,
		.block = from->block, .block_size = from->block_size };
	for (int i = 0; i < 2; i++) {
		to->owner[i] = collect_thread(c, from->owner[i]);
		to->stack[i] = collect_stack(c, &from->stack[i], 0, false);
	}
}

void collect_failure(struct collecting *c)
{
	const struct session_bug *b = &c->e->bug;
	struct recording *r = c->r;
	char where[512];

	r->failure.kind = b->kind;
	r->failure.thread = collect_thread(c, b->thread);
	r->failure.signal = b->signal;
	r->failure.status = b->status;
	r->failure.signature = b->signature;
	free(r->failure.message);
	describe_block(c);
	r->failure.message = b->kind == BUG_RACE && c->symbols ? race_message(c) : memory_error_sentence(r);
	if (!r->failure.message)
		r->failure.message = failure_message(r, b);
	r->failure.stack = collect_stack(c, &b->stack, 0, collect_is_exact(b));
	if (!r->failure.stack.n && r->failure.thread != NO_THREAD)
		r->failure.stack = rec_stack_copy(&r->threads[r->failure.thread].stack);
	rec_stack_where(&r->failure.stack, where, sizeof(where));
	r->failure.where = where[0] ? xstrdup(where) : NULL;
	r->failure.process = b->process[0] ? xstrdup(b->process) : NULL;
	describe_cycle(c);
	r->failure.output = capture_tail(c->in->output, OUTPUT_TAIL);
	describe_end(r);
	r->preemptions = recording_preemptions(r);
}
