/* A work pool of ivykis with one thread: an item of work, then the pool ends.
 * build: gcc -g -O1 -pthread -o ivykis_work ivykis_work.c -livykis
 */
#include "two.h"
#include <iv.h>
#include <iv_work.h>

static struct iv_work_pool pool;
static struct iv_work_item item;
static int worked, completed;

static void work(void *unused)
{
	(void)unused;
	worked++;
}

static void complete(void *unused)
{
	(void)unused;
	completed++;
	iv_work_pool_put(&pool);
}

int main(void)
{
	iv_init();
	IV_WORK_POOL_INIT(&pool);
	pool.max_threads = 1;
	iv_work_pool_create(&pool);
	IV_WORK_ITEM_INIT(&item);
	item.work = work;
	item.completion = complete;
	iv_work_pool_submit_work(&pool, &item);
	iv_main();
	iv_deinit();
	assert(worked == 1 && completed == 1);
	return 0;
}
