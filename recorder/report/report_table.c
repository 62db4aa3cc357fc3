/*
 * The schedule as a table: a line for each event, a column for each thread, the source line at the right. When the
 * columns do not fit it becomes a list with the thread's name at the left.
 *
 * Marks in the margin: › switch to another thread, » preemption (the previous thread could have
 * continued), ≠ a choice that is not the scheduler's own, ✗ the failure.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "recorder/report/report_internal.h"

#define MIN_COLUMN 12   /* narrower cells would be unreadable */
#define MIN_WHERE 12
#define MAX_COLUMNS 12

struct table {
	const struct report *p;
	unsigned n;                     /* columns */
	thread_id thread[MAX_COLUMNS];  /* of each column */
	unsigned width[MAX_COLUMNS];
	unsigned number;                /* width of the step number */
	unsigned where;                 /* width of the source position */
	unsigned text;                  /* width of an event in a list */
	bool functions;                 /* the source position includes the function */
	bool list;                      /* no columns */
	bool cut;                       /* a list with events that are cut to `text` */
	size_t teardown;                /* see report_teardown */
	const struct rec_label *phase;  /* the last one that was printed */
};

/* A line of the table: a step, or the operation that a thread still waits for at the end. */
struct row {
	thread_id thread;
	size_t step; /* number from 1; 0: none */
	const char *text;
	const char *mark;
	bool failure, essential;
};

bool report_is_stuck(const struct report *p, const struct rec_thread *t)
{
	return t->pending_kind != EV_NONE && (p->r->failure.kind == BUG_DEADLOCK || p->r->failure.kind == BUG_LIVELOCK);
}

bool report_is_failing(const struct report *p, size_t i)
{
	const struct recording *r = p->r;

	if (r->failure.kind == BUG_ROBUSTNESS)
		return report_on_cycle(p, i);
	if (i + 1 != r->n_steps || r->failure.kind == BUG_DEADLOCK || r->failure.kind == BUG_LIVELOCK ||
		r->failure.kind == BUG_NONE)
		return false;
	return true;
}

char *report_stuck_text(const struct report *p, const struct rec_thread *t, char *buf, size_t size)
{
	char text[CELL_TEXT];
	enum object_kind object = event_kind_object(t->pending_kind);
	const char *name = report_object(p, t->pending_obj[0]);

	switch (event_kind_waits(t->pending_kind)) {
	case WAITS_CHANGE:
		snprintf(buf, size, recording_is_parked(p->r, t) ? "parked: %s" : t->waits_for == NO_THREAD ? "spins: %s" : "waits: %s", name);
		return buf;
	case WAITS_ASSUMPTION:
		snprintf(buf, size, "simul_assume(0)");
		return buf;
	case WAITS_LOCK:
	case WAITS_TOKEN:
		if (object == OBJ_RWLOCK || object == OBJ_FUTEX)
			break;
		snprintf(buf, size, "waits: %s", name); /* a mutex, a spin lock or a condition has only one kind of wait */
		return buf;
	case WAITS_NOTHING:
	case WAITS_POST:
	case WAITS_END:
	case WAITS_ARRIVALS:
	case WAITS_ONCE:
	case WAITS_READY:
	case WAITS_CHILD:
	case WAITS_DELIVERY:
		break;
	}
	snprintf(buf, size, "waits: %s", report_pending_text(p, t, text, sizeof(text)));
	return buf;
}

/* The text of a step. Updates of stores are indented. */
static char *cell_text(const struct report *p, const struct rec_step *s, char *buf, size_t size)
{
	unsigned indent = s->kind == EV_UPDATE ? 2 : 0;

	memcpy(buf, "  ", indent);
	report_step_text(p, s, buf + indent, size - indent);
	return buf;
}

static unsigned max(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static void header_text(const struct report *p, thread_id t, char *buf, size_t size)
{
	char start[CELL_TEXT / 2];

	report_clean_text(report_start(p, t), start, sizeof(start));
	snprintf(buf, size, "%s%s%s", report_thread(p, t), start[0] ? " " : "", start);
}

static int column_of(const struct table *t, thread_id thread)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->thread[i] == thread)
			return (int)i;
	return -1;
}

