/* Every execution fails, whatever the schedule is. */
#include <pthread.h>

static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&m);
		sum++;
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return sum == 8;
}
