/*
 * Published too early: a thread stores a flag, or a pointer, before it writes what the flag stands for. Another thread
 * sees the flag and reads what is not there yet.
 *
 * A word that its thread writes again afterwards is no flag but a lock or a version, and memory that the thread had
 * written before is not written for the first time. Then there is no diagnosis.
 */
#include "recorder/report/accesses.h"
#include "recorder/report/mistakes.h"

/* The steps of the diagnosis. */
enum {
	FLAG_STORED,
	FLAG_SEEN,
	USED,
	WRITTEN /* NO_STEP: the write is the pending operation of the thread at the end */
};

static bool writes_between(const struct recording *r, thread_id t, const struct rec_step *memory, size_t from,
	size_t end)
{
	for (size_t i = from; i < end; i++)
		if (r->steps[i].thread == t && step_writes(&r->steps[i]) && same_memory(r, &r->steps[i], memory))
			return true;
	return false;
}

/* Returns whether the write left another value than it found, as far as the values are known. */
static bool changes(const struct rec_step *s)
{
	return !s->value.has_before || !step_left(s) || memcmp(s->value.before, s->value.after, s->value.size) != 0;
}

/* Returns the last write of the bytes that step i reads, or NO_STEP. */
static size_t written_by(const struct recording *r, size_t i)
{
	for (size_t w = i; w-- > 0;)
		if (step_writes(&r->steps[w]) && same_memory(r, &r->steps[w], &r->steps[i]))
			return w;
	return NO_STEP;
}

/* Finds the flag: what the reader read before step USED, and the writer had stored. */
static bool find_flag(const struct recording *r, thread_id writer, struct diagnosis *d)
{
	const struct rec_step *used = &r->steps[d->step[USED]];
	size_t end = d->step[WRITTEN] == NO_STEP ? r->n_steps : d->step[WRITTEN];

	for (size_t i = d->step[USED]; i-- > 0;) {
		const struct rec_step *s = &r->steps[i];
		size_t w;
		if (s->thread != used->thread || !step_reads(s) || same_memory(r, s, used))
			continue;
		w = written_by(r, i);
		if (w == NO_STEP || r->steps[w].thread != writer || r->steps[w].buffered || !changes(&r->steps[w]))
			continue;
		if (writes_between(r, writer, used, 0, w) || writes_between(r, writer, s, end, r->n_steps))
			continue;
		d->step[FLAG_STORED] = w;
		d->step[FLAG_SEEN] = i;
		d->thread = writer;
		return true;
	}
	return false;
}

/* Finds the first write of another thread to what step USED read, after that step. */
static bool find_write(const struct recording *r, struct diagnosis *d)
{
	const struct rec_step *used = &r->steps[d->step[USED]];

	for (size_t i = d->step[USED] + 1; i < r->n_steps; i++) {
		const struct rec_step *s = &r->steps[i];
		if (!step_writes(s) || !same_memory(r, s, used))
			continue;
		d->step[WRITTEN] = i;
		return s->thread != used->thread && changes(s) && find_flag(r, s->thread, d);
	}
	d->step[WRITTEN] = NO_STEP;
	for (thread_id t = 0; t < r->n_threads; t++) {
		const struct rec_thread *th = &r->threads[t];
		bool store = th->pending_kind == EV_STORE || th->pending_kind == EV_RMW;
		if (t != used->thread && store && th->pending_obj[0] &&
			recording_touches(r, used, th->pending_obj[0]) && find_flag(r, t, d))
			return true;
	}
	return false;
}

bool early_find(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;

	for (size_t i = p->end; i-- > 0;) {
		d->step[USED] = i;
		if (r->steps[i].kind == EV_LOAD && find_write(r, d))
			return true;
	}
	return false;
}

void early_put(const struct report *p, const struct diagnosis *d)
{
	const struct recording *r = p->r;
	const struct rec_step *used = &r->steps[d->step[USED]];
	const char *flag = report_object(p, r->steps[d->step[FLAG_SEEN]].obj[0]);
	const char *data = report_object(p, used->obj[0]);
	char where[CELL_TEXT] = "";

	fputs("Likely published too early: ", p->out);
	report_put_thread(p, d->thread);
	fprintf(p->out, " stored %s ", flag);
	report_put_place(p, d->step[FLAG_STORED]);
	fprintf(p->out, " before it wrote %s ", data);
	if (d->step[WRITTEN] != NO_STEP) {
		report_put_place(p, d->step[WRITTEN]);
	} else {
		report_where(&r->threads[d->thread].stack, false, where, sizeof(where));
		fprintf(p->out, "(%s%sits next operation)", where, where[0] ? ", " : "");
	}
	fputs(". In between ", p->out);
	report_put_thread(p, used->thread);
	fprintf(p->out, " saw the new value of %s ", flag);
	report_put_place(p, d->step[FLAG_SEEN]);
	fprintf(p->out, " and read %s ", data);
	report_put_place(p, d->step[USED]);
	fputs(", which was not written yet.", p->out);
}
