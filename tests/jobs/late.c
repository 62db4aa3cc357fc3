/*
 * Two threads use a variable without a lock only in the schedule in which the threads run in reverse order. With an argument the program then
 * also creates a directory of that name.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

#define N 5

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order[N], n, late;

static int backwards(int k)
{
	for (int i = 0; i < k; i++)
		if (order[i] != N - 1 - i)
			return 0;
	return 1;
}

static void *run(void *arg)
{
	int me = (int)(long)arg, third;

	pthread_mutex_lock(&m);
	order[n++] = me;
	third = n > 2 && backwards(n);
	pthread_mutex_unlock(&m);
	if (third)
		late++;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[N];

	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	if (argc > 1 && backwards(N) && mkdir(argv[1], 0777))
		perror(argv[1]);
	return 0;
}
