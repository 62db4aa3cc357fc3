/* main comes back to its state at a call, but for writes to memory that no other thread accesses. These may be
 * undone, so all accesses that follow were looked at, with no limit: main spins on a flag of its own stack that no
 * other thread has accessed yet, and the first execution did not end. The same happened in the test thread-pool of
 * GLib.
 * check: complete traces=1 : --jobs 1
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#define TIMES 8 /* the other thread may also run before main spins */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t none;
static volatile int turns;
static void *set(void *flag)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	atomic_store((atomic_int *)flag, 1);
	return 0;
}
int main(void)
{
	atomic_int flag[TIMES] = {0};
	for (int i = 0; i < TIMES; i++) {
		pthread_t t;
		pthread_mutex_lock(&mutex);
		pthread_create(&t, 0, set, &flag[i]);
		for (turns = 0; turns < 3; turns++)
			sem_trywait(&none);
		pthread_mutex_unlock(&mutex);
		while (!atomic_load(&flag[i]))
			;
		pthread_join(t, 0);
	}
	return 0;
}
