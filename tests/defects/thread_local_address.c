/* A thread gives the address of its thread-local variable to another one. Nothing saw its own accesses, which compilers
 * make relative to the thread pointer: "complete" although an update can be lost, and "hang" where the thread waits for
 * the other one. liburcu's readers are such programs.
 * check: bug kind=assert replays=5 says=T0.s_count : -- lost
 * check: bug kind=assert replays=5 : --model tso -- lost
 * check: bug kind=assert replays=5 says=T0.1.s_slot.ready : -- slots
 * check: complete traces=1 : -- waits
 * check: complete traces=1 never=data_race : -- own
 * check: complete traces=1 says=turns_of_waiting_loops_that_change_nothing : -- turns
 * long: complete traces=1 : --jobs 2 -- waits
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

static _Thread_local int count;
static _Thread_local struct {
	atomic_int ready, value;
} slot;
static _Atomic(atomic_int *) published;

static void *adds(void *arg)
{
	++*(int *)arg;
	return NULL;
}

/* The increment is one instruction without a lock. */
static void lost(void)
{
	pthread_t t;

	pthread_create(&t, NULL, adds, &count);
	count++;
	pthread_join(t, NULL);
	assert(count == 2);
}

static void *announces(void *arg)
{
	(void)arg;
	atomic_store(&published, &slot.ready);
	atomic_store(&slot.ready, 1); /* too early */
	atomic_store(&slot.value, 1);
	return NULL;
}

/* Both threads have such a variable, and one thread reads that of the other. */
static void slots(void)
{
	pthread_t t;
	atomic_int *p;

	pthread_create(&t, NULL, announces, NULL);
	slot.value = 2;
	p = atomic_load(&published);
	if (p && atomic_load(p))
		assert(atomic_load(p + 1) == 1);
	pthread_join(t, NULL);
}

static void *lets_go(void *arg)
{
	atomic_store((atomic_int *)arg, 1);
	return NULL;
}

static void waits(void)
{
	pthread_t t;

	pthread_create(&t, NULL, lets_go, &slot.ready);
	while (!atomic_load(&slot.ready))
		;
	pthread_join(t, NULL);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static _Thread_local volatile int seen[40];

static void *finishes(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* What a turn writes to thread-local variables belongs to the state of its thread: the next turn writes the same. It is
   more than the few writes of other memory that the search would look at more closely. */
static void turns(void)
{
	pthread_t t;
	pthread_create(&t, NULL, finishes, NULL);
	do {
		sched_yield();
		pthread_mutex_lock(&lock);
		count = done;
		pthread_mutex_unlock(&lock);
		for (int i = 0; i < 40; i++)
			seen[i] = count;
	} while (!count);
	pthread_join(t, NULL);
}

static void *counts(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++)
		count += slot.ready++;
	return NULL;
}

/* Each thread uses its own only. */
static void own(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, counts, NULL);
	counts(NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(count == 45);
}

int main(int argc, char **argv)
{
	assert(argc == 2);
	if (!strcmp(argv[1], "lost"))
		lost();
	else if (!strcmp(argv[1], "slots"))
		slots();
	else if (!strcmp(argv[1], "waits"))
		waits();
	else if (!strcmp(argv[1], "turns"))
		turns();
	else
		own();
	return 0;
}
