#define SIMUL_TARGET 1 /* a strategy runs in the target, also where the command contains it */
#include "replay/forced.h"

#include <string.h>

#include "replay/guided.h"
#include "sched/await.h"

static struct {
	struct session *session;
	const struct forced_step *step;
	uint32_t n, pos;
	uint32_t passed; /* loads made since the last step without being steps */
	bool begun;
} forced;

#define MOST_PASSED 64 /* more consecutive reads than a spin loop has */
#define MOST_ROUNDS 1000 /* more reads than it takes to recognize that all threads spin */

static const struct forced_step none = { .thread = NO_THREAD };

static void diverge(enum divergence_reason reason, const struct forced_step *expected,
	const struct forced_step *found)
{
	struct session_divergence *d = &forced.session->divergence;
	if (d->happened)
		return; /* only the first divergence is recorded */
	d->step = forced.pos;
	d->reason = reason;
	d->expected = *expected;
	d->found = *found;
	d->happened = 1;
}

/* Freezes the table of spin loops, so that the same iterations are steps as in the recording. After the last step it is released,
   so that threads can be recognized as spinning for ever. */
static void freeze_loops(bool frozen)
{
	struct session *s = forced.session;
	bool always = s->config.settings.model == MODEL_RC11;
	((struct await_table *)((char *)s + s->layout.await_off))->frozen = frozen || always;
}

static bool forced_begin(void *self)
{
	if (forced.begun || forced.session->ctl.execution.executions_started)
		return false;
	freeze_loops(true);
	forced.begun = true;
	forced.pos = 0;
	return true;
}

static void note_enabled(const struct sched_view *view, struct session_divergence *d)
{
	d->enabled_mask = d->draining_mask = 0;
	for (unsigned i = 0; i < view->n; i++) {
		thread_id t = view->choices[i].thread;
		thread_id owner = is_agent(t) ? update_owner(&view->trace->pending[t]) : t;
		uint64_t bit = owner < 64 ? UINT64_C(1) << owner : 0;
		*(is_agent(t) ? &d->draining_mask : &d->enabled_mask) |= bit;
	}
}

static bool may_occur(const struct trace *trace, thread_id t)
{
	return is_agent(t) ? t - (uint32_t)MAX_THREADS < trace->agents : t < trace->threads;
}

/* Returns the pending operation of thread t, or the store that agent t moves next; for the report. */
static struct forced_step about_to(const struct sched_view *view, thread_id t)
{
	struct forced_step s = none;
	if (may_occur(view->trace, t)) {
		const struct event *p = &view->trace->pending[t];
		s = (struct forced_step){ .thread = t, .alt = p->alt, .kind = p->kind,
			.obj = { p->obj[0], p->obj[1] }, .span = p->span };
	}
	return s;
}

static bool is_step(const struct forced_step *s, const struct event *e)
{
	return s->kind == e->kind && s->obj[0] == e->obj[0] && s->obj[1] == e->obj[1] && s->span == e->span;
}

/* Returns whether the choice only reads. */
static bool reads(const struct sched_view *view, unsigned i)
{
	struct event e;
	if (is_agent(view->choices[i].thread) || view->choices[i].alt != ALT_NORMAL)
		return false;
	unsigned kind = view->trace->pending[view->choices[i].thread].kind;
	if (kind == EV_RMW) {
		view->preview(view->world, view->choices[i], &e);
		return e.kind == EV_RMW && event_failed(&e); /* a compare-and-swap that fails */
	}
	return kind == EV_LOAD;
}

static bool swaps(const struct sched_view *view, unsigned i)
{
	const struct choice *c = &view->choices[i];
	return !is_agent(c->thread) && c->alt == ALT_NORMAL && view->trace->pending[c->thread].kind == EV_RMW;
}

/* Returns whether the recording has no step for the load that the thread is about to make, because it was part of a spin loop. Then the
   load reads the same value now; otherwise the thread reaches another operation than the recorded one. EV_GIVE_WAY has no effect and may
   always be left out. */
static bool was_passed(const struct forced_step *s, const struct sched_view *view, unsigned i)
{
	const struct event *p = &view->trace->pending[s->thread]; /* t has a choice, so it has a pending operation */
	if (p->kind == EV_GIVE_WAY)
		return s->kind != EV_NONE && s->kind != EV_GIVE_WAY;
	return s->kind != EV_NONE && reads(view, i) && !is_step(s, p) && forced.passed < MOST_PASSED;
}

/* At the end of the schedule, returns a choice that may be an iteration of a loop, which left no event in the recording; else -1. If it is
   an exchange that does change memory, it is not such an iteration, and the program diverges. */
static int last_round(const struct sched_view *view)
{
	if (forced.pos < forced.n || forced.passed >= MOST_ROUNDS)
		return -1;
	freeze_loops(false);
	for (unsigned i = 0; i < view->n; i++)
		if (reads(view, i) || swaps(view, i))
			return (int)i;
	return -1;
}