/* Makes a column for each thread that does something. Returns false when there are too many. */
static bool choose_columns(struct table *t)
{
	const struct recording *r = t->p->r;

	for (size_t id = 0; id < r->n_threads; id++) {
		bool used = report_is_stuck(t->p, &r->threads[id]);
		for (size_t i = 0; i < r->n_steps && !used; i++)
			used = r->steps[i].thread == id;
		if (!used)
			continue;
		if (t->n == MAX_COLUMNS)
			return false;
		t->thread[t->n++] = (thread_id)id;
	}
	return true;
}

/* Returns whether the schedule may show step i: it comes before the teardown or is the last step. */
static bool may_show(const struct report *p, size_t teardown, size_t i)
{
	return i < teardown || i + 1 == p->r->n_steps;
}

/* Widens the columns to fit the steps. `where` becomes the width of the source position, without and with the function. */
static void measure(struct table *t, unsigned where[2])
{
	const struct recording *r = t->p->r;
	char buf[CELL_TEXT];

	for (unsigned c = 0; c < t->n; c++) {
		header_text(t->p, t->thread[c], buf, sizeof(buf));
		t->width[c] = max(MIN_COLUMN, report_width(report_thread(t->p, t->thread[c])));
		t->width[c] = max(t->width[c], report_width(buf) > 24 ? 24 : report_width(buf));
	}
	for (size_t i = 0; i < r->n_steps; i++) {
		int c = column_of(t, r->steps[i].thread);
		if (!may_show(t->p, t->teardown, i))
			continue;
		cell_text(t->p, &r->steps[i], buf, sizeof(buf));
		if (c >= 0)
			t->width[c] = max(t->width[c], report_width(buf));
		for (int full = 0; full < 2; full++)
			where[full] = max(where[full],
				report_width(report_where(&r->steps[i].stack, full, buf, sizeof(buf))));
	}
	for (size_t i = 0; i < r->n_labels; i++) {
		int c = column_of(t, r->labels[i].thread);
		if (c >= 0 && r->labels[i].kind == LABEL_PROGRAM)
			t->width[c] = max(t->width[c], report_width(report_label_text(&r->labels[i], buf, sizeof(buf))));
	}
	for (size_t i = 0; i < r->n_threads; i++) {
		int c = column_of(t, (thread_id)i);
		if (c < 0 || !report_is_stuck(t->p, &r->threads[i]))
			continue;
		report_stuck_text(t->p, &r->threads[i], buf, sizeof(buf));
		t->width[c] = max(t->width[c], report_width(buf));
		for (int full = 0; full < 2; full++)
			where[full] = max(where[full], report_width(report_where(&r->threads[i].stack, full,
				buf, sizeof(buf))));
	}
}

static unsigned columns_width(const struct table *t)
{
	unsigned total = 0;

	for (unsigned i = 0; i < t->n; i++)
		total += t->width[i] + 3;
	return total;
}

/* Narrows the widest columns until everything fits. Returns false when they would become too narrow. */
static bool shrink(struct table *t, unsigned room)
{
	while (columns_width(t) > room) {
		unsigned widest = 0;
		for (unsigned i = 1; i < t->n; i++)
			if (t->width[i] > t->width[widest])
				widest = i;
		if (t->width[widest] <= MIN_COLUMN + 2)
			return false;
		t->width[widest]--;
	}
	return true;
}

/* Returns the width of the events in a list, so that the positions after them line up. A few very long events may exceed it. */
static unsigned longest_text(const struct report *p, size_t teardown)
{
	char buf[CELL_TEXT];
	unsigned n = 16;

	for (size_t i = 0; i < p->r->n_steps; i++)
		if (may_show(p, teardown, i))
			n = max(n, report_width(cell_text(p, &p->r->steps[i], buf, sizeof(buf))));
	for (size_t i = 0; i < p->r->n_threads; i++) {
		if (!report_is_stuck(p, &p->r->threads[i]))
			continue;
		report_stuck_text(p, &p->r->threads[i], buf, sizeof(buf));
		n = max(n, report_width(buf));
	}
	return n > 40 ? 40 : n;
}

