/* Three threads that each add to one counter N times: (3N)! / N!^3 traces, none of which fails. The search is long enough to kill processes in it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counter;
static int n;

static void *add(void *unused)
{
	for (int i = 0; i < n; i++)
		counter++;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	n = argc > 1 ? atoi(argv[1]) : 1;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return counter != 3 * n;
}
