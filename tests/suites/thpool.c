/* A pool of one thread: a job, thpool_wait and thpool_destroy.
 * build: gcc -g -O1 -pthread -I/usr/include/cthreadpool -o thpool thpool.c /usr/share/cthreadpool/thpool.c
 */
#include "two.h"
#include <thpool.h>

static int done;

static void job(void *unused)
{
	(void)unused;
	done++;
}

int main(void)
{
	threadpool pool = thpool_init(1);

	thpool_add_work(pool, job, NULL);
	thpool_wait(pool);
	assert(done == 1);
	thpool_destroy(pool);
	return 0;
}
