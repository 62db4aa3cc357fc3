/*
 * Minimization against brute force: all interleavings of random tiny programs are run. The failure is the outcome that needs the most
 * preemptions. The minimized execution has this outcome and replays step by step. No interleaving with the outcome has fewer switches, or as
 * many switches and fewer preemptions. Brute force counts preemptions independently, from the threads that were enabled at each step. Then the
 * test tries every two steps in the other order (replay/experiment.h) and checks that the reports about these executions are true.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "replay/experiment.h"
#include "replay/minimize_internal.h"
#include "replay/reorder.h"
#include "tests/unit/lib_path.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_INTERLEAVINGS 1200
#define OUTCOMES 64
#define MOST_RUNS 100000

static struct toy toy;

/* Counts preemptions by definition. */
static unsigned count(const struct event *e, uint32_t n, const uint64_t *enabled)
{
	unsigned found = 0;
	thread_id last = NO_THREAD;
	bool gave = false;

	for (uint32_t i = 0; i < n; i++) {
		bool more = false;
		if (e[i].kind == EV_UPDATE)
			continue;
		for (uint32_t k = i; k < n; k++)
			more |= e[k].thread == last && e[k].kind != EV_UPDATE;
		found += last != NO_THREAD && last != e[i].thread && more && !gave && e[i].kind != EV_DEATH && (enabled[i] >> last & 1);
		last = e[i].thread;
		gave = e[i].kind == EV_YIELD || e[i].kind == EV_SLEEP || e[i].kind == EV_COND_WAIT ||
			(e[i].kind == EV_FUTEX_WAIT && !(e[i].flags & EVF_FAILED));
	}
	return found;
}

/* ---- outcomes ---- */

/* Stands for a failure: how an execution ends, and the contents of memory and registers then. */
struct failure {
	enum run_verdict verdict;
	thread_id thread; /* the thread that died */
	uint64_t memory;
};

static void mix(uint64_t *h, uint64_t x)
{
	*h = (*h ^ x) * UINT64_C(0x100000001b3);
}

static struct failure outcome(enum run_verdict v)
{
	struct failure f = { .verdict = v, .thread = NO_THREAD, .memory = UINT64_C(0xcbf29ce484222325) };

	if (v == RUN_FAILED && toy.trace.n)
		f.thread = toy.event[toy.trace.n - 1].thread;
	for (unsigned i = 0; i < sizeof(toy.mem); i++)
		mix(&f.memory, toy.mem[i]);
	for (unsigned t = 0; t < TOY_THREADS; t++)
		for (unsigned r = 0; r < TOY_REGS; r++)
			mix(&f.memory, (uint64_t)toy.thread[t].reg[r]);
	return f;
}

static bool same(const struct failure *a, const struct failure *b)
{
	return a->verdict == b->verdict && a->thread == b->thread && a->memory == b->memory;
}

struct brute {
	struct failure failure;
	struct event *worst; /* an execution with the most preemptions */
	uint32_t n;
	unsigned most, least; /* preemptions over all executions with this outcome */
	struct schedule_cost simplest; /* switches and preemptions */
};

static unsigned count_switches(const struct event *e, uint32_t n)
{
	thread_id last = NO_THREAD;
	unsigned found = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (e[i].kind == EV_UPDATE)
			continue;
		found += last != NO_THREAD && last != e[i].thread;
		last = e[i].thread;
	}
	return found;
}

static void sight(struct brute *b, const struct failure *f, unsigned preemptions)
{
	struct schedule_cost cost = { .switches = count_switches(toy.event, toy.trace.n), .preemptions = preemptions };
	bool found = b->worst != NULL;

	if (!found || schedule_cost_less(&cost, &b->simplest, COST_SWITCHES_FIRST))
		b->simplest = cost;
	b->failure = *f;
	b->least = !found || preemptions < b->least ? preemptions : b->least;
	if (found && preemptions <= b->most)
		return;
	b->most = preemptions;
	b->n = toy.trace.n;
	b->worst = realloc(b->worst, b->n * sizeof(*b->worst));
	memcpy(b->worst, toy.event, b->n * sizeof(*b->worst));
}

static unsigned classify(struct brute *b, unsigned n, const struct failure *f, unsigned preemptions)
{
	unsigned k = 0;

	while (k < n && !same(&b[k].failure, f))
		k++;
	if (k == OUTCOMES)
		return n;
	if (k == n)
		memset(&b[n++], 0, sizeof(*b));
	sight(&b[k], f, preemptions);
	return n;
}

