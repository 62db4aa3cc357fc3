/*
 * The addresses of a thread's blocks depend only on what this thread did before, so they are the same in all executions. Shared memory from
 * before the first thread passes the addresses on to later executions (--isolation fork).
 */
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define THREADS 3
#define BLOCKS 12

static struct seen {
	void *block[THREADS][BLOCKS];
} *seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *parked; /* a block that one thread leaves for another */

static void same(int t, int i, void *p)
{
	assert(p);
	if (!seen->block[t][i])
		seen->block[t][i] = p;
	if (seen->block[t][i] != p) {
		fprintf(stderr, "block %d of thread %d was %p, now it is %p\n", i, t, seen->block[t][i], p);
		abort();
	}
}

static void *worker(void *arg)
{
	int t = (int)(intptr_t)arg, n = 0;
	void *p, *q;

	same(t, n++, p = malloc(24));
	same(t, n++, q = calloc(7, 100));
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	same(t, n++, p = realloc(p, 1000));
	free(q);
	same(t, n++, malloc(690)); /* where q was */
	same(t, n++, q = malloc(300000));
	memset(q, t, 300000);
	free(q);
	same(t, n++, q = malloc(3 << 20));
	memset(q, 1, 3 << 20);
	free(q);
	same(t, n++, q = calloc(3, 1 << 20));
	for (size_t i = 0; i < 3u << 20; i++)
		assert(!((char *)q)[i]);
	same(t, n++, q = aligned_alloc(4096, 8192));
	assert((uintptr_t)q % 4096 == 0 && malloc_usable_size(q) >= 8192);
	same(t, n++, strdup("some words"));
	same(t, n++, q = mmap(NULL, 20000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	munmap(q, 20000);

	pthread_mutex_lock(&lock);
	q = parked; /* one of three blocks, or none: the next block of a thread depends on which one it freed */
	parked = p;
	pthread_mutex_unlock(&lock);
	free(q);
	same(t, n++, malloc(5000)); /* but this is of another size */
	assert(n <= BLOCKS);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(seen != MAP_FAILED);
	for (int i = 0; i < THREADS; i++)
		assert(!pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i));
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
