/* Two CMocka tests without a mistake. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *arg)
{
	for (int i = 0; i < *(int *)arg; i++) {
		pthread_mutex_lock(&lock);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void run(int times)
{
	pthread_t t;

	counter = 0;
	pthread_create(&t, NULL, count, &times);
	count(&times);
	pthread_join(t, NULL);
	assert_int_equal(counter, 2 * times);
}

static void counts_once(void **state)
{
	run(1);
}

static void counts_twice(void **state)
{
	run(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_once),
		cmocka_unit_test(counts_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
