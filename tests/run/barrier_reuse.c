/* A barrier that is passed several times: in each round exactly one thread is the serial one, and no thread is a round ahead. */
#include <pthread.h>
#include <unistd.h>

#define N 3
#define ROUNDS 3

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived[ROUNDS], serial[ROUNDS];

static void *worker(void *arg)
{
	for (int r = 0; r < ROUNDS; r++) {
		pthread_mutex_lock(&lock);
		arrived[r]++;
		pthread_mutex_unlock(&lock);
		int got = pthread_barrier_wait(&barrier);
		pthread_mutex_lock(&lock);
		if (arrived[r] != N)
			_exit(1);
		if (got == PTHREAD_BARRIER_SERIAL_THREAD)
			serial[r]++;
		else if (got != 0)
			_exit(2);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	if (pthread_barrier_init(&barrier, NULL, N) != 0)
		return 3;
	for (int i = 0; i < N; i++)
		if (pthread_create(&t[i], NULL, worker, NULL) != 0)
			return 4;
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	for (int r = 0; r < ROUNDS; r++)
		if (serial[r] != 1)
			return 5;
	return pthread_barrier_destroy(&barrier) == 0 ? 0 : 6;
}
