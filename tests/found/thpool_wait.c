/* thpool_wait of C-Thread-Pool (cthreadpool-dev 0.0+git20201207.b259a6e), reduced: the thread that ends the last job
 * signals one waiting thread. If two threads wait, the other one is not woken. docs/found.md has more.
 * build: gcc -g -O1 -pthread
 * check: bug kind=deadlock replays=3 says=woke_another_thread : --
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_idle = PTHREAD_COND_INITIALIZER;
static int jobs = 1;

static void *run(void *unused)
{
	pthread_mutex_lock(&lock);
	jobs--;
	if (jobs == 0)
		pthread_cond_signal(&all_idle);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *wait_for_jobs(void *unused)
{
	pthread_mutex_lock(&lock);
	while (jobs > 0)
		pthread_cond_wait(&all_idle, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t waiter, worker;

	pthread_create(&waiter, NULL, wait_for_jobs, NULL);
	pthread_create(&worker, NULL, run, NULL);
	wait_for_jobs(NULL);
	pthread_join(waiter, NULL);
	pthread_join(worker, NULL);
	return 0;
}
