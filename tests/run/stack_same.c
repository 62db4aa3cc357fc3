/*
 * A thread has the same stack and thread-local variables in all executions, also when threads create threads in any order.
 * Shared memory from before the first thread passes the addresses on to later executions. The first execution does not count, since it
 * only determines which threads exist.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct seen {
	int executions;
	uintptr_t stack[6], local[6];
} *seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int own;

static void same(int t, const char *what, uintptr_t *was, uintptr_t is)
{
	if (seen->executions < 2)
		return;
	if (!*was)
		*was = is;
	if (*was != is) {
		fprintf(stderr, "%s of thread %d was at %lx, now it is at %lx\n", what, t, (long)*was, (long)is);
		abort();
	}
}

static void *leaf(void *arg)
{
	int t = (int)(intptr_t)arg;

	same(t, "stack", &seen->stack[t], (uintptr_t)__builtin_frame_address(0));
	same(t, "thread-local storage", &seen->local[t], (uintptr_t)&own);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *creator(void *arg)
{
	int t = (int)(intptr_t)arg;
	pthread_t a, b;

	leaf(arg);
	assert(!pthread_create(&a, NULL, leaf, (void *)(intptr_t)(2 + 2 * t)));
	assert(!pthread_create(&b, NULL, leaf, (void *)(intptr_t)(3 + 2 * t)));
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(seen != MAP_FAILED);
	for (int i = 0; i < 2; i++) {
		assert(!pthread_create(&t[i], NULL, creator, (void *)(intptr_t)i));
		seen->executions += !i;
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
