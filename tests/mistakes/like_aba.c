/*
 * The word of a spin lock goes from 0 to 1 and back while a thread is about to take it. That is no ABA problem: the
 * balance is read in one critical section and written in another.
 * kind: atomicity
 * never: ABA
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word;
static int balance;

static void enter(void)
{
	int zero = 0;

	while (atomic_load(&word) || !atomic_compare_exchange_strong(&word, &zero, 1))
		zero = 0;
}

static void leave(void)
{
	atomic_store(&word, 0);
}

static void *deposit(void *unused)
{
	int old;

	enter();
	old = balance;
	leave();
	enter();
	balance = old + 1;
	leave();
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, deposit, NULL);
	pthread_create(&b, NULL, deposit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == 2);
	return 0;
}
