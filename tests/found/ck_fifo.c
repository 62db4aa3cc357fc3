/*
 * ck_fifo_mpmc of Concurrency Kit 0.7.1, reduced: a queue of linked entries, of which the first is not in use. The
 * entry that a dequeue returns may be enqueued again. A thread that has loaded `head` and is then delayed may find that
 * entry at the end of the queue, with nothing after it, and takes the queue for empty. With an argument it looks at
 * `head` again, as later versions do. Then an entry may be linked behind one that is not in the queue, since enqueue
 * starts its count of changes from 0 again. docs/found.md has more.
 * build: gcc -g -O1 -pthread
 * check: bug kind=assert replays=3 says=dequeue : --
 * check: bug kind=assert replays=3 says=dequeue : -- later
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define NONE 0u
#define ENTRIES 4u

/* The number of an entry in the low half. The high half counts changes. */
static _Atomic uint64_t head = 1, tail = 1, next[ENTRIES];
static bool later;

static uint32_t entry(uint64_t pointer)
{
	return (uint32_t)pointer;
}

static bool change(_Atomic uint64_t *at, uint64_t from, uint32_t to)
{
	return atomic_compare_exchange_strong(at, &from, ((from >> 32) + 1) << 32 | to);
}

static void enqueue(uint32_t own)
{
	atomic_store(&next[own], NONE); /* also the count of changes */
	for (;;) {
		uint64_t last = atomic_load(&tail), after = atomic_load(&next[entry(last)]);

		if (atomic_load(&tail) != last)
			continue;
		if (entry(after))
			change(&tail, last, entry(after));
		else if (change(&next[entry(last)], after, own))
			return (void)change(&tail, last, own);
	}
}

/* Returns whether there was something in the queue. *own: an entry that is no longer in use. */
static bool dequeue(uint32_t *own)
{
	for (;;) {
		uint64_t first = atomic_load(&head), last = atomic_load(&tail);
		uint32_t after = entry(atomic_load(&next[entry(first)]));

		if (entry(first) == entry(last)) {
			if (after)
				change(&tail, last, after);
			else if (!later || atomic_load(&head) == first)
				return false;
		} else if (after && change(&head, first, after)) {
			*own = entry(first);
			return true;
		}
	}
}

static void *work(void *first)
{
	uint32_t own = *(uint32_t *)first;

	for (int i = 0; i < 2; i++) {
		enqueue(own);
		assert(dequeue(&own));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	uint32_t own[2] = {2, 3};

	later = argc > 1 && argv[1][0];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, &own[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
