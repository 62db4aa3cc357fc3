/*
 * heap_peek without locks in the nodes: two threads A and B each push a node from the heap on a stack with a lock, look which
 * one is on top, and write to it.
 *
 * As there: in 2 of the 6 orders of the sections the threads write to different nodes, in 4 to the same one, in two orders.
 * 10 traces. These writes race, so they are events, and the node has no name but its address.
 */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *top;

static void *worker(void *arg)
{
	struct node *n = malloc(sizeof *n);

	pthread_mutex_lock(&lock);
	n->next = top;
	top = n;
	pthread_mutex_unlock(&lock);

	pthread_mutex_lock(&lock);
	n = top;
	pthread_mutex_unlock(&lock);

	n->last = (int)(long)arg;
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
