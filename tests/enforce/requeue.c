/*
 * A mutex and a condition variable of the program's own. A broadcast wakes one waiter, and moves the others to the
 * mutex (FUTEX_CMP_REQUEUE). Two consumers, one item: without FIXED the second one does not look again.
 */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include "window.h"
static uint32_t mutex, changes; /* mutex: 0: free, 1: taken, 2: and others may wait */
static _Atomic int items;

static void lock(uint32_t as)
{
	uint32_t found = 0;

	if (as == 1 && __atomic_compare_exchange_n(&mutex, &found, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return;
	while (__atomic_exchange_n(&mutex, 2, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
	if (__atomic_exchange_n(&mutex, 0, __ATOMIC_SEQ_CST) == 2)
		syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void wait_for_change(void)
{
	uint32_t seen = __atomic_load_n(&changes, __ATOMIC_SEQ_CST);

	unlock();
	syscall(SYS_futex, &changes, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
	lock(2);
}

static void broadcast(void)
{
	uint32_t now = __atomic_add_fetch(&changes, 1, __ATOMIC_SEQ_CST);

	syscall(SYS_futex, &changes, FUTEX_CMP_REQUEUE_PRIVATE, 1, (long)INT_MAX, &mutex, now);
}

static void *consume(void *a)
{
	lock(1);
#ifdef FIXED
	while (!items)
#else
	if (!items)
#endif
		wait_for_change();
	assert(items > 0);
	items--;
	unlock();
	return a;
}

static void produce(void)
{
	lock(1);
	items++;
	broadcast();
	unlock();
}

static void *produce_two(void *a)
{
	window(1);
	produce();
	window(1);
	produce();
	return a;
}

int main(void)
{
	void *(*what[])(void *) = {consume, consume, produce_two}; /* first, both consumers wait */
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, what[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
