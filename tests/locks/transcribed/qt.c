/*
 * qt THREADS ROUNDS m|w: QBasicMutex of Qt 6 on Linux, as an algorithm (qmutex.h, qmutex_linux.cpp); m and w are the same. NULL: free, 1: taken, 3: taken, and a
 * thread may sleep. Qt waits for the lower half of the pointer.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/locks/counted.h"

#define TAKEN ((void *)1)
#define CONTENDED ((void *)3)

static _Atomic(void *) mutex;

static void enter(void)
{
	void *state = NULL;
	if (atomic_compare_exchange_strong(&mutex, &state, TAKEN))
		return;
	while (atomic_exchange(&mutex, CONTENDED))
		syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, (uint32_t)(uintptr_t)CONTENDED, NULL);
}

static void leave(void)
{
	void *state = TAKEN;
	if (atomic_compare_exchange_strong(&mutex, &state, NULL))
		return;
	atomic_store_explicit(&mutex, NULL, memory_order_release);
	syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1);
}