static unsigned path_width(const struct recording *r)
{
	unsigned n = 2;

	for (size_t i = 0; i < r->n_threads; i++)
		n = max(n, report_width(r->threads[i].path));
	return n;
}

/* Lays out a list. Where lines would be too long, functions are left out first, then events are cut. `where` as in measure(). */
static void lay_out_list(struct table *t, const unsigned where[2])
{
	const struct report *p = t->p;
	unsigned others = 2 + t->number + 1 + path_width(p->r) + 2 + 2;
	unsigned room = p->opt.width > others + where[0] ? p->opt.width - others - where[0] : 0;

	t->list = true;
	t->functions = others + t->text + where[1] <= p->opt.width;
	t->cut = t->text > room;
	t->text = t->cut ? max(room, MIN_COLUMN) : t->text;
}

static void lay_out(struct table *t, const struct report *p, size_t teardown)
{
	unsigned where[2] = { MIN_WHERE, MIN_WHERE }, margin, natural, room;
	unsigned width = p->opt.width;
	char number[24];

	memset(t, 0, sizeof(*t));
	t->p = p;
	t->teardown = teardown;
	t->number = (unsigned)snprintf(number, sizeof(number), "%zu", p->r->n_steps);
	margin = 2 + t->number + 1 + 2; /* mark, number, and the bar before the source position */
	t->functions = true;
	t->text = longest_text(p, teardown);
	t->list = !choose_columns(t);
	measure(t, where);
	where[1] = where[1] > 44 ? 44 : where[1];
	where[0] = where[0] > 32 ? 32 : where[0];
	if (t->list) {
		lay_out_list(t, where);
		return;
	}
	t->where = where[1];
	natural = columns_width(t);
	if (margin + natural + where[1] <= width)
		return;
	/* the operation is worth more than its function */
	t->functions = false;
	t->where = where[0];
	room = width > margin + where[0] ? width - margin - where[0] : 0;
	if (room < natural - natural / 4 || !shrink(t, room))
		lay_out_list(t, where);
}

static void put_rule(const struct table *t)
{
	FILE *out = t->p->out;

	report_dim(t->p);
	for (unsigned i = 0; i < 2 + t->number + 1; i++)
		fputs("─", out);
	for (unsigned c = 0; c < t->n; c++) {
		fputs("┼", out);
		for (unsigned i = 0; i < t->width[c] + 2; i++)
			fputs("─", out);
	}
	fputs("┼", out);
	for (unsigned i = 0; i < t->where + 1; i++)
		fputs("─", out);
	report_plain(t->p);
	fputc('\n', out);
}

static void put_bar(const struct table *t)
{
	report_dim(t->p);
	fputs("│ ", t->p->out);
	report_plain(t->p);
}

static void put_header(const struct table *t)
{
	const struct report *p = t->p;
	char buf[CELL_TEXT];

	if (t->list)
		return;
	fprintf(p->out, "  %*s ", (int)t->number, "");
	for (unsigned c = 0; c < t->n; c++) {
		put_bar(t);
		header_text(p, t->thread[c], buf, sizeof(buf));
		report_thread_colour(p, t->thread[c]);
		report_pad(p->out, buf, t->width[c]);
		report_plain(p);
		fputc(' ', p->out);
	}
	put_bar(t);
	fputs("where\n", p->out);
	put_rule(t);
}

static void put_cell(const struct table *t, const struct row *row, const char *text, unsigned width)
{
	if (row->failure)
		report_red(t->p);
	else
		report_thread_colour(t->p, row->thread);
	if (width)
		report_pad(t->p->out, text, width);
	else
		fputs(text, t->p->out);
	report_plain(t->p);
}

/* Moves the part of text that exceeds the column to *rest, broken at the last possible blank; NULL if nothing exceeds it. */
static void break_text(char *text, unsigned width, char **rest)
{
	char *blank = NULL;
	unsigned n = 0;

	*rest = NULL;
	if (report_width(text) <= width)
		return;
	for (char *at = text + strspn(text, " "); *at; at++) {
		n += *at == ' ' ? report_width(text) - report_width(at) - n : 0;
		blank = *at == ' ' && (n <= width || !blank) ? at : blank;
	}
	if (!blank)
		return; /* a word that is too long is cut */
	*blank = '\0';
	*rest = blank + 1;
}

