#include "cli/verdict/divergence.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "recorder/symbols/symbols.h"
#include "cli/supervise/search.h"

static const char *did(const struct event *e)
{
	return e->kind == EV_UPDATE ? "a buffered store reaches memory" : event_kind_text(e->kind);
}

/* Writes " at a.c:12", where the call is; "" if it is not known. */
static void place(struct symbols *symbols, const struct event *e, char *buf, size_t size)
{
	struct rec_stack stack;
	const struct rec_frame *f;
	char where[400];

	buf[0] = 0;
	if (!symbols || !e->pc)
		return;
	stack = symbolize_stack(symbols, &e->pc, 1, false);
	f = rec_stack_user_frame(&stack);
	if (f)
		text_set(buf, size, " at %s", rec_frame_where(f, where, sizeof(where)));
	rec_stack_free(&stack);
}

/* Writes " on mutex#3"; "" without an object. */
static void object(const struct segment *seg, const struct event *e, char *buf, size_t size)
{
	struct session_object o;

	buf[0] = 0;
	if (!e->obj[0])
		return;
	segment_object(seg, e->obj[0], &o);
	if (o.kind != OBJ_NONE)
		text_set(buf, size, " on %s#%u", object_kind_text(o.kind), o.number);
	else
		text_set(buf, size, " on %s %u", object_kind_text(event_kind_object(e->kind)), e->obj[0]);
}

/* Describes event `e`, which differs from `other`. */
static void describe(const struct segment *seg, const struct thread_names *names, struct symbols *symbols, const struct event *e,
	const struct event *other, char *buf, size_t size)
{
	char what[600];

	text_set(buf, size, "\"%s\"", did(e));
	if (e->thread != other->thread && names && e->thread < names->count) {
		thread_name_format(names, e->thread, what, sizeof(what));
		text_add(buf, size, " by %s", what);
	}
	if (e->obj[0] != other->obj[0]) {
		object(seg, e, what, sizeof(what));
		text_add(buf, size, "%s", what);
	} else if (e->obj[1] != other->obj[1] || e->span != other->span) {
		text_add(buf, size, " on other memory");
	}
	place(symbols, e, what, sizeof(what));
	text_add(buf, size, "%s", what);
	if (e->kind == other->kind && e->result != other->result)
		text_add(buf, size, " with the result %d", e->result);
	else if (e->kind == other->kind && e->alt != other->alt)
		text_add(buf, size, " with the outcome %u", e->alt);
}

void divergence_describe(const struct search *search, const struct explore_stats *st, char *buf, size_t size)
{
	const struct event *a = &st->divergence.expected, *b = &st->divergence.found;
	struct thread_names *names = xcalloc(1, sizeof(*names));
	struct symbols *symbols = search->maps ? symbols_open(search->maps) : NULL;
	bool named = segment_names(&search->seg, names);
	char first[900], second[900];

	describe(&search->seg, named ? names : NULL, symbols, a, b, first, sizeof(first));
	describe(&search->seg, named ? names : NULL, symbols, b, a, second, sizeof(second));
	text_set(buf, size, "at step %u it did %s the first time and %s when the same schedule was repeated", st->divergence.step + 1, first, second);
	symbols_close(symbols);
	free(names);
}
