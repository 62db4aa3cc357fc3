/*
 * A fair spin lock: take a ticket, wait until it is called. It is correct.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint next_ticket, now_serving;
static int balance = 100;

static void lock(void)
{
	unsigned ticket = atomic_fetch_add(&next_ticket, 1);

	while (atomic_load(&now_serving) != ticket)
		;
}

static void unlock(void)
{
	atomic_fetch_add(&now_serving, 1);
}

static void *teller(void *arg)
{
	lock();
	balance -= 10;
	unlock();
	return NULL;
}

int main(void)
{
	pthread_t tellers[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&tellers[i], NULL, teller, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(tellers[i], NULL);
	printf("%d left\n", balance);
	assert(balance == 70);
	return 0;
}
