/* The watchdog of a test must not hide its deadlock, and must not fire while virtual time stands still. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t sem;

static void *waiter(void *arg)
{
	sem_wait(&sem);
	return NULL;
}

int main(void)
{
	pthread_t t;

	alarm(30);
	sem_init(&sem, 0, 0);
	pthread_create(&t, NULL, waiter, NULL);
	sleep(5);
	pthread_join(t, NULL);
	return 0;
}
