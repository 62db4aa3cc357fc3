/*
 * gomp THREADS ROUNDS m|w: the mutex of libgomp on Linux, as an algorithm (config/linux/mutex.c); m and w are the same. 0: free, 1: taken, -1: taken, and a
 * thread may sleep. SPINS is the number of turns before a thread sleeps; it depends on the number of CPUs.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/locks/counted.h"

#define SPINS 1

static atomic_int mutex;

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

static void enter(void)
{
	int old = 0;
	if (!atomic_compare_exchange_strong(&mutex, &old, 1))
		lock_slow(old);
}

static void leave(void)
{
	if (atomic_exchange(&mutex, 0) < 0)
		syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1);
}
