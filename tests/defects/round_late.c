/* A thread waits in a loop with a lock and a yield, and counts up and down in a word of memory meanwhile. When the loop
 * has come to its state again, the writes to the word become visible. Each order of the other threads fails in its own
 * way, so a later execution seldom fails like that one. An earlier simul made them visible in the middle of the
 * execution, replayed it with the word visible from the start, and did not confirm its failure. The word is another one
 * where the thread's stack is another one, as in the first two executions.
 * check: bug kind=exit says=execution_1,_confirmed never=NOT_confirmed replays=5 : --
 * check: bug kind=exit says=execution_1,_confirmed never=NOT_confirmed replays=5 : --isolation exec --
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define OTHERS 4

static sem_t begun;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned order;
static atomic_int left = OTHERS;
static volatile int count[64];

static void *waiter(void *arg)
{
	volatile int *mine = &count[((uintptr_t)&arg >> 30) % 61];
	int done = 0;
	*mine = 5;
	for (int i = 0; i < OTHERS; i++)
		sem_post(&begun);
	while (!done) {
		pthread_mutex_lock(&m);
		done = atomic_load(&left) == 0;
		pthread_mutex_unlock(&m);
		++*mine;
		--*mine;
		sched_yield();
	}
	return NULL;
}

static void *other(void *arg)
{
	sem_wait(&begun);
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&m);
		order = 31 * order + *(char *)arg;
		pthread_mutex_unlock(&m);
	}
	atomic_fetch_sub(&left, 1);
	return NULL;
}

int main(void)
{
	pthread_t w, t[OTHERS];
	char id[] = "abcd";
	sem_init(&begun, 0, 0);
	pthread_create(&w, NULL, waiter, NULL);
	for (int i = 0; i < OTHERS; i++)
		pthread_create(&t[i], NULL, other, &id[i]);
	pthread_join(w, NULL);
	for (int i = 0; i < OTHERS; i++)
		pthread_join(t[i], NULL);
	exit(1 + (int)(order % 250));
}
