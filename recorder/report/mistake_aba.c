/*
 * ABA: a compare-and-swap succeeds, since it finds the value that its thread read before. In between another thread
 * changed the value and put it back, and changed something else that the thread had read. Without such a second read
 * nothing is out of date: a spin lock, for instance, may be taken and released in between.
 */
#include "recorder/report/accesses.h"
#include "recorder/report/mistakes.h"

/* The steps of the diagnosis. */
enum {
	READ,
	CHANGED,
	SWAPPED,
	PUT_BACK,
	READ_BESIDES,
	OUTDATED
};

static bool same_bytes(const struct rec_step *at, const uint8_t *bytes, const uint8_t *value)
{
	return memcmp(bytes, value, at->value.size) == 0;
}

/* Returns whether the step is a compare-and-swap that succeeded, and what it found is known. Under RC11 recordings do
   not distinguish it from other updates. */
static bool is_swap(const struct recording *r, const struct rec_step *s)
{
	return s->kind == EV_RMW && s->result && r->settings.model != MODEL_RC11 && !rec_step_failed(s) &&
	       step_found(s) && s->obj[0];
}

/* Finds the last read of the word by the thread of the compare-and-swap. It must have found the same value. */
static bool find_read(const struct recording *r, struct diagnosis *d)
{
	const struct rec_step *swap = &r->steps[d->step[SWAPPED]];

	for (size_t i = d->step[SWAPPED]; i-- > 0;) {
		const struct rec_step *s = &r->steps[i];
		if (s->thread != swap->thread || !same_memory(r, s, swap))
			continue;
		d->step[READ] = i;
		return s->obj[0] == swap->obj[0] && !step_writes(s) && step_found(s) &&
		       same_bytes(swap, step_found(s), swap->value.before);
	}
	return false;
}

/* Finds the first step of another thread that changed the word, and the last one, which put the value back. */
static bool find_changes(const struct recording *r, struct diagnosis *d)
{
	const struct rec_step *swap = &r->steps[d->step[SWAPPED]];

	d->step[CHANGED] = d->step[PUT_BACK] = NO_STEP;
	for (size_t i = d->step[READ] + 1; i < d->step[SWAPPED]; i++) {
		const struct rec_step *s = &r->steps[i];
		const uint8_t *left = step_left(s);
		if (s->thread == swap->thread || s->obj[0] != swap->obj[0] || !left)
			continue;
		if (!same_bytes(swap, left, swap->value.before))
			d->step[CHANGED] = d->step[CHANGED] == NO_STEP ? i : d->step[CHANGED];
		else if (d->step[CHANGED] != NO_STEP)
			d->step[PUT_BACK] = i;
	}
	return d->step[PUT_BACK] != NO_STEP;
}

/* Returns the first step after step i, and before `end`, in which another thread changed what step i read; NO_STEP:
   there is none. */
static size_t changed_after(const struct recording *r, size_t i, size_t end)
{
	const struct rec_step *read = &r->steps[i];

	for (size_t k = i + 1; k < end; k++) {
		const struct rec_step *s = &r->steps[k];
		bool same = s->obj[0] == read->obj[0] && step_left(s) && step_found(read) &&
			    same_bytes(read, step_left(s), step_found(read));
		if (s->thread != read->thread && step_writes(s) && same_memory(r, s, read) && !same)
			return k;
	}
	return NO_STEP;
}

/* Finds something else that the thread read before the compare-and-swap, and that was changed before it. */
static bool find_outdated(const struct recording *r, struct diagnosis *d)
{
	const struct rec_step *swap = &r->steps[d->step[SWAPPED]];

	for (size_t i = d->step[READ] + 1; i < d->step[SWAPPED]; i++) {
		const struct rec_step *s = &r->steps[i];
		if (s->thread != swap->thread || s->kind != EV_LOAD || same_memory(r, s, swap))
			continue;
		d->step[READ_BESIDES] = i;
		d->step[OUTDATED] = changed_after(r, i, d->step[SWAPPED]);
		if (d->step[OUTDATED] != NO_STEP)
			return true;
	}
	return false;
}

bool aba_find(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;

	for (size_t i = p->end; i-- > 0;) {
		d->step[SWAPPED] = i;
		if (!is_swap(r, &r->steps[i]) || !find_read(r, d) || !find_changes(r, d) || !find_outdated(r, d))
			continue;
		d->thread = r->steps[i].thread;
		return true;
	}
	return false;
}

void aba_put(const struct report *p, const struct diagnosis *d)
{
	const struct recording *r = p->r;
	const struct rec_step *swap = &r->steps[d->step[SWAPPED]];
	char text[CELL_TEXT];

	fputs("Likely an ABA problem: the compare-and-swap of ", p->out);
	report_put_thread(p, d->thread);
	report_value(p, swap->obj[0], swap->value.before, swap->value.size, text, sizeof(text));
	fputs(" succeeded ", p->out);
	report_put_place(p, d->step[SWAPPED]);
	fprintf(p->out, ", since %s was %s again, as ", report_object(p, swap->obj[0]), text);
	report_put_thread(p, d->thread);
	fputs(" had read it ", p->out);
	report_put_place(p, d->step[READ]);
	fputs(". In between ", p->out);
	report_put_thread(p, r->steps[d->step[CHANGED]].thread);
	fputs(" changed it ", p->out);
	report_put_place(p, d->step[CHANGED]);
	fputs(" and ", p->out);
	if (r->steps[d->step[PUT_BACK]].thread != r->steps[d->step[CHANGED]].thread) {
		report_put_thread(p, r->steps[d->step[PUT_BACK]].thread);
		fputc(' ', p->out);
	}
	fputs("put the value back ", p->out);
	report_put_place(p, d->step[PUT_BACK]);
	fprintf(p->out, ", but %s, which ", report_object(p, r->steps[d->step[READ_BESIDES]].obj[0]));
	report_put_thread(p, d->thread);
	fprintf(p->out, " had read as well (step %zu), is no longer the same (step %zu).", d->step[READ_BESIDES] + 1,
		d->step[OUTDATED] + 1);
}
