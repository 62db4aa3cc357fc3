/*
 * The table of spin loops: which thread iterates, where it leaves the loop, which iterations are elided, and when an observer could tell whether
 * it left early or late. (test_explore_sets.c checks with spinning toy programs that no trace is lost.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sched/await.h"

enum { X = 0x1000, Y = 0x2000, FREE = 10, HELD = 11, OTHER = 12 };

static struct await_table t;
static uint32_t x_now, y_now;

static uint32_t value(void *ctx, uint64_t addr, uint32_t size)
{
	assert_int_equal(size, 4);
	return addr == X ? x_now : y_now;
}

static int empty(void **state)
{
	memset(&t, 0, sizeof t);
	x_now = y_now = FREE;
	return 0;
}

/* A node for place `pc`; `rest` distinguishes nodes at the same place. */
static uint32_t node(unsigned kind, uint64_t addr, uint64_t pc, uint64_t rest)
{
	struct await_node n = { .state = pc << 32 | rest << 16 | 1, .addr = addr, .pc = pc, .size = 4, .what = kind };
	uint32_t no = await_node(&t, &n);
	assert_int_not_equal(no, 0);
	assert_int_equal(await_find(&t, n.state), no);
	return no;
}

static uint32_t exit_of(uint32_t n)
{
	struct await_visit fresh = { 0 };
	return await_exit(&t, n, &fresh, value, NULL);
}

static void nodes_and_places(void **state)
{
	uint32_t a = node(EV_LOAD, X, 100, 0);
	assert_int_equal(node(EV_LOAD, X, 100, 0), a);
	assert_int_not_equal(node(EV_LOAD, X, 100, 1), a);
	assert_true(await_is_place(&t, 100));
	assert_false(await_is_place(&t, 101));
	assert_true(await_add_place(&t, 101));
	assert_false(await_add_place(&t, 101));
	assert_true(await_is_place(&t, 101));
	assert_int_equal(await_find(&t, 77), 0);
	assert_int_equal(t.changes, 0); /* none of that changes which operations are events */
}

static void edges_are_facts(void **state)
{
	uint32_t a = node(EV_LOAD, X, 100, 0), b = node(EV_RMW, X, 101, 0);
	assert_true(await_discover(&t, a, FREE, b));
	assert_false(await_discover(&t, a, FREE, b));
	assert_int_equal(t.changes, 1);
	assert_int_equal(await_next(&t, a, FREE), b);
	assert_int_equal(await_next(&t, a, HELD), 0);
	assert_int_equal(await_next(&t, b, FREE), 0);
	/* another successor was seen: the edge is broken for good */
	assert_true(await_discover(&t, a, FREE, a));
	assert_int_equal(await_next(&t, a, FREE), 0);
	assert_int_equal(t.broken, 1);
	assert_int_equal(t.changes, 2);
	assert_false(await_discover(&t, a, FREE, b));
	assert_int_equal(await_next(&t, a, FREE), 0);
}

static void known_are_rounds_and_landings(void **state)
{
	uint32_t a = node(EV_LOAD, X, 100, 0), b = node(EV_RMW, X, 101, 0), there = node(EV_LOAD, Y, 102, 0);
	assert_false(await_foreseen(&t, a, HELD));
	assert_true(await_discover(&t, a, HELD, a));
	assert_true(await_foreseen(&t, a, HELD));
	/* an edge towards an exit is foreseen only when the exit's landing is known */
	assert_true(await_discover(&t, a, FREE, b));
	assert_false(await_foreseen(&t, a, FREE));
	await_land(&t, b, FREE, there);
	assert_true(await_foreseen(&t, a, FREE));
}

static void iterating_thread_is_disabled(void **state)
{
	uint32_t a = node(EV_LOAD, X, 100, 0);
	x_now = HELD;
	assert_int_equal(exit_of(a), a); /* not known yet */
	await_discover(&t, a, HELD, a);
	assert_int_equal(exit_of(a), 0);
	assert_true(await_stuck(&t, a, value, NULL));
	x_now = FREE;
	assert_int_equal(exit_of(a), a);
	assert_false(await_stuck(&t, a, value, NULL));
}

/* a: load, b: exchange; while held, both lead to a. */
static void ttas(uint32_t *a, uint32_t *b)
{
	*a = node(EV_LOAD, X, 100, 0);
	*b = node(EV_RMW, X, 101, 0);
	await_discover(&t, *a, HELD, *a);
	await_discover(&t, *a, FREE, *b);
	await_discover(&t, *b, HELD, *a);
}

