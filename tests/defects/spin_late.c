/* Each thread waits in a loop for a word on its own stack, which becomes visible in the middle of an execution,
 * once simul knows the loop. The thread's own store to the word before the loop is no step there.
 * Each order of the other threads fails in its own way, so a later execution seldom fails like that one. An
 * earlier simul replayed it with the words visible from the start, where the stores are steps, and did not confirm
 * its failure.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O0 -pthread
 * check: bug kind=exit says=execution_1,_confirmed never=NOT_confirmed replays=5 : --
 * check: bug kind=exit says=execution_1,_confirmed never=NOT_confirmed replays=5 : --isolation exec --
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#define OTHERS 4

static atomic_int *waits;
static sem_t begun;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned order;

static void *waiter(void *arg)
{
	atomic_int mine;
	waits = &mine;
	atomic_store_explicit(&mine, OTHERS, memory_order_relaxed);
	for (int i = 0; i < OTHERS; i++)
		sem_post(&begun);
	while (atomic_load_explicit(&mine, memory_order_relaxed) > 0)
		;
	return arg;
}

static void *other(void *arg)
{
	sem_wait(&begun);
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&m);
		order = 31 * order + *(char *)arg;
		pthread_mutex_unlock(&m);
	}
	atomic_fetch_sub(waits, 1);
	return NULL;
}

int main(void)
{
	pthread_t w, t[OTHERS];
	char id[] = "abcdefgh";
	sem_init(&begun, 0, 0);
	pthread_create(&w, NULL, waiter, NULL);
	for (int i = 0; i < OTHERS; i++)
		pthread_create(&t[i], NULL, other, &id[i]);
	pthread_join(w, NULL);
	for (int i = 0; i < OTHERS; i++)
		pthread_join(t[i], NULL);
	exit(1 + (int)(order % 250));
}