/* Before a hang, returns the choice of its thread, which may yield more often than in the recording on a faster processor; else -1. */
static int endless_loop(const struct sched_view *view)
{
	const struct forced_step *s = forced.pos < forced.n ? &forced.step[forced.pos] : &none;
	for (unsigned i = 0; s->kind == EV_DEATH && i < view->n; i++)
		if (view->choices[i].thread == s->thread && view->trace->pending[s->thread].kind == EV_GIVE_WAY)
			return (int)i;
	return -1;
}

/* The alternative with which forced_pick chooses the thread; forced_pick_store chooses the store. */
static unsigned picked_as(unsigned alt)
{
	return alternative_is_older(alt) ? ALT_NORMAL : alt;
}

unsigned forced_order(thread_id t)
{
	const struct forced_step *s = forced.pos < forced.n ? &forced.step[forced.pos] : &none;
	return s->thread == t ? s->order : 0;
}

static int forced_pick_store(void *self, const struct sched_view *view)
{
	const struct forced_step *s = &forced.step[forced.pos];
	for (unsigned i = 0; i < view->n; i++)
		if (view->choices[i].alt == s->alt)
			return (int)i;
	struct forced_step found = about_to(view, s->thread);
	diverge(DIVERGED_NOT_ENABLED, s, &found);
	return PICK_DIVERGED;
}

static int forced_pick(void *self, const struct sched_view *view)
{
	struct session_divergence *d = &forced.session->divergence;
	if (d->happened)
		return PICK_DIVERGED;
	note_enabled(view, d);
	int round = last_round(view);
	if (round >= 0) {
		forced.passed++;
		return PICK_PASS((unsigned)round);
	}
	int loop = endless_loop(view);
	if (loop >= 0)
		return PICK_PASS((unsigned)loop);
	if (forced.pos >= forced.n || forced.step[forced.pos].kind == EV_DEATH) {
		struct forced_step found = about_to(view, view->current == NO_THREAD ? 0 : view->current);
		if (found.kind == EV_NONE)
			found = about_to(view, view->choices[0].thread);
		diverge(DIVERGED_WENT_ON, forced.pos < forced.n ? &forced.step[forced.pos] : &none, &found);
		return PICK_DIVERGED;
	}
	const struct forced_step *s = &forced.step[forced.pos];
	for (unsigned i = 0; i < view->n; i++)
		if (view->choices[i].thread == s->thread && view->choices[i].alt == picked_as(s->alt)) {
			bool pass = was_passed(s, view, i);
			forced.passed = pass ? forced.passed + 1 : 0;
			return pass ? PICK_PASS(i) : (int)i;
		}
	struct forced_step found = about_to(view, s->thread);
	diverge(DIVERGED_NOT_ENABLED, s, &found);
	return PICK_DIVERGED;
}

static void forced_observe(void *self, const struct event *e)
{
	struct forced_step found = { .thread = e->thread, .alt = e->alt, .kind = e->kind,
		.obj = { e->obj[0], e->obj[1] }, .span = e->span };
	if (forced.pos >= forced.n) {
		diverge(DIVERGED_WENT_ON, &none, &found);
		return;
	}
	const struct forced_step *s = &forced.step[forced.pos];
	if (s->thread != e->thread || (s->kind != EV_NONE && (s->kind != e->kind || s->alt != e->alt ||
		s->obj[0] != e->obj[0] || s->obj[1] != e->obj[1] || s->span != e->span)))
		diverge(DIVERGED_OTHER_EVENT, s, &found);
	forced.pos++;
}

static void forced_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	if (forced.pos < forced.n)
		diverge(DIVERGED_ENDED_EARLY, &forced.step[forced.pos], &none);
}

static const struct strategy_ops ops = {
	.name = "forced",
	.begin = forced_begin,
	.pick = forced_pick,
	.pick_store = forced_pick_store,
	.observe = forced_observe,
	.end = forced_end,
};

bool forced_attach(struct session *s, struct strategy *out)
{
	const struct session_layout *l = &s->layout;
	if (l->forced_off > l->size || l->forced_cap > (l->size - l->forced_off) / sizeof(struct forced_step))
		return false;
	if (s->config.mode == MODE_GUIDED) {
		static struct guided guided;
		if (!guided_attach(&guided, (struct guided_area *)((char *)s + l->forced_off),
			    l->forced_cap * sizeof(struct forced_step), out))
			return false;
		guided.begun = s->ctl.execution.executions_started; /* counts executions begun by a process that died */
		return true;
	}
	forced.session = s;
	forced.step = (const struct forced_step *)((char *)s + l->forced_off);
	forced.n = (uint32_t)l->forced_cap;
	out->ops = &ops;
	out->self = &forced;
	return true;
}
