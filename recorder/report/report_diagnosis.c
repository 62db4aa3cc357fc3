/* The diagnosis in words. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "recorder/report/diagnosis.h"
#include "recorder/report/mistakes.h"

/* Prints " (prog.c:58, step 11)". */
static void put_place(const struct report *p, size_t i)
{
	fputc(' ', p->out);
	report_put_place(p, i);
}

/* Prints "load x" (prog.c:58, step 11), with the quotes. */
static void put_quoted_step(const struct report *p, size_t i)
{
	char text[CELL_TEXT];

	fprintf(p->out, "\"%s\"", report_step_text(p, &p->r->steps[i], text, sizeof(text)));
	put_place(p, i);
}

static const char *object(const struct report *p, size_t i)
{
	return report_object(p, p->r->steps[i].obj[0]);
}

static void put_lost_wakeup(const struct report *p, const struct diagnosis *d)
{
	fputs("Likely a lost wake-up: no thread was waiting when ", p->out);
	report_put_thread(p, p->r->steps[d->step[0]].thread);
	fprintf(p->out, " did the last %s of %s", event_kind_text(p->r->steps[d->step[0]].kind), object(p, d->step[0]));
	put_place(p, d->step[0]);
	fputs("; ", p->out);
	report_put_thread(p, d->thread);
	fputs(" began to wait after that", p->out);
	put_place(p, d->step[1]);
	fputs(", and no further one follows.", p->out);
}

static void put_wrong_waiter(const struct report *p, const struct diagnosis *d)
{
	fprintf(p->out, "Likely the wrong thread was woken: the last signal of %s, by ", object(p, d->step[0]));
	report_put_thread(p, p->r->steps[d->step[0]].thread);
	put_place(p, d->step[0]);
	fputs(", woke ", p->out);
	report_put_thread(p, p->r->steps[d->step[1]].thread);
	fprintf(p->out, " (step %zu), which waited again", d->step[1] + 1);
	put_place(p, d->step[2]);
	fputs(", while ", p->out);
	report_put_thread(p, d->thread);
	fputs(" was waiting as well", p->out);
	report_put_where(p, &p->r->threads[d->thread].stack, "", NO_STEP);
	fputs(" and now waits for ever. A broadcast would wake both.", p->out);
}

static void put_stolen(const struct report *p, const struct diagnosis *d)
{
	const struct rec_step *wake = &p->r->steps[d->step[2]];

	fputs("Likely a wait that is not in a loop: the ", p->out);
	fprintf(p->out, "%s of %s", event_kind_text(p->r->steps[d->step[0]].kind), object(p, d->step[0]));
	put_place(p, d->step[0]);
	fputs(" woke ", p->out);
	report_put_thread(p, d->thread);
	fputs(", but ", p->out);
	report_put_thread(p, p->r->steps[d->step[1]].thread);
	fprintf(p->out, " acquired %s", report_object(p, wake->obj[wake->kind == EV_COND_WAKE]));
	put_place(p, d->step[1]);
	fputs(" before ", p->out);
	report_put_thread(p, d->thread);
	fputs(" did", p->out);
	put_place(p, d->step[2]);
	fputs("; the condition may be false again, so the thread must check it again.", p->out);
}

static void put_destroyed(const struct report *p, const struct diagnosis *d)
{
	report_put_thread(p, p->r->steps[d->step[1]].thread);
	fprintf(p->out, " used %s", object(p, d->step[1]));
	put_place(p, d->step[1]);
	fputs(" after ", p->out);
	report_put_thread(p, p->r->steps[d->step[0]].thread);
	fputs(" had destroyed it", p->out);
	put_place(p, d->step[0]);
	fputs(".", p->out);
}

static void put_late_store(const struct report *p, const struct diagnosis *d)
{
	bool read = p->r->steps[d->step[1]].kind == EV_LOAD;

	fputs("Likely a missing fence in ", p->out);
	report_put_thread(p, d->thread);
	fprintf(p->out, " between its store to %s", object(p, d->step[0]));
	put_place(p, d->step[0]);
	fprintf(p->out, " and its %s %s", read ? "load of" : "store to", object(p, d->step[1]));
	put_place(p, d->step[1]);
	fputs(p->partner[d->step[0]] == NO_STEP ? ": the first had not reached memory at the end, and " :
		": the first reached memory after the second, and ", p->out);
	report_put_thread(p, p->r->steps[d->step[2]].thread);
	fputs(" did ", p->out);
	put_quoted_step(p, d->step[2]);
	fputs(" before that.", p->out);
}

/* Two critical sections of one lock, and one of another thread between them. */
static void put_split(const struct report *p, const struct diagnosis *d)
{
	fprintf(p->out, " was interrupted between two critical sections of %s: it acquired it", object(p, d->step[0]));
	put_place(p, d->step[0]);
	fputs(", released it, and acquired it again", p->out);
	put_place(p, d->step[2]);
	fputs("; in between ", p->out);
	report_put_thread(p, p->r->steps[d->step[1]].thread);
	fputs(" acquired it", p->out);
	put_place(p, d->step[1]);
	fputs(".", p->out);
}

static void put_atomicity(const struct report *p, const struct diagnosis *d)
{
	fputs("Likely an atomicity violation: ", p->out);
	report_put_thread(p, d->thread);
	if (event_kind_object(p->r->steps[d->step[1]].kind) != OBJ_MEMORY) {
		put_split(p, d);
		return;
	}
	fputs(" was interrupted between ", p->out);
	put_quoted_step(p, d->step[0]);
	fputs(" and ", p->out);
	put_quoted_step(p, d->step[2]);
	fputs("; in between ", p->out);
	report_put_thread(p, p->r->steps[d->step[1]].thread);
	fputs(" did ", p->out);
	put_quoted_step(p, d->step[1]);
	fputs(".", p->out);
}

