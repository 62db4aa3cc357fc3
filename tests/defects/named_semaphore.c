/* Two threads open one named semaphore; one waits, the other one posts. An earlier simul set the value when the first thread had opened it, after
 * the other one had posted: the post was lost, and a deadlock was reported that cannot happen.
 * needs: /dev/shm
 * check: complete traces=2 : --
 * check: complete : --strategy exhaustive --
 * check: complete : --jobs 2 --
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static char name[64];

static sem_t *opened(void)
{
	return sem_open(name, O_CREAT, 0600, 0);
}

static void *waits(void *arg)
{
	sem_t *s = opened();

	sem_wait(s);
	sem_close(s);
	return NULL;
}

static void *posts(void *arg)
{
	sem_t *s = opened();

	sem_post(s);
	sem_close(s);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	snprintf(name, sizeof name, "/simul-test-%d", (int)getpid());
	pthread_create(&t, NULL, waits, NULL);
	pthread_create(&u, NULL, posts, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return sem_unlink(name);
}
