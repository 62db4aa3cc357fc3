/* Spin locks, and the return values of barriers. */
#include <errno.h>
#include <pthread.h>

#include "sync_check.h"

static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static int shared;

static void *add(void *arg)
{
	EXPECT(pthread_spin_lock(&spin), 0);
	int v = shared;

	shared = -1;
	shared = v + 1;
	EXPECT(pthread_spin_unlock(&spin), 0);
	return NULL;
}

static void *tries(void *arg)
{
	EXPECT(pthread_spin_trylock(&spin), EBUSY);
	return NULL;
}

static void *pass(void *arg)
{
	return (void *)(long)pthread_barrier_wait(&barrier);
}

int main(void)
{
	pthread_t t;
	void *other;

	EXPECT(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), 0);
	EXPECT(pthread_create(&t, NULL, add, NULL), 0);
	add(NULL);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(shared, 2);
	EXPECT(pthread_spin_trylock(&spin), 0);
	EXPECT(pthread_create(&t, NULL, tries, NULL), 0);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(pthread_spin_unlock(&spin), 0);
	EXPECT(pthread_spin_destroy(&spin), 0);
	EXPECT(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), 0);
	EXPECT(pthread_spin_lock(&spin), 0);
	EXPECT(pthread_spin_unlock(&spin), 0);

	EXPECT(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
	EXPECT(pthread_barrier_init(&barrier, NULL, 1), 0);
	EXPECT(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
	EXPECT(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
	EXPECT(pthread_barrier_destroy(&barrier), 0);
	EXPECT(pthread_barrier_init(&barrier, NULL, 2), 0);
	EXPECT(pthread_create(&t, NULL, pass, NULL), 0);
	int mine = pthread_barrier_wait(&barrier);

	EXPECT(pthread_join(t, &other), 0);
	EXPECT(mine + (int)(long)other, PTHREAD_BARRIER_SERIAL_THREAD);
	EXPECT(pthread_barrier_destroy(&barrier), 0);
	return 0;
}
