/* The futex system call as a program makes it. */
#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "sync_check.h"

static _Atomic uint32_t word, other;

static long futex(_Atomic uint32_t *addr, int op, uint32_t val, const struct timespec *ts, _Atomic uint32_t *addr2,
	uint32_t val3)
{
	errno = 0;
	return syscall(SYS_futex, addr, op, val, ts, addr2, val3);
}

#define FAILS(expr, error)                                                                         \
	do {                                                                                       \
		EXPECT((int)(expr), -1);                                                           \
		EXPECT(errno, error);                                                              \
	} while (0)

static void *waiter(void *arg)
{
	while (atomic_load(&word) == 0)
		if (futex(&word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) != 0)
			EXPECT(errno, EAGAIN);
	return NULL;
}

static void *bit_waiter(void *arg)
{
	while (atomic_load(&word) == 0)
		if (futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 2) != 0)
			EXPECT(errno, EAGAIN);
	return NULL;
}

static void errors(void)
{
	struct timespec soon = {0, 20000000}, bad = {0, -1}, abs = in_ms(CLOCK_MONOTONIC, 20),
			real = in_ms(CLOCK_REALTIME, 20);

	FAILS(futex(&word, FUTEX_WAIT, 1, NULL, NULL, 0), EAGAIN);
	FAILS(futex(&word, FUTEX_WAIT, 0, &soon, NULL, 0), ETIMEDOUT);
	FAILS(futex(&word, FUTEX_WAIT, 0, &bad, NULL, 0), EINVAL);
	FAILS(futex(&word, FUTEX_WAIT_BITSET, 0, &abs, NULL, FUTEX_BITSET_MATCH_ANY), ETIMEDOUT);
	FAILS(futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &real, NULL, 1), ETIMEDOUT);
	FAILS(futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0), EINVAL);
	FAILS(futex((_Atomic uint32_t *)((char *)&word + 1), FUTEX_WAIT, 0, NULL, NULL, 0), EINVAL);
	FAILS(futex((_Atomic uint32_t *)16, FUTEX_WAIT, 0, NULL, NULL, 0), EFAULT);
	EXPECT((int)futex(&word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0), 0);
	FAILS(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 5), EAGAIN);
	EXPECT((int)futex(&word, FUTEX_REQUEUE, 1, (void *)1, &other, 0), 0);
}

static void wake(void *(*f)(void *), int op, uint32_t bits)
{
	pthread_t t;

	atomic_store(&word, 0);
	EXPECT(pthread_create(&t, NULL, f, NULL), 0);
	sched_yield();
	atomic_store(&word, 1);
	long n = futex(&word, op, 1, NULL, NULL, bits);

	CHECK(n == 0 || n == 1);
	EXPECT(pthread_join(t, NULL), 0);
}

static void requeue(void)
{
	pthread_t t;

	atomic_store(&word, 0);
	EXPECT(pthread_create(&t, NULL, waiter, NULL), 0);
	sched_yield();
	atomic_store(&word, 1);
	long n = futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 0, (void *)1L, &other, 1);
	long woken = futex(&other, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);

	CHECK(n == woken);
	EXPECT(pthread_join(t, NULL), 0);
}

int main(void)
{
	errors();
	wake(waiter, FUTEX_WAKE_PRIVATE, 0);
	wake(bit_waiter, FUTEX_WAKE_BITSET, 2);
	requeue();
	return 0;
}
