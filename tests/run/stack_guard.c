/* A thread's stack has the place that its attributes report and the requested size, with a guard below (Rust panics without). */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void look(size_t size_wanted, size_t guard_wanted)
{
	pthread_attr_t attr;
	size_t size, guard;
	void *lowest;
	char here;

	assert(pthread_getattr_np(pthread_self(), &attr) == 0);
	assert(pthread_attr_getstack(&attr, &lowest, &size) == 0 && pthread_attr_getguardsize(&attr, &guard) == 0);
	assert((uintptr_t)&here > (uintptr_t)lowest && (uintptr_t)&here < (uintptr_t)lowest + size);
	assert(size >= size_wanted && guard == guard_wanted);
	pthread_attr_destroy(&attr);
}

static void *plain(void *arg)
{
	look(1 << 16, 4096);
	return arg;
}

static void *special(void *arg)
{
	look(1 << 20, 16384);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 20);
	pthread_attr_setguardsize(&attr, 16384);
	assert(pthread_create(&a, NULL, plain, NULL) == 0 && pthread_create(&b, &attr, special, NULL) == 0);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
