/*
 * One thread copies a block into shared memory with memcpy, another copies it out again, and a third compares it, all without
 * a lock. The write and each read happen in either order, and the two reads commute: 2 * 2 = 4 traces. A call is one event, however many
 * bytes it moves.
 */
#include <pthread.h>
#include <string.h>

static volatile size_t size = 48; /* volatile, so that the compiler emits calls */
static char from[48] = "words", shared[48], to[48];
static volatile int differs;

static void *in(void *arg)
{
	memcpy(shared, from, size);
	return NULL;
}

static void *out(void *arg)
{
	memcpy(to, shared, size);
	return NULL;
}

static void *compare(void *arg)
{
	differs = memcmp(shared, from, size);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, in, NULL);
	pthread_create(&t[1], NULL, out, NULL);
	pthread_create(&t[2], NULL, compare, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
