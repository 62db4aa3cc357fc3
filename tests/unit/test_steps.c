/*
 * Random models of processes that take turns: strategy `steps` finds the outcomes that brute force finds, and executes each trace once.
 *
 * A model is a small simulation kernel (SystemC's rules): in a phase any runnable process may be next; at its end, delayed notifications wake
 * processes. A process has steps; a step reads and writes single bytes of two words, notifies events at once or with delay, cancels, and waits
 * for an event. The brute force copies the state at each choice and shares no code with explore/ and sched/step.c: it distinguishes
 * traces by the order of dependent steps, which it decides operation by operation. Footprints that lack something lose outcomes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "sched/choice.h"
#include "sched/step.h"
#include "tests/unit/lib_seed.h"

#define PROCESSES 6
#define STEPS 3
#define OPERATIONS 4
#define BYTES 10 /* in two words */
#define EVENTS 2
#define MOST_ORDERS 3000
#define MOST_STEPS (PROCESSES * STEPS)

enum what { READ, WRITE, NOTIFY, DELAY, CANCEL, WHATS };
struct operation {
	enum what what;
	unsigned on;
};
struct model {
	unsigned processes, steps[PROCESSES], operations[PROCESSES][STEPS], wait[PROCESSES][STEPS];
	struct operation operation[PROCESSES][STEPS][OPERATIONS];
};
struct state {
	unsigned runnable[PROCESSES], n, next_step[PROCESSES], phase;
	int waits[PROCESSES]; /* the event, or -1 */
	uint8_t byte[BYTES];
	uint32_t seen[PROCESSES];
	bool pending[EVENTS];
	/* the steps so far */
	unsigned done, process[MOST_STEPS], step[MOST_STEPS], in_phase[MOST_STEPS];
};
enum lacks { NOTHING, A_WAIT, A_BYTE, A_CANCEL, EVERYTHING };

static uint64_t rng;

static unsigned below(unsigned n)
{
	rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
	return (unsigned)((rng >> 33) % n);
}

static void make(struct model *m)
{
	memset(m, 0, sizeof *m);
	m->processes = 2 + below(PROCESSES - 1);
	for (unsigned p = 0; p < m->processes; p++) {
		m->steps[p] = m->processes > 4 ? 1 : 1 + below(m->processes > 3 ? 2 : STEPS);
		for (unsigned i = 0; i < m->steps[p]; i++) {
			m->operations[p][i] = below(OPERATIONS + 1);
			m->wait[p][i] = below(EVENTS);
			for (unsigned k = 0; k < m->operations[p][i]; k++) {
				enum what w = below(3) ? below(2) : NOTIFY + below(3);
				m->operation[p][i][k] = (struct operation){w, below(w <= WRITE ? BYTES : EVENTS)};
			}
		}
	}
}

/* ---- the kernel ---- */

static void start(const struct model *m, struct state *s)
{
	memset(s, 0, sizeof *s);
	s->n = m->processes;
	for (unsigned p = 0; p < m->processes; p++) {
		s->runnable[p] = p;
		s->waits[p] = -1;
		s->seen[p] = p + 1;
	}
}

static void wake(const struct model *m, struct state *s, unsigned event)
{
	for (unsigned p = 0; p < m->processes; p++)
		if (s->waits[p] == (int)event) {
			s->waits[p] = -1;
			s->runnable[s->n++] = p;
		}
}

static void run_step(const struct model *m, struct state *s, unsigned at)
{
	unsigned p = s->runnable[at], i = s->next_step[p]++;
	memmove(&s->runnable[at], &s->runnable[at + 1], (--s->n - at) * sizeof s->runnable[0]);
	s->process[s->done] = p;
	s->step[s->done] = i;
	s->in_phase[s->done++] = s->phase;
	for (unsigned k = 0; k < m->operations[p][i]; k++) {
		struct operation o = m->operation[p][i][k];
		if (o.what == READ)
			s->seen[p] = s->seen[p] * 31 + s->byte[o.on] + 1;
		else if (o.what == WRITE)
			s->byte[o.on] = (uint8_t)(s->seen[p] * 7 + k + 1);
		else if (o.what == NOTIFY) {
			s->pending[o.on] = false;
			wake(m, s, o.on);
		} else
			s->pending[o.on] = o.what == DELAY;
	}
	if (i + 1 < m->steps[p])
		s->waits[p] = (int)m->wait[p][i];
}

