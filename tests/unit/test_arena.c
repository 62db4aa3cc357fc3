/* The allocator of searches: base/arena.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"

#define REGION (1u << 20)
#define FIRST 4096u /* bytes that stay accessible */

static char *region;

static int map(void **state)
{
	region = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return region == MAP_FAILED;
}

static int unmap(void **state)
{
	return munmap(region, REGION);
}

static void assert_zeros(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(p[i], 0);
}

static void dirty_memory_is_cleared(void **state)
{
	struct arena *a;

	memset(region, 1, REGION);
	a = arena_init(region, REGION);
	for (size_t size = 1; size <= 65536; size *= 3)
		assert_zeros(arena_ptr(a, arena_alloc(a, size)), size);
}

static void freed_memory_is_cleared(void **state)
{
	struct arena *a = arena_init(region, REGION);
	aref first;

	arena_clean(a);
	first = arena_alloc(a, 5000);
	memset(arena_ptr(a, first), 1, 5000);
	arena_free(a, first, 5000);
	assert_int_equal(arena_alloc(a, 5000), first);
	assert_zeros(arena_ptr(a, first), 5000);
}

/* Memory that nobody may access yet: an access would end the test. */
static void clean_memory_is_left_alone(void **state)
{
	struct arena *a = arena_init(region, REGION);
	aref first;

	arena_clean(a);
	assert_int_equal(mprotect(region + FIRST, REGION - FIRST, PROT_NONE), 0);
	first = arena_alloc(a, 65536);
	assert_true(first);
	assert_int_equal(mprotect(region + FIRST, REGION - FIRST, PROT_READ | PROT_WRITE), 0);
	assert_zeros(arena_ptr(a, first), 65536);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(dirty_memory_is_cleared, map, unmap),
		cmocka_unit_test_setup_teardown(freed_memory_is_cleared, map, unmap),
		cmocka_unit_test_setup_teardown(clean_memory_is_left_alone, map, unmap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
