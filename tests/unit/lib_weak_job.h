/* A search of one program with store buffers, compared with the oracle (lib_weak.h), and reports of what differs: for test_weak.c and test_weak_counts.c. */
#ifndef LIB_WEAK_JOB_H
#define LIB_WEAK_JOB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"
#include "tests/unit/lib_weak.h"

static struct toy toy;
static _Alignas(16) char memory[32 << 20];

static uint64_t seed_used;

static inline uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* ---- one program, one strategy ---- */

struct job {
	struct toy_program p; /* including its memory model */
	unsigned strategy;
	uint32_t shuffle;
	uint64_t number;      /* of a random program */
};

struct result {
	size_t traces, lost, invented;
	struct toy_hash one_lost;
	uint64_t twice, redundant;
	bool cut_short; /* gave up: no end in sight */
	bool as_expected;
	struct explore_stats stats;
};

static inline size_t missing(const struct toy_set *from, const struct toy_set *in, struct toy_hash *one)
{
	size_t n = 0;
	for (size_t k = 0; k < from->cap; k++)
		if ((from->h[k].a || from->h[k].b) && !toy_set_has(in, from->h[k])) {
			*one = from->h[k];
			n++;
		}
	return n;
}

static inline void walk(const struct job *j, struct toy_set *found, struct result *r)
{
	struct explore_config config = {.strategy = j->strategy, .shuffle = j->shuffle};
	uint64_t runs = 0, most = j->strategy == STRATEGY_EXHAUSTIVE ? 1000000 : 8 * r->traces + 200;
	struct strategy s;
	enum run_verdict verdict;
	toy_init(&toy, &j->p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (!r->cut_short && toy_run(&toy, &s, &verdict)) {
		if (verdict == RUN_CUT)
			r->redundant++;
		else
			r->twice += !toy_set_add(found, toy_weak_hash(&toy, false));
		r->cut_short = ++runs > most;
	}
	r->stats = *explore_stats(memory);
}

/* Returns whether the strategy finds exactly these traces. */
static inline bool explored(const struct job *j, const struct toy_set *traces, struct result *r)
{
	struct toy_set found = {0};
	struct toy_hash ignored;
	*r = (struct result){.traces = traces->n};
	walk(j, &found, r);
	const struct explore_stats *st = &r->stats;
	r->lost = missing(traces, &found, &r->one_lost);
	r->invented = missing(&found, traces, &ignored);
	bool once = j->strategy != STRATEGY_OPTIMAL || (r->twice == 0 && st->executions == traces->n);
	bool counted = st->distinct_traces == traces->n && st->blocked == r->redundant && st->finished;
	bool quiet = !st->cut && !st->diverged && !st->out_of_memory;
	r->as_expected = !r->lost && !r->invented && !r->cut_short && once && counted && quiet;
	if (j->strategy == STRATEGY_OPTIMAL && j->p.model != MODEL_PSO && !weak_overlaps(&j->p))
		r->as_expected &= st->blocked == 0;
	toy_set_clear(&found);
	return r->as_expected;
}

#define MOST_STATES 1000 /* of the oracle, for one program */

/* Computes the oracle's traces. Returns false when there are too many. */
static inline bool expected_of(const struct toy_program *p, struct toy_set *out)
{
	struct weak_search s = {.model = p->model, .most = setting("WEAK_STATES", MOST_STATES)};
	weak_traces(p, &s, out);
	return s.complete;
}

/* ---- reports of failures ---- */

static struct job current; /* for the handler of an abort */
static bool busy;

static inline void say(const struct job *j, const struct result *r)
{
	printf("%s, shuffle %u: lost %zu, invented %zu, twice %lu%s; executions %lu, blocked %lu, traces %zu, distinct %lu\n",
		explore_strategy_name(j->strategy), j->shuffle, r->lost, r->invented, (unsigned long)r->twice,
		r->cut_short ? " (and so on)" : "", (unsigned long)r->stats.executions, (unsigned long)r->stats.blocked, r->traces,
		(unsigned long)r->stats.distinct_traces);
}

static inline void print_event(const struct event *e)
{
	char name[64];
	uint64_t lo, hi;
	thread_name_format(&toy.names, e->thread, name, sizeof name);
	printf("    %-12s %s", name, event_kind_text(e->kind));
	if (event_bytes(e, &lo, &hi))
		printf(" of bytes %lu to %lu%s", (unsigned long)(memory_address(&toy.memory, (object_id)(lo >> 4) | OBJECT_MEMORY) + (lo & 15) - TOY_BASE),
			(unsigned long)(memory_address(&toy.memory, (object_id)(lo >> 4) | OBJECT_MEMORY) + (lo & 15) - TOY_BASE + hi - lo),
			e->kind == EV_LOAD && (e->flags & EVF_FORWARDED) ? ", forwarded" : e->kind == EV_RMW && e->mode[0] == M_READ ? ", failed" : "");
	else if (e->obj[0])
		printf(" object %u", e->obj[0]);
	printf("\n");
}

/* Shows an execution of a trace that was not found. */
static inline void show_lost(const struct job *j, const struct toy_hash *h)
{
	struct toy_set all = {0};
	uint64_t runs;
	toy_init(&toy, &j->p);
	toy.memory_only = true;
	toy.until = h;
	if (toy_oracle(&toy, &all, 200000, &runs) && toy_set_has(&all, *h)) {
		printf("  not found:\n");
		for (uint32_t k = 0; k < toy.trace.n; k++)
			print_event(&toy.event[k]);
	}
	toy_set_clear(&all);
}

/* Runs the program in a separate process, as it may abort or hang. Returns 0 if all is as expected. A file holds the smallest known failure. */
static inline bool fails_apart(const struct toy_program *p, void *ctx)
{
	struct job j = *(struct job *)ctx;
	struct toy_set traces = {0};
	struct result r;
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		alarm(20);
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(0);
		j.p = *p;
		_exit(expected_of(p, &traces) && !explored(&j, &traces, &r));
	}
	return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

static inline void tell_failure(struct job *j)
{
	struct toy_set traces = {0};
	struct result r;
	printf("---- program %lu of seed %lu (WEAK_FIRST=%lu SEED=%lu) fails with %s, shuffle %u\n", (unsigned long)j->number,
		(unsigned long)seed_used, (unsigned long)j->number, (unsigned long)seed_used,
		explore_strategy_name(j->strategy), j->shuffle);
	toy_print(&j->p);
	weak_shrink(&j->p, fails_apart, j);
	printf("  made smaller:\n");
	toy_print(&j->p);
	fflush(stdout);
	if (fork() == 0) { /* it may abort too */
		signal(SIGABRT, SIG_DFL);
		alarm(20);
		if (expected_of(&j->p, &traces) && !explored(j, &traces, &r)) {
			say(j, &r);
			if (r.lost)
				show_lost(j, &r.one_lost);
		}
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

static inline void aborted(int signal_number)
{
	signal(SIGABRT, SIG_DFL);
	if (busy)
		tell_failure(&current);
	fflush(stdout);
	abort();
}

#endif