/* Ends the phase. Returns false if the simulation is over. */
static bool next_phase(const struct model *m, struct state *s)
{
	s->phase++;
	for (unsigned e = 0; e < EVENTS; e++)
		if (s->pending[e]) {
			s->pending[e] = false;
			wake(m, s, e);
		}
	return s->n;
}

static uint64_t hash(uint64_t h, uint64_t x)
{
	h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t outcome(const struct model *m, const struct state *s)
{
	uint64_t h = 1;
	for (unsigned p = 0; p < m->processes; p++)
		h = hash(hash(h, s->seen[p]), s->next_step[p]);
	for (unsigned i = 0; i < BYTES; i++)
		h = hash(h, s->byte[i]);
	return h;
}

/* ---- traces ---- */

static bool operations_conflict(struct operation a, struct operation b)
{
	if (a.on != b.on || (a.what <= WRITE) != (b.what <= WRITE))
		return false;
	if (a.what <= WRITE)
		return a.what == WRITE || b.what == WRITE;
	return (a.what == DELAY) != (b.what == DELAY);
}

static bool notifies(const struct model *m, unsigned p, unsigned i, unsigned event)
{
	for (unsigned k = 0; k < m->operations[p][i]; k++)
		if (m->operation[p][i][k].what == NOTIFY && m->operation[p][i][k].on == event)
			return true;
	return false;
}

static bool conflict(const struct model *m, unsigned p, unsigned i, unsigned q, unsigned j)
{
	for (unsigned k = 0; k < m->operations[p][i]; k++)
		for (unsigned l = 0; l < m->operations[q][j]; l++)
			if (operations_conflict(m->operation[p][i][k], m->operation[q][j][l]))
				return true;
	return (i + 1 < m->steps[p] && notifies(m, q, j, m->wait[p][i])) || (j + 1 < m->steps[q] && notifies(m, p, i, m->wait[q][j]));
}

static uint64_t trace_of(const struct model *m, const struct state *s)
{
	uint64_t h = 0;
	for (unsigned a = 0; a < s->done; a++) {
		uint64_t x = hash(hash(hash(3, s->process[a]), s->step[a]), s->in_phase[a]);
		h += x;
		for (unsigned b = a + 1; b < s->done; b++)
			if (s->in_phase[a] == s->in_phase[b] && conflict(m, s->process[a], s->step[a], s->process[b], s->step[b]))
				h += hash(hash(hash(x, 5), s->process[b]), s->step[b]);
	}
	return h;
}

/* ---- sets ---- */

struct set {
	uint64_t at[2 * MOST_ORDERS];
	unsigned n;
};

static void put(struct set *s, uint64_t x)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->at[i] == x)
			return;
	s->at[s->n++] = x;
}

static bool has(const struct set *s, uint64_t x)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->at[i] == x)
			return true;
	return false;
}

/* ---- brute force ---- */

static struct set outcomes, traces, found;
static unsigned orders;

static void all_orders(const struct model *m, const struct state *from)
{
	struct state s = *from;
	if (orders > MOST_ORDERS)
		return;
	if (!s.n && !next_phase(m, &s)) {
		orders++;
		put(&outcomes, outcome(m, &s));
		put(&traces, trace_of(m, &s));
		return;
	}
	for (unsigned i = 0; i < s.n; i++) {
		struct state next = s;
		run_step(m, &next, i);
		all_orders(m, &next);
	}
}

/* ---- the strategy ---- */

static _Alignas(16) char memory[4 << 20];
static struct event events[16 * MOST_STEPS];
static struct step_table table;

struct world {
	struct trace trace;
	struct chosen left;
};

