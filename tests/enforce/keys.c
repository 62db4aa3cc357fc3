/* A thread deletes a key of thread-specific data that another one may still use. Before that, both make one key at
   first use, as Rust's library does: the thread that is late deletes its own. Each leaves a value for the key's
   destructor. */
#include <stdbool.h>
#include "window.h"

static pthread_key_t temporary;
static pthread_key_t made; /* 0: not yet, 1: with a key that is 0 */
static int destroyed;

static void destroy(void *value)
{
	__atomic_fetch_add(&destroyed, *(int *)value, __ATOMIC_RELAXED);
	free(value);
}

static pthread_key_t lazy_key(void)
{
	pthread_key_t key, found = __atomic_load_n(&made, __ATOMIC_ACQUIRE);

	if (found)
		return found - 1;
	assert(!pthread_key_create(&key, destroy));
	if (__atomic_compare_exchange_n(&made, &found, key + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return key;
	assert(!pthread_key_delete(key));
	return found - 1;
}

static void use_lazy_key(void)
{
	int *value = malloc(sizeof(*value));

	*value = 1;
	assert(!pthread_getspecific(lazy_key()) && !pthread_setspecific(lazy_key(), value));
	assert(pthread_getspecific(lazy_key()) == value);
}

static void *user(void *a)
{
	use_lazy_key();
	assert(!pthread_setspecific(temporary, &destroyed));
	window(2);
	assert(pthread_getspecific(temporary) == &destroyed);
	return a;
}

static void *deleter(void *a)
{
	use_lazy_key();
	window(2);
	assert(!pthread_key_delete(temporary));
	return a;
}

int main(void)
{
	assert(!pthread_key_create(&temporary, NULL));
	run_two(user, deleter);
	assert(pthread_setspecific(temporary, &destroyed));
	return 0;
}
