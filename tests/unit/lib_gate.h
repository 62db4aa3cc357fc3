/* The rules of enforce/lib/gate.h as a strategy of the toy's world, for test_enforce.c: runs everything that a certificate allows. */
#ifndef LIB_GATE_H
#define LIB_GATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "enforce/partial_order.h"
#include "explore/trace/feasible.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_RUNS 120 /* runs of one certificate: half of them in order, half of them random */
#define MOST_STEPS 512

/* CHOICE: what belongs to the choice among finished siblings beyond the two rules. */
enum { RULE_1 = 1, RULE_2 = 2, BOTH = 3, CHOICE = 4, ALL = 7 };

static struct toy toy;
static _Alignas(16) char memory[8 << 20];
static uint64_t seed = 7, left_otherwise;
/* main may end the process while threads run. Whether one of them had started by then makes another trace, but no thread can observe it. */
static bool early_exit;

/* The state of the rules while the program runs. */
struct gate {
	const struct partial_order *order;
	uint32_t certified;           /* current number of events in the prefix */
	uint32_t start;               /* number at the start of a run; `instead` belongs to it */
	uint32_t instead[SPINE_SIBLINGS], n_instead; /* indices of events that may be performed instead of the last one */
	uint32_t chosen;              /* index + 1 of the chosen event; 0: none yet */
	bool shortens;                /* the prefix is the whole execution at first, and gets shorter while the program runs */
	unsigned rules;
	uint64_t (*name)[2];          /* names of the objects of each event, in the execution that has the event */
	bool performed[MOST_STEPS];
	uint32_t count[MAX_THREADS];  /* events of each thread so far */
	uint32_t steps[MAX_THREADS], most[MAX_THREADS]; /* including local events; `most`: in the execution that the prefix is from */
	unsigned choice[MOST_STEPS], of[MOST_STEPS], depth, planned; /* the run, as indices of choices */
	bool stuck, strange;
	uint64_t random; /* 0: the runs are enumerated in order */
};

static struct gate gate;

/* Returns the index of the k-th event of a thread in the prefix, or UINT32_MAX. */
static uint32_t certified_event(const struct gate *g, thread_id t, uint32_t k)
{
	for (uint32_t i = 0; i < g->certified; i++)
		if (g->order->event[i].e.thread == t && !k--)
			return i;
	return UINT32_MAX;
}

static bool is_local(const struct event *e)
{
	return event_kind_flags(e->kind) & K_LOCAL;
}

/* Rule 2. Returns whether the two events touch the same object. */
static bool touch(const struct gate *g, const struct sched_view *view, const struct event *e, uint32_t i)
{
	const struct event *p = &g->order->event[i].e;
	uint64_t alo, ahi, blo, bhi;

	if ((event_kind_flags(e->kind) | event_kind_flags(p->kind)) & (K_END | K_ALL))
		return true;
	if (event_bytes(e, &alo, &ahi) && event_bytes(p, &blo, &bhi) && alo <= bhi && blo <= ahi)
		return true;
	for (int a = 0; a < 2; a++)
		for (int b = 0; b < 2; b++)
			if (e->obj[a] && p->obj[b] && !object_is_memory(e->obj[a]) && !object_is_memory(p->obj[b]) &&
				view->object_name(view->world, e->obj[a]) == g->name[i][b])
				return true;
	return false;
}

/* Returns whether the end of the process is in the prefix. */
static bool ends(const struct gate *g)
{
	return g->certified && (event_kind_flags(g->order->event[g->certified - 1].e.kind) & K_END);
}

/* ---- the choice among finished siblings ---- */

static bool chooses(const struct gate *g)
{
	return g->n_instead && g->certified == g->start;
}

/* Returns the index of the event that the thread comes to, if it may be chosen, or UINT32_MAX. */
static uint32_t candidate(const struct gate *g, thread_id t)
{
	uint32_t i = certified_event(g, t, g->count[t]), before = 0;

	if (!chooses(g) || i + 1 == g->certified)
		return chooses(g) ? i : UINT32_MAX;
	for (uint32_t k = 0; k < g->certified; k++)
		before += g->order->event[k].e.thread == t;
	for (uint32_t k = 0; k < g->n_instead; k++)
		if (g->order->event[g->instead[k]].e.thread == t && g->count[t] == before)
			return g->instead[k];
	return UINT32_MAX;
}

/* Returns whether the event may be performed, given that it is not in the prefix or has not been chosen: rule 2, and before the choice, it must not
   touch what any candidate touches. */
static bool allowed_behind(const struct gate *g, const struct sched_view *view, const struct event *e)
{
	uint32_t n = g->certified - chooses(g);

	for (uint32_t i = 0; i < n && g->rules & RULE_2; i++)
		if (!g->performed[i] && touch(g, view, e, i))
			return false;
	if (!chooses(g) || g->chosen || !(g->rules & RULE_2))
		return true;
	if (touch(g, view, e, g->certified - 1))
		return false;
	for (uint32_t k = 0; k < g->n_instead && g->rules & CHOICE; k++)
		if (touch(g, view, e, g->instead[k]))
			return false;
	return true;
}

static bool allowed_candidate(struct gate *g, const struct sched_view *view, const struct event *e, uint32_t i)
{
	const struct ordered_event *o = &g->order->event[i];

	if (g->chosen)
		return allowed_behind(g, view, e);
	g->strange |= e->kind != o->e.kind;
	if (e->alt != o->e.alt)
		return false;
	for (uint32_t k = 0; k < o->n && g->rules & RULE_1 && i < g->certified; k++)
		if (!g->performed[o->after[k]])
			return false;
	for (uint32_t k = 0; k + 1 < g->certified && g->rules & RULE_2; k++)
		if (!g->performed[k] && touch(g, view, e, k))
			return false;
	return true;
}

