/*
 * An object that a thread used after another one had ended it: freed its memory, left the function whose variable it
 * is, or closed or stopped it. Whether a function closes or stops something follows from its name.
 */
#include <string.h>

#include "recorder/report/accesses.h"
#include "recorder/report/calls.h"
#include "recorder/report/mistakes.h"

/* The steps of the diagnosis. */
enum {
	ENDED, /* the last step of the call that ended the object, or its lock or store there; NO_STEP: it has none */
	USED   /* the last step of the use, or its lock or load there; NO_STEP: it has none */
};

/* ---- memory ---- */

static bool find_memory(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;
	const struct rec_block *b = &r->failure.block;
	thread_id user = r->failure.thread, ender = b->error == MEMORY_STACK ? b->owner[0] : b->owner[1];
	size_t ended, used;

	if (r->failure.kind != BUG_MEMORY || (b->error != MEMORY_STACK && b->error != MEMORY_FREED) ||
		ender >= r->n_threads || user >= r->n_threads || ender == user)
		return false;
	ended = call_last_step(r, ender, r->n_steps);
	used = call_last_step(r, user, r->n_steps);
	if (b->error == MEMORY_FREED && call_first_step(r, ender, ended, call_function(&b->stack[1])) != NO_STEP)
		d->step[ENDED] = ended;
	if (call_first_step(r, user, used, call_function(&r->failure.stack)) != NO_STEP)
		d->step[USED] = used;
	d->thread = ender;
	return true;
}

/* ---- an object with a state ---- */

/* Returns whether the name says that something ends. */
static bool is_end(const char *function)
{
	static const char *const words[] = {"close", "shut", "stop", "quit", "finish", "terminate", "destroy",
		"dispose", "deinit", "teardown"};

	return call_is_named(function, words, sizeof(words) / sizeof(words[0]));
}

/* Returns the thread that found out about the failure: the one that ran the failed check, if it is known. */
static thread_id failing_thread(const struct report *p)
{
	return p->end < p->r->n_steps ? p->r->steps[p->end].thread : p->r->failure.thread;
}

/* Returns whether step b takes over from step a what it left: a lock, or a value. */
static bool follows(const struct recording *r, const struct rec_step *a, const struct rec_step *b)
{
	if (step_locks(b))
		return step_locks(a) && a->obj[0] == b->obj[0];
	return step_writes(a) && step_reads(b) && same_memory(r, a, b);
}

/* Finds the last lock or read of the failing thread, and the step before it that it follows. */
static bool find_state(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;
	size_t used = call_last_step(r, failing_thread(p), p->end);

	while (used != NO_STEP && !step_locks(&r->steps[used]) && !step_reads(&r->steps[used]))
		used = call_last_step(r, r->steps[used].thread, used);
	for (size_t i = used == NO_STEP ? 0 : used; i-- > 0;) {
		const struct rec_step *s = &r->steps[i];
		if (!follows(r, s, &r->steps[used]))
			continue;
		d->step[ENDED] = i;
		d->step[USED] = used;
		d->thread = s->thread;
		return s->thread != r->steps[used].thread && is_end(call_function(&s->stack)) &&
		       !is_end(call_function(&r->steps[used].stack));
	}
	return false;
}

bool ended_find(const struct report *p, struct diagnosis *d)
{
	return p->r->failure.kind == BUG_MEMORY ? find_memory(p, d) : find_state(p, d);
}

/* ---- words ---- */

static void put_memory(const struct report *p, const struct diagnosis *d)
{
	const struct recording *r = p->r;
	const struct rec_block *b = &r->failure.block;

	report_put_thread(p, d->thread);
	if (b->error == MEMORY_FREED) {
		fputs(" freed the block", p->out);
		report_put_where(p, &b->stack[1], "step", NO_STEP);
	} else {
		fputs(" left the function whose variable it is", p->out);
	}
	fputs(" without waiting for ", p->out);
	report_put_thread(p, r->failure.thread);
	fputs(", which used it after that", p->out);
	report_put_where(p, &r->failure.stack, "step", d->step[USED]);
	fputc('.', p->out);
}

static void put_state(const struct report *p, const struct diagnosis *d)
{
	const struct rec_step *ended = &p->r->steps[d->step[ENDED]], *used = &p->r->steps[d->step[USED]];
	char name[CELL_TEXT];

	report_put_thread(p, d->thread);
	report_clean_text(call_function(&ended->stack), name, sizeof(name));
	fprintf(p->out, " was in %s", name);
	report_put_where(p, &ended->stack, "step", d->step[ENDED]);
	fputs(" without waiting for ", p->out);
	report_put_thread(p, used->thread);
	fputs(", which was ", p->out);
	if (call_function(&used->stack)) {
		report_clean_text(call_function(&used->stack), name, sizeof(name));
		fprintf(p->out, "in %s ", name);
	}
	fputs("after that", p->out);
	report_put_where(p, &used->stack, "step", d->step[USED]);
	fputc('.', p->out);
}

void ended_put(const struct report *p, const struct diagnosis *d)
{
	fputs("Likely used after its end: ", p->out);
	if (p->r->failure.kind == BUG_MEMORY)
		put_memory(p, d);
	else
		put_state(p, d);
}
