/* Two threads wait for the job of a pool.
 * build: gcc -g -O1 -pthread -I/usr/include/cthreadpool -o thpool_wait thpool_wait.c /usr/share/cthreadpool/thpool.c
 */
#include "two.h"
#include <thpool.h>

static threadpool pool;

static void job(void *unused)
{
	(void)unused;
}

static void *wait_for_jobs(void *unused)
{
	thpool_wait(pool);
	return unused;
}

int main(void)
{
	pool = thpool_init(1);
	thpool_add_work(pool, job, NULL);
	TWO(wait_for_jobs);
	return 0;
}
