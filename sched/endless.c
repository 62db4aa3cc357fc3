/* Threads that never end; see endless.h. */
#include "sched/endless.h"

#include "sched/late_exit.h"
#include "sched/rounds.h"
#include "sched/world_internal.h"

/* Returns the place of t's operation. That of a GIVE_WAY is the operation before: it happens anywhere in a loop. */
static uint64_t place_of(const struct wthread *t)
{
	return (t->op.kind == EV_GIVE_WAY ? t->latest_pc : t->op.pc) << 8 | t->op.kind;
}

/* Returns whether the operation is a wait for a condition that can time out. */
static bool times_out(const struct op *op)
{
	return (op->kind == EV_COND_WAIT || op->kind == EV_COND_WOKEN) && (op->flags & OPF_TIMED);
}

void endless_announced(const struct world *w, struct wthread *t)
{
	const struct endless_limits *l = w->config.endless;
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].thread == t->id && l->at[i].place == place_of(t))
			t->limit = (uint8_t)(i + 1);
}

/* Returns whether limits count in this execution: in a search of all traces everywhere, else only when the process would exit. */
static bool on(const struct world *w)
{
	return w->exit_waits || (w->config.stops && *w->config.stops && !w->rounds_tried);
}

bool endless_over(const struct world *w, const struct wthread *t)
{
	unsigned most = t->op.kind == EV_GIVE_WAY ? 0 : ROUNDS_TRIED; /* a GIVE_WAY stands for very many accesses */
	if (!t->limit || t->begun || times_out(&t->op) || t->turns[t->limit - 1] < most || !on(w))
		return false;
	w->config.endless->used = 1;
	return true;
}

bool endless_no_timeout(const struct world *w, const struct wthread *t)
{
	if (!t->limit || !times_out(&t->op) || t->turns[t->limit - 1] <= ROUNDS_TRIED || !on(w))
		return false;
	w->config.endless->used = 1;
	return true;
}

/* ---- probes ---- */

/* Returns the index of an entry of the thread with this place, or with room for it. */
static uint32_t entry(const struct endless_limits *l, uint32_t thread, uint64_t place)
{
	uint32_t i = 0;
	while (i < l->n && (l->at[i].thread != thread || l->at[i].place != place))
		i++;
	return i;
}

static void change(const struct world *w)
{
	w->config.endless->probe = ENDLESS_OVER;
	w->config.limits->changes++;
}

static void limit(const struct world *w, uint32_t thread, uint64_t place)
{
	struct endless_limits *l = w->config.endless;
	uint32_t i = entry(l, thread, place);
	if (i == l->n && i < ENDLESS_LIMITS) {
		l->at[i].thread = thread;
		l->at[i].place = place;
		l->at[i].ended = 0;
		l->n++;
	}
	change(w);
}

/* The probe of a thread has found no loop without end. */
static void ended(const struct world *w, uint32_t thread)
{
	struct endless_limits *l = w->config.endless;
	limit(w, thread, 0);
	uint32_t i = entry(l, thread, 0);
	if (i < l->n)
		l->at[i].ended++;
}

/* Returns whether a is a better place to stop than b: one where the thread is idle, or one that it passes less often. */
static bool better(const struct endless_count *a, const struct endless_count *b)
{
	return a->idle != b->idle ? a->idle > b->idle : a->n < b->n;
}

/* The thread has passed a place `most` times. Chooses the place of its limit. A place that it passes much less often is in a branch that few turns
   take. */
static void choose(const struct world *w, uint32_t most)
{
	const struct endless_limits *l = w->config.endless;
	const struct endless_count *best = NULL;
	for (uint32_t i = 0; i < l->counted; i++)
		if (l->count[i].n >= most / 8 && (!best || better(&l->count[i], best)))
			best = &l->count[i];
	limit(w, l->thread, best->place);
}

/* Returns whether the thread may stop at its operation: it holds no lock, or waits for a condition with its mutex and a limit of time. */
static bool may_stop(const struct wthread *t)
{
	return t->held == (t->op.kind == EV_COND_WAIT) && (t->op.kind != EV_COND_WAIT || times_out(&t->op));
}

