/* Two threads lock and unlock a mutex for ever, so no execution ends. simul once said `complete: every one of 0 traces`: it counted each execution as
 * covered by another one, which does not end either.
 * check: incomplete : --jobs 1 --strategy optimal --executions 5 --max-steps 300 --
 * check: incomplete : --executions 5 --max-steps 300 --
 * check: incomplete says=may_wait_in_loops_for_ever : --jobs 1 --strategy optimal --max-steps 300 --
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	(void)arg;
	for (;;) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
