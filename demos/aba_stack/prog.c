/*
 * A free list of buffers as a lock-free stack: a thread takes the first one by swinging `top` to the next.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct buffer {
	struct buffer *_Atomic next;
	atomic_int users;
};

static struct buffer buffers[3];
static struct buffer *_Atomic top;

static void push(struct buffer *b)
{
	struct buffer *old = atomic_load(&top);

	do
		atomic_store(&b->next, old);
	while (!atomic_compare_exchange_weak(&top, &old, b));
}

static struct buffer *pop(void)
{
	struct buffer *b = atomic_load(&top);

	while (b && !atomic_compare_exchange_weak(&top, &b, atomic_load(&b->next)))
		;
	return b;
}

static struct buffer *take(void)
{
	struct buffer *b = pop();

	if (b) {
		int users = atomic_fetch_add(&b->users, 1);
		assert(users == 0);
	}
	return b;
}

static void give_back(struct buffer *b)
{
	atomic_fetch_sub(&b->users, 1);
	push(b);
}

/* Takes a buffer, and keeps it. */
static void *reader(void *arg)
{
	take();
	return NULL;
}

/* Takes two, and returns the first one. */
static void *writer(void *arg)
{
	struct buffer *first = take(), *second = take();

	if (first)
		give_back(first);
	if (second)
		take();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 2; i >= 0; i--)
		push(&buffers[i]);
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, writer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
