/* Two threads that add to a counter without a lock and, when they got into each other's way, fail as asked for. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int counter, others;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&a);
		others++;
		pthread_mutex_unlock(&a);
		int seen = counter;
		counter = seen + 1;
	}
	return NULL;
}

static void *lock_both(void *arg)
{
	pthread_mutex_t *first = arg ? &b : &a, *second = arg ? &a : &b;

	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return NULL;
}

static void fail(const char *how)
{
	if (!strcmp(how, "crash"))
		*(volatile int *)8 = 1;
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "livelock"))
		while (counter != 4)
			;
	if (!strcmp(how, "hang"))
		for (volatile unsigned long i = 1; i; i++)
			;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "exit";
	void *(*body)(void *) = strcmp(how, "deadlock") ? add : lock_both;
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, body, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (body == add && counter != 4)
		fail(how);
	return 0;
}
