/* The results of experiments: whether the failure persists when one point of the schedule is changed. */
#include "recorder/report/report_internal.h"

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

/* "step 9 before step 4" */
static void put_order(const struct report *p, const struct rec_try *t)
{
	char text[CELL_TEXT];

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

/* Lists the orders with this result, in one sentence. */
static void put_orders(const struct report *p, unsigned result, const char *lead, const char *end)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->r->n_tries; i++) {
		const struct rec_try *t = &p->r->tries[i];
		if (t->kind == REC_TRY_GO_ON || t->result != result)
			continue;
		fputs(n++ ? ", or with " : lead, p->out);
		put_order(p, t);
	}
	if (n)
		fputs(end, p->out);
}

void report_tried(const struct report *p)
{
	put_orders(p, REC_TRY_PASSES, " Tried: with ", ", nothing fails.");
	put_orders(p, REC_TRY_FAILS, " It also fails with ", ".");
	put_orders(p, REC_TRY_OTHERWISE, " Tried: with ", ", it fails in another way.");
}