static bool allowed(struct gate *g, const struct sched_view *view, struct choice c)
{
	struct event e;
	uint32_t i = certified_event(g, c.thread, g->count[c.thread]);

	view->preview(view->world, c, &e);
	if (is_local(&e)) /* if the prefix ends the process, an extra local event makes another trace, which no thread can observe */
		return !ends(g) || g->steps[c.thread] < g->most[c.thread];
	if (candidate(g, c.thread) != UINT32_MAX)
		return allowed_candidate(g, view, &e, candidate(g, c.thread));
	if (i != UINT32_MAX) {
		const struct ordered_event *o = &g->order->event[i];

		if (c.alt != o->e.alt)
			return false; /* a timeout is forced, or it is not a choice */
		g->strange |= e.kind != o->e.kind;
		for (thread_id t = 0; t < TOY_THREADS && (event_kind_flags(e.kind) & K_END); t++)
			if (t != c.thread && g->steps[t] < g->most[t])
				return false; /* a run with one local event less is another trace, too, and no thread can observe that either */
		for (uint32_t k = 0; k < o->n && g->rules & RULE_1; k++)
			if (!g->performed[o->after[k]])
				return false;
		return true;
	}
	return allowed_behind(g, view, &e);
}

static uint64_t random_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 8;
}

/* Shortens the prefix as a search beside the program does (enforce/relax.h): at any time, by any number of events. */
static void maybe_shorten(struct gate *g)
{
	if (!g->shortens || g->certified <= g->order->certified || random_number(&g->random) % 4)
		return;
	g->certified -= 1 + (uint32_t)(random_number(&g->random) % (g->certified - g->order->certified));
}

static int pick(void *ctx, const struct sched_view *view)
{
	struct gate *g = ctx;
	int out[MOST_STEPS];
	unsigned n = 0;

	maybe_shorten(g);
	for (unsigned k = 0; k < view->n && n < MOST_STEPS; k++)
		if (allowed(g, view, view->choices[k]))
			out[n++] = (int)k;
	if (!n) {
		g->stuck = true;
		return PICK_STOP;
	}
	assert_true(g->depth < MOST_STEPS);
	if (g->random)
		g->choice[g->depth] = (unsigned)(random_number(&g->random) % n);
	else if (g->depth >= g->planned)
		g->choice[g->depth] = 0;
	g->of[g->depth] = n;
	return out[g->choice[g->depth++]];
}

static void observe(void *ctx, const struct event *e)
{
	struct gate *g = ctx;
	uint32_t i;

	g->steps[e->thread]++;
	if (is_local(e))
		return;
	if (!g->chosen && candidate(g, e->thread) != UINT32_MAX)
		g->chosen = candidate(g, e->thread) + 1;
	i = certified_event(g, e->thread, g->count[e->thread]++);
	if (i != UINT32_MAX)
		g->performed[i] = true;
}

/* Moves on to the next run in order. Returns false after the last one. */
static bool next_run(struct gate *g)
{
	while (g->depth && g->choice[g->depth - 1] + 1 >= g->of[g->depth - 1])
		g->depth--;
	if (!g->depth)
		return false;
	g->choice[g->depth - 1]++;
	g->planned = g->depth;
	return true;
}

/* Runs everything that the rules allow. Returns how many runs were not certified traces. */
static uint64_t run_all(struct gate *g, const struct toy_set *explored)
{
	uint64_t wrong = 0;

	g->planned = 0;
	g->random = g->shortens ? seed : 0;
	for (unsigned runs = 0; runs < MOST_RUNS; runs++) {
		enum run_verdict verdict;

		memset(g->performed, 0, sizeof(g->performed));
		memset(g->count, 0, sizeof(g->count));
		memset(g->steps, 0, sizeof(g->steps));
		g->depth = g->chosen = 0;
		g->certified = g->start;
		g->stuck = g->strange = false;
		verdict = toy_execute(&toy, pick, observe, g);
		left_otherwise += g->rules == ALL && g->chosen > g->start;
		wrong += g->stuck || g->strange || verdict != RUN_OK || (!early_exit && !toy_set_has(explored, toy_hash_of(&toy)));
		if (!g->random && !next_run(g))
			break;
		if (runs == MOST_RUNS / 2 && !g->random)
			g->random = seed;
	}
	return wrong;
}

/* Finds the names of an execution's objects by running it once more. */
struct naming {
	const struct event *event;
	uint32_t n, at;
	uint64_t (*name)[2];
};

static int pick_same(void *ctx, const struct sched_view *view)
{
	struct naming *x = ctx;

	for (unsigned k = 0; k < view->n && x->at < x->n; k++)
		if (view->choices[k].thread == x->event[x->at].thread && view->choices[k].alt == x->event[x->at].alt) {
			struct event e;

			view->preview(view->world, view->choices[k], &e);
			for (int b = 0; b < 2; b++)
				x->name[x->at][b] = e.obj[b] && !object_is_memory(e.obj[b]) ? view->object_name(view->world, e.obj[b]) : 0;
			return (int)k;
		}
	fail_msg("the spine cannot be followed");
	return PICK_STOP;
}

static void observe_same(void *ctx, const struct event *e)
{
	((struct naming *)ctx)->at++;
}

#endif
