/*
 * A little bank. Transfers lock both accounts, so money never disappears; at the end of the day the books must balance.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ACCOUNTS 3

struct account {
	pthread_mutex_t lock;
	const char *owner;
	long balance;
};

static struct account bank[ACCOUNTS] = {
	{ PTHREAD_MUTEX_INITIALIZER, "alice", 100 },
	{ PTHREAD_MUTEX_INITIALIZER, "bob", 100 },
	{ PTHREAD_MUTEX_INITIALIZER, "carol", 100 },
};

static int transfer(struct account *from, struct account *to, long amount)
{
	int done = 0;

	pthread_mutex_lock(&from->lock);
	if (from->balance >= amount) {
		pthread_mutex_lock(&to->lock);
		from->balance -= amount;
		to->balance += amount;
		pthread_mutex_unlock(&to->lock);
		done = 1;
	}
	pthread_mutex_unlock(&from->lock);
	return done;
}

struct order {
	struct account *from, *to;
	long amount;
};

static void *teller(void *arg)
{
	struct order *o = arg;

	if (!transfer(o->from, o->to, o->amount))
		printf("%s has not got %ld\n", o->from->owner, o->amount);
	return NULL;
}

int main(void)
{
	struct order orders[] = {
		{ &bank[0], &bank[1], 30 },
		{ &bank[1], &bank[2], 20 },
		{ &bank[2], &bank[0], 10 },
	};
	pthread_t tellers[3];
	long total = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&tellers[i], NULL, teller, &orders[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(tellers[i], NULL);

	for (int i = 0; i < ACCOUNTS; i++) {
		printf("%s: %ld\n", bank[i].owner, bank[i].balance);
		total += bank[i].balance;
	}
	assert(total == 300);
	return 0;
}