static void put_order(const struct report *p, const struct diagnosis *d)
{
	const struct rec_thread *th = d->thread == NO_THREAD ? NULL : &p->r->threads[d->thread];
	thread_id writer = d->step[1] == NO_STEP ? NO_THREAD : p->r->steps[d->step[1]].thread;
	char text[CELL_TEXT], where[CELL_TEXT];

	fputs("Likely a wrong order: ", p->out);
	report_put_thread(p, p->r->steps[d->step[0]].thread);
	fputs(" did ", p->out);
	put_quoted_step(p, d->step[0]);
	if (d->step[1] != NO_STEP) {
		fputs(" after ", p->out);
		report_put_thread(p, writer);
		fputs(" had done ", p->out);
		put_quoted_step(p, d->step[1]);
		fputs(th ? ", but" : ".", p->out);
	}
	if (!th)
		return;
	fputs(" before ", p->out);
	report_put_thread(p, d->thread);
	fprintf(p->out, " %s \"%s\"", d->step[1] != NO_STEP ? "continued with" : "did", report_pending_text(p, th, text, sizeof(text)));
	report_where(&th->stack, false, where, sizeof(where));
	fprintf(p->out, "%s%s%s, its next operation.", where[0] ? " (" : "", where, where[0] ? ")" : "");
}

/* The list of waiting threads of the report, on one line. */
static void put_waiting(const struct report *p)
{
	struct report part = *p;
	const char *between = "";
	char *text = NULL;
	size_t size;

	part.out = open_memstream(&text, &size);
	INVARIANT(part.out, "out of memory");
	report_waiting(&part);
	INVARIANT(fclose(part.out) == 0, "out of memory");
	for (const char *at = text + strspn(text, " "); *at; at += strspn(at, "\n ")) {
		size_t n = strcspn(at, "\n");
		fprintf(p->out, "%s%.*s", between, (int)n, at);
		between = n && at[n - 1] == ':' ? " " : "; ";
		at += n;
	}
	fputc('.', p->out);
	free(text);
}

static void put_choice(const struct report *p, const struct diagnosis *d)
{
	char text[CELL_TEXT];

	if (d->step[0] == NO_STEP) {
		fputs("It fails in the scheduler's own order.", p->out);
		return;
	}
	fputs("It needs another order than the scheduler's own: ", p->out);
	fprintf(p->out, "\"%s\"", report_step_text(p, &p->r->steps[d->step[0]], text, sizeof(text)));
	fprintf(p->out, " (step %zu).", d->step[0] + 1);
	if (p->r->fewest_choices)
		fputs(" Schedules with fewer such choices were tried and do not fail in this way.", p->out);
}

/* The diagnosis without its experiments and without an end of line. */
static void put_claim(const struct report *p, const struct diagnosis *d)
{
	switch (d->kind) {
	case DIAGNOSIS_NONE:
	case DIAGNOSIS_KINDS:
		return;
	case DIAGNOSIS_CYCLE:
	case DIAGNOSIS_SPIN:
		put_waiting(p);
		return;
	case DIAGNOSIS_RACE:
		report_clean(p->out, p->r->failure.message);
		fputs("; no synchronisation orders these accesses.", p->out);
		return;
	case DIAGNOSIS_LOST_WAKEUP:
		put_lost_wakeup(p, d);
		return;
	case DIAGNOSIS_WRONG_WAITER:
		put_wrong_waiter(p, d);
		return;
	case DIAGNOSIS_STOLEN_WAKEUP:
		put_stolen(p, d);
		return;
	case DIAGNOSIS_DESTROYED:
		put_destroyed(p, d);
		return;
	case DIAGNOSIS_LATE_STORE:
		put_late_store(p, d);
		break;
	case DIAGNOSIS_ATOMICITY:
		put_atomicity(p, d);
		break;
	case DIAGNOSIS_ORDER:
		put_order(p, d);
		break;
	case DIAGNOSIS_CHOICE:
		put_choice(p, d);
		break;
	case DIAGNOSIS_ABA:
		aba_put(p, d);
		break;
	case DIAGNOSIS_CONTAINER:
		container_put(p, d);
		break;
	case DIAGNOSIS_LOOP:
		loop_put(p, d);
		break;
	case DIAGNOSIS_ENDED:
		ended_put(p, d);
		break;
	case DIAGNOSIS_EARLY:
		early_put(p, d);
		break;
	}
	if (p->r->fewest && p->r->preemptions && d->kind == DIAGNOSIS_ATOMICITY)
		fprintf(p->out, " Schedules with fewer preemptions were tried and do not fail in this way.");
}

static void put_diagnosis(const struct report *p, const struct diagnosis *d)
{
	put_claim(p, d);
	report_tried(p);
}

char *diagnosis_text(const struct report *p, const struct diagnosis *d)
{
	struct report plain = *p;
	char *text = NULL;
	size_t size;

	if (!d->kind)
		return NULL;
	plain.opt.colour = false;
	plain.out = open_memstream(&text, &size);
	INVARIANT(plain.out, "out of memory");
	put_diagnosis(&plain, d);
	INVARIANT(fclose(plain.out) == 0, "out of memory");
	return text;
}

void report_diagnosis(const struct report *p)
{
	struct diagnosis d;

	diagnose(p, &d);
	/* the rest of the report describes these in detail */
	if (!d.kind || d.kind == DIAGNOSIS_CYCLE || d.kind == DIAGNOSIS_SPIN || d.kind == DIAGNOSIS_RACE || p->r->failure.kind == BUG_ROBUSTNESS)
		return;
	fputs("  ", p->out);
	put_diagnosis(p, &d);
	fputc('\n', p->out);
}
