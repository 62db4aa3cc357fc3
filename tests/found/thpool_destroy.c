/* thpool_destroy of C-Thread-Pool (cthreadpool-dev 0.0+git20201207.b259a6e), reduced: it waits without the lock until
 * the number of living threads is 0. The last thread still holds the lock then, and unlocks it after the pool was
 * freed. docs/found.md has more.
 * build: gcc -g -O1 -pthread
 * check: bug kind=memory replays=3 says=T0.1_uses_a_mutex_8_bytes_into_a_block : --
 */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	pthread_t thread;
	pthread_mutex_t lock;
	volatile int alive;
};

static void *run(void *argument)
{
	struct pool *pool = argument;

	pthread_mutex_lock(&pool->lock);
	pool->alive--;
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

int main(void)
{
	struct pool *pool = malloc(sizeof *pool);

	pthread_mutex_init(&pool->lock, NULL);
	pool->alive = 1;
	pthread_create(&pool->thread, NULL, run, pool);
	pthread_detach(pool->thread);
	while (pool->alive)
		;
	free(pool);
	return 0;
}
