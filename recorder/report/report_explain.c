/* Explains the failure in sentences, and prints the position of every thread at the end. */
#include <string.h>

#include "base/units.h"
#include "recorder/report/diagnosis.h"
#include "recorder/report/report_internal.h"

/* Returns whether the lines above the schedule say which check of a test framework failed. The process exits later, in libc, so its stack
   says nothing. */
static bool is_failed_check(const struct recording *r)
{
	return r->failure.kind == BUG_EXIT && r->failure.where && strstr(r->failure.message, r->failure.where);
}

static void put_failure(const struct report *p)
{
	const struct recording *r = p->r;
	char where[CELL_TEXT];

	fputs("  ", p->out);
	if (r->failure.process) {
		report_clean(p->out, r->failure.process);
		fputs(": ", p->out);
	} else if (r->failure.thread != NO_THREAD) {
		report_put_thread(p, r->failure.thread);
		fputs(": ", p->out);
	}
	report_clean(p->out, r->failure.message);
	report_where(&r->failure.stack, true, where, sizeof(where));
	if (where[0])
		fprintf(p->out, "\n  in %s", where);
	fputc('\n', p->out);
	if (r->failure.kind == BUG_CRASH && r->failure.signal)
		fprintf(p->out, "  signal %d (%s)\n", r->failure.signal, strsignal(r->failure.signal));
	if (r->failure.kind == BUG_EXIT)
		fprintf(p->out, "  exit status %d\n", r->failure.status);
}

static void explain_failure(const struct report *p)
{
	const struct recording *r = p->r;
	struct diagnosis d;

	diagnose(p, &d);
	if (d.kind == DIAGNOSIS_NONE || (!p->brief && !is_failed_check(r)))
		put_failure(p);
	/* objects still held are often part of the cause */
	for (size_t o = 0; o < r->n_objects; o++) {
		size_t at = p->locked_at[o];
		if (at >= r->n_steps)
			continue;
		fputs("  ", p->out);
		report_put_thread(p, r->steps[at].thread);
		fprintf(p->out, " held %s at that moment, since step %zu", p->object[o], at + 1);
		report_at(p, &r->steps[at].stack);
		fputc('\n', p->out);
	}
}

/* Prints the experiments of a diagnosis whose text is left out because the report contains it in longer form. */
static void put_tried(const struct report *p)
{
	struct diagnosis d;

	diagnose(p, &d);
	if (!report_was_tried(p) || (d.kind != DIAGNOSIS_CYCLE && p->r->failure.kind != BUG_ROBUSTNESS))
		return;
	fputc(' ', p->out);
	report_tried(p);
	fputc('\n', p->out);
}

/* Names a long timeout, which is often only a watchdog that ends a hanging test. */
static void put_timed_out(const struct report *p)
{
	const struct recording *r = p->r;
	char where[CELL_TEXT] = "";

	if (!report_needs_time(r) || r->timed_out.ns < NS_PER_S || r->steps[r->timed_out.step - 1].kind == EV_SLEEP)
		return;
	report_where(&r->steps[r->timed_out.step - 1].stack, false, where, sizeof(where));
	fprintf(p->out, "  The wait at %s%sstep %zu%s timed out after %.9g s of virtual time. If this is only a watchdog, try simul run --patience 1s\n", where,
		where[0] ? " (" : "", r->timed_out.step, where[0] ? ")" : "", (double)r->timed_out.ns / 1e9);
}

void report_explain(const struct report *p)
{
	report_diagnosis(p);
	if (p->r->failure.kind == BUG_DEADLOCK || p->r->failure.kind == BUG_LIVELOCK)
		report_waiting(p);
	else if (p->r->failure.kind == BUG_ROBUSTNESS)
		report_robust(p);
	else
		explain_failure(p);
	put_tried(p);
	report_orders(p);
	put_timed_out(p);
	report_stores(p);
}

/* ---- positions ---- */

/* Returns the width of the function column: the longest name, limited by the room that the source positions leave. */
static unsigned function_width(const struct report *p, const struct rec_stack *stack, bool user, size_t indent)
{
	unsigned width = 0, places = 0, room;

	for (size_t i = 0; i < stack->n; i++) {
		const struct rec_frame *f = &stack->frame[i];
		char where[CELL_TEXT];
		unsigned n = f->function ? report_width(f->function) : 1, place = report_width(rec_frame_where(f, where, sizeof(where)));
		if (user && !(f->flags & REC_FRAME_USER))
			continue;
		width = n > width ? n : width;
		if (f->line && place > places)
			places = place;
	}
	room = (unsigned)indent + 7 + places;
	room = p->opt.width > room + 12 ? p->opt.width - room : 12;
	room = room > 40 ? 40 : room;
	return width > room ? room : width;
}

void report_stack(const struct report *p, const struct rec_stack *stack, const char *indent)
{
	unsigned width, number = 0;
	bool user = false;

	for (size_t i = 0; i < stack->n; i++)
		user |= (stack->frame[i].flags & REC_FRAME_USER) != 0;
	width = function_width(p, stack, user, strlen(indent));
	for (size_t i = 0; i < stack->n; i++) {
		const struct rec_frame *f = &stack->frame[i];
		char function[CELL_TEXT], place[CELL_TEXT], where[CELL_TEXT];
		if (user && !(f->flags & REC_FRAME_USER))
			continue;
		report_clean_text(f->function ? f->function : "?", function, sizeof(function));
		report_clean_text(rec_frame_where(f, where, sizeof(where)), place, sizeof(place));
		fprintf(p->out, "%s#%u ", indent, number++);
		report_pad(p->out, function, width);
		if (strcmp(function, place) == 0) /* no line is known; the module is shown instead */
			report_clean_text(f->module ? f->module : "", place, sizeof(place));
		fprintf(p->out, "  %s", place);
		fprintf(p->out, "%s\n", f->flags & REC_FRAME_INLINED ? " (inlined)" : "");
	}
}

/* Returns whether the thread has no pending operation and no position. The thread that failed has not ended. */
static bool has_ended(const struct recording *r, size_t t)
{
	return r->threads[t].pending_kind == EV_NONE && !r->threads[t].stack.n && t != r->failure.thread;
}

void report_threads(const struct report *p, bool stacks)
{
	const struct recording *r = p->r;
	bool ended = false;

	for (size_t i = 0; i < r->n_threads; i++) {
		const struct rec_thread *t = &r->threads[i];
		char text[CELL_TEXT], start[CELL_TEXT];
		if (has_ended(r, i)) {
			ended = true;
			continue;
		}
		fputs("  ", p->out);
		report_put_thread(p, (thread_id)i);
		report_clean_text(report_start(p, (thread_id)i), start, sizeof(start));
		fprintf(p->out, " %s", start);
		if (i == r->failure.thread && r->failure.process) {
			fputs(", process ", p->out);
			report_clean(p->out, r->failure.process);
		}
		if (t->pending_kind != EV_NONE)
			fprintf(p->out, ", next: %s", report_pending_text(p, t, text, sizeof(text)));
		else if (i == r->failure.thread)
			fputs(", failed", p->out);
		fputc('\n', p->out);
		if (stacks)
			report_stack(p, i == r->failure.thread && !t->stack.n ? &r->failure.stack : &t->stack, "      ");
	}
	if (!ended)
		return;
	fputs("  ended:", p->out);
	for (size_t i = 0; i < r->n_threads; i++) {
		if (!has_ended(r, i))
			continue;
		fputc(' ', p->out);
		report_put_thread(p, (thread_id)i);
	}
	fputc('\n', p->out);
}
