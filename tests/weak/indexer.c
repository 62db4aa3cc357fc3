/*
 * The indexer (Flanagan and Godefroid, "Dynamic partial-order reduction for model checking software", POPL 2005): threads put
 * their messages into a hash table of SIZE slots. Up to 11 threads never use the same slot; which of the others do cannot easily be read from the code.
 */
#include <stdint.h>

#include "weak.h"

#define SIZE 128
#define MESSAGES 4
#ifndef THREADS
#define THREADS 13
#endif

static int table[SIZE];
static pthread_mutex_t lock[SIZE];

static int put_if_free(int slot, int word)
{
	int done = 0;

	pthread_mutex_lock(&lock[slot]);
	if (table[slot] == 0) {
		table[slot] = word;
		done = 1;
	}
	pthread_mutex_unlock(&lock[slot]);
	return done;
}

T(indexer)
{
	int me = (int)(intptr_t)arg;

	for (int m = 1; m <= MESSAGES; m++) {
		int word = m * 11 + me, slot = word * 7 % SIZE;

		while (!put_if_free(slot, word))
			slot = (slot + 1) % SIZE;
	}
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	int full = 0;

	for (int i = 0; i < SIZE; i++)
		pthread_mutex_init(&lock[i], NULL);
	for (int i = 0; i < THREADS; i++)
		assert(pthread_create(&t[i], NULL, indexer, (void *)(intptr_t)i) == 0);
	for (int i = 0; i < THREADS; i++)
		assert(pthread_join(t[i], NULL) == 0);
	for (int i = 0; i < SIZE; i++)
		full += table[i] != 0;
	assert(full == THREADS * MESSAGES);
	return 0;
}
