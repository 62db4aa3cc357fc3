/* flag_spin: a flag that is waited for, twice handed on
   -DWEAK: handed on with relaxed: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define ON rlx
#else
#define ON rel
#endif
static atomic_int stage;
static int data;

static void *first(void *arg)
{
	data = 1;
	store(&stage, 1, rel);
	return NULL;
}

static void *second(void *arg)
{
	while (load(&stage, acq) != 1)
		SPIN();
	data++;
	store(&stage, 2, ON);
	return NULL;
}

static void *third(void *arg)
{
	while (load(&stage, acq) != 2)
		SPIN();
	CHECK(data == 2);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, first, (void *)0L);
	pthread_create(&t[1], NULL, second, (void *)1L);
	pthread_create(&t[2], NULL, third, (void *)2L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	return 0;
}
