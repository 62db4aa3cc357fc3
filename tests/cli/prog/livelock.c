/* Two threads that wait for each other, each in a loop. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ping, pong;

static void *first(void *arg)
{
	while (!atomic_load(&ping))
		;
	atomic_store(&pong, 1);
	return arg;
}

static void *second(void *arg)
{
	while (!atomic_load(&pong))
		;
	atomic_store(&ping, 1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
