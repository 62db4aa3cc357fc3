/* race_unsynchronised: the reader does not look at the flag before it reads: a data race with any memory orders */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y;
static int x;
static int r1_a, r1_b;

static void *thread0(void *unused)
{
	x = 1;
	atomic_store_explicit(&y, 1, memory_order_release);
	return unused;
}

static void *thread1(void *unused)
{
	int a = 0, b = 0;

	a = atomic_load_explicit(&y, memory_order_acquire);
	b = x;
	r1_a = a;
	r1_b = b;
	return unused;
}

int main(void)
{
	pthread_t t0, t1;

	pthread_create(&t0, 0, thread0, 0);
	pthread_create(&t1, 0, thread1, 0);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	assert(!(r1_a == 1 && r1_b == 0));
	return 0;
}
