/*
 * no_lock: words that are no locks, or not for all of the program. Three threads run turns of one kind, chosen by -DKIND=...
 *   TRY     a lock that is also tried: a thread that finds it taken does something else
 *   TICKET  a ticket lock, whose counter is changed by compare-and-swaps
 *   COUNT   a count of users: the first one takes it from 0 to 1 by a compare-and-swap
 *   FLAG    the first thread sets it
 *   HANDED  a word that one thread fills and another one empties
 *   SEQ     a sequence counter that writers make odd
 *   OTHERS  a lock, taken in a function that also sets a flag by a compare-and-swap from 0
 *   LOOKED  a lock that a thread also reads, and then writes to another word
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { TRY, TICKET, COUNT, FLAG, HANDED, SEQ, OTHERS, LOOKED };
#define ROUNDS (KIND == SEQ ? 1 : 3) /* its numbers are many spin loops */

static atomic_int word, other, flag;

static int swap(atomic_int *at, int from, int to)
{
	return atomic_compare_exchange_strong(at, &from, to);
}

/* Takes the lock at once or waits for it. */
static void lock(void)
{
	while (!swap(&word, 0, 1))
		sched_yield();
}

/* One turn of a thread. */
static __attribute__((noinline)) void turn(int id)
{
	int seen;
	switch (KIND) {
	case TRY:
		if (id)
			lock();
		else if (!swap(&word, 0, 1))
			return atomic_store(&other, 1);
		atomic_store(&word, 0);
		return;
	case TICKET:
		do
			seen = atomic_load(&word);
		while (!swap(&word, seen, seen + 1));
		while (atomic_load(&other) != seen)
			sched_yield();
		atomic_store(&other, seen + 1);
		return;
	case COUNT:
		if (!swap(&word, 0, 1))
			atomic_fetch_add(&word, 1);
		atomic_fetch_sub(&word, 1);
		return;
	case FLAG:
		if (swap(&word, 0, 1))
			atomic_store(&other, 1);
		return;
	case HANDED:
		while (id ? !swap(&word, 0, 1) : !swap(&word, 1, 0))
			sched_yield();
		return;
	case SEQ:
		for (;;) {
			seen = atomic_load(&word);
			if (!(seen & 1) && swap(&word, seen, seen + 1))
				break;
			sched_yield();
		}
		atomic_store(&word, seen + 2);
		return;
	case OTHERS:
		lock();
		swap(&flag, 0, 1);
		atomic_store(&word, 0);
		return;
	case LOOKED:
		if (!id && atomic_load(&word))
			atomic_store(&other, 1);
		if (id)
			atomic_load(&other);
		lock();
		atomic_store(&word, 0);
		return;
	}
}

static void *work(void *arg)
{
	int id = (int)(long)arg;
	for (int i = 0; i < (KIND == HANDED && !id ? 2 * ROUNDS : ROUNDS); i++)
		turn(id);
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
