/* A stack of indices: a thread takes the successor of the first element by an exchange with -1, and yields while another thread has it. The loops
 * have so many states that new ones turned up for ever. Each restarted the search, and none of it counted. When the search went on at last, memory that
 * it ignored became visible in the middle of it, and the verdict was that the program is not deterministic.
 * build: gcc -g -O1 -pthread -DROUNDS=1
 * check: incomplete never=not_deterministic : --jobs 1 --executions 300 --
 * long: incomplete says=warm-up_was_ended_after_[0-9]+_executions never=not_deterministic : --jobs 1 --executions 20000 --time 600s --
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 3
#ifndef ROUNDS
#define ROUNDS 2
#endif

struct item {
	volatile int owner;
	atomic_int next;
};

static struct {
	atomic_int head, count;
	struct item *items;
} stack = { 0, THREADS, NULL };
#define head stack.head
#define count stack.count
#define items stack.items

static int pop(void)
{
	while (atomic_load(&count) > 1) {
		int first = atomic_load(&head), second = atomic_exchange(&items[first].next, -1), expected = first;

		if (second < 0) {
			sched_yield();
		} else if (atomic_compare_exchange_strong(&head, &expected, second)) {
			atomic_fetch_sub(&count, 1);
			return first;
		} else {
			atomic_exchange(&items[first].next, second);
		}
	}
	return -1;
}

static void push(int index)
{
	int first = atomic_load(&head);

	do
		atomic_store_explicit(&items[index].next, first, memory_order_release);
	while (!atomic_compare_exchange_strong(&head, &first, index));
	atomic_fetch_add(&count, 1);
}

static void *work(void *name)
{
	for (int i = 0; i < ROUNDS; i++) {
		int element;

		while ((element = pop()) < 0)
			sched_yield();
		items[element].owner = (int)(long)name;
		assert(items[element].owner == (int)(long)name);
		push(element);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	items = calloc(THREADS, sizeof *items);
	for (int i = 0; i < THREADS; i++)
		items[i].next = i + 1 < THREADS ? i + 1 : -1;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
