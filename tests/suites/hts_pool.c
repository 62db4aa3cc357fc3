/* The thread pool of htslib: two jobs, their results in order.
 * build: gcc -g -O1 -pthread -o hts_pool hts_pool.c -lhts
 */
#include "two.h"
#include <htslib/thread_pool.h>

static void *job(void *number)
{
	return number;
}

int main(void)
{
	hts_tpool *pool = hts_tpool_init(2);
	hts_tpool_process *queue = hts_tpool_process_init(pool, 2, 0);

	for (long i = 1; i <= 2; i++)
		hts_tpool_dispatch(pool, queue, job, (void *)i);
	for (long i = 1; i <= 2; i++) {
		hts_tpool_result *result = hts_tpool_next_result_wait(queue);

		assert((long)hts_tpool_result_data(result) == i);
		hts_tpool_delete_result(result, 0);
	}
	hts_tpool_process_destroy(queue);
	hts_tpool_destroy(pool);
	return 0;
}
