/* A thread waits for a semaphore or mutex that only another process can release. simul reported this as a confirmed deadlock, although the child
 * process would have released it. "exec": the child starts before the first thread. "fork": a thread starts it. "alone": there is no child, and it
 * is a deadlock.
 * check: incomplete says=another_process_has_mapped never=deadlock : -- exec
 * check: incomplete says=another_process_has_mapped never=deadlock : -- fork
 * check: bug kind=deadlock replays=2 : -- alone
 * long: incomplete says=another_process_has_mapped never=deadlock : --isolation fork -- exec
 * long: incomplete says=another_process_has_mapped never=deadlock : --isolation exec -- fork
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static sem_t *sem;
static const char *how;

static void start_child(void)
{
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	usleep(300000);
	sem_post(sem);
	for (;;)
		pause();
}

static void *wait_for_it(void *unused)
{
	if (!strcmp(how, "fork"))
		start_child();
	sem_wait(sem);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;
	how = argc > 1 ? argv[1] : "exec";
	sem = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(sem != MAP_FAILED && !sem_init(sem, 1, 0));
	if (!strcmp(how, "exec"))
		start_child();
	pthread_create(&t, NULL, wait_for_it, NULL);
	pthread_join(t, NULL);
	return 0;
}