/* Prints a row with columns. A text that is too long continues on the next line, indented. */
static void put_columns(const struct table *t, const struct row *row, const char *where)
{
	FILE *out = t->p->out;
	char line[CELL_TEXT + 2], text[CELL_TEXT], *rest = NULL;

	snprintf(line, sizeof(line), "%s", row->text);
	for (bool first = true; first || rest; first = false) {
		if (!first) {
			snprintf(text, sizeof(text), "%s", rest);
			snprintf(line, sizeof(line), "  %s", text);
			fprintf(out, "  %*s ", (int)t->number, "");
		}
		rest = NULL;
		for (unsigned c = 0; c < t->n; c++) {
			put_bar(t);
			if (t->thread[c] == row->thread) {
				break_text(line, t->width[c], &rest);
				put_cell(t, row, line, t->width[c]);
			} else {
				fprintf(out, "%*s", (int)t->width[c], "");
			}
			fputc(' ', out);
		}
		report_dim(t->p);
		fputs("│", out);
		report_plain(t->p);
		fprintf(out, "%s%s\n", first && where[0] ? " " : "", first ? where : "");
	}
}

/* Prints the rest of a row of the list. A text that is too long continues below itself. */
static void put_listed(const struct table *t, const struct row *row, const char *where)
{
	unsigned left = 2 + t->number + 1 + path_width(t->p->r), width = where[0] ? max(t->text, report_width(row->text)) : 0;
	char line[CELL_TEXT + 2], text[CELL_TEXT], *rest = NULL;

	snprintf(line, sizeof(line), "%s", row->text);
	if (t->cut) {
		break_text(line, t->text, &rest);
		width = where[0] || report_width(line) > t->text ? t->text : 0;
	}
	fputs("  ", t->p->out);
	put_cell(t, row, line, width);
	fprintf(t->p->out, "%s%s\n", where[0] ? "  " : "", where);
	while (rest) {
		snprintf(text, sizeof(text), "%s", rest);
		snprintf(line, sizeof(line), "  %s", text);
		break_text(line, t->text, &rest);
		fprintf(t->p->out, "%*s", (int)left + 2, "");
		put_cell(t, row, line, report_width(line) > t->text ? t->text : 0);
		fputc('\n', t->p->out);
	}
}

static void put_row(const struct table *t, const struct row *row, const struct rec_stack *stack)
{
	FILE *out = t->p->out;
	char where[CELL_TEXT], number[24] = "";

	report_where(stack, t->functions, where, sizeof(where));
	if (t->where && !t->list && report_width(where) > t->where)
		report_where(stack, false, where, sizeof(where));
	if (row->step)
		snprintf(number, sizeof(number), "%zu", row->step);
	if (row->failure)
		report_red(t->p);
	fprintf(out, "%s%c%*s ", row->mark, row->essential ? '!' : ' ', (int)t->number, number);
	report_plain(t->p);
	if (t->list) {
		report_thread_colour(t->p, row->thread);
		report_pad(out, report_thread(t->p, row->thread), path_width(t->p->r));
		report_plain(t->p);
		put_listed(t, row, where);
	} else {
		put_columns(t, row, where);
	}
}

/* Prints the phase in which step i is, if it is another one than before: "── 10 ns, delta 3". */
static void put_phase(struct table *t, size_t i)
{
	const struct rec_label *phase = report_phase(t->p->r, i);
	char text[CELL_TEXT];

	if (!phase || phase == t->phase)
		return;
	t->phase = phase;
	report_clean_text(phase->text, text, sizeof(text));
	report_dim(t->p);
	fprintf(t->p->out, "  ── %s\n", text);
	report_plain(t->p);
}

