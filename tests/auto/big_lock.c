/*
 * An interpreter with a big lock, as Python has one: a thread runs only while it holds the lock. A waiting thread asks for it after a timed wait, and
 * the holder gives it up at its next check. Two threads take two locks of the program in opposite orders, with a check in between. A deadlock needs
 * a request just there. Then the first thread ends the interpreter, in 3000 operations (or as many as the argument says).
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, runtime = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given_up = PTHREAD_COND_INITIALIZER, switched = PTHREAD_COND_INITIALIZER;
static bool locked;
static pthread_t last;
static atomic_bool drop_request;
static sem_t a, b;

static void take(void)
{
	pthread_mutex_lock(&mutex);
	while (locked) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 5000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
		if (pthread_cond_timedwait(&given_up, &mutex, &until) && locked)
			drop_request = true;
	}
	locked = true;
	last = pthread_self();
	pthread_cond_broadcast(&switched);
	drop_request = false;
	pthread_mutex_unlock(&mutex);
}

/* Gives the lock up. Where it was requested, it waits until another thread has it. */
static void give_up(bool requested)
{
	pthread_mutex_lock(&mutex);
	locked = false;
	pthread_cond_signal(&given_up);
	while (requested && last == pthread_self())
		pthread_cond_wait(&switched, &mutex);
	pthread_mutex_unlock(&mutex);
}

static void check(void)
{
	if (drop_request) {
		give_up(true);
		take();
	}
}

static void acquire(sem_t *s)
{
	if (sem_trywait(s) == 0)
		return;
	give_up(false);
	sem_wait(s);
	take();
}

static void work(sem_t *first, sem_t *second)
{
	take();
	for (int i = 0; i < 200; i++)
		check();
	acquire(first);
	check();
	acquire(second);
	check();
	sem_post(second);
	check();
	sem_post(first);
	for (int i = 0; i < 200; i++)
		check();
	give_up(false);
}

static void *one(void *arg)
{
	(void)arg;
	work(&a, &b);
	return NULL;
}

static void *two(void *arg)
{
	(void)arg;
	work(&b, &a);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	sem_init(&a, 0, 1);
	sem_init(&b, 0, 1);
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	for (int i = argc > 1 ? atoi(argv[1]) / 2 : 1500; i > 0; i--) {
		pthread_mutex_lock(&runtime);
		pthread_mutex_unlock(&runtime);
	}
	return 0;
}