/* Returns how often the thread has passed the place that it passed most often. */
static uint32_t most_passed(const struct endless_limits *l)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < l->counted; i++)
		most = l->count[i].n > most ? l->count[i].n : most;
	return most;
}

/* Counts the event of the thread that is probed. */
static void count(const struct world *w, const struct wthread *t)
{
	struct endless_limits *l = w->config.endless;
	uint32_t i = 0;
	while (i < l->counted && l->count[i].place != place_of(t))
		i++;
	if (i == l->counted && i < ENDLESS_COUNTED && may_stop(t)) {
		bool idle = t->op.kind == EV_YIELD || t->op.kind == EV_SLEEP || (t->op.flags & OPF_TIMED);
		l->count[l->counted++] = (struct endless_count){ .place = place_of(t), .idle = idle };
	}
	if (i < l->counted)
		l->count[i].n++;
	if (w->config.trace->n < l->until)
		return;
	uint32_t most = most_passed(l);
	if (most >= l->enough)
		choose(w, most);
	else
		ended(w, t->id);
}

void endless_performed(const struct world *w, struct wthread *t, const struct event *e)
{
	const struct endless_limits *l = w->config.endless;
	bool rest = t->begun; /* the rest of an operation that was counted */
	if (t->limit && !rest && t->turns[t->limit - 1] <= ROUNDS_TRIED)
		t->turns[t->limit - 1]++;
	if (l->probe == ENDLESS_RUNS && l->thread == t->id && e->kind == EV_THREAD_EXIT)
		ended(w, t->id);
	else if (l->probe == ENDLESS_RUNS && l->thread == t->id && !rest)
		count(w, t);
}

bool world_endless_computes(const struct world *w, thread_id id)
{
	const struct endless_limits *l = w->config.endless;
	return l && l->n && entry(l, id, w->thread[id]->latest_pc << 8 | EV_GIVE_WAY) < l->n;
}

/* Returns the thread that may never end: the exit would stop it, or it has used up half of --max-steps alone. */
static thread_id suspect(const struct world *w, uint32_t room)
{
	const struct endless_limits *l = w->config.endless;
	if (late_exit_forced(w))
		return w->exit_behind;
	if (w->steps < room || w->in_a_row < ENDLESS_MANY)
		return NO_THREAD;
	for (uint32_t i = 0; i < l->n; i++)
		if (l->at[i].thread == w->latest && l->at[i].place)
			return NO_THREAD;
	return w->latest;
}

bool world_endless_probe(struct world *w, uint32_t room)
{
	struct endless_limits *l = w->config.endless;
	if (!l || (!w->exit_waits && w->in_a_row < ENDLESS_MANY) || !w->config.limits || l->probe != ENDLESS_OFF)
		return false;
	thread_id id = suspect(w, room);
	const struct wthread *t = id == NO_THREAD ? NULL : w->thread[id];
	uint32_t events = room < ENDLESS_MANY * ENDLESS_TURN ? room : ENDLESS_MANY * ENDLESS_TURN, i = entry(l, id, 0);
	if (!t || !t->alive || i == ENDLESS_LIMITS || l->n == ENDLESS_LIMITS || (i < l->n && l->at[i].ended >= ENDLESS_PROBES))
		return false;
	if (t->gives == ENDLESS_GIVES) {
		limit(w, t->id, t->latest_pc << 8 | EV_GIVE_WAY);
		return true;
	}
	events -= events / ENDLESS_ROOM_LEFT;
	if (events / ENDLESS_TURN < ENDLESS_FEWER)
		return false;
	l->probe = ENDLESS_RUNS;
	l->thread = t->id;
	l->enough = events / ENDLESS_TURN;
	l->until = w->config.trace->n + events;
	l->counted = 0;
	return true;
}

void world_endless_end(struct world *w)
{
	struct endless_limits *l = w->config.endless;
	if (l && l->probe == ENDLESS_RUNS)
		ended(w, l->thread);
	if (l)
		l->probe = ENDLESS_OFF;
}
