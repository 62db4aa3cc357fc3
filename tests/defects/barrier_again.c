/* A barrier is initialized again for another number of threads, without being destroyed first; glibc allows this. The search used the later number
 * for the earlier rounds too, and called three of six traces complete.
 * check: complete traces=6 : --strategy optimal -- 2 3
 * check: complete traces=6 : --strategy trust -- 2 3
 * check: complete traces=2 : --strategy exhaustive -- 1 2
 * check: complete traces=2 : --strategy trust -- 1 2
 * check: bug kind=assert replays=2 : -- 2 3 fail
 * long: complete traces=6 : --strategy optimal -- 3 2
 * long: complete traces=6 : --strategy source -- 3 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier;

static void *pass(void *unused)
{
	pthread_barrier_wait(&barrier);
	return unused;
}

static void round_of(unsigned threads)
{
	pthread_t t[8];

	pthread_barrier_init(&barrier, NULL, threads);
	for (unsigned i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, pass, NULL);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	round_of((unsigned)atoi(argv[1]));
	round_of((unsigned)atoi(argv[2]));
	assert(argc < 4);
	return 0;
}
