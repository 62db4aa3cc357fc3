/*
 * Dekker's algorithm, as in textbooks: two clerks write to one account in turn, without a lock of the system.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#ifdef FENCED
#define full_fence() __sync_synchronize()
#else
#define full_fence() ((void)0)
#endif

static volatile int wants[2], turn;
static volatile int balance = 100;

static void enter(int me)
{
	int other = 1 - me;

	wants[me] = 1;
	full_fence();
	while (wants[other]) {
		if (turn == me)
			continue;
		wants[me] = 0;
		while (turn != me)
			;
		wants[me] = 1;
		full_fence();
	}
}

static void leave(int me)
{
	turn = 1 - me;
	wants[me] = 0;
}

static void *clerk(void *arg)
{
	int me = *(int *)arg;

	enter(me);
	balance += 10;
	leave(me);
	return NULL;
}

int main(void)
{
	pthread_t clerks[2];
	int number[2] = { 0, 1 };

	for (int i = 0; i < 2; i++)
		pthread_create(&clerks[i], NULL, clerk, &number[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(clerks[i], NULL);
	printf("%d on the account\n", balance);
	assert(balance == 120);
	return 0;
}
