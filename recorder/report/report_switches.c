/* Lists the switches between threads that matter: preemptions, at which the previous thread could have continued, and switches without
   which the failure does not occur. */
#include "recorder/report/report_internal.h"

#define MOST_NAMED 8

bool report_is_switch(const struct recording *r, size_t i)
{
	size_t before = i;

	if (r->steps[i].kind == EV_UPDATE)
		return false;
	while (before && r->steps[before - 1].kind == EV_UPDATE)
		before--;
	return before && r->steps[before - 1].thread != r->steps[i].thread;
}

/* Prints "lock q.lock (queue.c:20)". */
static void put_step_and_location(const struct report *p, size_t i)
{
	char text[CELL_TEXT], where[CELL_TEXT];

	fputs(report_step_text(p, &p->r->steps[i], text, sizeof(text)), p->out);
	if (report_where(&p->r->steps[i].stack, false, where, sizeof(where))[0])
		fprintf(p->out, " (%s)", where);
}

/* Returns the first step of the thread from step i on, or NO_STEP. UPDATEs belong to no thread. */
static size_t goes_on(const struct recording *r, thread_id t, size_t i)
{
	for (; i < r->n_steps; i++)
		if (r->steps[i].thread == t && r->steps[i].kind != EV_UPDATE)
			return i;
	return NO_STEP;
}

static void put_tried(const struct report *p, size_t i)
{
	const struct rec_try *t = report_switch_try(p, i);

	if (!t)
		return;
	fputs(t->result == REC_TRY_PASSES ? "; without this switch nothing fails" : t->result == REC_TRY_FAILS ?
		"; without this switch it fails as well" : "; without this switch it fails in another way", p->out);
}

/* Describes the switch before step i. */
static void put_switch(const struct report *p, size_t i)
{
	const struct recording *r = p->r;
	size_t before = i - 1, next;

	while (before && r->steps[before].kind == EV_UPDATE)
		before--;
	next = goes_on(r, r->steps[before].thread, i);
	fprintf(p->out, "  %s%s step %zu: ", p->preempted[i] ? "»" : "›", report_is_essential(p, i) ? "!" : "", i + 1);
	report_put_thread(p, r->steps[before].thread);
	fputs(" stops after ", p->out);
	put_step_and_location(p, before);
	fputs("; ", p->out);
	report_put_thread(p, r->steps[i].thread);
	fputs(" runs ", p->out);
	put_step_and_location(p, i);
	if (next != NO_STEP) {
		fputs("; ", p->out);
		report_put_thread(p, r->steps[before].thread);
		fprintf(p->out, " continues in step %zu", next + 1);
	}
	put_tried(p, i);
	fputc('\n', p->out);
}

static bool is_listed(const struct report *p, size_t i)
{
	return i && (p->preempted[i] || report_is_essential(p, i)); /* a forged recording may name the first step */
}

void report_switches(const struct report *p)
{
	size_t switches = 0, preemptions = 0, listed = 0, left, named = 0;

	for (size_t i = 0; i < p->r->n_steps; i++) {
		switches += report_is_switch(p->r, i);
		preemptions += p->preempted[i];
		listed += is_listed(p, i);
	}
	if (!switches)
		return;
	fprintf(p->out, "  %zu switch%s to another thread, %zu of them %s%s\n", switches, switches == 1 ? "" : "es", preemptions,
		preemptions == 1 ? "a preemption" : "preemptions", listed ? ":" : "");
	left = p->opt.all || listed <= MOST_NAMED ? 0 : listed - MOST_NAMED;
	if (left)
		fprintf(p->out, "  » … %zu earlier one%s; simul show --all lists them\n", left, left == 1 ? "" : "s");
	for (size_t i = 0; i < p->r->n_steps; i++)
		if (is_listed(p, i) && named++ >= left)
			put_switch(p, i);
}
