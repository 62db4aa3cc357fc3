/* More than 10,000 steps: threads that share a counter under a lock, a condition and a semaphore; the last check is wrong. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define THREADS 6
#define ROUNDS 420

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t turns;
static int counter, seen;

static void *worker(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&turns);
		pthread_mutex_lock(&lock);
		counter++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
		sem_post(&turns);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	sem_init(&turns, 0, 2);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	while (counter < THREADS * ROUNDS / 2)
		pthread_cond_wait(&changed, &lock);
	seen = counter;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("seen %d of %d\n", seen, counter);
	assert(seen == counter);
	return 0;
}