static void preview(const void *world, struct choice c, struct event *out)
{
	const struct world *w = world;
	*out = (struct event){.kind = EV_CHOOSE, .alt = c.alt, .result = choose_result(choose_take(w->left, choose_part(c.alt)))};
}

/* Makes the strategy choose one of n values. Returns -1 if it ends the execution. */
static int choose(struct world *w, struct strategy *s, unsigned n)
{
	w->left = (struct chosen){n, 0, n};
	while (w->left.count > 1) {
		struct choice c[CHOOSE_PARTS];
		struct sched_view view = {.choices = c, .n = choose_parts(w->left), .trace = &w->trace, .preview = preview, .world = w};
		for (unsigned i = 0; i < view.n; i++)
			c[i] = (struct choice){.thread = 0, .alt = (uint8_t)choose_alt(i)};
		int i = s->ops->pick(s->self, &view);
		if (i < 0)
			return -1;
		struct event *e = &events[w->trace.n++];
		preview(w, c[i], e);
		w->left = choose_chosen(e->result);
		s->ops->observe(s->self, e);
	}
	return (int)w->left.first;
}

static void add_word(uint64_t word, unsigned read, unsigned write)
{
	uint32_t i = 0;
	while (i < table.words && table.word[i].word != word)
		i++;
	table.words += i == table.words;
	table.word[i].word = word;
	table.word[i].read |= (uint8_t)read;
	table.word[i].write |= (uint8_t)write;
}

/* Publishes the footprint of the latest step, which lacks something. */
static void publish(const struct model *m, const struct state *s, enum lacks lacks)
{
	unsigned p = s->process[s->done - 1], i = s->step[s->done - 1];
	table.words = 0;
	memset(table.word, 0, sizeof table.word[0] * 32);
	table.unknown = lacks == EVERYTHING;
	for (unsigned k = 0; k < m->operations[p][i] && !table.unknown; k++) {
		struct operation o = m->operation[p][i][k];
		if (o.what <= WRITE && !(lacks == A_BYTE && o.on == 3))
			add_word(64 + o.on / 8 * 8, o.what == READ ? 1u << o.on % 8 : 0, o.what == WRITE ? 1u << o.on % 8 : 0);
		else if (o.what > WRITE && !(lacks == A_CANCEL && o.what == CANCEL))
			add_word(129 + 8 * o.on, o.what == NOTIFY ? DID_NOTIFY : o.what == DELAY ? DID_DELAY : DID_CANCEL, 0);
	}
	if (i + 1 < m->steps[p] && lacks != A_WAIT && !table.unknown)
		add_word(129 + 8 * m->wait[p][i], DID_WAIT, 0);
	step_sort(table.word, table.words);
	table.ended = table.choices;
}

/* Runs one execution. */
static enum run_verdict execute(const struct model *m, struct state *s, struct strategy *strategy, struct world *w, enum lacks lacks)
{
	start(m, s);
	memset(w, 0, sizeof *w);
	w->trace.event = events;
	w->trace.threads = 1;
	w->trace.steps = &table;
	memset(&table, 0, offsetof(struct step_table, word));
	for (;;) {
		if (!s->n && !next_phase(m, s))
			return RUN_OK;
		if (s->n == 1) {
			if (explore_asleep(memory, &w->trace))
				return RUN_COVERED;
			run_step(m, s, 0);
			continue;
		}
		table.runnable = s->n;
		table.choices++;
		for (unsigned i = 0; i < s->n; i++)
			table.process[i] = s->runnable[i] + 100;
		int value = choose(w, strategy, s->n);
		if (value < 0)
			return RUN_CUT;
		table.ended = 0;
		run_step(m, s, (unsigned)value);
		publish(m, s, lacks);
	}
}

struct totals {
	uint64_t models, orders, traces, executions, blocked, wrong;
};

