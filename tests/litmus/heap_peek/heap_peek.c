/*
 * Two threads A and B each push a node from the heap on a stack with a lock, then look which node is on top, and lock that
 * node.
 *
 * The sections of the one mutex, pushes A1 and B1, looks A2 and B2, have 6 orders. In A1 A2 B1 B2 and B1 B2 A1 A2 the
 * threads look at different nodes: 1 trace each. In the other 4 they see the same node, whose lock they can take in two
 * orders: 2 each. 10 traces. A thread that has seen the other's node must know it by the same name as the
 * thread that created it, in whatever order the two allocated memory.
 */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	pthread_mutex_t lock;
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
	pthread_mutex_unlock(&lock);

	pthread_mutex_lock(&n->lock);
	pthread_mutex_unlock(&n->lock);
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
