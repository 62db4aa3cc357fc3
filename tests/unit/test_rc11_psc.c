/*
 * The search for a cycle of seq_cst accesses (sched/rc11_search.c) gives what the relations of the paper give when they
 * are computed as matrices (sched/rc11_psc.c), in executions longer than those that the oracle can enumerate. It prints
 * the time of both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <time.h>

#include "base/hash.h"
#include "sched/rc11.h"
#include "tests/unit/lib_seed.h"

#define THREADS 4

static uint64_t state_of_draw;

static uint32_t draw(uint32_t n)
{
	state_of_draw += SPLITMIX_STEP;
	return (uint32_t)(splitmix_output(state_of_draw) % n);
}

static double now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static struct rc11_op draw_op(uint32_t places, uint32_t weak)
{
	static const uint8_t kinds[] = {RC11_LOAD, RC11_LOAD, RC11_STORE, RC11_STORE, RC11_UPDATE};
	struct rc11_op op = {.kind = kinds[draw(5)], .order = RC11_SEQ_CST, .size = 4, .place = draw(places)};
	op.thread = (uint16_t)draw(THREADS);
	op.update = RC11_ADD;
	op.operand = 1;
	if (draw(100) < weak)
		op.order = draw(2) ? RC11_ACQ_REL : RC11_RELAXED;
	return op;
}

/* An event that reads or follows a store of the last few: it may close a cycle. */
static uint32_t draw_store(const struct rc11 *g, uint32_t place)
{
	uint32_t store = rc11_latest(g, place);
	for (uint32_t back = draw(4); back && store; back--)
		store = rc11_event(g, store - 1)->older;
	return store;
}

struct sums {
	uint32_t checks, cycles;
	double search, matrices;
};

/* Adds n events, each one consistent. Both ways must agree on all that were tried from event `from` on. */
static struct sums execution(uint32_t n, uint32_t places, uint32_t weak, uint32_t from)
{
	struct rc11_limits limits = {.threads = THREADS, .events = n + 1, .places = places};
	struct rc11 *g = calloc(1, rc11_bytes(limits));
	struct sums s = {0};
	rc11_init(g, limits);
	for (uint32_t p = 0; p < places; p++)
		rc11_place(g, 0);
	while (g->n < n) {
		struct rc11_op op = draw_op(places, weak);
		uint32_t store = draw_store(g, op.place);
		assert_true(rc11_push(g, &op, store));
		const struct rc11_event *e = rc11_event(g, g->n - 1);
		uint32_t newer = e->writes ? e->newer : rc11_newer(g, op.place, store);
		enum rc11_verdict v = rc11_verdict(g);
		if (g->n > from && newer && e->order == RC11_SEQ_CST && (v == RC11_CONSISTENT || v == RC11_CYCLIC)) {
			double begin = now_us();
			bool found = rc11_leads_back(g);
			double middle = now_us();
			assert_int_equal(found, rc11_cyclic(g));
			s.matrices += now_us() - middle;
			s.search += middle - begin;
			s.checks++;
			s.cycles += found;
		}
		if (v != RC11_CONSISTENT)
			rc11_pop(g);
	}
	free(g);
	return s;
}

static void search_and_matrices_agree(void **state)
{
	uint32_t checks = 0, cycles = 0;
	state_of_draw = test_seed(20261129);
	for (uint32_t i = 0; i < 300; i++) {
		struct sums s = execution(10 + draw(50), 1 + draw(6), 20 * draw(4), 0);
		checks += s.checks;
		cycles += s.cycles;
	}
	print_message("%u checks, %u cycles\n", checks, cycles);
	assert_true(cycles && cycles < checks);
}

/* Prints the time of a check among n seq_cst accesses, beside that at the first n. */
static void growth(void **state)
{
	static const uint32_t sizes[] = {25, 100, 400, 1600};
	double search0 = 0, matrices0 = 0;
	state_of_draw = test_seed(20261129);
	for (unsigned k = 0; k < 4; k++) {
		struct sums s = {0};
		for (uint32_t i = 0; i < 1600 / sizes[k]; i++) {
			struct sums more = execution(sizes[k], 8, 0, sizes[k] - sizes[k] / 16 - 1);
			s.checks += more.checks;
			s.search += more.search;
			s.matrices += more.matrices;
		}
		assert_true(s.checks > 0);
		search0 = k ? search0 : s.search / s.checks;
		matrices0 = k ? matrices0 : s.matrices / s.checks;
		print_message("%4u events: search %.2f us (x %.1f), matrices %.1f us (x %.0f)\n", sizes[k],
			s.search / s.checks, s.search / s.checks / search0, s.matrices / s.checks,
			s.matrices / s.checks / matrices0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search_and_matrices_agree),
		cmocka_unit_test(growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
