/*
 * glib THREADS ROUNDS m|w: GMutex of GLib on Linux, as an algorithm (gthread-posix.c); m and w are the same. 0: free, 1: taken, 2: taken, and a thread may sleep.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/locks/counted.h"

static atomic_uint mutex;

static void enter(void)
{
	unsigned state = 0;
	if (atomic_compare_exchange_strong(&mutex, &state, 1))
		return;
	while (atomic_exchange(&mutex, 2) != 0)
		syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void leave(void)
{
	unsigned was = atomic_exchange(&mutex, 0);
	assert(was);
	if (was == 2)
		syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1);
}