/* Prints the labels between step i and the one before. */
static void put_labels(const struct table *t, size_t i)
{
	static const struct rec_stack nowhere;
	const struct recording *r = t->p->r;

	for (size_t k = 0; k < r->n_labels; k++) {
		char text[CELL_TEXT];
		struct row row = { r->labels[k].thread, 0, text, " ", false, false };
		if (r->labels[k].before != i || r->labels[k].kind != LABEL_PROGRAM)
			continue;
		report_label_text(&r->labels[k], text, sizeof(text));
		put_row(t, &row, &nowhere);
	}
}

static void put_step_row(const struct table *t, size_t i)
{
	static const struct rec_stack nowhere; /* a choice is made inside the scheduler */
	const struct recording *r = t->p->r;
	char text[CELL_TEXT];
	struct row row = { r->steps[i].thread, i + 1, text, " ", report_is_failing(t->p, i), report_is_essential(t->p, i) };

	cell_text(t->p, &r->steps[i], text, sizeof(text));
	if (row.failure)
		row.mark = "✗";
	else if (t->p->preempted[i])
		row.mark = "»";
	else if (report_is_switch(r, i))
		row.mark = "›";
	else if (report_is_other_choice(r, i))
		row.mark = "≠";
	put_row(t, &row, report_choice(r, i) ? &nowhere : &r->steps[i].stack);
}

/* Prints, after the last step of a deadlock, the operations that threads still wait for. */
static void put_stuck(const struct table *t)
{
	const struct recording *r = t->p->r;

	for (size_t i = 0; i < r->n_threads; i++) {
		char text[CELL_TEXT];
		struct row row = { (thread_id)i, 0, text, "✗", true, false };
		if (!report_is_stuck(t->p, &r->threads[i]))
			continue;
		report_stuck_text(t->p, &r->threads[i], text, sizeof(text));
		put_row(t, &row, &r->threads[i].stack);
	}
}

/* ---- the lines that are shown ---- */

static void put_note(const struct report *p, const char *text)
{
	report_dim(p);
	fprintf(p->out, "  … %s …\n", text);
	report_plain(p);
}

static void put_entry(struct table *t, const struct report_entry *e, const struct report_entry *next)
{
	char text[160];

	if (e->own) {
		snprintf(text, sizeof(text), "%zu choices of the scheduler's own order, up to step %zu", e->own,
			next ? next->step : t->p->r->n_steps);
		put_labels(t, e->step);
		put_note(t->p, text);
		return;
	}
	put_phase(t, e->step);
	if (!e->rounds) {
		put_labels(t, e->step);
		put_step_row(t, e->step);
		return;
	}
	snprintf(text, sizeof(text), "%s: the same accesses %zu times more, up to step %zu",
		report_thread(t->p, t->p->r->steps[e->step].thread), e->rounds, next ? next->step : t->p->r->n_steps);
	put_note(t->p, text);
}

void report_table(const struct report *p, const struct shortening *how)
{
	struct report_entry *e;
	size_t teardown = report_teardown(p), n = report_entries(p, how, teardown, &e), next;
	struct table t;
	char text[120];

	lay_out(&t, p, teardown);
	put_header(&t);
	for (size_t i = 0; i < n; i = next) {
		next = i + 1;
		if (e[i].shown) {
			put_entry(&t, &e[i], next < n ? &e[next] : NULL);
			continue;
		}
		while (next < n && !e[next].shown && (e[next].step >= teardown) == (e[i].step >= teardown))
			next++;
		snprintf(text, sizeof(text), "%zu steps %s; simul show --all prints them", (next < n ? e[next].step : p->r->n_steps) - e[i].step,
			e[i].step >= teardown ? "of teardown" : "left out");
		put_note(p, text);
	}
	put_labels(&t, p->r->n_steps);
	put_stuck(&t);
	report_legend(p);
	free(e);
}

void report_step_line(FILE *out, const struct recording *r, size_t i, const struct report_options *options)
{
	struct report p;
	struct table t = { 0 };
	char number[24];

	report_begin(&p, out, r, options);
	t.p = &p;
	t.list = t.functions = true;
	t.text = longest_text(&p, r->n_steps);
	t.number = (unsigned)snprintf(number, sizeof(number), "%zu", r->n_steps);
	if (i < r->n_steps)
		put_step_row(&t, i);
	report_finish(&p);
}
