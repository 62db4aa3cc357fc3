/* A writer tries again and again until it gets a lock that prefers writers: each time it blocks the readers and gives up. Each execution made one
 * turn more than the last, so the search never ended.
 * check: bounded says=waiting_loops_tried_up_to_2_rounds : --strategy optimal
 * check: bounded says=waiting_loops_tried_up_to_2_rounds :
 * check: complete : --patience 1s
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int writes;

static void *writer(void *arg)
{
	struct timespec until;

	do {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
	} while (pthread_rwlock_timedwrlock(&lock, &until) == ETIMEDOUT);
	writes++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_join(t, NULL);
	return writes != 1;
}
