/*
 * small_block: the last of two owners frees a block of 8 bytes, of which 4 are its counter: correct.
 *
 * That ends the block, and is no access of another size than the counter's.
 */
#include <pthread.h>
#include <stdlib.h>

#include "tests/rc11/orders.h"

struct block {
	atomic_int owners;
	int data;
};

static void *owner(void *arg)
{
	struct block *b = arg;
	if (fsub(&b->owners, 1, ar) == 1) {
		assert(b->data == 1);
		free(b);
	}
	return NULL;
}

int main(void)
{
	pthread_t t0, t1;
	struct block *b = malloc(sizeof *b);

	b->data = 1;
	atomic_init(&b->owners, 2);
	pthread_create(&t0, 0, owner, b);
	pthread_create(&t1, 0, owner, b);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	return 0;
}
