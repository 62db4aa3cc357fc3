/* A block is given back while another thread still reads it: a store that stores nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *p;
static atomic_int freed;

static void *last(void *unused)
{
	*p = 5;
	free(p);
	freed = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;
	int v;

	p = calloc(1, sizeof(*p));
	pthread_create(&t, NULL, last, NULL);
	v = *p;
	assert(v == 0 || !freed);
	pthread_join(t, NULL);
	return 0;
}
