/* Three threads that add to one counter four times each: 12! / 4!^3 = 34650 traces, none of which fails. Time enough to kill some. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *unused)
{
	for (int i = 0; i < 4; i++)
		counter++;
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return counter != 12;
}
