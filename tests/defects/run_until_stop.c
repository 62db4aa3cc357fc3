/* Workers run until they are asked to stop. Their first iteration has a bug of depth 6. Each execution of the full search is cut, because one of the
 * workers never lets main continue. The rest of the budget goes to samples, which find the bug.
 * check: bug kind=assert replays=3 : --max-steps 3000 --time 100s --
 * check: incomplete says=were_cut : --max-steps 3000 --
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#define STEPS 6

static atomic_int stop, state, bad;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begin;
static long rounds;

static void work(void)
{
	do {
		pthread_mutex_lock(&m);
		rounds++;
		pthread_mutex_unlock(&m);
	} while (!atomic_load(&stop));
}

static void *writer(void *unused)
{
	pthread_barrier_wait(&begin);
	for (int i = 1; i <= STEPS; i++)
		atomic_store(&state, i);
	work();
	return NULL;
}

static void *reader(void *unused)
{
	int all = 1;

	pthread_barrier_wait(&begin);
	for (int i = 1; i <= STEPS; i++)
		all &= atomic_load(&state) == i;
	bad = all;
	work();
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_barrier_init(&begin, NULL, 3);
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_barrier_wait(&begin);
	sleep(1);
	atomic_store(&stop, 1);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(!bad);
	return 0;
}
