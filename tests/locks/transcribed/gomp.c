/*
 * gomp THREADS ROUNDS m|w: the mutex of libgomp on Linux, as an algorithm (config/linux/mutex.c); m and w are the same. 0: free, 1: taken, -1: taken, and a
 * thread may sleep. SPINS is the number of turns before a thread sleeps; it depends on the number of CPUs.
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SPINS 1

static atomic_int mutex;
static int rounds, counter;

/* Returns whether the word still has this value after spinning. */
static int spin(int value)
{
	for (int left = SPINS; left >= 0; left--)
		if (atomic_load_explicit(&mutex, memory_order_relaxed) != value)
			return 0;
	return 1;
}

static void wait_for_change(int value)
{
	if (spin(value))
		syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, value, NULL);
}

static void lock_slow(int old)
{
	while (old == 1) {
		if (spin(1))
			break;
		old = 0;
		if (atomic_compare_exchange_strong(&mutex, &old, 1))
			return;
	}
	while ((old = atomic_exchange(&mutex, -1)) != 0)
		wait_for_change(-1);
}

static void lock(void)
{
	int old = 0;
	if (!atomic_compare_exchange_strong(&mutex, &old, 1))
		lock_slow(old);
}

static void unlock(void)
{
	if (atomic_exchange(&mutex, 0) < 0)
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
