/*
 * glib THREADS ROUNDS m|w: GMutex of GLib on Linux, as an algorithm (gthread-posix.c); m and w are the same. 0: free, 1: taken, 2: taken, and a thread may sleep.
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint mutex;
static int rounds, counter;

static void lock(void)
{
	unsigned state = 0;
	if (atomic_compare_exchange_strong(&mutex, &state, 1))
		return;
	while (atomic_exchange(&mutex, 2) != 0)
		syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void unlock(void)
{
	unsigned was = atomic_exchange(&mutex, 0);
	assert(was);
	if (was == 2)
		syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1);
}

static void *run(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		lock();
		counter++;
		unlock();
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[8];
	int n = argc > 2 ? atoi(argv[1]) : 0;

	assert(n >= 1 && n <= 8);
	rounds = atoi(argv[2]);
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	assert(counter == n * rounds);
}
