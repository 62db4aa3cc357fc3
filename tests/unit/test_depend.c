/* The dependence relation: it is symmetric, and agrees with sched/event.h row by row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/event.h"

#define N M_COUNT

static void symmetric(void **state)
{
	for (unsigned a = 0; a < N; a++)
		for (unsigned b = 0; b < N; b++)
			for (unsigned q = 1; q < 3; q++)
				assert_int_equal(modes_dependent(a, 1, b, q), modes_dependent(b, q, a, 1));
}

static void check_row(unsigned a, uint32_t independent)
{
	for (unsigned b = M_NONE + 1; b < M_PASS; b++)
		assert_int_equal(modes_dependent(a, 1, b, 2), !(independent >> b & 1));
}

static void rows(void **state)
{
	check_row(M_WRITE, 0);
	check_row(M_ACQ, 0);
	check_row(M_REL, 0);
	check_row(M_LAST, 0);
	check_row(M_READ, 1u << M_READ);
	for (unsigned b = 0; b < N; b++) {
		assert_false(modes_dependent(M_NONE, 1, b, 1));
		assert_false(modes_dependent(N, 1, b, 1));
	}
	assert_false(modes_dependent(M_RDACQ, 0, M_RDACQ, 0));
	assert_false(modes_dependent(M_RDACQ, 0, M_RDREL, 0));
	assert_true(modes_dependent(M_RDACQ, 0, M_ACQ, 0));
	assert_true(modes_dependent(M_SEND, 1, M_SEND, 2));
	assert_true(modes_dependent(M_SEND, 2, M_RECV, 2));
	assert_false(modes_dependent(M_SEND, 1, M_RECV, 2));
	assert_true(modes_dependent(M_RECV, 1, M_READ, 0));
	assert_false(modes_dependent(M_ARRIVE, 1, M_ARRIVE, 1));
	assert_false(modes_dependent(M_ARRIVE, 1, M_PASS, 1));
	assert_true(modes_dependent(M_LAST, 1, M_PASS, 1));
	assert_false(modes_dependent(M_LAST, 2, M_PASS, 1));
	assert_false(modes_dependent(M_SIG, 0, M_SIG, 0));
	assert_false(modes_dependent(M_ENQ, 0, M_ENQ, 0));
	assert_false(modes_dependent(M_ENQ, 0, M_TAKE, 0));
	assert_true(modes_dependent(M_ENQ, 0, M_DEQ, 0));
	assert_true(modes_dependent(M_TAKE, 0, M_TAKE, 0));
	assert_true(modes_dependent(M_SIG, 0, M_TAKE, 0));
}

static struct event event(thread_id t, unsigned kind, unsigned mode, object_id o)
{
	return (struct event){.thread = t, .kind = (uint8_t)kind, .mode = {(uint8_t)mode}, .obj = {o}};
}

static void events(void **state)
{
	struct event a = event(1, EV_LOAD, M_READ, 5), b = event(2, EV_LOAD, M_READ, 5);
	assert_false(events_dependent(&a, &b));
	b = event(2, EV_STORE, M_WRITE, 5);
	assert_true(events_dependent(&a, &b));
	b.obj[0] = 6;
	assert_false(events_dependent(&a, &b));
	b.thread = 1;
	assert_true(events_dependent(&a, &b));
	b = event(2, EV_EXIT, M_NONE, 0);
	assert_true(events_dependent(&a, &b));
	assert_true(events_dependent(&b, &a));
}

static void second_object(void **state)
{
	struct event wait = event(1, EV_COND_WAIT, M_ENQ, 5), lock = event(2, EV_MUTEX_LOCK, M_ACQ, 7);
	assert_false(events_dependent(&wait, &lock));
	wait.obj[1] = 7;
	wait.mode[1] = M_REL;
	assert_true(events_dependent(&wait, &lock));
	assert_true(events_dependent(&lock, &wait));
}

static void pokes(void **state)
{
	struct event poke = event(1, EV_THREAD_CANCEL, M_POKE, 3), local = event(2, EV_YIELD, M_NONE, 0);
	poke.seq = 2;
	assert_true(events_dependent(&poke, &local));
	assert_true(events_dependent(&local, &poke));
	local.thread = 4;
	assert_false(events_dependent(&poke, &local));
	struct event other = event(5, EV_SIGNAL_SEND, M_POKE, 3);
	other.seq = 2;
	assert_true(events_dependent(&poke, &other));
}

static void futex_wakes(void **state)
{
	struct event a = event(1, EV_FUTEX_WAKE, M_SIG, 5), b = event(2, EV_FUTEX_WAKE, M_SIG, 5);
	assert_false(events_dependent(&a, &b)); /* neither found a waiter */
	b.result = 1;
	assert_true(events_dependent(&a, &b));
	a.kind = b.kind = EV_COND_SIGNAL;
	assert_false(events_dependent(&a, &b));
}

static void names(void **state)
{
	for (unsigned k = 0; k < EV_COUNT; k++)
		assert_int_equal(event_kind_parse(event_kind_text(k)), (int)k);
	for (unsigned k = 0; k < OBJ_COUNT; k++)
		assert_int_equal(object_kind_parse(object_kind_text(k)), (int)k);
	for (unsigned k = 0; k < ALT_COUNT; k++)
		assert_int_equal(alternative_parse(alternative_text(k)), (int)k);
	assert_string_equal(event_kind_text(EV_COUNT), "?");
	assert_int_equal(event_kind_parse("nonsense"), -1);
	assert_int_equal(object_kind_parse(""), -1);
	assert_int_equal(alternative_parse("never"), -1);
	assert_int_equal(event_kind_flags(EV_EXIT), K_END);
	assert_int_equal(event_kind_object(EV_COND_WAIT), OBJ_COND);
}

static void thread_paths(void **state)
{
	static struct thread_names n;
	char buf[16];
	thread_names_init(&n);
	thread_id a = thread_names_intern(&n, 0, 1), b = thread_names_intern(&n, a, 12);
	assert_int_equal(thread_names_intern(&n, 0, 1), a);
	assert_string_equal(thread_name_format(&n, b, buf, sizeof buf), "T0.1.12");
	assert_string_equal(thread_name_format(&n, b, buf, 5), "T0.1");
	assert_int_equal(thread_name_parse(&n, "T0.1.12"), b);
	assert_int_equal(thread_name_parse(&n, "T0"), 0);
	thread_id c = thread_name_parse(&n, "T0.1.12.3");
	assert_int_equal(c, n.count - 1);
	const char *const wrong[] = {"", "T", "T1", "T0.", "T0..1", "T0.0", "T0.1x", "T0.70000", "t0"};
	for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++)
		assert_int_equal(thread_name_parse(&n, wrong[k]), NO_THREAD);
	assert_int_equal(thread_names_intern(&n, 999, 1), NO_THREAD);
	for (unsigned k = 1; n.count < MAX_THREADS; k++)
		assert_int_not_equal(thread_names_intern(&n, b, k), NO_THREAD);
	assert_int_equal(thread_names_intern(&n, b, 5000), NO_THREAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symmetric), cmocka_unit_test(rows), cmocka_unit_test(events),
		cmocka_unit_test(second_object), cmocka_unit_test(pokes), cmocka_unit_test(futex_wakes),
		cmocka_unit_test(names), cmocka_unit_test(thread_paths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
