/* Calls that time may end. -DHOW=...: which ones. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#define MUTEX 1
#define SEMAPHORE 2
#define RWLOCK 3
#define CONDITION 4
#define LOOP 5 /* waits for a condition variable until the data is there */

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int data;
static atomic_int n;

/* Begins a section. Returns 0 if time did not end the call. */
static int begin(int writes)
{
	struct timespec soon;

	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec++;
	if (HOW == SEMAPHORE)
		return sem_timedwait(&sem, &soon);
	if (HOW == RWLOCK)
		return writes ? pthread_rwlock_timedwrlock(&rw, &soon) : pthread_rwlock_timedrdlock(&rw, &soon);
	if (HOW == MUTEX)
		return pthread_mutex_timedlock(&m, &soon);
	pthread_mutex_lock(&m);
	while (!writes && !data)
		if (pthread_cond_timedwait(&c, &m, &soon) && HOW != LOOP)
			break;
	return 0;
}

static void end(void)
{
	if (HOW == SEMAPHORE)
		sem_post(&sem);
	else if (HOW == RWLOCK)
		pthread_rwlock_unlock(&rw);
	else
		pthread_mutex_unlock(&m);
}

static void *writer(void *unused)
{
	if (begin(1))
		return unused;
	data++;
	store(&n, load(&n, rlx) + 1, rlx);
	if (HOW == CONDITION || HOW == LOOP)
		pthread_cond_signal(&c);
	end();
	return unused;
}

static void *reader(void *unused)
{
#ifdef WEAK
	if (load(&n, rlx))
		CHECK(data == 1);
#endif
	if (begin(0))
		return unused;
	CHECK(load(&n, rlx) == data);
	end();
	return unused;
}

int main(void)
{
	sem_init(&sem, 0, 1);
	RUN(writer, reader);
	CHECK(load(&n, rlx) <= 1);
	return 0;
}
