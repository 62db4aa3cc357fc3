/* Chooses the lines of a schedule's table: loops are folded, and of a long schedule only the lines that matter are kept. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/report/diagnosis.h"

static bool has_label(const struct recording *r, size_t i)
{
	for (size_t k = 0; k < r->n_labels; k++)
		if (r->labels[k].before == i && r->labels[k].kind == LABEL_PROGRAM)
			return true;
	return false;
}

#define OWN_FOLDED 2 /* so many choices of the scheduler's own become one line */

/* Returns the number of choices of the scheduler's own that begin at step i, with nothing between them, and sets
   *next to the step after them. */
static size_t own_choices(const struct report *p, size_t i, size_t *next)
{
	size_t n = 0;

	for (*next = i; i < p->r->n_steps && report_choice(p->r, i); i++) {
		if (report_is_other_choice(p->r, i) || (n && has_label(p->r, i)))
			break;
		if (report_is_own_choice(p->r, i)) {
			n++;
			*next = i + 1;
		}
	}
	return n;
}

/* Returns whether the step is a part of a choice, and a later one completes it. */
static bool is_part(const struct report *p, size_t i)
{
	return report_choice(p->r, i) && !report_is_own_choice(p->r, i) && !report_is_other_choice(p->r, i);
}

/* Lists all lines. A loop becomes one iteration and a line for the others. Choices of the scheduler's own become one
   line. */
static size_t list_entries(const struct report *p, struct report_entry *out)
{
	const struct recording *r = p->r;
	size_t n = 0, rounds = 0;

	for (size_t i = 0; i < r->n_steps;) {
		size_t period = p->opt.all ? 0 : report_find_loop(r, i, &rounds), next;
		size_t own = p->opt.all ? 0 : own_choices(p, i, &next);
		if (own >= OWN_FOLDED) {
			out[n++] = (struct report_entry){ .step = i, .own = own };
			i = next;
			continue;
		}
		if (!p->opt.all && is_part(p, i)) {
			i++;
			continue;
		}
		for (size_t k = 0; k < (period ? period : 1); k++)
			out[n++].step = i + k;
		if (period)
			out[n++] = (struct report_entry){ .step = i + period, .rounds = rounds - 1 };
		i += period ? period * rounds : 1;
	}
	return n;
}

/* The reasons to keep a step, most important first. */
enum reason { DIAGNOSED, PREEMPTED, CHOSEN, SWITCHED, REASONS };

/* Returns whether everything is an event around the step, so that a switch there means something (struct settings). */
static bool in_window(const struct settings *s, size_t step)
{
	return !s->window_slice || (step >= s->window_from && step < s->window_to);
}

/* Returns whether the step only ends a slice. */
static bool is_slice(const struct recording *r, size_t step)
{
	return r->steps[step].kind == EV_GIVE_WAY && !in_window(&r->settings, step);
}

static bool matters(const struct report *p, const struct diagnosis *d, size_t step, enum reason why)
{
	bool named = false;

	switch (why) {
	case DIAGNOSED:
		for (size_t k = 0; k < DIAGNOSIS_STEPS; k++)
			named |= d->step[k] == step;
		return named;
	case PREEMPTED:
		return p->preempted[step] && in_window(&p->r->settings, step);
	case CHOSEN:
		return report_is_other_choice(p->r, step);
	case SWITCHED:
		return report_is_switch(p->r, step) && in_window(&p->r->settings, step);
	case REASONS:
		break;
	}
	return false;
}

bool report_is_idle(const struct rec_step *s)
{
	return s->kind == EV_ONCE_ENTER && s->result != 1;
}

/* Shows the line, and the nearest lines before and after it that are not idle. */
static void show_around(const struct report *p, size_t around, struct report_entry *e, size_t n, size_t i)
{
	size_t before = 0, after = 0;

	e[i].shown = true;
	for (size_t k = i; k-- > 0 && before < around;)
		if (!report_is_idle(&p->r->steps[e[k].step]))
			e[k].shown = true, before++;
	for (size_t k = i + 1; k < n && after < around; k++)
		if (!report_is_idle(&p->r->steps[e[k].step]))
			e[k].shown = true, after++;
}

/* Keeps the first and last lines, and the lines around the last interesting steps between them. */
static void choose(const struct report *p, const struct shortening *how, struct report_entry *e, size_t n)
{
	bool whole = p->opt.all || n <= how->whole;
	struct diagnosis d;
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		e[i].shown = whole || i < how->head || i >= n - how->tail || (!e[i].rounds && has_label(p->r, e[i].step));
	if (p->opt.all)
		return;
	diagnose(p, &d);
	for (int why = 0; why < REASONS && !whole; why++)
		for (size_t i = n; i-- > 0 && found < how->places;) {
			if (e[i].shown || e[i].rounds || e[i].own || !matters(p, &d, e[i].step, (enum reason)why))
				continue;
			found++;
			show_around(p, how->around, e, n, i);
		}
	for (size_t i = 0; i + 1 < n; i++)
		if ((report_is_idle(&p->r->steps[e[i].step]) || is_slice(p->r, e[i].step)) && !has_label(p->r, e[i].step))
			e[i].shown = false;
	for (size_t i = 1; i + 1 < n; i++) /* a gap of one line is shown, because a note would take as much room */
		e[i].shown |= e[i - 1].shown && e[i + 1].shown;
}

size_t report_entries(const struct report *p, const struct shortening *how, size_t teardown, struct report_entry **out)
{
	struct report_entry *e = xcalloc(p->r->n_steps + p->r->n_steps / LOOP_ROUNDS + 1, sizeof(*e));
	size_t n = list_entries(p, e), before = n;

	while (before > 0 && e[before - 1].step >= teardown)
		before--;
	choose(p, how, e, before);
	if (before < n)
		e[n - 1].shown = true;
	*out = e;
	return n;
}
