/* Three threads: each adds to a number and keeps the old value, so that the order matters, waits at a barrier and reads it. "serial": exits with 1 unless the thread with the serial result is the one created first. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int number;
static pthread_barrier_t barrier;
static int first_is_serial;

static void *meet(void *arg)
{
	volatile int before = atomic_fetch_add(&number, 1);
	int r;

	(void)before;
	r = pthread_barrier_wait(&barrier);
	if (arg)
		first_is_serial = r == PTHREAD_BARRIER_SERIAL_THREAD;
	return (void *)(long)atomic_load(&number);
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, meet, i ? NULL : &number);
	for (int i = 0; i < 3; i++) {
		void *seen;

		pthread_join(t[i], &seen);
		if ((long)seen != 3)
			return 2;
	}
	return argc > 1 && !strcmp(argv[1], "serial") && !first_is_serial;
}
