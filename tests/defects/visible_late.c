/* What is visible changes in the middle of an execution. Each order of the other threads fails in its own way, so a
 * later execution seldom fails like the one in which that happened, and that one has to be replayed.
 *
 * A thread waits in a loop for a word on its own stack, which becomes visible once simul knows the loop. The thread's
 * store to the word before the loop is no step there. An earlier simul replayed it with the word visible from the
 * start, where the store is a step, and did not confirm its failure.
 *
 * -DROUND: a thread waits in a loop with a lock and a yield, and counts up and down in a word of memory meanwhile. When
 * the loop has come to its state again, the writes to the word become visible, which an earlier simul did at once. The
 * word is another one where the thread's stack is another one, as in the first two executions.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O0 -pthread
 * build: gcc -g -O1 -pthread -DROUND
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

static void begin(void)
{
	for (int i = 0; i < OTHERS; i++)
		sem_post(&begun);
}

#ifdef ROUND
static atomic_int left = OTHERS;
static volatile int count[64];

static void *waiter(void *arg)
{
	volatile int *mine = &count[((uintptr_t)&arg >> 30) % 61];
	int done = 0;
	*mine = 5;
	begin();
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

static void ended(void)
{
	atomic_fetch_sub(&left, 1);
}
#else
static atomic_int *waits;

static void *waiter(void *arg)
{
	atomic_int mine;
	waits = &mine;
	atomic_store_explicit(&mine, OTHERS, memory_order_relaxed);
	begin();
	while (atomic_load_explicit(&mine, memory_order_relaxed) > 0)
		;
	return arg;
}

static void ended(void)
{
	atomic_fetch_sub(waits, 1);
}
#endif

static void *other(void *arg)
{
	sem_wait(&begun);
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&m);
		order = 31 * order + *(char *)arg;
		pthread_mutex_unlock(&m);
	}
	ended();
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
