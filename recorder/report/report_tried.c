/* The results of experiments: whether the failure persists when one point of the schedule is changed. */
#include "recorder/report/diagnosis.h"

const struct rec_try *report_switch_try(const struct report *p, size_t step)
{
	for (size_t i = 0; i < p->r->n_tries; i++)
		if (p->r->tries[i].kind == REC_TRY_GO_ON && p->r->tries[i].before == step)
			return &p->r->tries[i];
	return NULL;
}

bool report_is_essential(const struct report *p, size_t step)
{
	const struct rec_try *t = report_switch_try(p, step);

	return t && t->result == REC_TRY_PASSES;
}

/* "top.b first in step 3 (10 ns, delta 3), and the scheduler's own order after it" */
static void put_choice(const struct report *p, const struct rec_try *t)
{
	const struct rec_label *phase = report_phase(p->r, t->before);
	char text[CELL_TEXT];

	report_choice_name(p->r, t->before, (uint32_t)t->step, text, sizeof(text));
	fprintf(p->out, "%s first in step %zu", text, t->before + 1);
	report_clean_text(phase ? phase->text : "", text, sizeof(text));
	fprintf(p->out, "%s%s%s, and the scheduler's own order after it", phase ? " (" : "", text, phase ? ")" : "");
}

/* "step 9 before step 4", or the choice */
static void put_order(const struct report *p, const struct rec_try *t)
{
	char text[CELL_TEXT];

	if (t->kind == REC_TRY_CHOICE) {
		put_choice(p, t);
		return;
	}
	if (t->kind == REC_TRY_GO_ON) {
		report_put_thread(p, t->thread);
		fprintf(p->out, " going on at step %zu", t->before + 1);
		return;
	}
	if (t->kind == REC_TRY_STORE) {
		fprintf(p->out, "the store of step %zu in memory", t->step + 1);
	} else if (t->step == NO_STEP) {
		report_put_thread(p, t->thread);
		fprintf(p->out, "'s \"%s\"", report_pending_text(p, &p->r->threads[t->thread], text, sizeof(text)));
	} else {
		fprintf(p->out, "step %zu", t->step + 1);
	}
	fprintf(p->out, " before step %zu", t->before + 1);
}

bool report_was_tried(const struct report *p)
{
	for (size_t i = 0; i < p->r->n_tries; i++)
		if (p->r->tries[i].kind != REC_TRY_GO_ON)
			return true;
	return false;
}

/* Returns whether the experiment, in which the thread goes on instead of a switch, supports the diagnosis: no order of
   the diagnosis was possible. */
static bool supports(const struct report *p, const struct rec_try *t)
{
	struct diagnosis d;

	diagnose(p, &d);
	return t->kind == REC_TRY_GO_ON && t->thread == d.thread && !report_was_tried(p) &&
	       d.kind == DIAGNOSIS_CONTAINER;
}

/* Lists the orders with this result, in one sentence. */
static void put_orders(const struct report *p, unsigned result, const char *lead, const char *end)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->r->n_tries; i++) {
		const struct rec_try *t = &p->r->tries[i];
		if ((t->kind == REC_TRY_GO_ON && !supports(p, t)) || t->result != result ||
			(t->kind == REC_TRY_CHOICE && result == REC_TRY_FAILS))
			continue;
		fputs(n++ ? ", or with " : lead, p->out);
		put_order(p, t);
	}
	if (n)
		fputs(end, p->out);
}

/* Says how many other choices of the program's own scheduler fail too. There may be many, so they are not listed. */
static void put_failing_choices(const struct report *p)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->r->n_tries; i++)
		n += p->r->tries[i].kind == REC_TRY_CHOICE && p->r->tries[i].result == REC_TRY_FAILS;
	if (n)
		fprintf(p->out, " It also fails with %u other %s of the scheduler that %s tried.", n,
			n == 1 ? "choice" : "choices", n == 1 ? "was" : "were");
}

void report_tried(const struct report *p)
{
	put_orders(p, REC_TRY_PASSES, " Tried: with ", ", nothing fails.");
	put_failing_choices(p);
	put_orders(p, REC_TRY_FAILS, " It also fails with ", ".");
	put_orders(p, REC_TRY_OTHERWISE, " Tried: with ", ", it fails in another way.");
}
