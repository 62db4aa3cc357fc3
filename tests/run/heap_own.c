/* A program with its own allocator: the program and libc both use it, and no block is freed by another allocator. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;
static int freed;

void *malloc(size_t size)
{
	size_t need = (size + 31) / 16 * 16;
	char *p;

	pthread_mutex_lock(&lock);
	p = pool + used;
	used += need;
	assert(used <= sizeof pool);
	pthread_mutex_unlock(&lock);
	*(size_t *)p = size;
	return p + 16;
}

void free(void *p)
{
	assert(!p || ((char *)p >= pool && (char *)p < pool + sizeof pool));
	pthread_mutex_lock(&lock);
	freed += p != NULL;
	pthread_mutex_unlock(&lock);
}

void *calloc(size_t n, size_t each)
{
	return memset(malloc(n * each), 0, n * each);
}

void *realloc(void *old, size_t size)
{
	void *p = malloc(size);

	if (old) {
		size_t had = ((size_t *)old)[-2];

		memcpy(p, old, had < size ? had : size);
		free(old);
	}
	return p;
}

static void *worker(void *arg)
{
	char *s = strdup("some words"); /* libc calls our malloc */

	assert(s >= pool && s < pool + sizeof pool && !strcmp(s, "some words"));
	s = realloc(s, 100);
	assert(!strcmp(s, "some words"));
	free(s);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, worker, NULL));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(freed >= 4);
	return 0;
}
