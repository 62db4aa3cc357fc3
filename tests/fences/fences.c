/*
 * Store buffering and message passing with FENCE between the two accesses of a writer: tests/fences.sh says what FENCE is and
 * whether it helps. `i` is which thread runs it; priv[i] is touched by nobody else.
 */
#include <pthread.h>
#include <stdatomic.h>

#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

static atomic_int x, y, priv[2][16];
static __thread int tls;
static int a, b;

static __attribute__((noinline)) void fence(int i)
{
	FENCE;
}

static void *first(void *arg)
{
	ST(x, 1);
	fence(0);
#ifdef MP
	ST(y, 1);
#else
	a = LD(y);
#endif
	return arg;
}

static void *second(void *arg)
{
#ifdef MP
	a = LD(y);
#else
	ST(y, 1);
	fence(1);
#endif
	b = LD(x);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, first, 0);
	pthread_create(&t[1], 0, second, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
#ifdef MP
	return a == 1 && b == 0;
#else
	return a == 0 && b == 0;
#endif
}
