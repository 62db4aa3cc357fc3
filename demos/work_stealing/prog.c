/*
 * A work-stealing deque (Chase and Lev, SPAA 2005): the owner pushes and takes tasks at the bottom, thieves steal at the top. The
 * owner competes with thieves for the last task only.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NOTHING (-1)
#define TASKS 2

#ifdef FENCED
#define full_fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define full_fence() ((void)0)
#endif

static struct {
	atomic_int top, bottom;
	atomic_int task[8];
} deque;
static atomic_int runs[TASKS];

static int get(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_acquire);
}

static void set(atomic_int *to, int value)
{
	atomic_store_explicit(to, value, memory_order_release);
}

static void push(int task)
{
	int bottom = get(&deque.bottom);

	set(&deque.task[bottom], task);
	set(&deque.bottom, bottom + 1);
}

static int take(void)
{
	int bottom = get(&deque.bottom) - 1, top, task = NOTHING;

	set(&deque.bottom, bottom);
	full_fence(); /* thieves must see this before top is read */
	top = get(&deque.top);
	if (top <= bottom)
		task = get(&deque.task[bottom]);
	if (top < bottom)
		return task;
	if (top == bottom && !atomic_compare_exchange_strong(&deque.top, &top, top + 1))
		task = NOTHING; /* a thief was faster */
	set(&deque.bottom, bottom + 1);
	return task;
}

static int steal(void)
{
	int top = get(&deque.top);
	int bottom = get(&deque.bottom);
	int task;

	if (top >= bottom)
		return NOTHING;
	task = get(&deque.task[top]);
	return atomic_compare_exchange_strong(&deque.top, &top, top + 1) ? task : NOTHING;
}

static void run(int task)
{
	if (task != NOTHING)
		atomic_fetch_add(&runs[task], 1);
}

static void *owner(void *arg)
{
	int task;

	while ((task = take()) != NOTHING)
		run(task);
	return NULL;
}

static void *thief(void *arg)
{
	for (int i = 0; i < TASKS; i++)
		run(steal());
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < TASKS; i++)
		push(i);
	pthread_create(&threads[0], NULL, owner, NULL);
	pthread_create(&threads[1], NULL, thief, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < TASKS; i++)
		assert(runs[i] == 1);
	puts("every task was run once");
	return 0;
}
