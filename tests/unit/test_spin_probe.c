/* Which sequences of accesses count as rounds without effect: preload/memory/spin_probe.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "preload/memory/spin_probe.c"

uint64_t mem_stack_lo, mem_stack_hi;

static uint32_t word, other, stack[4];
static struct probe p;

static int fresh(void **state)
{
	probe_reset(&p);
	word = other = 0;
	mem_stack_lo = (uintptr_t)stack;
	mem_stack_hi = mem_stack_lo + sizeof stack;
	return 0;
}

static enum probe_result at(uint32_t *where, unsigned flags, uint64_t state)
{
	struct mem_access a = { .addr = (uintptr_t)where, .size = 4, .flags = flags, .pc = 100 + (uintptr_t)where };
	enum probe_result r = probe_access(&p, &a);
	return r == PROBE_STATE ? probe_state(&p, state) : r;
}

static void a_round_in_the_same_state(void **state)
{
	enum probe_result r = PROBE_MORE;
	for (unsigned i = 0; i < 1000 && r == PROBE_MORE; i++)
		r = at(i % 2 ? &other : &word, MEM_READ, 7);
	assert_int_equal(r, PROBE_ROUND);
	assert_int_equal(p.period, 2);
	assert_true(probe_reads_only(&p, 0) && probe_reads_only(&p, 1));
}

static void a_calculation_reads_the_same_in_another_state(void **state)
{
	enum probe_result r = PROBE_MORE;
	for (unsigned i = 0; i < 1000 && r == PROBE_MORE; i++)
		r = at(&word, MEM_READ, 7 + i);
	assert_int_equal(r, PROBE_NONE);
}

static void a_state_that_is_not_known_proves_nothing(void **state)
{
	enum probe_result r = PROBE_MORE;
	for (unsigned i = 0; i < 1000 && r == PROBE_MORE; i++)
		r = at(&word, MEM_READ, 0);
	assert_int_equal(r, PROBE_NONE);
}

static void an_exchange_that_stores_the_old_value(void **state)
{
	enum probe_result r = PROBE_MORE;
	for (unsigned i = 0; i < 1000 && r == PROBE_MORE; i++)
		r = at(&word, MEM_READ | MEM_WRITE, 7);
	assert_int_equal(r, PROBE_ROUND);
	assert_true(probe_reads_only(&p, 0));
}

static void an_exchange_that_changes_it(void **state)
{
	enum probe_result r = PROBE_MORE;
	for (unsigned i = 0; i < 1000 && r == PROBE_MORE; i++) {
		r = at(&word, MEM_READ | MEM_WRITE, 7);
		word++;
	}
	assert_int_equal(r, PROBE_NONE);
}

static void writes_to_its_own_stack_only(void **state)
{
	enum probe_result r = PROBE_MORE;
	for (unsigned i = 0; i < 1000 && r == PROBE_MORE; i++)
		r = i % 2 ? at(stack, MEM_WRITE, 7) : at(&word, MEM_READ, 7);
	assert_int_equal(r, PROBE_ROUND);
	assert_true(probe_reads_only(&p, 0));
	assert_true(p.at[1].write);
	fresh(state);
	r = PROBE_MORE;
	for (unsigned i = 0; i < 1000 && r == PROBE_MORE; i++)
		r = i % 2 ? at(&other, MEM_WRITE, 7) : at(&word, MEM_READ, 7);
	assert_int_equal(r, PROBE_NONE);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, fresh)
	const struct CMUnitTest tests[] = {
		TEST(a_round_in_the_same_state),
		TEST(a_calculation_reads_the_same_in_another_state),
		TEST(a_state_that_is_not_known_proves_nothing),
		TEST(an_exchange_that_stores_the_old_value),
		TEST(an_exchange_that_changes_it),
		TEST(writes_to_its_own_stack_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
