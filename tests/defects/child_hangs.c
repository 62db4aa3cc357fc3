/* main waits for a child process. "lock": main holds a mutex when it forks, so the child waits for its copy for ever, whatever the order. simul
 * gave up after a minute, without a reason. In the other cases the child ends: it takes another mutex ("other"), computes or sleeps for
 * two seconds ("computes", "sleeps"), or ends by a timer while it waits for the mutex ("timer").
 * check: bug kind=deadlock says=T0_waits_for_process_[0-9] replays=1 : -- lock
 * check: complete traces=1 : -- other
 * long: complete traces=1 : --isolation exec -- computes
 * long: bug kind=deadlock replays=1 : --isolation exec -- lock
 * long: complete traces=1 : -- computes
 * long: complete traces=1 : -- sleeps
 * check: complete traces=1 : -- timer
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	return arg;
}

static void child(const char *what)
{
	if (!strcmp(what, "computes"))
		while (clock() < 2 * CLOCKS_PER_SEC)
			;
	else if (!strcmp(what, "sleeps"))
		sleep(2);
	else if (!strcmp(what, "other"))
		pthread_mutex_lock(&other);
	else {
		if (!strcmp(what, "timer"))
			alarm(3);
		pthread_mutex_lock(&m);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	pthread_mutex_lock(&m);
	pid_t pid = fork();
	if (!pid)
		child(argc > 1 ? argv[1] : "lock");
	pthread_mutex_unlock(&m);
	waitpid(pid, 0, 0);
	pthread_join(t, 0);
	return 0;
}
