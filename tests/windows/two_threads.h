/* The main of a program whose two threads run the same function. */
#include <pthread.h>
static void run_two(void *(*work)(void *))
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
}
