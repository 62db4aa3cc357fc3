/*
 * park TURNS ROUNDS: two threads take a lock that spins TURNS times before it sleeps in the kernel, each ROUNDS times. The number of traces does not depend on
 * TURNS. -DFORGET: it does not wake those that sleep.
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int turns, rounds, total;

static void enter(void)
{
	for (int i = 0; i < turns; i++) {
		int zero = 0;
		if (atomic_load(&word) == 0 && atomic_compare_exchange_strong(&word, &zero, 1))
			return;
	}
	while (atomic_exchange(&word, 2))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0);
}

static void leave(void)
{
	int was = atomic_exchange(&word, 0);

	(void)was;
#ifndef FORGET
	if (was == 2)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
#endif
}

static void *work(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		enter();
		total++;
		leave();
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	if (argc < 3)
		return 2;
	turns = atoi(argv[1]);
	rounds = atoi(argv[2]);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(total == 2 * rounds);
	return 0;
}
