/* See lib_lines.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/unit/lib_lines.h"

void lines_begin(const struct lines *p, struct strategy *s, char order[LINES_MOST + 1], struct trace *trace)
{
	static struct event event[LINES_MOST], pending[MAX_IDS];
	static uint8_t alts[MAX_IDS];
	const char *at[LINES_THREADS];
	*trace = (struct trace){.cap = LINES_MOST, .threads = p->n, .event = event, .pending = pending, .alts = alts};
	memcpy(at, p->code, sizeof at);
	assert_true(s->ops->begin(s->self));
	for (;;) {
		struct choice choices[LINES_THREADS];
		thread_id current = trace->n ? event[trace->n - 1].thread : NO_THREAD;
		struct sched_view view = {.choices = choices, .current = current, .trace = trace};
		for (unsigned t = 0; t < p->n; t++) {
			pending[t] = (struct event){.thread = (thread_id)t, .kind = *at[t] ? EV_BARRIER_INIT : EV_NONE,
				.mode = {*at[t] ? M_WRITE : M_NONE}, .obj = {*at[t] ? (object_id)(*at[t] - 'a' + 1) : 0}};
			if (*at[t])
				choices[view.n++] = (struct choice){.thread = (thread_id)t};
		}
		if (!view.n)
			break;
		int i = s->ops->pick(s->self, &view);
		assert_in_range(i, 0, view.n - 1);
		unsigned t = choices[i].thread;
		order[trace->n] = (char)('0' + t);
		event[trace->n++] = pending[t];
		at[t]++;
		s->ops->observe(s->self, &event[trace->n - 1]);
	}
	order[trace->n] = 0;
}

void lines_run(const struct lines *p, struct strategy *s, char order[LINES_MOST + 1])
{
	struct trace trace;
	lines_begin(p, s, order, &trace);
	s->ops->end(s->self, &trace, RUN_OK);
}

void orders_add(struct orders *o, const char *order)
{
	unsigned i = 0;
	while (i < o->n && strcmp(o->order[i], order))
		i++;
	if (i == o->n) {
		assert_true(o->n < 512);
		strcpy(o->order[o->n++], order);
	}
	o->count[i]++;
}
