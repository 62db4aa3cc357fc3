/*
 * The search for a cycle of seq_cst events (sched/rc11_search.c) gives what the relations of the paper give when they
 * are computed as matrices (lib_rc11_psc.c), in executions longer than those that the oracle can enumerate. It prints
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
#include "tests/unit/lib_rc11.h"
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

/* What an execution consists of. */
struct mix {
	uint32_t places;
	uint32_t stores; /* one of that many latest stores is tried */
	uint32_t weak;   /* accesses that are not seq_cst, in percent */
	uint32_t fences; /* fences, in percent */
	uint32_t known;  /* events that learn what happened in another thread, in percent */
};

static struct rc11_op draw_op(const struct mix *m)
{
	static const uint8_t kinds[] = {RC11_LOAD, RC11_LOAD, RC11_STORE, RC11_STORE, RC11_UPDATE};
	static const uint8_t orders[] = {RC11_ACQUIRE, RC11_RELEASE, RC11_ACQ_REL, RC11_SEQ_CST, RC11_SEQ_CST};
	static const uint8_t weak[] = {
		RC11_RELAXED, RC11_RELAXED, RC11_ACQUIRE, RC11_RELEASE, RC11_ACQ_REL, RC11_PLAIN};
	struct rc11_op op = {.kind = kinds[draw(5)], .order = RC11_SEQ_CST, .size = 4, .place = draw(m->places)};
	op.thread = (uint16_t)draw(THREADS);
	op.update = RC11_ADD;
	op.operand = 1;
	if (draw(100) < m->fences) {
		op.kind = RC11_FENCE;
		op.order = orders[draw(5)];
	} else if (draw(100) < m->known) {
		op.kind = RC11_OTHER;
	} else if (draw(100) < m->weak) {
		op.order = weak[draw(op.kind == RC11_UPDATE ? 5 : 6)];
	}
	return op;
}

/* A store that is not much older than the latest: an event that reads it, or follows it, may close a cycle. */
static uint32_t draw_store(const struct rc11 *g, const struct mix *m, uint32_t place)
{
	uint32_t store = rc11_latest(g, place);
	for (uint32_t back = draw(m->stores); back && store; back--)
		store = rc11_event(g, store - 1)->older;
	return store;
}

/* Adds an event that may be inconsistent. If it is to stay, it meets the latest store in half of the cases, so that
 * threads synchronize. */
static void add_drawn(struct rc11 *g, const struct mix *m, bool stays)
{
	struct rc11_op op = draw_op(m);
	uint32_t store = 0;
	if (op.kind != RC11_FENCE && op.kind != RC11_OTHER)
		store = stays && draw(2) ? rc11_latest(g, op.place) : draw_store(g, m, op.place);
	assert_true(rc11_push(g, &op, store));
	uint32_t other = rc11_last(g)[draw(THREADS)];
	if (op.kind == RC11_OTHER && other)
		rc11_knows(g, g->n - 1, rc11_clock(g, other - 1, RC11_HB));
}

struct sums {
	uint32_t checks, cycles, computed;
	double search, matrices;
};

/* Adds the time of the search for the newest event. */
static void time_search(struct rc11 *g, struct sums *s)
{
	double begin = now_us();
	s->cycles += rc11_leads_back(g);
	s->search += now_us() - begin;
	s->checks++;
}

/* The matrices must say the same of the newest event. Adds their time. */
static void compare(const struct rc11 *g, bool found, struct sums *s)
{
	double begin = now_us();
	assert_int_equal(rc_cyclic(g), found);
	s->matrices += now_us() - begin;
	s->computed++;
}

/* Returns whether a store of the event's place is newer than the one that it reads or makes. */
static bool has_newer(const struct rc11 *g, const struct rc11_event *e)
{
	return rc11_accesses(e) && (e->writes ? e->newer : rc11_newer(g, e->op.place, e->reads_from));
}

