/* Three threads try a lock, and count how often they failed. The loop has no end, so the search tries two rounds of it. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread volatile long failed;
static int done;

static void *work(void *unused)
{
	long n = 0;
	while (pthread_mutex_trylock(&lock)) {
		n++;
		sched_yield();
	}
	failed = n;
	done++;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return done != 3;
}
