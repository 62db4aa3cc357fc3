/* See stall.h. */
#include "enforce/lib/stall.h"

#include <stdio.h>
#include <time.h>

#include "base/units.h"
#include "enforce/lib/gate.h"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t sum_of_progress(void)
{
	uint64_t sum = 0;

	for (uint32_t t = 0; t < gate_plan->n_threads; t++)
		sum += __atomic_load_n(&gate_progress[t].done, __ATOMIC_RELAXED);
	return sum;
}

static const struct plan_event *event_at(uint32_t i)
{
	return (const struct plan_event *)plan_at(gate_plan->events) + i;
}

static const char *path_of(uint32_t thread)
{
	return plan_text(((const struct plan_thread *)plan_at(gate_plan->threads))[thread].path);
}

static void set_waits(uint32_t what)
{
	if (self.thread != PLAN_NONE)
		__atomic_store_n(&gate_progress[self.thread].waits_for, what, __ATOMIC_RELAXED);
}

void stall_begin(struct stall *s, uint32_t event)
{
	*s = (struct stall){event, sum_of_progress(), now_ns()};
	set_waits(event + 1);
}

void stall_end(struct stall *s)
{
	set_waits(0);
}

/* Describes what the thread that others wait for is doing. */
static void describe(uint32_t thread, char *buf, size_t size)
{
	const struct plan_progress *p = &gate_progress[thread];
	uint32_t waits = __atomic_load_n(&p->waits_for, __ATOMIC_RELAXED);

	if (!p->tid)
		snprintf(buf, size, "%s has not been created", path_of(thread));
	else if (waits)
		snprintf(buf, size, "%s waits for \"%s\" of %s", path_of(thread), plan_text(event_at(waits - 1)->text),
			path_of(event_at(waits - 1)->thread));
	else
		snprintf(buf, size, "%s is elsewhere in the program, %u of its events after its start", path_of(thread), p->done);
}

void stall_look(struct stall *s)
{
	const struct plan_event *e = event_at(s->event);
	uint64_t sum = sum_of_progress(), now = now_ns();
	char does[512];

	if (__atomic_load_n(&gate_progress[e->thread].ended, __ATOMIC_ACQUIRE) && gate_progress[e->thread].done <= e->k) {
		gate_diverge("the program diverges from its certificate: %s was certified to do \"%s\" (event %u), and has ended", path_of(e->thread),
			plan_text(e->text), e->number);
		return;
	}
	if (sum != s->sum) {
		s->sum = sum;
		s->since = now;
		return;
	}
	if (now - s->since < (uint64_t)gate_plan->stall_ms * 1000000)
		return;
	describe(e->thread, does, sizeof(does));
	gate_diverge("nothing has happened for %u s: %s waits for \"%s\" of %s (event %u); %s (--stall gives it more time)",
		gate_plan->stall_ms / 1000, gate_self_path(), plan_text(e->text), path_of(e->thread), e->number, does);
}
