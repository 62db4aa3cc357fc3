/* Waits for its threads with a limit of 10 s. With an argument they may deadlock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t ended;
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int turned;

static void *run(void *arg)
{
	int first = turned && arg;
	pthread_mutex_lock(&lock[first]);
	pthread_mutex_lock(&lock[!first]);
	pthread_mutex_unlock(&lock[!first]);
	pthread_mutex_unlock(&lock[first]);
	sem_post(&ended);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	struct timespec until;
	turned = argc > 1;
	sem_init(&ended, 0, 0);
	pthread_create(&t[0], NULL, run, NULL);
	pthread_create(&t[1], NULL, run, &turned);
	for (int i = 0; i < 2; i++) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += 10;
		if (sem_timedwait(&ended, &until)) {
			fprintf(stderr, "the threads do not end\n");
			return 3;
		}
	}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
