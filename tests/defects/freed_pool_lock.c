/*
 * A worker counts itself out under the lock of a pool. The owner sees the count and frees the pool before the worker has unlocked. (After a bug of
 * C-Thread-Pool's thpool_destroy, and glibc's bug 13690.) simul said "complete: every one of 2 traces". With 1 the owner takes the lock before it frees the
 * pool, which is right.
 * check: bug kind=memory says=T0.1_uses_a_mutex_at_the_beginning_of_a_block_of_48_bytes_that_T0_allocated replays=20 : -- 0
 * check: complete traces=2 : --strategy optimal -- 1
 * long: bug kind=memory : --strategy optimal -- 0
 * long: bug kind=memory : --strategy exhaustive -- 0
 * long: bug kind=memory : --model tso -- 0
 * long: bug kind=memory : --jobs 2 -- 0
 */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	pthread_mutex_t lock;
	volatile int alive;
};

static void *worker(void *arg)
{
	struct pool *p = arg;
	pthread_mutex_lock(&p->lock);
	p->alive--;
	pthread_mutex_unlock(&p->lock);
	return 0;
}

int main(int argc, char **argv)
{
	struct pool *p = malloc(sizeof *p);
	pthread_t t;
	pthread_mutex_init(&p->lock, 0);
	p->alive = 1;
	pthread_create(&t, 0, worker, p);
	pthread_detach(t);
	while (p->alive)
		;
	if (argc > 1 && atoi(argv[1])) {
		pthread_mutex_lock(&p->lock);
		pthread_mutex_unlock(&p->lock);
	}
	free(p);
	return 0;
}
