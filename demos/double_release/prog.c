/*
 * A connection that several owners share. The last one to release it closes it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct connection {
	atomic_int references;
	atomic_int closed;
};

static struct connection *connect_to_server(int owners)
{
	struct connection *c = calloc(1, sizeof(*c));

	atomic_init(&c->references, owners);
	return c;
}

static void release(struct connection *c)
{
	atomic_fetch_sub(&c->references, 1);
	if (atomic_load(&c->references) == 0) {
		int closed = atomic_fetch_add(&c->closed, 1);
		assert(closed == 0);
	}
}

static void *owner(void *arg)
{
	release(arg);
	return NULL;
}

int main(void)
{
	struct connection *c = connect_to_server(2);
	pthread_t owners[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&owners[i], NULL, owner, c);
	for (int i = 0; i < 2; i++)
		pthread_join(owners[i], NULL);
	assert(c->closed == 1);
	free(c);
	puts("closed");
	return 0;
}