static void load_before_exchange_is_silent(void **state)
{
	uint32_t a, b;
	ttas(&a, &b);
	assert_int_equal(exit_of(a), b);
	assert_int_equal(exit_of(b), b);
	x_now = HELD;
	assert_int_equal(exit_of(a), 0);
	assert_int_equal(exit_of(b), 0);
	x_now = OTHER; /* the successor is unknown: the load is an event */
	assert_int_equal(exit_of(a), a);
}

static void watch(struct await_reach *r, uint32_t found)
{
	struct await_visit fresh = { 0 };
	x_now = found;
	await_watch(&t, r, &fresh, value, NULL);
}

static void early_and_late_exits_are_the_same(void **state)
{
	struct await_reach r;
	uint32_t a, b, before;
	ttas(&a, &b);
	before = t.changes;
	await_watch_at(&r, a);
	watch(&r, HELD);
	watch(&r, FREE); /* the thread could have moved to b here */
	watch(&r, HELD);
	watch(&r, FREE);
	assert_int_equal(t.changes, before);
	assert_int_equal(exit_of(a), b);
}

static void early_or_late_exit_is_observable(void **state)
{
	struct await_reach r;
	uint32_t a, b, before;
	ttas(&a, &b);
	before = t.changes;
	await_watch_at(&r, a);
	watch(&r, FREE);
	watch(&r, OTHER); /* from b the loop would iterate on this value; from a the load would leave the loop */
	assert_int_equal(t.changes, before + 1);
	x_now = FREE;
	assert_int_equal(exit_of(a), a); /* the load is visible now */
	assert_int_equal(exit_of(b), b);
	/* once both edges are known to lead to the same node, the load is silent again */
	await_discover(&t, a, OTHER, a);
	await_discover(&t, b, OTHER, a);
	assert_int_equal(exit_of(a), b);
	before = t.changes;
	await_watch_at(&r, a);
	watch(&r, FREE);
	watch(&r, OTHER);
	watch(&r, FREE);
	assert_int_equal(t.changes, before);
}

/* A load that is visible because of what follows at one value stays so when more is known about another value. */
static void visible_until_its_reason_is_gone(void **state)
{
	struct await_reach r;
	uint32_t a, b, c = node(EV_LOAD, X, 102, 0);
	ttas(&a, &b);
	await_watch_at(&r, a);
	watch(&r, FREE);
	watch(&r, OTHER);
	uint32_t before = t.changes;
	await_discover(&t, b, OTHER + 1, c);
	await_discover(&t, c, OTHER, a);
	assert_int_equal(t.changes, before + 2);
	x_now = FREE;
	assert_int_equal(exit_of(a), a);
	await_discover(&t, b, OTHER, a); /* the thread leaves at a with the value, wherever it is */
	assert_int_equal(exit_of(a), b);
}

/* Two loads are visible, one of them because the other one is. */
static void visible_until_the_reason_of_its_reason_is_gone(void **state)
{
	struct await_reach r;
	uint32_t a = node(EV_LOAD, X, 100, 0), b = node(EV_LOAD, X, 101, 0), c = node(EV_LOAD, X, 102, 0);
	await_discover(&t, a, FREE, b);
	await_discover(&t, a, OTHER, c);
	await_discover(&t, b, OTHER, c);
	await_watch_at(&r, b);
	watch(&r, OTHER);
	watch(&r, HELD); /* what b and c do then is unknown */
	x_now = OTHER;
	assert_int_equal(exit_of(b), b);
	await_watch_at(&r, a);
	watch(&r, FREE);
	watch(&r, OTHER); /* from a the exit is c, from b it is b */
	x_now = FREE;
	assert_int_equal(exit_of(a), a);
	await_discover(&t, c, HELD, b);
	await_discover(&t, b, HELD, b);
	assert_int_equal(exit_of(a), b);
	x_now = OTHER;
	assert_int_equal(exit_of(b), c);
}

/* An exchange that finds the lock taken sets a register: its first node is `a`, later ones are `b`. */
static void contention_that_shows(uint32_t *a, uint32_t *b)
{
	*a = node(EV_RMW, X, 100, 0);
	*b = node(EV_RMW, X, 100, 1);
	await_discover(&t, *a, HELD, *b);
	await_discover(&t, *b, HELD, *b);
}

