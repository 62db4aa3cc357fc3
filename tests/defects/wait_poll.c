/* A thread polls a pipe with a limit of time until a word is set, in two loops, as programs do that show their
 * progress. A poll that finds nothing only waits: simul leaves out turns without effect (docs/rounds.md). With an
 * argument the loops also look at a semaphore.
 * build: gcc -g -O0 -pthread
 * build: gcc -g -O2 -pthread
 * check: complete traces=4 : --jobs 1 --strategy optimal --
 * check: complete traces=6 : --jobs 1 --strategy optimal -- look
 * check: complete : --
 */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/select.h>
#include <unistd.h>

static int fds[2];
static atomic_int began, done;
static sem_t posted;

static void *work(void *arg)
{
	began = 1;
	sem_post(&posted);
	done = 1;
	return NULL;
}

static void wait_in_select(void)
{
	fd_set set;
	struct timeval tv = {.tv_usec = 500000};

	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	select(fds[0] + 1, &set, NULL, NULL, &tv);
}

int main(int argc, char **argv)
{
	pthread_t t;
	int value = 0;
	struct pollfd p = {.events = POLLIN};

	if (pipe(fds))
		return 1;
	p.fd = fds[0];
	sem_init(&posted, 0, 0);
	pthread_create(&t, NULL, work, NULL);
	while (!began)
		wait_in_select();
	while (!done) {
		if (argc > 1)
			sem_getvalue(&posted, &value);
		poll(&p, 1, 100);
	}
	pthread_join(t, NULL);
	return 0;
}
