/* pthreadpool, two threads and a loop of two turns.
 * build: gcc -g -O1 -pthread -o pthreadpool pthreadpool.c -lpthreadpool
 */
#include "two.h"
#include <pthreadpool.h>

static int turns[2];

static void turn(void *unused, size_t i)
{
	(void)unused;
	turns[i]++;
}

int main(void)
{
	pthreadpool_t pool = pthreadpool_create(2);

	pthreadpool_parallelize_1d(pool, turn, NULL, 2, 0);
	assert(turns[0] == 1 && turns[1] == 1);
	pthreadpool_destroy(pool);
	return 0;
}