/* Runs all interleavings and selects the outcome that needs the most preemptions. Returns false when there are too many. */
static bool brute_force(struct brute *out)
{
	static struct path p;
	static struct brute b[OUTCOMES];
	unsigned n = 0, best = 0, runs = 0;
	bool all = true;

	p.n = p.pos = 0;
	do {
		struct failure f = outcome(toy_execute(&toy, path_choice, NULL, &p));
		n = classify(b, n, &f, count(toy.event, toy.trace.n, p.enabled));
		all = ++runs <= MOST_INTERLEAVINGS;
	} while (all && path_advance(&p));
	for (unsigned k = 0; k < n; k++)
		best = b[k].least > b[best].least || (b[k].least == b[best].least && b[k].most > b[best].most) ? k : best;
	for (unsigned k = 0; k < n; k++)
		if (k != best || !all)
			free(b[k].worst);
	*out = b[best];
	return all;
}

/* ---- runs for the minimiser ---- */

struct runner {
	struct failure failure, last;
	unsigned runs;
};

static void run(void *ctx, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out)
{
	struct runner *r = ctx;

	r->last = outcome(guided_once(&toy, turn, turns, out));
	out->fails = same(&r->last, &r->failure);
	out->ends_well = r->last.verdict == RUN_OK && !out->fails;
	r->runs++;
}

/* ---- the result, step by step ---- */

struct strict {
	const struct event *event;
	uint32_t n, pos;
	uint64_t enabled[TOY_TRACE];
};

static int strict_pick(void *ctx, const struct sched_view *view)
{
	struct strict *s = ctx;

	s->enabled[s->pos] = 0;
	for (unsigned i = 0; i < view->n; i++)
		if (!is_agent(view->choices[i].thread) && view->choices[i].alt == ALT_NORMAL)
			s->enabled[s->pos] |= UINT64_C(1) << view->choices[i].thread;
	for (unsigned i = 0; s->pos < s->n && i < view->n; i++)
		if (view->choices[i].thread == s->event[s->pos].thread && view->choices[i].alt == s->event[s->pos].alt)
			return s->pos++, (int)i;
	return PICK_DIVERGED;
}

/* Replays these events, which must fail in this way. Returns the number of preemptions. */
static unsigned replay(const struct event *event, uint32_t n, const struct failure *failure)
{
	static struct strict s;
	struct failure f;

	s.event = event;
	s.n = n;
	s.pos = 0;
	f = outcome(toy_execute(&toy, strict_pick, NULL, &s));
	assert_true(same(&f, failure));
	assert_int_equal(toy.trace.n, n);
	return count(toy.event, n, s.enabled);
}

/* ---- other orders of the same trace ---- */

