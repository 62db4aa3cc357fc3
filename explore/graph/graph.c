/*
 * The walk over the execution graphs of a program under RC11: see graph.h and graph.md.
 *
 * An execution repeats the events of the current graph and continues to its end, where each new event takes its first choice: a load reads the
 * latest store, a store becomes the latest. `graph_end` goes back to the newest event with another choice or another revisit.
 */
#include "explore/graph/graph.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"

static size_t aligned(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static uint32_t room_for_saved(const struct graph_config *config)
{
	return config->saved ? config->saved : config->limits.events * 16;
}

/* Each revisit on the path has an execution whose threads may wait. */
static uint32_t room_for_pending(const struct graph_config *config)
{
	return config->limits.events * config->limits.threads;
}

/* Fills the fields that say where the arrays begin. Returns the number of bytes of all. */
static size_t graph_lay_out(struct graph *g, const struct graph_config *config)
{
	uint32_t n = config->limits.events;
	size_t at = aligned(sizeof *g);
	g->model_at = at;
	at += aligned(rc11_bytes(config->limits));
	g->steps_at = at;
	at += aligned(n * sizeof(struct graph_step));
	g->revisits_at = at;
	at += aligned(n * sizeof(struct graph_revisit));
	g->plan_at = at;
	at += aligned(n * sizeof(struct graph_event));
	g->saved_at = at;
	at += room_for_saved(config) * sizeof(struct graph_event);
	g->pending_at = at;
	at += (size_t)room_for_pending(config) * sizeof(struct rc11_op);
	g->known_at = at;
	at += n * sizeof(struct graph_known);
	g->plan_known_at = at;
	at += n * sizeof(struct graph_known);
	g->saved_known_at = at;
	return at + room_for_saved(config) * sizeof(struct graph_known);
}

size_t graph_bytes(const struct graph_config *config)
{
	struct graph g;
	return graph_lay_out(&g, config);
}

void graph_init(struct graph *g, const struct graph_config *config)
{
	memset(g, 0, sizeof *g);
	g->config = *config;
	g->config.saved = room_for_saved(config);
	graph_lay_out(g, config);
	rc11_init(graph_model(g), config->limits);
}

bool graph_begin(struct graph *g)
{
	if (g->failed || g->stats.finished)
		return false;
	g->started = 1;
	g->at = g->full = g->raced = g->impossible = g->pending_here = 0;
	return true;
}

/* The rank of a thread: of those that can run, the one with the lowest rank runs. */
static uint64_t rank_of(const struct graph *g, uint32_t t)
{
	return g->config.shuffle ? hash_mix(g->config.shuffle, t) : t;
}

int graph_thread(struct graph *g, const uint8_t *enabled, uint32_t threads)
{
	const struct rc11 *m = graph_model(g);
	int best = -1;
	if (g->failed || g->full || g->raced || g->impossible)
		return -1;
	if (g->at < m->n) {
		uint32_t t = rc11_event(m, g->at)->op.thread;
		if (t < threads && enabled[t])
			return (int)t;
		bool call = rc11_event(m, g->at)->op.kind == RC11_CALL;
		if (call && g->at + 1 == m->n && !graph_step_at(g, g->at)->knows) {
			g->impossible = 1;
			return -1;
		}
		g->failed = g->stats.diverged = 1;
		return -1;
	}
	for (uint32_t t = 0; t < threads; t++)
		if (enabled[t] && (best < 0 || rank_of(g, t) < rank_of(g, (uint32_t)best)))
			best = (int)t;
	return best;
}

static bool same_op(const struct rc11_op *a, const struct rc11_op *b)
{
	return a->kind == b->kind && a->order == b->order && a->fail == b->fail && a->update == b->update && a->size == b->size &&
	       a->thread == b->thread && a->other == b->other && a->place == b->place && a->operand == b->operand && a->expected == b->expected;
}

/*
 * Ends the execution if the event that was just performed races with an earlier one. Of the events that are repeated,
 * only the last two can be in their graph for the first time: the newest one, or a store and the load that gave way to
 * it.
 */
static const struct rc11_event *performed(struct graph *g)
{
	struct rc11 *m = graph_model(g);
	uint32_t i = g->at++;
	if (m->n - i <= 2)
		g->raced = rc11_race(m, i);
	return rc11_event(m, i);
}

const struct rc11_event *graph_step(struct graph *g, const struct rc11_op *op)
{
	struct rc11 *m = graph_model(g);
	if (g->failed || g->full || g->raced)
		return NULL;
	if (g->at < m->n) {
		if (same_op(&rc11_event(m, g->at)->op, op))
			return performed(g);
		g->failed = g->stats.diverged = 1;
		return NULL;
	}
	bool touches = rc11_reading(op) || rc11_storing(op);
	if (!rc11_push(m, op, touches ? rc11_latest(m, op->place) : RC11_INITIAL)) {
		g->full = 1;
		return NULL;
	}
	*graph_step_at(g, g->at) = (struct graph_step){0};
	return performed(g);
}

void graph_learn(struct graph *g, const struct graph_known *known)
{
	uint32_t clock[RC11_THREADS], threads = graph_model(g)->limits.threads, i = graph_model(g)->n - 1;
	*graph_known_at(g, i) = *known;
	graph_step_at(g, i)->knows = 1;
	for (uint32_t t = 0; t < threads; t++)
		clock[t] = known->of[t];
	rc11_depends(graph_model(g), i, clock);
}

struct graph_event graph_event_at(struct graph *g, uint32_t i)
{
	const struct rc11_event *e = rc11_event(graph_model(g), i);
	uint32_t store = e->writes ? e->after : e->reads_from;
	return (struct graph_event){.op = e->op, .store = store, .was = i, .step = *graph_step_at(g, i)};
}

void graph_put(struct graph *g, const struct graph_event *e, const struct graph_known *known)
{
	rc11_push(graph_model(g), &e->op, e->store);
	*graph_step_at(g, graph_model(g)->n - 1) = e->step;
	if (e->step.knows)
		graph_learn(g, known);
}

void graph_knows(struct graph *g, const uint32_t *clock)
{
	struct rc11 *m = graph_model(g);
	uint32_t i = g->at - 1;
	if (g->failed || g->full || !g->at || graph_step_at(g, i)->knows)
		return;
	INVARIANT(g->at == m->n, "event %u of %u does not know what happens before it", i, m->n);
	struct graph_known known = {0};
	for (uint32_t t = 0; t < m->limits.threads; t++)
		known.of[t] = (uint16_t)clock[t];
	graph_learn(g, &known);
}

void graph_did(struct graph *g, bool took, bool second)
{
	struct graph_step *step = graph_step_at(g, g->at - 1);
	step->took = took;
	step->second = second;
}

enum graph_choice graph_next_call(const struct graph *g)
{
	const struct rc11 *m = (const struct rc11 *)((const char *)g + g->model_at);
	if (g->at >= m->n || rc11_event(m, g->at)->op.kind != RC11_CALL)
		return GRAPH_FIRST;
	return (enum graph_choice)rc11_event(m, g->at)->op.expected;
}

void graph_blocked(struct graph *g, const struct rc11_op *op)
{
	if (g->failed || g->full || g->raced || g->impossible)
		return;
	if (g->pending == room_for_pending(&g->config)) {
		g->failed = g->stats.out_of_memory = 1;
		return;
	}
	*graph_pending_at(g, g->pending++) = *op;
	g->pending_here++;
}

/* ---- going on to the next graph ---- */

/* Returns whether another thread has the mutex of the CALL after event `at` of its chain. */
static bool is_taken(struct graph *g, const struct rc11_op *op, uint32_t at)
{
	const struct rc11 *m = graph_model(g);
	for (; at; at = rc11_event(m, at - 1)->older) {
		const struct rc11_op *by = &rc11_event(m, at - 1)->op;
		if (by->operand != op->operand || by->update == GRAPH_NO_MUTEX)
			continue;
		if (by->update == GRAPH_FREES || graph_step_at(g, at - 1)->took)
			return by->update != GRAPH_FREES && by->thread != op->thread;
	}
	return false;
}

/* Returns false if the operation would certainly have to wait after `store`. */
static bool may_follow(struct graph *g, const struct rc11_op *op, uint32_t store)
{
	if (op->kind == RC11_LOCK)
		return !store || rc11_event(graph_model(g), store - 1)->op.kind != RC11_LOCK;
	return op->kind != RC11_CALL || op->update != GRAPH_TAKES || !is_taken(g, op, store);
}

/*
 * Adds an event with the first choice that is older than `store`: the store it reads, or the store after which it is
 * placed. Returns false when there is none. A read-modify-write that can stay only if another one gives way has only
 * revisits.
 */
static bool choose_older(struct graph *g, struct rc11_op op, uint32_t store, struct graph_step step)
{
	struct rc11 *m = graph_model(g);
	while (store != RC11_INITIAL) {
		store = rc11_event(m, store - 1)->older;
		if (!may_follow(g, &op, store))
			continue;
		rc11_push(m, &op, store);
		step.revisiting = 0;
		step.knows = step.took = 0; /* it comes after other calls */
		step.gave_way = step.placed = 0;
		enum rc11_verdict v = rc11_verdict(m);
		if (v == RC11_TORN && op.kind != RC11_STORE)
			step.revisiting = 1;
		if (v == RC11_CONSISTENT || step.revisiting) {
			*graph_step_at(g, m->n - 1) = step;
			return true;
		}
		rc11_pop(m);
		if (v == RC11_INCOHERENT)
			return false;
	}
	return false;
}

/* Adds a CALL again with its second choice, which follows when all places of the first were tried: as the latest of its
   chain, if that was possible, or else at an older place. Returns false when there is none. */
static bool choose_second(struct graph *g, struct rc11_op op, struct graph_step was)
{
	struct rc11 *m = graph_model(g);
	uint32_t latest = rc11_latest(m, op.place);
	op.expected = GRAPH_SECOND;
	if (!was.second)
		return choose_older(g, op, latest, was);
	rc11_push(m, &op, latest);
	*graph_step_at(g, m->n - 1) = (struct graph_step){0};
	return true;
}

/* Takes the last n pending operations one after the other, until one can be added as if it came next. It reads an older
   event of its chain than the latest, after which it must wait, and so has revisits only. */
static void add_pending(struct graph *g, uint32_t n)
{
	struct rc11 *m = graph_model(g);
	while (n--) {
		const struct rc11_op *op = graph_pending_at(g, --g->pending);
		if (m->n == m->limits.events) {
			g->failed = g->stats.out_of_memory = 1;
			return;
		}
		if (choose_older(g, *op, rc11_latest(m, op->place), (struct graph_step){.blocked = 1, .more = n}))
			return;
	}
}

/* Event i, and those after it, may not be those of the last execution any more. */
static void changes(struct graph *g, uint32_t i)
{
	if (g->same > i)
		g->same = i;
}

/* Replaces the newest event's choice. Returns false when it has no other; then the event is removed. */
static bool next_choice(struct graph *g)
{
	struct rc11 *m = graph_model(g);
	struct graph_step *step = graph_step_at(g, m->n - 1);
	const struct rc11_event *e = rc11_event(m, m->n - 1);
	struct rc11_op op = e->op;
	bool placing = e->op.kind == RC11_STORE;
	changes(g, m->n - 1);
	if ((!e->reads && !placing) || (placing && step->revisiting) || (!placing && step->fixed)) {
		rc11_pop(m);
		return false;
	}
	struct graph_step was = *step;
	uint32_t store = placing ? e->older : e->reads_from;
	rc11_pop(m);
	if (choose_older(g, op, store, was))
		return true;
	if (op.kind == RC11_CALL && op.expected == GRAPH_FIRST && choose_second(g, op, was))
		return true;
	if (was.blocked)
		add_pending(g, was.more);
	if (!placing)
		return false;
	/* all places of the event were tried, and its revisits do not depend on its place */
	rc11_push(m, &op, rc11_latest(m, op.place));
	*graph_step_at(g, m->n - 1) = (struct graph_step){.revisiting = 1};
	return true;
}

void graph_advance(struct graph *g)
{
	struct rc11 *m = graph_model(g);
	while (!g->failed) {
		if (g->revisits && m->n <= graph_revisit_at(g, g->revisits - 1)->floor) {
			changes(g, graph_revisit_at(g, g->revisits - 1)->base);
			graph_undo_revisit(g);
		}
		if (!g->revisits && m->n <= g->root) {
			g->stats.finished = 1;
			return;
		}
		struct graph_step *step = graph_step_at(g, m->n - 1);
		const struct rc11_event *e = rc11_event(m, m->n - 1);
		if (e->reads && e->writes)
			step->revisiting = 1; /* the place of its store is that of the store it reads */
		if (step->revisiting && graph_next_revisit(g)) {
			changes(g, graph_revisit_at(g, g->revisits - 1)->base);
			return;
		}
		if (g->failed)
			return;
		if (next_choice(g) && !graph_step_at(g, m->n - 1)->revisiting)
			return;
	}
}

/* There is no graph with the newest event. */
static void pop_impossible(struct graph *g)
{
	struct rc11 *m = graph_model(g);
	changes(g, m->n - 1);
	rc11_pop(m);
}

void graph_end(struct graph *g)
{
	struct rc11 *m = graph_model(g);
	if (!g->started)
		return;
	g->started = 0;
	while (g->raced && m->n > g->at)
		rc11_pop(m);
	if (g->at < m->n && !g->failed && !g->impossible)
		g->failed = g->stats.diverged = 1;
	g->stats.events += g->at;
	g->same = g->at;
	if (g->failed)
		return;
	if (g->full)
		g->stats.cut++;
	else if (g->impossible)
		pop_impossible(g);
	else if (g->raced)
		g->stats.races++;
	else
		g->stats.executions++;
	if (g->full)
		g->pending -= g->pending_here;
	else
		add_pending(g, g->pending_here);
	graph_advance(g);
}
