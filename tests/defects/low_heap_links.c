/* A stack of nodes that main has allocated, linked by 32 bits of their addresses. Two threads push one node each. With the argument "locked" they
 * take a mutex; otherwise a push may be lost. Some nodes are large, and some are freed and allocated again. All of them must lie below 4 GB, in
 * every execution and in replays. simul's malloc once returned addresses above 4 GB.
 * build: gcc -g -O1 -pthread -no-pie
 * build: clang -g -O0 -pthread -no-pie
 * check: bug kind=assert replays=3 says=low.heap.links : --
 * check: complete traces=2 : -- locked
 * long: bug kind=assert replays=3 : --isolation exec --
 * long: complete traces=2 : --isolation fork -- locked
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node {
	uint32_t next;
	char rest[];
};

static uint32_t top;
static int locked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *node_at(uint32_t link)
{
	return (struct node *)(uintptr_t)link;
}

static uint32_t make(size_t size)
{
	struct node *n = calloc(1, sizeof(*n) + size);

	memset(node_at((uint32_t)(uintptr_t)n)->rest, 1, size);
	return (uint32_t)(uintptr_t)n;
}

static void *push(void *arg)
{
	uint32_t link = (uint32_t)(uintptr_t)arg;

	if (locked)
		pthread_mutex_lock(&lock);
	node_at(link)->next = top;
	top = link;
	if (locked)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	static const size_t size[] = {40, 3000000};
	pthread_t t[2];
	int n = 0;

	locked = argc > 1;
	free(node_at(make(40)));
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, push, (void *)(uintptr_t)make(size[i]));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (uint32_t l = top; l; l = node_at(l)->next)
		n++;
	assert(n == 2);
	return 0;
}
