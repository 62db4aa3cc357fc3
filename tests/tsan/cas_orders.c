/*
 * Lazy initialisation by compare-and-swap. A thread that fails uses what the other thread made, so its order for failure decides whether
 * there is a data race. LOOP: a thread that finds the work begun tries again until it is done, so it fails in a spin loop.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE int
#endif

#ifdef LOOP
enum { NEW, BUSY, READY };

static _Atomic SIZE state;
static int data;

static void *user(void *arg)
{
	for (SIZE found = BUSY; found != READY;) {
		found = NEW;
		if (atomic_compare_exchange_strong_explicit(&state, &found, BUSY, SUCCESS_ORDER, FAILURE_ORDER)) {
			data = 9;
			atomic_store_explicit(&state, READY, memory_order_release);
			found = READY;
		}
	}
	assert(data == 9);
	return arg;
}
#else
static int objects[3];
static _Atomic SIZE winner; /* index of the object that is in use; 0: none */

static void *user(void *arg)
{
	SIZE mine = (SIZE)(size_t)arg, found = 0;

	objects[mine] = 9;
	if (!atomic_compare_exchange_strong_explicit(&winner, &found, mine, SUCCESS_ORDER, FAILURE_ORDER)) {
#ifdef FENCE
		atomic_thread_fence(memory_order_acquire);
#endif
		assert(objects[found] == 9);
	}
	return NULL;
}
#endif

int main(void)
{
	pthread_t t[2];

	for (size_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, user, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
