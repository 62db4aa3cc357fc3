/* Threads in spin loops: sched/await.h applied to the pending operations of the world. */
#include "sched/live.h"
#include "sched/membuf.h"
#include "sched/world_internal.h"

/* Memory as a thread sees it. */
struct eyes {
	const struct world *w;
	const struct wthread *t;
};

static uint32_t value_now(void *ctx, uint64_t addr, uint32_t size)
{
	const struct eyes *x = ctx;
	return membuf_value(x->w, x->t, addr, size);
}

static uint32_t exit_now(const struct world *w, const struct wthread *t)
{
	struct eyes x = { w, t };
	return await_exit(w->config.await, t->await->node, &t->await->visit, value_now, &x);
}

void await_announced(struct world *w, struct wthread *t)
{
	struct await_table *table = w->config.await;
	bool idle = t->op.kind == EV_YIELD || t->op.kind == EV_SLEEP;
	uint32_t node = t->op.flags & OPF_AWAIT && table ? await_find(table, t->op.state) : 0;
	if (event_kind_object(t->op.kind) != OBJ_MEMORY)
		node = 0;
	if (!t->await && node)
		t->await = world_alloc(w, sizeof *t->await);
	struct waiting *a = t->await;
	if (!a)
		return;
	a->node = node;
	if (a->foreseen && !idle) {
		a->diverged |= node != a->foreseen;
		a->foreseen = 0;
	}
	if (!a->first && !idle)
		await_visit_at(&a->visit, node);
	await_watch_at(&a->reach, a->first ? 0 : node);
}

void await_performed(struct world *w, struct wthread *t, const struct event *e)
{
	struct waiting *a = t->await;
	if (!a || e->kind == EV_YIELD || e->kind == EV_SLEEP)
		return;
	if (a->node && (e->flags & EVF_AWAIT) && event_kind_object(e->kind) == OBJ_MEMORY)
		await_visit_event(w->config.await, &a->visit, event_await(e), event_found(e));
	else
		await_visit_at(&a->visit, 0);
	a->node = a->first = 0;
}

/* Call it before anything is decided in a state, since a choice is made in the state that all threads see. */
void await_watch_all(struct world *w)
{
	if (!w->config.await || !w->config.await->nodes)
		return; /* no thread spins */
	for (uint32_t i = 0; i < w->n_live; i++) {
		struct wthread *t = w->thread[w->live[i]];
		struct eyes x = { w, t };
		if (t->await && t->has_op && t->await->node)
			await_watch(w->config.await, &t->await->reach, &t->await->visit, value_now, &x);
	}
}

bool world_silent(const struct world *w, thread_id id)
{
	const struct wthread *t = is_agent(id) ? NULL : w->thread[id];
	const struct waiting *a = t ? t->await : NULL;
	if (!a || !t->has_op)
		return false;
	if (a->first && (t->op.kind == EV_YIELD || t->op.kind == EV_SLEEP))
		return true;
	return a->node && exit_now(w, t) != a->node;
}

void await_passed(struct world *w, struct wthread *t)
{
	struct waiting *a = t->await;
	if (a->node) {
		a->first = a->first ? a->first : a->node;
		a->passed_node = a->node;
		a->passed_found = membuf_value(w, t, t->op.arg[0], (uint32_t)t->op.arg[1]);
		a->foreseen = await_next(w->config.await, a->passed_node, a->passed_found);
	}
	a->node = 0;
}

bool world_diverged(struct world *w, thread_id id)
{
	struct waiting *a = is_agent(id) ? NULL : w->thread[id]->await;
	if (!a || !a->diverged)
		return false;
	await_break(w->config.await, a->passed_node, a->passed_found);
	return true;
}

bool waits_for_lock(const struct world *w, const struct wthread *t)
{
	return t->await && t->await->node && await_is_lock(await_at(w->config.await, t->await->node));
}

bool world_stuck(const struct world *w, unsigned *spinning)
{
	bool stuck = true;
	*spinning = 0;
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		if (w->graph && live_spins(w, t)) {
			++*spinning;
			stuck = false;
		}
		if (!t->has_op || !t->await || !t->await->node)
			continue;
		struct eyes x = { w, t };
		*spinning += !waits_for_lock(w, t);
		stuck &= await_stuck(w->config.await, t->await->node, value_now, &x);
	}
	return stuck;
}

bool world_spins_again(struct world *w)
{
	bool some = false;
	for (uint32_t i = 0; i < w->n_live; i++) {
		struct wthread *t = w->thread[w->live[i]];
		struct waiting *a = t->has_op ? t->await : NULL;
		struct eyes x = { w, t };
		if (!a || !a->node || await_stuck(w->config.await, a->node, value_now, &x))
			continue;
		await_visit_at(&a->visit, a->node);
		await_watch_at(&a->reach, a->first ? 0 : a->node);
		some = true;
	}
	return some;
}

uint64_t world_spins_at(const struct world *w, thread_id id)
{
	const struct wthread *t = w->thread[id];
	struct eyes x = { w, t };
	if (!t->has_op || !t->await || !t->await->node || waits_for_lock(w, t) || !await_stuck(w->config.await, t->await->node, value_now, &x))
		return 0;
	return await_at(w->config.await, await_round(w->config.await, t->await->node, value_now, &x))->pc;
}

const struct await_node *await_decide(const struct world *w, const struct wthread *t, struct decision *d)
{
	const struct waiting *a = t->await;
	uint32_t exit = exit_now(w, t);
	const struct await_node *n = await_at(w->config.await, exit ? exit : a->node);
	d->enabled = exit != 0;
	d->kind = (uint8_t)n->what;
	d->flags = await_flags(n);
	d->result = (int32_t)(a->first ? a->first : a->node);
	return n;
}