/*
 * Adds n events, each one consistent, and tries some that do not stay before each of them. From event `from` on, the
 * search is timed for each one that was tried and that has a newer store. From event `compared` on, the verdict is
 * compared with the matrices.
 */
static struct sums execution(uint32_t n, const struct mix *m, uint32_t from, uint32_t compared)
{
	struct rc11_limits limits = {.threads = THREADS, .events = n + 1, .places = m->places};
	struct rc11 *g = calloc(1, rc11_bytes(limits));
	struct sums s = {0};
	rc11_init(g, limits);
	for (uint32_t p = 0; p < m->places; p++)
		rc11_place(g, 0);
	while (g->n < n) {
		bool stays = draw(4) == 0;
		add_drawn(g, m, stays);
		enum rc11_verdict v = rc11_verdict(g);
		bool coherent = v == RC11_CONSISTENT || v == RC11_CYCLIC;
		if (coherent && g->n > from && has_newer(g, rc11_event(g, g->n - 1)))
			time_search(g, &s);
		if (coherent && g->n > compared)
			compare(g, v == RC11_CYCLIC, &s);
		if (!stays || v != RC11_CONSISTENT)
			rc11_pop(g);
	}
	free(g);
	return s;
}

static void agree(unsigned executions, uint32_t fences)
{
	struct sums all = {0};
	state_of_draw = test_seed(20261129);
	for (uint32_t i = 0; i < executions; i++) {
		struct mix m = {.places = 1 + draw(6), .weak = 20 * draw(6), .fences = fences ? 1 + draw(fences) : 0};
		m.known = draw(2) ? draw(10) : 0;
		m.stores = draw(2) ? 4 : 20;
		struct sums s = execution(10 + draw(50), &m, 0, 0);
		all.checks += s.checks;
		all.cycles += s.cycles;
	}
	print_message("%u checks, %u cycles\n", all.checks, all.cycles);
	assert_true(all.cycles && all.cycles < all.checks);
}

static void search_and_matrices_agree(void **state)
{
	agree(300, 0);
}

static void search_and_matrices_agree_with_fences(void **state)
{
	agree(1000, 50);
}

/* Prints the time of a check among n events, beside that at the first n. The matrices are left out where they take
 * seconds. */
static void print_growth(const struct mix *m)
{
	static const uint32_t sizes[] = {25, 100, 400, 1600};
	double search0 = 0, matrices0 = 0;
	state_of_draw = test_seed(20261129);
	for (unsigned k = 0; k < 4; k++) {
		struct sums s = {0};
		for (uint32_t i = 0; i < 1600 / sizes[k]; i++) {
			uint32_t compared = sizes[k] > 400 ? sizes[k] : sizes[k] - 1;
			struct sums more = execution(sizes[k], m, sizes[k] - sizes[k] / 16 - 1, compared);
			s.checks += more.checks;
			s.search += more.search;
			s.computed += more.computed;
			s.matrices += more.matrices;
		}
		assert_true(s.checks > 0);
		double search = s.search / s.checks, matrices = s.computed ? s.matrices / s.computed : 0;
		search0 = k ? search0 : search;
		matrices0 = k ? matrices0 : matrices;
		print_message("%4u events: search %.2f us (x %.1f)", sizes[k], search, search / search0);
		if (s.computed)
			print_message(", matrices %.1f us (x %.0f)", matrices, matrices / matrices0);
		print_message("\n");
	}
}

/* Only seq_cst accesses. */
static void growth(void **state)
{
	print_growth(&(struct mix){.places = 8, .stores = 4});
}

/* Weak accesses, and a fence for each three of them. */
static void growth_with_fences(void **state)
{
	print_growth(&(struct mix){.places = 8, .stores = 4, .weak = 100, .fences = 25});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search_and_matrices_agree),
		cmocka_unit_test(search_and_matrices_agree_with_fences),
		cmocka_unit_test(growth),
		cmocka_unit_test(growth_with_fences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
