/*
 * One thread frees a block that another still reads, with no order between them. Freeing counts as a write of the block,
 * so both orders are tried. A read that comes later is a use after free, where the execution ends: before or after the end of
 * the thread that freed the block. 3 traces.
 */
#include <pthread.h>
#include <stdlib.h>

static int *block;
static volatile int found;

static void *reader(void *arg)
{
	found = *block;
	return NULL;
}

static void *owner(void *arg)
{
	free(block);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	block = malloc(sizeof *block);
	*block = 7;
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, owner, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
