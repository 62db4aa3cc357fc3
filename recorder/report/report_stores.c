/*
 * Reports the stores that reached memory late, and the effects.
 *
 * A delayed store matters when two things happen before it reaches memory: its thread continues (it reads, or a later store of it
 * overtakes), and another thread accesses the same bytes. If no other thread accesses the bytes of a delayed store, the schedule
 * is possible without store buffers: moving each UPDATE to just after its STORE changes no value that is read.
 */
#include <string.h>

#include "recorder/report/report_internal.h"

#define MOST_REPORTED 6

/* A store on its way to memory. Steps are n_steps when there is none. */
struct delay {
	size_t store, update; /* NO_STEP: it had not reached memory at the end */
	size_t read;          /* the first later load of its thread before it arrived */
	size_t overtook;      /* the first UPDATE of a later store of its thread before it arrived */
	size_t missed;        /* the last access of its bytes by another thread before it arrived; a read, if there is one */
};

/* Returns whether the step accesses memory itself, not only its thread's buffer. */
static bool reaches_memory(const struct rec_step *s)
{
	return !s->buffered && !rec_step_forwarded(s);
}

static bool only_writes(const struct rec_step *s)
{
	return s->kind == EV_UPDATE || s->kind == EV_STORE;
}

static struct delay follow(const struct report *p, size_t store)
{
	const struct recording *r = p->r;
	const struct rec_step *own = &r->steps[store];
	size_t n = r->n_steps, end = p->partner[store] == NO_STEP ? n : p->partner[store];
	struct delay d = { store, p->partner[store], n, n, n };

	for (size_t i = store + 1; i < end; i++) {
		const struct rec_step *s = &r->steps[i];
		if (s->thread == own->thread) {
			if (s->kind == EV_LOAD && d.read == n)
				d.read = i;
			if (s->kind == EV_UPDATE && p->partner[i] > store && d.overtook == n)
				d.overtook = i;
		} else if (reaches_memory(s) && recording_touches(r, s, own->obj[0]) &&
			   (d.missed == n || !only_writes(s) || only_writes(&r->steps[d.missed]))) {
			d.missed = i;
		}
	}
	return d;
}

static const char *object(const struct report *p, size_t step)
{
	const char *name = report_object(p, p->r->steps[step].obj[0]);

	return name[0] ? name : "memory";
}

/* The later operation of the same thread that took effect first. */
static void put_cause(const struct report *p, const struct delay *d)
{
	if (d->read < p->r->n_steps) {
		report_put_thread(p, p->r->steps[d->store].thread);
		fprintf(p->out, " had read %s ", object(p, d->read));
		report_put_place(p, d->read);
		return;
	}
	fputs("the later store to ", p->out);
	fprintf(p->out, "%s ", object(p, d->overtook));
	report_put_place(p, p->partner[d->overtook]);
	fprintf(p->out, " had reached it in step %zu", d->overtook + 1);
}

/* The access of another thread that missed the store. */
static void put_missed(const struct report *p, const struct delay *d)
{
	fputs("; ", p->out);
	report_put_thread(p, p->r->steps[d->missed].thread);
	if (only_writes(&p->r->steps[d->missed]))
		fprintf(p->out, " wrote it in between, in step %zu\n", d->missed + 1);
	else
		fprintf(p->out, " read %s in step %zu and did not see it\n", object(p, d->missed), d->missed + 1);
}

static void put_delay(const struct report *p, const struct delay *d)
{
	fputs("  ", p->out);
	report_put_thread(p, p->r->steps[d->store].thread);
	fprintf(p->out, "'s store to %s ", object(p, d->store));
	report_put_place(p, d->store);
	if (d->update == NO_STEP)
		fputs(" had not reached memory at the end, though ", p->out);
	else
		fprintf(p->out, " reached memory only at step %zu, after ", d->update + 1);
	put_cause(p, d);
	put_missed(p, d);
}

/* Returns whether the sensor could not tell if the store is atomic: a mov in machine code. */
static bool is_bare(const struct rec_step *s)
{
	return !(s->flags & (EVF_PLAIN | EVF_ATOMIC));
}

bool report_late_store(const struct report *p, size_t *store, size_t *before, size_t *missed)
{
	size_t n = p->r->n_steps;

	for (size_t i = 0; i < n; i++) {
		struct delay d;
		if (!p->r->steps[i].buffered)
			continue;
		d = follow(p, i);
		if (d.missed == n || (d.read == n && d.overtook == n))
			continue;
		*store = i;
		/* a later store that overtook it before the access is the more direct reason */
		*before = d.overtook < d.missed ? p->partner[d.overtook] : d.read < n ? d.read : p->partner[d.overtook];
		*missed = d.missed;
		return true;
	}
	return false;
}

void report_stores(const struct report *p)
{
	const struct recording *r = p->r;
	bool buffered = false, met = false, bare_order = false;
	unsigned reported = 0, more = 0;

	for (size_t i = 0; i < r->n_steps; i++) {
		struct delay d;
		if (!r->steps[i].buffered)
			continue;
		buffered = true;
		d = follow(p, i);
		met |= d.missed < r->n_steps;
		if (d.missed == r->n_steps || (d.read == r->n_steps && d.overtook == r->n_steps))
			continue;
		bare_order |= d.overtook < r->n_steps && is_bare(&r->steps[i]);
		if (r->failure.kind == BUG_ROBUSTNESS)
			continue; /* the report of the cycle covers it */
		if (reported++ < MOST_REPORTED)
			put_delay(p, &d);
		else
			more++;
	}
	if (more)
		fprintf(p->out, "  %u more store%s reached memory late\n", more, more == 1 ? "" : "s");
	if (buffered && !met && r->failure.kind != BUG_ROBUSTNESS)
		fputs("  No access missed a store on its way to memory: this can happen without store buffers as well.\n", p->out);
	if (bare_order)
		fputs("  Here stores of one thread reach memory out of order (PSO). An x86 processor never does that; --model tso explores "
		      "what it does. The failure concerns other processors, or compilers that reorder these stores.\n",
			p->out);
}
