/* Takes a moment before its threads begin. Three of them with three lock rounds each: 9! / 3!^3 traces. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *rounds(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

int main(void)
{
	pthread_t thread[3];

	for (unsigned long i = 0; i < 400000000; i++)
		__asm__ volatile("" : "+r"(i));
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, rounds, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