/* The order found belongs to the same trace, can be followed as it is, and costs no more. */
static void check_order(const struct event *event, uint32_t n, const struct failure *failure, enum cost_order first)
{
	static uint32_t order[TOY_TRACE];
	struct runner r = { .failure = *failure };
	struct schedule_cost before = schedule_cost(event, n), after;
	struct minimize_outcome o;
	struct toy_hash was;
	struct plan plan;

	replay(event, n, failure);
	was = toy_trace_hash(&toy.trace);
	assert_int_equal(reorder(event, n, NO_THREAD, first, order), n);
	plan = plan_of(event, order, n);
	run(&r, plan.turn, plan.n, &o);
	plan_free(&plan);
	assert_int_equal(o.n, n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(o.event[i].thread, event[order[i]].thread);
	assert_true(o.fails);
	assert_memory_equal(&was, &(struct toy_hash[]){ toy_trace_hash(&toy.trace) }, sizeof(was));
	after = schedule_cost(o.event, o.n);
	assert_false(schedule_cost_less(&before, &after, first));
}

/* ---- steps in the other order ---- */

static unsigned asked, brought_about, passed;

/* The index of the k-th event of t, from 1, or the length of the execution if there is none. */
static uint32_t place(thread_id t, unsigned k)
{
	uint32_t i = 0;

	while (i < toy.trace.n && (toy.event[i].thread != t || --k))
		i++;
	return i;
}

static unsigned number(const struct event *event, uint32_t i)
{
	unsigned k = 0;

	for (uint32_t j = 0; j <= i; j++)
		k += event[j].thread == event[i].thread;
	return k;
}

static void check_try(struct rec_try t, const struct recording *rec, const struct event *event, uint32_t n, struct runner *r)
{
	uint32_t first, second;
	unsigned runs = 0, before = r->runs;

	asked++;
	if (!experiment(&t, rec, event, n, run, r, &runs))
		return;
	brought_about++;
	passed += t.result == REC_TRY_PASSES;
	assert_int_equal(runs, r->runs - before);
	second = place(event[t.before].thread, number(event, (uint32_t)t.before));
	first = t.step == NO_STEP ? 0 : place(event[t.step].thread, number(event, (uint32_t)t.step));
	if (t.kind == REC_TRY_ORDER)
		assert_true(first < second && second < toy.trace.n);
	if (t.kind == REC_TRY_GO_ON) /* everything before that step is unchanged */
		assert_true(toy.trace.n > t.before && toy.event[t.before].thread == rec->steps[t.before - 1].thread);
	assert_int_equal(t.result == REC_TRY_FAILS, same(&r->last, &r->failure));
	assert_int_equal(t.result == REC_TRY_PASSES, !same(&r->last, &r->failure) && r->last.verdict == RUN_OK);
}

static void check_tries(const struct event *event, uint32_t n, const struct failure *failure)
{
	struct runner r = { .failure = *failure };
	struct recording *rec = recording_new();

	rec->n_steps = n;
	rec->steps = xcalloc(n, sizeof(*rec->steps));
	for (uint32_t i = 0; i < n; i++)
		rec->steps[i].thread = event_owner(&event[i]);
	for (uint32_t i = 1; i < n; i++) {
		if (event[i].kind == EV_UPDATE || is_agent(event[i - 1].thread))
			continue;
		if (event[i].thread != event[i - 1].thread)
			check_try((struct rec_try){ REC_TRY_GO_ON, 0, event[i - 1].thread, NO_STEP, i }, rec, event, n, &r);
		for (uint32_t k = i + 1; k < n; k++)
			if (!is_agent(event[k].thread) && event[k].thread != event[i].thread && event[k].kind != EV_DEATH)
				check_try((struct rec_try){ REC_TRY_ORDER, 0, event[k].thread, k, i }, rec, event, n, &r);
	}
	recording_free(rec);
}

static unsigned programs, minimized, preempted, needed;

static void check(const struct toy_program *p)
{
	struct brute b;
	struct runner r;
	struct minimize_result result;
	unsigned least, switches;

	if (!brute_force(&b))
		return;
	for (int first = 0; first < 2 && p->model == MODEL_SC; first++)
		check_order(b.worst, b.n, &b.failure, first ? COST_PREEMPTIONS_FIRST : COST_SWITCHES_FIRST);
	r = (struct runner){ .failure = b.failure };
	minimize(b.worst, b.n, run, &r, MOST_RUNS, &result);
	least = replay(result.event ? result.event : b.worst, result.event ? result.n : b.n, &b.failure);
	switches = count_switches(result.event ? result.event : b.worst, result.event ? result.n : b.n);
	if (switches != b.simplest.switches || least != b.simplest.preemptions || least != result.after.preemptions || result.least != (least == b.least) || r.runs != result.runs) {
		print_error("%u switches, %u preemptions; %u and %u are enough (%u preemptions at first, %u runs%s)\n", switches, least,
			b.simplest.switches, b.simplest.preemptions, b.most, r.runs, result.least ? "" : ", not all");
		toy_print(p);
		fail();
	}
	programs++;
	check_tries(result.event ? result.event : b.worst, result.event ? result.n : b.n, &b.failure);
	minimized += b.most > b.least;
	preempted += b.least > 0;
	free(result.event);
	free(b.worst);
}

/* Tests programs with these features until `n` of them were small enough. */
static void random_programs(unsigned features, unsigned model, unsigned n)
{
	const char *more = getenv("MINIMIZE_TIMES"), *other = getenv("MINIMIZE_SEED");
	uint64_t seed = other ? strtoull(other, NULL, 10) : 20240301;

	n = more ? n * (unsigned)atoi(more) : n;
	if (toy_random_part(n) < n)
		n /= 2; /* a smaller sample would not be typical */
	programs = minimized = preempted = asked = brought_about = passed = 0;
	for (uint64_t i = 0; programs < n; i++) {
		struct toy_program p;
		toy_random(&p, features, seed, i);
		p.model = model;
		toy_init(&toy, &p);
		toy_forget(&toy);
		check(&p);
	}
	print_message("%u programs, %u with something to take out, %u that need a preemption\n", programs, minimized, preempted);
	print_message("%u other orders tried, %u of them possible, %u without a failure\n", asked, brought_about, passed);
	assert_true(minimized > n / 2 && brought_about > asked / 10 && passed > 0 && passed < brought_about);
	needed += preempted;
}

static void memory(void **state)
{
	random_programs(TOY_F_MEM | TOY_F_RMW | TOY_F_DIE, MODEL_SC, 40);
}

static void locks(void **state)
{
	random_programs(TOY_F_LOCK | TOY_F_TRY | TOY_F_SEM | TOY_F_MEM, MODEL_SC, 40);
}

static void conditions(void **state)
{
	random_programs(TOY_F_COND | TOY_F_LOCK | TOY_F_TIMED | TOY_F_MEM, MODEL_SC, 40);
}

static void other_locks(void **state)
{
	random_programs(TOY_F_RW | TOY_F_BARRIER | TOY_F_ONCE | TOY_F_FUTEX | TOY_F_MEM | TOY_F_DIE, MODEL_SC, 40);
}

static void ends_early(void **state)
{
	random_programs(TOY_F_MEM | TOY_F_NOJOIN | TOY_F_LOCK, MODEL_SC, 40);
}

static void buffers(void **state)
{
	random_programs(TOY_F_MEM | TOY_F_RMW, MODEL_TSO, 20);
}

static void late_buffers(void **state)
{
	random_programs(TOY_F_MEM | TOY_F_DIE, MODEL_PSO, 20);
}

/* Two accesses of thread t, with one of the first thread in between. No other schedule fails. */
static struct event between[8];

static uint32_t make_between(thread_id t)
{
	uint32_t n = 0;

	between[n++] = (struct event){ .kind = EV_THREAD_CREATE, .seq = t };
	between[n++] = (struct event){ .kind = EV_THREAD_START, .thread = t };
	for (int i = 0; i < 3; i++)
		between[n++] = (struct event){ .kind = EV_MUTEX_UNLOCK, .thread = i == 1 ? 0 : t, .obj = { 1 } };
	return n;
}

static void run_between(void *ctx, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out)
{
	static struct guided_note note[8];

	out->event = between;
	out->note = note;
	out->n = out->notes = *(uint32_t *)ctx;
}

/* For threads that the search cannot move, it must not claim that the number of preemptions is minimal. */
static void many_threads(void **state)
{
	static const struct {
		thread_id t;
		bool least;
	} tried[] = { { 1, true }, { 63, true }, { 64, false }, { 70, false } };

	for (unsigned i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
		struct minimize_result result;
		uint32_t n = make_between(tried[i].t);

		minimize(between, n, run_between, &n, 100, &result);
		assert_int_equal(result.before.preemptions, 2);
		assert_null(result.event);
		assert_int_equal(result.least, tried[i].least);
	}
}

/* Main and a thread alternate: five switches without a preemption, three switches with two preemptions. */
static struct event by_itself[10];

static uint32_t make_by_itself(void)
{
	uint32_t n = 0;

	by_itself[n++] = (struct event){ .kind = EV_THREAD_CREATE, .seq = 1 };
	for (int i = 0; i < 3; i++) {
		by_itself[n++] = (struct event){ .kind = EV_YIELD };
		by_itself[n++] = (struct event){ .kind = i ? EV_MUTEX_UNLOCK : EV_THREAD_START, .thread = 1, .obj = { i ? 1 : 0 } };
		by_itself[n++] = (struct event){ .kind = EV_YIELD, .thread = 1 };
	}
	return n;
}

static void run_either(void *ctx, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out)
{
	static struct guided_note note[10];

	out->fails = true;
	out->note = note;
	out->event = turns ? between : by_itself;
	out->n = out->notes = turns ? make_between(1) : make_by_itself();
}

/* Fewer switches win, and the result does not claim that this many preemptions are needed. */
static void more_preemptions(void **state)
{
	struct minimize_result result;
	uint32_t n = make_by_itself();

	minimize(by_itself, n, run_either, NULL, 100, &result);
	assert_int_equal(result.before.switches, 5);
	assert_int_equal(result.before.preemptions, 0);
	assert_int_equal(result.after.switches, 3);
	assert_int_equal(result.after.preemptions, 2);
	assert_false(result.least);
	free(result.event);
	minimize(between, make_between(1), run_either, NULL, 100, &result);
	assert_null(result.event);
	assert_false(result.least);
}

static void programs_are_not_all_trivial(void **state)
{
	assert_true(needed >= 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory),
		cmocka_unit_test(locks),
		cmocka_unit_test(conditions),
		cmocka_unit_test(other_locks),
		cmocka_unit_test(ends_early),
		cmocka_unit_test(buffers),
		cmocka_unit_test(late_buffers),
		cmocka_unit_test(many_threads),
		cmocka_unit_test(more_preemptions),
		cmocka_unit_test(programs_are_not_all_trivial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
