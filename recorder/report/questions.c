/* The experiments that can support a diagnosis: reversing the orders that it names, and leaving out switches. */
#include "recorder/report/calls.h"
#include "recorder/report/diagnosis.h"
#include "recorder/report/questions.h"
#include "sched/choice.h"

struct questions {
	const struct report *p;
	struct rec_question *out;
	size_t n, most;
};

static void ask(struct questions *q, unsigned kind, thread_id thread, size_t step, size_t before)
{
	if (q->n < q->most && thread != NO_THREAD && before < q->p->r->n_steps && before && step != before)
		q->out[q->n++].try = (struct rec_try){ .kind = (uint8_t)kind, .thread = thread, .step = step, .before = before };
}

/* Asks for step `late` before step `early`. */
static void ask_order(struct questions *q, size_t late, size_t early)
{
	ask(q, REC_TRY_ORDER, q->p->r->steps[late].thread, late, early);
}

/* Asks for the pending operation of thread t before step `before`. */
static void ask_next(struct questions *q, thread_id t, size_t before)
{
	ask(q, REC_TRY_ORDER, t, NO_STEP, before);
}

/* Asks for an order of more steps, to be tried only if the previous experiment did not pass. */
static void ask_broader(struct questions *q, size_t late, size_t early)
{
	size_t n = q->n;

	ask_order(q, late, early);
	if (q->n > n)
		q->out[n].broader = true;
}

/* Asks for one step of the other thread before or after the interrupted sequence, and else for all its steps in between, such as a whole lost update. */
static void ask_atomicity(struct questions *q, const struct diagnosis *d)
{
	const struct recording *r = q->p->r;
	size_t a = d->step[0], b = d->step[1], c = d->step[2], first = b, last = b;

	for (size_t i = a + 1; i < c; i++) {
		if (r->steps[i].thread != r->steps[b].thread || r->steps[i].kind == EV_UPDATE)
			continue;
		last = i;
		if (i < first && r->steps[i].obj[0] && r->steps[i].obj[0] == r->steps[b].obj[0])
			first = i;
	}
	ask_order(q, b, a);
	if (last != b)
		ask_broader(q, last, a);
	ask_order(q, c, b);
	if (first != b)
		ask_broader(q, c, first);
}

/* Asks for the whole change of a container before its use. If the call that changes it was not over at the failure,
   there is no such order in the recording. */
static void ask_container(struct questions *q, const struct diagnosis *d)
{
	const struct recording *r = q->p->r;
	size_t began = d->step[0], changed = d->step[1];
	const struct rec_thread *th;

	if (began == NO_STEP || changed == NO_STEP)
		return;
	th = &r->threads[r->steps[changed].thread];
	if (th->pending_kind == EV_NONE ||
		call_first_step(r, r->steps[changed].thread, changed, call_function(&th->stack)) == NO_STEP)
		ask_order(q, changed, began);
}

/* For a cycle of locks: one thread acquires both of its locks before the next one acquires its first. */
static void ask_circle(struct questions *q)
{
	const struct recording *r = q->p->r;

	for (thread_id t = 0; t < r->n_threads; t++) {
		const struct rec_thread *th = &r->threads[t];
		size_t at = th->pending_obj[0] ? q->p->locked_at[th->pending_obj[0] - 1] : r->n_steps;
		if (th->pending_kind != EV_NONE && th->waits_for != NO_THREAD && at < r->n_steps && r->steps[at].thread == th->waits_for)
			ask_next(q, t, at);
	}
}

