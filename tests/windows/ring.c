/*
 * One thread sends ROUNDS numbers to another one through a ring of 64, so that an execution has some million accesses.
 * With WRONG the sender says that a number is there before it is.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 50000
#endif

static long ring[64], sum;
static atomic_ulong head, tail;

static void *sender(void *arg)
{
	for (long i = 1; i <= ROUNDS; i++) {
		unsigned long at = atomic_load(&head);
		while (at - atomic_load(&tail) == 64)
			;
#ifdef WRONG
		atomic_store(&head, at + 1);
		ring[at % 64] = i;
#else
		ring[at % 64] = i;
		atomic_store(&head, at + 1);
#endif
	}
	return NULL;
}

static void *receiver(void *arg)
{
	for (long i = 1; i <= ROUNDS; i++) {
		unsigned long at = atomic_load(&tail);
		while (atomic_load(&head) == at)
			;
		sum += ring[at % 64];
		atomic_store(&tail, at + 1);
	}
	return NULL;
}

int main(void)
{
	pthread_t s, r;
	pthread_create(&s, NULL, sender, NULL);
	pthread_create(&r, NULL, receiver, NULL);
	pthread_join(s, NULL);
	pthread_join(r, NULL);
	assert(sum == (long)ROUNDS * (ROUNDS + 1) / 2);
	puts("all arrived");
	return 0;
}
