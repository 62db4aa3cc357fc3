/* A thread holds a mutex when main forks. The child waits for its copy of the mutex for ever, and main for the child. simul took the fork to be
 * independent of the lock: "complete: there is only one trace". "atfork": handlers hold the mutex during the fork, so the child has
 * it. Either main or the thread locks it first; the fork then comes before or after the thread's end, or before or after its start: four traces. "other":
 * the child locks a mutex that no other thread uses. "write", "semaphore": the same deadlock with an rwlock, and a semaphore that the thread
 * has taken.
 * check: bug kind=deadlock says=T0_waits_for_process : -- mutex
 * check: complete traces=4 : -- atfork
 * check: complete traces=1 : -- other
 * check: complete says=except_for_what_children_of_fork : --preemptions 1 -- mutex
 * long: bug kind=deadlock : --strategy exhaustive -- mutex
 * long: bug kind=deadlock : -- write
 * long: bug kind=deadlock : -- semaphore
 */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static const char *what = "mutex";

static void lock(void)
{
	pthread_mutex_lock(&m);
}

static void unlock(void)
{
	pthread_mutex_unlock(&m);
}

static void use(void)
{
	if (!strcmp(what, "write")) {
		pthread_rwlock_wrlock(&rw);
		pthread_rwlock_unlock(&rw);
	} else if (!strcmp(what, "semaphore")) {
		sem_wait(&sem);
		sem_post(&sem);
	} else {
		lock();
		unlock();
	}
}

static void *worker(void *arg)
{
	use();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	what = argc > 1 ? argv[1] : what;
	sem_init(&sem, 0, 1);
	if (!strcmp(what, "atfork"))
		pthread_atfork(lock, unlock, unlock);
	pthread_create(&t, 0, worker, 0);
	pid_t pid = fork();
	if (!pid) {
		if (!strcmp(what, "other"))
			pthread_mutex_lock(&other);
		else
			use();
		_exit(0);
	}
	waitpid(pid, 0, 0);
	pthread_join(t, 0);
	return 0;
}