static void ask_diagnosis(struct questions *q)
{
	const struct recording *r = q->p->r;
	struct diagnosis d;

	diagnose(q->p, &d);
	switch (d.kind) {
	case DIAGNOSIS_CYCLE:
		ask_circle(q);
		break;
	case DIAGNOSIS_LOST_WAKEUP:
	case DIAGNOSIS_DESTROYED:
		ask_order(q, d.step[1], d.step[0]);
		break;
	case DIAGNOSIS_WRONG_WAITER:
		ask_next(q, d.thread, d.step[1]);
		break;
	case DIAGNOSIS_STOLEN_WAKEUP:
		ask_order(q, d.step[2], d.step[1]);
		break;
	case DIAGNOSIS_LATE_STORE:
		ask(q, REC_TRY_STORE, r->steps[d.step[0]].thread, d.step[0], d.step[1]);
		break;
	case DIAGNOSIS_ATOMICITY:
	case DIAGNOSIS_ABA:
		ask_atomicity(q, &d);
		break;
	case DIAGNOSIS_CONTAINER:
		ask_container(q, &d);
		break;
	case DIAGNOSIS_LOOP:
		ask_order(q, d.step[1], d.step[0]);
		break;
	case DIAGNOSIS_ENDED:
		if (d.step[0] != NO_STEP && d.step[1] != NO_STEP)
			ask_order(q, d.step[1], d.step[0]);
		break;
	case DIAGNOSIS_EARLY:
		if (d.step[3] != NO_STEP)
			ask_order(q, d.step[3], d.step[2]);
		else
			ask_next(q, d.thread, d.step[2]);
		break;
	case DIAGNOSIS_ORDER:
		if (d.step[1] != NO_STEP)
			ask_order(q, d.step[0], d.step[1]);
		else
			ask_next(q, d.thread, d.step[0]);
		break;
	case DIAGNOSIS_CHOICE: /* ask_choices */
	case DIAGNOSIS_NONE:
	case DIAGNOSIS_SPIN:
	case DIAGNOSIS_RACE:
	case DIAGNOSIS_KINDS:
		break;
	}
}

/* Asks for this value of the choice in step i, if no choice that was asked for before passed. */
static void ask_choice(struct questions *q, size_t i, uint32_t value)
{
	bool first = !q->n || q->out[q->n - 1].try.kind != REC_TRY_CHOICE;

	if (q->n == q->most)
		return;
	q->out[q->n].broader = !first;
	q->out[q->n++].try = (struct rec_try){REC_TRY_CHOICE, 0, q->p->r->steps[i].thread, value, i};
}

/* Asks for other choices of the program's own scheduler, until one passes: first the scheduler's own where it was
   another one, then the others, the last ones first. */
static void ask_choices(struct questions *q)
{
	const struct recording *r = q->p->r;

	for (size_t i = r->n_steps; i-- > 0;)
		if (report_is_other_choice(r, i))
			ask_choice(q, i, 0);
	for (size_t i = r->n_steps; i-- > 0;) {
		struct chosen c = choose_chosen(r->steps[i].result);
		if (!report_is_own_choice(r, i) && !report_is_other_choice(r, i))
			continue;
		for (uint32_t value = 0; value < c.of; value++)
			if (value != c.first && (value || !report_is_other_choice(r, i)))
				ask_choice(q, i, value);
	}
}

/* Returns the thread that ran before step i, or NO_THREAD. UPDATEs belong to no thread. */
static thread_id moved_before(const struct recording *r, size_t i)
{
	while (i && r->steps[i - 1].kind == EV_UPDATE)
		i--;
	return i ? r->steps[i - 1].thread : NO_THREAD;
}

size_t recording_questions(const struct recording *r, struct rec_question *out, size_t most)
{
	struct questions q = { .out = out, .most = most };
	struct report p;

	for (size_t i = 0; i < most; i++)
		out[i].broader = false;
	report_begin(&p, NULL, r, NULL);
	q.p = &p;
	ask_diagnosis(&q);
	ask_choices(&q);
	for (int preempted = 1; preempted >= 0; preempted--)
		for (size_t i = r->n_steps; i-- > 0;)
			if (report_is_switch(r, i) && p.preempted[i] == preempted)
				ask(&q, REC_TRY_GO_ON, moved_before(r, i), NO_STEP, i);
	report_finish(&p);
	return q.n;
}
