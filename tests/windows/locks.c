/*
 * Three threads add to a sum ROUNDS times each, under a lock of their own making: a word and a futex, as Rust's, or
 * with SPIN a spin lock. With WRONG the sum is read and written under the lock, but not both in one section. Between,
 * each thread computes.
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 3000
#endif
#define THREADS 3

static atomic_int word;
static long total;

static void lock(void)
{
	int free = 0;
	if (atomic_compare_exchange_strong(&word, &free, 1))
		return;
#ifdef SPIN
	for (;;) {
		free = 0;
		if (atomic_load(&word) == 0 && atomic_compare_exchange_strong(&word, &free, 1))
			return;
	}
#else
	while (atomic_exchange(&word, 2))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
#endif
}

static void unlock(void)
{
	if (atomic_exchange(&word, 0) == 2)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *mover(void *arg)
{
	long *mine = arg;
	for (int i = 0; i < ROUNDS; i++) {
		lock();
		long now = total;
#ifdef WRONG
		unlock();
		lock();
#endif
		total = now + 1;
		unlock();
		for (int k = 0; k < 20; k++)
			*mine += k;
	}
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	static long mine[THREADS][8];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, mover, mine[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	assert(total == (long)THREADS * ROUNDS);
	return 0;
}
