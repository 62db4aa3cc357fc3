/* ptsematest of rt-tests 2.4, reduced: main locks a mutex, and another thread unlocks it to let a third one pass.
 * POSIX leaves it undefined to unlock a mutex that another thread has locked; a semaphore is made for this.
 * docs/found.md has more.
 * build: gcc -g -O1 -pthread
 * check: bug kind=misuse replays=3 says=unlock_by_a_thread_that_does_not_hold_the_lock : --
 */
#include <pthread.h>

static pthread_mutex_t testmutex = PTHREAD_MUTEX_INITIALIZER;

static void *receiver(void *unused)
{
	pthread_mutex_lock(&testmutex);
	pthread_mutex_unlock(&testmutex);
	return unused;
}

static void *sender(void *unused)
{
	pthread_mutex_unlock(&testmutex);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_mutex_lock(&testmutex);
	pthread_create(&a, NULL, receiver, NULL);
	pthread_create(&b, NULL, sender, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
