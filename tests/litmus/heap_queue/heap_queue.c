/*
 * Two threads each push a node from the heap on a stack with a lock, and take one off again, which may be the other's; they lock
 * it, and free it. Then each allocates another block.
 *
 * Pushing and taking are two sections of one mutex in each of two threads: 6 orders. A node that was taken belongs
 * to that thread alone, so nothing else counts, and the count is the same with nodes that are not from the heap: 6 traces.
 * This needs blocks whose addresses do not depend on which thread came first: the locks in the nodes have no other name.
 */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	pthread_mutex_t lock;
	int uses;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *top;

static void *worker(void *arg)
{
	struct node *n = calloc(1, sizeof *n);

	pthread_mutex_lock(&lock);
	n->next = top;
	top = n;
	pthread_mutex_unlock(&lock);

	pthread_mutex_lock(&lock);
	n = top;
	top = n->next;
	pthread_mutex_unlock(&lock);

	pthread_mutex_lock(&n->lock);
	n->uses++;
	pthread_mutex_unlock(&n->lock);
	free(n);

	n = calloc(1, sizeof *n);
	pthread_mutex_lock(&n->lock);
	pthread_mutex_unlock(&n->lock);
	free(n);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
