/*
 * A container of the standard library that another thread changed while a thread went over it. The change freed memory,
 * and an iterator or pointer from before the change leads there.
 */
#include <string.h>

#include "recorder/report/calls.h"
#include "recorder/report/mistakes.h"

/* The steps of the diagnosis. */
enum {
	BEGAN,   /* the first step of the call that used the container; each may be NO_STEP */
	CHANGED, /* the last step of the call that changed it */
	WENT_ON  /* the last step before the failure */
};

/* If the function is a member of a container of the standard library, and not its destructor, writes "std::vector" and
   "push_back". */
static bool is_member(const char *function, char *container, char *member, size_t size)
{
	static const char *const names[] = {"vector", "deque", "list", "forward_list", "map", "multimap", "set",
		"multiset", "unordered_map", "unordered_multimap", "unordered_set",
		"unordered_multiset", "basic_string"};
	const char *at = function && !strncmp(function, "std::", 5) ? function + 5 : "", *end;

	if (!strncmp(at, "__cxx11::", 9))
		at += 9;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);
		if (strncmp(at, names[i], n) || at[n] != '<' || !(end = strrchr(at, ':')) || end[1] == '~')
			continue;
		snprintf(container, size, "std::%s", names[i]);
		snprintf(member, size, "%.*s", (int)strcspn(end + 1, "<("), end + 1);
		return true;
	}
	return false;
}

/* Finds the outermost function of a container that the free was made in. */
static bool freed_by_container(const struct recording *r, char *container, char *member, size_t size)
{
	const struct rec_stack *stack = &r->failure.block.stack[1];

	for (size_t i = stack->n; i-- > 0;)
		if (is_member(stack->frame[i].function, container, member, size))
			return true;
	return false;
}

bool container_find(const struct report *p, struct diagnosis *d)
{
	const struct recording *r = p->r;
	const struct rec_block *b = &r->failure.block;
	char container[CELL_TEXT], member[CELL_TEXT];
	size_t last, freed;

	if (r->failure.kind != BUG_MEMORY || b->error != MEMORY_FREED || b->owner[1] == NO_THREAD ||
		b->owner[1] == r->failure.thread || !freed_by_container(r, container, member, sizeof(member)))
		return false;
	last = call_last_step(r, r->failure.thread, r->n_steps);
	freed = call_last_step(r, b->owner[1], r->n_steps);
	d->step[WENT_ON] = last;
	d->step[BEGAN] = call_first_step(r, r->failure.thread, last, call_function(&r->failure.stack));
	if (call_first_step(r, b->owner[1], freed, call_function(&b->stack[1])) != NO_STEP)
		d->step[CHANGED] = freed;
	d->thread = r->failure.thread;
	return true;
}

void container_put(const struct report *p, const struct diagnosis *d)
{
	const struct rec_block *b = &p->r->failure.block;
	char container[CELL_TEXT], member[CELL_TEXT];

	freed_by_container(p->r, container, member, sizeof(member));
	fputs("Likely a container that was changed while it was in use: ", p->out);
	report_put_thread(p, b->owner[1]);
	fputs("'s ", p->out);
	report_clean(p->out, member);
	report_put_where(p, &b->stack[1], "after step", d->step[CHANGED]);
	fprintf(p->out, " freed memory of the %s that ", container);
	report_put_thread(p, d->thread);
	fputs(" was using, and ", p->out);
	report_put_thread(p, d->thread);
	fputs(" went on with an iterator or pointer from before", p->out);
	report_put_where(p, &p->r->failure.stack, "after step", d->step[WENT_ON]);
	fputc('.', p->out);
}
