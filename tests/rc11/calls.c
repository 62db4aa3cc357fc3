/*
 * Calls of the library that order threads, beside atomic accesses. -DHOW=...: what passes the message. The reader looks
 * at `data` only when a call says that it is there, so nothing races; -DWEAK: when a relaxed flag says so.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#define CONDITION 1
#define TRYLOCK 2
#define SEMAPHORE 3
#define RWLOCK 4
#define BARRIER 5
#define ONCE 6
#define SPINLOCK 7

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t sem;
static int data, ready;
static atomic_int flag;

static void initialise(void)
{
	data++;
	ready = 1;
}

/* Returns whether the data is there, by a call. Begins a section if `enter`, else ends it. */
static int at(int enter, int writes)
{
	switch (HOW) {
	case CONDITION:
		if (!enter)
			return pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		while (!writes && !ready)
			pthread_cond_wait(&c, &m);
		return 1;
	case TRYLOCK:
		return enter ? !pthread_mutex_trylock(&m) : pthread_mutex_unlock(&m);
	case SEMAPHORE:
		return enter ? writes || !sem_wait(&sem) : !writes || !sem_post(&sem);
	case RWLOCK:
		if (!enter)
			return pthread_rwlock_unlock(&rw);
		return writes ? !pthread_rwlock_wrlock(&rw) : !pthread_rwlock_rdlock(&rw);
	case BARRIER:
		if (enter != writes)
			pthread_barrier_wait(&barrier);
		return 1;
	case ONCE:
		return enter && !pthread_once(&once, initialise);
	default:
		return enter ? !pthread_spin_lock(&spin) : pthread_spin_unlock(&spin);
	}
}

static void *writer(void *unused)
{
	if (!at(1, 1))
		return unused;
	if (HOW != ONCE) {
		data++;
		ready = 1;
	}
	store(&flag, 1, rlx);
	if (HOW == CONDITION)
		pthread_cond_signal(&c);
	if (HOW == SEMAPHORE)
		sem_post(&sem);
	else
		at(0, 1);
	return unused;
}

static void *reader(void *unused)
{
#ifdef WEAK
	if (load(&flag, rlx))
		CHECK(data == 1);
#endif
	if (!at(1, 0))
		return unused;
	CHECK(!ready || data == 1);
	CHECK(HOW == TRYLOCK || HOW == RWLOCK || HOW == SPINLOCK || ready);
	load(&flag, rlx);
	at(0, 0);
	return unused;
}

int main(void)
{
	sem_init(&sem, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_spin_init(&spin, 0);
	RUN(writer, reader);
	return 0;
}
