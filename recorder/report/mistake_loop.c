/*
 * A loop that acquires a lock in each round. Between two rounds another thread had the lock, in a function that by its
 * name adds or removes something: then an index or iterator of the loop may no longer fit.
 */
#include <string.h>

#include "recorder/report/accesses.h"
#include "recorder/report/calls.h"
#include "recorder/report/mistakes.h"

/* The steps of the diagnosis: acquisitions of the lock. */
enum {
	ROUND,
	CHANGED,
	NEXT_ROUND
};

/* Returns whether the name says that something is added or removed. */
static bool is_change(const char *function)
{
	static const char *const words[] = {"insert", "emplace", "add", "push", "append", "put", "erase", "remove",
		"delete", "pop", "take", "clear", "resize", "unlink", "swap"};

	return call_is_named(function, words, sizeof(words) / sizeof(words[0]));
}

/* Finds the lock of the round before step i, which is a lock too, and a change by another thread between them. */
static bool find_rounds(const struct recording *r, size_t i, struct diagnosis *d)
{
	const struct rec_step *now = &r->steps[i];

	d->step[NEXT_ROUND] = i;
	d->step[CHANGED] = NO_STEP;
	for (size_t k = i; k-- > 0;) {
		const struct rec_step *s = &r->steps[k];
		if (!step_locks(s) || s->obj[0] != now->obj[0])
			continue;
		if (s->thread == now->thread) {
			d->step[ROUND] = k;
			return d->step[CHANGED] != NO_STEP && call_same_place(s, now);
		}
		if (is_change(call_function(&s->stack)))
			d->step[CHANGED] = k;
	}
	return false;
}

bool loop_find(const struct report *p, struct diagnosis *d)
{
	for (size_t i = p->end; i-- > 0;)
		if (step_locks(&p->r->steps[i]) && find_rounds(p->r, i, d)) {
			d->thread = p->r->steps[i].thread;
			return true;
		}
	return false;
}

void loop_put(const struct report *p, const struct diagnosis *d)
{
	const struct rec_step *changed = &p->r->steps[d->step[CHANGED]];
	char name[CELL_TEXT];

	fputs("Likely a loop that lets go of its lock: ", p->out);
	report_put_thread(p, d->thread);
	fprintf(p->out, " acquired %s in each round ", report_object(p, changed->obj[0]));
	report_put_place(p, d->step[NEXT_ROUND]);
	fprintf(p->out, ". Since the last round, in step %zu, ", d->step[ROUND] + 1);
	report_put_thread(p, changed->thread);
	report_clean_text(call_function(&changed->stack), name, sizeof(name));
	fprintf(p->out, " had it in %s ", name);
	report_put_place(p, d->step[CHANGED]);
	fputs(", so an index or iterator of the loop may no longer fit.", p->out);
}
