/* N threads work in R rounds: each writes its own data, waits at a barrier, reads the data of all, and waits again. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int data[N];

static void *work(void *own)
{
	int sum = 0;

	for (int round = 0; round < R; round++) {
		*(int *)own = round;
		pthread_barrier_wait(&barrier);
		for (int k = 0; k < N; k++)
			sum += *(volatile int *)&data[k];
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[N];

	pthread_barrier_init(&barrier, NULL, N);
	for (int k = 0; k < N; k++)
		pthread_create(&thread[k], NULL, work, &data[k]);
	for (int k = 0; k < N; k++)
		pthread_join(thread[k], NULL);
	return 0;
}
