/* Two clerks sell the last seats of a flight. Each looks, prints a ticket, and takes the seats, with the lock released in between. The second customer
   comes up to three milliseconds after the first, and a ticket takes one: in every third run both get the same seats. */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 2;
static unsigned arrival; /* of the second customer, microseconds after the first */

static void *sell(void *late)
{
	if (late)
		usleep(arrival);
	pthread_mutex_lock(&lock);
	int left = seats;
	pthread_mutex_unlock(&lock);
	if (left < 2)
		return NULL;
	usleep(1000); /* prints a ticket */
	pthread_mutex_lock(&lock);
	seats -= 2;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t clerk[2];
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	arrival = (unsigned)now.tv_nsec / 1000 % 3000;

	for (int i = 0; i < 2; i++)
		pthread_create(&clerk[i], NULL, sell, i ? &arrival : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(clerk[i], NULL);
	assert(seats >= 0);
	return 0;
}