static void observable_lead_in_is_visible(void **state)
{
	struct await_reach r;
	uint32_t a, b;
	contention_that_shows(&a, &b);
	await_watch_at(&r, a);
	watch(&r, HELD);
	assert_int_equal(exit_of(a), 0);
	watch(&r, FREE);
	x_now = HELD;
	assert_int_equal(exit_of(a), a); /* the failed exchange is an event */
	assert_int_equal(exit_of(b), 0);
}

static void lead_in_that_lands_in_the_same_state(void **state)
{
	struct await_reach r;
	uint32_t a, b, land, before;
	contention_that_shows(&a, &b);
	land = node(EV_NONE, 0, 0, 7);
	await_land(&t, a, FREE, land);
	await_land(&t, b, FREE, land);
	before = t.changes;
	await_watch_at(&r, a);
	watch(&r, HELD);
	watch(&r, FREE);
	assert_int_equal(t.changes, before);
	x_now = HELD;
	assert_int_equal(exit_of(a), 0);
	x_now = FREE;
	assert_int_equal(exit_of(a), a); /* a landing is not a step of the loop */
}

static void landings_differ(void **state)
{
	struct await_reach r;
	uint32_t a, b;
	contention_that_shows(&a, &b);
	await_land(&t, a, FREE, node(EV_NONE, 0, 0, 7));
	await_land(&t, b, FREE, node(EV_NONE, 0, 0, 8));
	await_watch_at(&r, a);
	watch(&r, HELD);
	watch(&r, FREE);
	x_now = HELD;
	assert_int_equal(exit_of(a), a);
}

static void a_landing_that_changes_is_ignored(void **state)
{
	struct await_reach r;
	uint32_t a, b, land;
	contention_that_shows(&a, &b);
	land = node(EV_NONE, 0, 0, 7);
	await_land(&t, a, FREE, node(EV_NONE, 0, 0, 8));
	await_land(&t, a, FREE, land);
	await_land(&t, b, FREE, land);
	await_watch_at(&r, a);
	watch(&r, HELD);
	watch(&r, FREE);
	x_now = HELD;
	assert_int_equal(exit_of(a), a);
}

/* Peterson's lock: reads the other thread's flag, then `turn`, and iterates while the turn is the other thread's. */
static void two_places(void **state)
{
	struct await_visit v = { 0 };
	uint32_t flag = node(EV_LOAD, X, 100, 0), turn = node(EV_LOAD, Y, 101, 0);
	await_discover(&t, flag, HELD, turn);
	await_discover(&t, turn, HELD, flag);
	x_now = y_now = HELD;
	await_visit_at(&v, flag);
	assert_int_equal(await_exit(&t, flag, &v, value, NULL), flag); /* the next access reads other bytes: visible */
	await_visit_event(&t, &v, flag, HELD);
	await_visit_at(&v, turn);
	assert_int_equal(await_exit(&t, turn, &v, value, NULL), 0); /* it would complete the round */
	assert_true(await_stuck(&t, turn, value, NULL));
	assert_int_equal(await_round(&t, turn, value, NULL), flag); /* the same from each node of the round */
	assert_int_equal(await_round(&t, flag, value, NULL), flag);
	uint32_t entry = node(EV_LOAD, Y, 99, 0); /* leads into the round but is not part of it */
	await_discover(&t, entry, HELD, turn);
	assert_int_equal(await_round(&t, entry, value, NULL), flag);
	x_now = FREE; /* the thread could iterate and then leave; that is another execution */
	assert_int_equal(await_exit(&t, turn, &v, value, NULL), 0);
	assert_false(await_stuck(&t, turn, value, NULL));
	y_now = FREE;
	assert_int_equal(await_exit(&t, turn, &v, value, NULL), turn);
	await_visit_event(&t, &v, turn, FREE);
	await_visit_at(&v, flag); /* a new visit */
	assert_int_equal(v.n, 0);
}

static void visits_contain_passed_nodes(void **state)
{
	struct await_visit v = { 0 };
	uint32_t a, b;
	ttas(&a, &b);
	await_visit_at(&v, a);
	await_visit_event(&t, &v, a, FREE); /* a silently, b visibly; the thread has left the loop */
	assert_int_equal(v.n, 2);
	assert_int_equal(v.node[0], a);
	assert_int_equal(v.node[1], b);
	assert_int_equal(v.next, 0);
}

static void other_bytes_are_not_silent(void **state)
{
	uint32_t a = node(EV_LOAD, X, 100, 0), b = node(EV_RMW, Y, 101, 0);
	await_discover(&t, a, FREE, b);
	assert_int_equal(exit_of(a), a);
}

