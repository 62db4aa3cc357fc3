/* In each order, the threads share another cell. The warm-up never stops finding shared memory, so it ended after 5,000 executions, and
 * processes forked before its end continued with the strategy of the warm-up: simul crashed, and blamed the program.
 * check: incomplete never=CRASH|killed : --strategy source --time 5s -- 7
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static unsigned order = 1;
static int *cell, rounds;

static void *work(void *bit)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		order = order << 1 | (bit != NULL);
		pthread_mutex_unlock(&lock);
	}
	pthread_barrier_wait(&both);
	cell[order]++;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	rounds = argc > 1 ? atoi(argv[1]) : 7;
	cell = calloc(sizeof *cell, 2u << 2 * rounds);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t, NULL, work, &t);
	work(NULL);
	pthread_join(t, NULL);
	return 0;
}
