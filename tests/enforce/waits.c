/* Everything that threads can wait for: a queue with a condition, a reader-writer lock, a barrier, a semaphore, a spin lock, timed waits, tries. */
#include <errno.h>
#include <semaphore.h>
#include <time.h>
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t sem;
static int queue, total, serial, spun;
static void *consumer(void *a)
{
	pthread_mutex_lock(&lock);
	while (!queue)
		pthread_cond_wait(&cond, &lock);
	queue--;
	pthread_mutex_unlock(&lock);
	pthread_rwlock_rdlock(&rw);
	assert(total == 0 || total == 1);
	pthread_rwlock_unlock(&rw);
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		pthread_spin_lock(&spin);
		serial++;
		pthread_spin_unlock(&spin);
	}
	sem_post(&sem);
	return a;
}
static void *producer(void *a)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		queue++;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&lock);
	}
	pthread_rwlock_wrlock(&rw);
	total++;
	pthread_rwlock_unlock(&rw);
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		pthread_spin_lock(&spin);
		serial++;
		pthread_spin_unlock(&spin);
	}
	sem_wait(&sem);
	if (sem_trywait(&sem))
		sem_wait(&sem);
	return a;
}
static void *timer(void *a)
{
	struct timespec t;
	int r;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += (t.tv_nsec += 2000000) >= 1000000000;
	t.tv_nsec %= 1000000000;
	if (pthread_mutex_trylock(&lock))
		return a;
	r = pthread_cond_timedwait(&cond, &lock, &t);
	assert(r == 0 || r == ETIMEDOUT);
	if (!r)
		pthread_cond_signal(&cond); /* it was for a consumer */
	spun++;
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	void *(*const start[])(void *) = {consumer, timer, consumer, producer};
	pthread_t t[4];

	pthread_barrier_init(&barrier, NULL, 3);
	pthread_spin_init(&spin, 0);
	sem_init(&sem, 0, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert(queue == 0 && serial == 1);
	return 0;
}