/* Returns whether the strategy finds all outcomes, and with full footprints each trace once. */
static bool check(const struct model *m, enum lacks lacks, uint32_t shuffle, struct totals *sum)
{
	struct explore_config config = {.strategy = STRATEGY_STEPS, .shuffle = shuffle};
	struct strategy strategy;
	static struct world w;
	struct state s;
	uint64_t blocked = 0, whole = 0;
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &strategy));
	found.n = 0;
	while (strategy.ops->begin(strategy.self)) {
		enum run_verdict v = execute(m, &s, &strategy, &w, lacks);
		strategy.ops->end(strategy.self, &w.trace, v);
		blocked += v != RUN_OK;
		whole += v == RUN_OK;
		if (v == RUN_OK)
			put(&found, outcome(m, &s));
		if (whole + blocked > 4 * MOST_ORDERS)
			return false;
	}
	const struct explore_stats *st = explore_stats(memory);
	bool all = true;
	for (unsigned i = 0; i < outcomes.n; i++)
		all &= has(&found, outcomes.at[i]);
	assert_int_equal(st->executions, whole);
	assert_int_equal(st->blocked, blocked);
	assert_true(st->finished);
	sum->executions += whole;
	sum->blocked += blocked;
	if (lacks == EVERYTHING)
		return all && whole == orders && !blocked;
	return all && found.n == outcomes.n && (lacks != NOTHING || whole == traces.n);
}

/* Returns in sum->wrong the number of models for which the check fails. */
static void check_all(struct totals *sum, unsigned models, enum lacks lacks, uint32_t shuffle)
{
	memset(sum, 0, sizeof *sum);
	while (sum->models < models) {
		struct model m;
		struct state s;
		make(&m);
		start(&m, &s);
		outcomes.n = traces.n = orders = 0;
		all_orders(&m, &s);
		if (orders > MOST_ORDERS)
			continue;
		sum->models++;
		sum->orders += orders;
		sum->traces += traces.n;
		if (!check(&m, lacks, shuffle, sum))
			sum->wrong++;
	}
	printf("lacks %d, shuffle %u: %lu models, %lu orders, %lu traces, %lu executions, %lu blocked, %lu wrong\n", lacks, shuffle, sum->models, sum->orders,
		sum->traces, sum->executions, sum->blocked, sum->wrong);
}

static unsigned models(unsigned usual)
{
	const char *percent = getenv("RANDOM_PERCENT");
	return percent ? usual * (unsigned)atoi(percent) / 10 + 1 : usual;
}

static void test_steps_random(void **state)
{
	struct totals sum;
	rng = test_seed(20261124) | 1;
	check_all(&sum, models(1500), NOTHING, 0);
	assert_int_equal(sum.wrong, 0);
	assert_true(sum.traces * 3 < sum.orders);
	for (uint32_t shuffle = 1; shuffle < 4; shuffle++) {
		check_all(&sum, models(300), NOTHING, shuffle);
		assert_int_equal(sum.wrong, 0);
	}
}

static void test_steps_unknown(void **state)
{
	struct totals sum;
	rng = test_seed(20261125) | 1;
	check_all(&sum, models(50), EVERYTHING, 0);
	assert_int_equal(sum.wrong, 0);
}

static void test_steps_broken(void **state)
{
	struct totals sum;
	rng = 20261126;
	for (enum lacks lacks = A_WAIT; lacks <= A_CANCEL; lacks++) {
		check_all(&sum, 400, lacks, 0);
		assert_true(sum.wrong > 0);
	}
}

/* n independent processes: one trace. */
static void test_steps_independent(void **state)
{
	struct totals sum = {0};
	for (unsigned n = 2; n <= PROCESSES; n++) {
		struct model m = {.processes = n};
		struct state s;
		for (unsigned p = 0; p < n; p++) {
			m.steps[p] = 1;
			m.operations[p][0] = 1;
			m.operation[p][0][0] = (struct operation){WRITE, p};
		}
		start(&m, &s);
		outcomes.n = traces.n = orders = 0;
		all_orders(&m, &s);
		sum.executions = 0;
		assert_true(check(&m, NOTHING, 0, &sum));
		assert_int_equal(sum.executions, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_random), cmocka_unit_test(test_steps_unknown), cmocka_unit_test(test_steps_broken),
		cmocka_unit_test(test_steps_independent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
