/*
 * One thread replaces a block ROUNDS times, another one reads it. A reader holds a lock while it uses the block; with
 * WRONG only while it gets the address, so that it may read a block that was freed. With TWICE the reader and main free
 * the last one.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 20000
#endif

static atomic_int word;
static int *current;
static int done;

static void lock(void)
{
	while (atomic_exchange(&word, 1))
		while (atomic_load(&word))
			;
}

static void unlock(void)
{
	atomic_store(&word, 0);
}

static void *writer(void *arg)
{
	for (int i = 1; i <= ROUNDS; i++) {
		int *next = malloc(sizeof *next), *old;
		*next = i;
		lock();
		old = current;
		current = next;
		unlock();
		free(old);
	}
	lock();
	done = 1;
	unlock();
	return NULL;
}

static void *reader(void *arg)
{
	long sum = 0;
	for (int over = 0; !over;) {
		lock();
		int *now = current;
		over = done;
#ifdef WRONG
		unlock();
#endif
		for (int k = 0; now && k < 10; k++)
			sum += *(volatile int *)now;
#ifndef WRONG
		unlock();
#endif
	}
#ifdef TWICE
	free(current);
#endif
	return (void *)(sum & 1);
}

int main(void)
{
	pthread_t w, r;
	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	free(current);
	return 0;
}