static void unstable_steps_stay_visible(void **state)
{
	uint32_t a = node(EV_LOAD, X, 100, 0), b = node(EV_RMW, X, 101, 0), c = node(EV_LOAD, X, 100, 1);
	await_discover(&t, a, FREE, b);
	assert_int_equal(exit_of(a), b);
	uint32_t changes = t.changes;
	await_unstable(&t, 100);
	assert_int_equal(t.changes, changes + 1);
	assert_int_equal(exit_of(a), a);
	await_discover(&t, c, FREE, b); /* known only later */
	assert_int_equal(exit_of(c), c);
	await_discover(&t, b, FREE, node(EV_RMW, X, 102, 0)); /* more is known: visible edges are tried again */
	assert_int_equal(exit_of(a), a);
	assert_int_equal(await_next(&t, a, FREE), b);
	changes = t.changes;
	await_unstable(&t, 100);
	assert_int_equal(t.changes, changes);
}

static void full(void **state)
{
	for (uint64_t i = 1; i <= AWAIT_NODES; i++)
		assert_int_not_equal(await_node(&t, &(struct await_node){ .state = i * 12345, .size = 4 }), 0);
	assert_int_equal(t.doubts, 0);
	assert_int_equal(await_node(&t, &(struct await_node){ .state = 99 }), 0);
	assert_int_equal(t.doubts, AWAIT_FULL);
	assert_int_not_equal(await_find(&t, 12345), 0);
	t.doubts = 0;
	for (uint32_t i = 0; i < AWAIT_EDGES; i++)
		assert_true(await_discover(&t, i % AWAIT_NODES + 1, i / AWAIT_NODES + 1, 1));
	assert_false(await_discover(&t, 1, 1000, 1));
	assert_int_equal(t.doubts, AWAIT_FULL);
	assert_int_equal(await_next(&t, 7, 2), 1);
}

static void frozen(void **state)
{
	uint32_t a = node(EV_LOAD, X, 100, 0), b = node(EV_LOAD, X, 100, 1), c = node(EV_LOAD, X, 100, 2);
	assert_true(await_discover(&t, a, HELD, b));
	t.frozen = 1;
	struct await_table before = t;
	struct await_visit fresh = { 0 };
	struct await_reach r;
	assert_false(await_add_place(&t, 101));
	assert_int_equal(await_node(&t, &(struct await_node){ .state = 99, .pc = 102 }), 0);
	assert_int_equal(await_node(&t, &before.node[a - 1]), a);
	assert_false(await_discover(&t, b, HELD, b));
	assert_false(await_discover(&t, a, HELD, c));
	await_land(&t, b, FREE, c);
	await_break(&t, a, HELD);
	x_now = HELD;
	await_watch_at(&r, a);
	await_watch(&t, &r, &fresh, value, NULL);
	x_now = FREE; /* at a and at b the value leaves the loop: as far as is known, to different places */
	await_watch(&t, &r, &fresh, value, NULL);
	assert_int_equal(r.n, 2);
	assert_memory_equal(&t, &before, sizeof t);
}

static void an_installed_edge_keeps_its_flags(void **state)
{
	struct await_edge e = { .flags = AWAIT_VISIBLE, .found = HELD };
	e.from = e.to = node(EV_LOAD, X, 100, 0);
	await_install(&t, &e);
	assert_int_equal(t.edge[0].flags, AWAIT_VISIBLE);
	assert_int_equal(await_next(&t, e.from, HELD), e.to);
}

#define TEST(f) cmocka_unit_test_setup(f, empty)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nodes_and_places),
		TEST(known_are_rounds_and_landings),
		TEST(edges_are_facts),
		TEST(iterating_thread_is_disabled),
		TEST(load_before_exchange_is_silent),
		TEST(early_and_late_exits_are_the_same),
		TEST(early_or_late_exit_is_observable),
		TEST(visible_until_its_reason_is_gone),
		TEST(visible_until_the_reason_of_its_reason_is_gone),
		TEST(observable_lead_in_is_visible),
		TEST(lead_in_that_lands_in_the_same_state),
		TEST(landings_differ),
		TEST(a_landing_that_changes_is_ignored),
		TEST(two_places),
		TEST(visits_contain_passed_nodes),
		TEST(other_bytes_are_not_silent),
		TEST(unstable_steps_stay_visible),
		TEST(full),
		TEST(frozen),
		TEST(an_installed_edge_keeps_its_flags),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
