/*
 * Explains why an execution is impossible under sequential consistency: by a cycle of steps in which each comes before the next, and
 * by the fences that would break it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/report/report_internal.h"

#define TEXT 512

static const struct rec_step *step_at(const struct report *p, size_t i)
{
	return &p->r->steps[p->r->failure.cycle[i % p->r->failure.n_cycle].step];
}

bool report_on_cycle(const struct report *p, size_t step)
{
	for (size_t i = 0; i < p->r->failure.n_cycle; i++)
		if (p->r->failure.cycle[i].step == step)
			return true;
	return false;
}

/* Returns whether a fence is needed between this step of the cycle and the next. */
static bool wants_fence(const struct report *p, size_t i)
{
	return p->r->failure.cycle[i].next == ROBUST_DELAYED || p->r->failure.cycle[i].next == ROBUST_LOOSE;
}

/* ---- the cycle ---- */

/* "store x", without the text about buffers. */
static char *what(const struct report *p, const struct rec_step *s, char *buf, size_t size)
{
	if (s->kind == EV_STORE)
		snprintf(buf, size, "%s %s", event_kind_text(s->kind), report_object(p, s->obj[0]));
	else
		report_step_text(p, s, buf, size);
	return buf;
}

/* Explains why step i of the cycle comes before the next one. */
static void why(const struct report *p, size_t i, char *buf, size_t size)
{
	const struct rec_step *s = step_at(p, i), *next = step_at(p, i + 1);
	const char *thread = report_thread(p, next->thread), *kind = event_kind_text(next->kind);
	size_t arrived = p->partner[p->r->failure.cycle[i].step];

	switch ((enum robust_step)p->r->failure.cycle[i].next) {
	case ROBUST_DELAYED:
		if (arrived != NO_STEP)
			snprintf(buf, size, "first in the program, but in memory only at step %zu", arrived + 1);
		else
			snprintf(buf, size, "first in the program, but in memory later");
		return;
	case ROBUST_LOOSE:
	case ROBUST_ORDER:
		snprintf(buf, size, "first in the program");
		return;
	case ROBUST_BEFORE:
	case ROBUST_STEPS:
		break;
	}
	if (!event_kind_accesses(s->kind) || !event_kind_accesses(next->kind))
		snprintf(buf, size, "before %s's %s", thread, kind);
	else if (s->kind == EV_LOAD)
		snprintf(buf, size, "did not see %s's %s", thread, kind);
	else
		snprintf(buf, size, "in memory before %s's %s", thread, kind);
}

struct widths {
	unsigned thread, number, what, where;
};

static void widen(unsigned *width, const char *text, unsigned most)
{
	unsigned n = report_width(text);

	n = n > most ? most : n;
	*width = n > *width ? n : *width;
}

static struct widths measure(const struct report *p)
{
	struct widths w = { 0 };
	char buf[TEXT];

	for (size_t i = 0; i < p->r->failure.n_cycle; i++) {
		widen(&w.thread, report_thread(p, step_at(p, i)->thread), 24);
		snprintf(buf, sizeof(buf), "%zu", p->r->failure.cycle[i].step + 1);
		widen(&w.number, buf, 12);
		widen(&w.what, what(p, step_at(p, i), buf, sizeof(buf)), 32);
		widen(&w.where, report_where(&step_at(p, i)->stack, false, buf, sizeof(buf)), 32);
	}
	return w;
}

static void put_cycle(const struct report *p)
{
	struct widths w = measure(p);
	char buf[TEXT];

	for (size_t i = 0; i < p->r->failure.n_cycle; i++) {
		const struct rec_step *s = step_at(p, i);
		fputs("    ", p->out);
		report_thread_colour(p, s->thread);
		report_pad(p->out, report_thread(p, s->thread), w.thread);
		report_plain(p);
		fprintf(p->out, "  step %*zu  ", (int)w.number, p->r->failure.cycle[i].step + 1);
		report_pad(p->out, what(p, s, buf, sizeof(buf)), w.what);
		fputs("  ", p->out);
		report_pad(p->out, report_where(&s->stack, false, buf, sizeof(buf)), w.where);
		why(p, i, buf, sizeof(buf));
		fprintf(p->out, "  %s\n", buf);
	}
}

/* ---- fences ---- */

/* The place of a fence, "between sb.c:7 and sb.c:8", and whether a weaker fence is enough there. */
static void fence_text(const struct report *p, size_t i, char *buf, size_t size)
{
	const struct rec_step *s = step_at(p, i), *next = step_at(p, i + 1);
	char a[CELL_TEXT], b[CELL_TEXT];

	report_where(&s->stack, false, a, sizeof(a));
	report_where(&next->stack, false, b, sizeof(b));
	snprintf(buf, size, "between %s and %s%s", a[0] ? a : "the store", b[0] ? b : "what follows it",
		next->kind == EV_STORE ? " (here a release fence is enough, or a store with release order at the second)" : "");
}

/* Threads with the same two places share a line. If no store was late there, the fence may exist already. */
static void put_fence(const struct report *p, size_t i, char *const *text)
{
	const char *comma = "";
	bool late = false;

	for (size_t k = 0; k < i; k++)
		if (text[k] && strcmp(text[k], text[i]) == 0)
			return;
	fprintf(p->out, "    %s, in ", text[i]);
	for (size_t k = i; k < p->r->failure.n_cycle; k++) {
		if (!text[k] || strcmp(text[k], text[i]) != 0)
			continue;
		fputs(comma, p->out);
		report_put_thread(p, step_at(p, k)->thread);
		comma = ", ";
		late |= p->r->failure.cycle[k].next == ROBUST_DELAYED;
	}
	fputs(late ? "\n" : ", unless there is one already: here the store reached memory in time\n", p->out);
}

static void put_fences(const struct report *p)
{
	size_t n = p->r->failure.n_cycle, wanted = 0;
	char **text = xcalloc(n, sizeof(*text)), buf[TEXT];

	for (size_t i = 0; i < n; i++) {
		if (!wants_fence(p, i))
			continue;
		fence_text(p, i, buf, sizeof(buf));
		text[i] = xstrdup(buf);
		wanted++;
	}
	if (wanted == 1)
		fputs("  A full fence here makes it impossible (atomic_thread_fence(memory_order_seq_cst), mfence):\n", p->out);
	else if (wanted)
		fputs("  A full fence in each of these places makes it impossible "
		      "(atomic_thread_fence(memory_order_seq_cst), mfence):\n", p->out);
	for (size_t i = 0; i < n; i++)
		if (text[i])
			put_fence(p, i, text);
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

void report_robust(const struct report *p)
{
	if (!p->r->failure.n_cycle)
		return;
	fputs("  Each of these steps comes before the next one, and the last one before the first. Without store buffers this is "
	      "impossible:\n", p->out);
	put_cycle(p);
	put_fences(p);
}
