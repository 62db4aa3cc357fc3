/*
 * library lock|try ROUNDS: two threads take a lock of a library ROUNDS times each. With `try` the second thread only tries. -DGLIB, -DCRITICAL or -DOMP_LOCK
 * chooses the lock. The functions are declared here, so that the library's headers need not be installed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static union {
	void *pointer;
	int word;
} lock;

#if defined(GLIB)
void g_mutex_lock(void *);
int g_mutex_trylock(void *);
void g_mutex_unlock(void *);
#define TAKE() g_mutex_lock(&lock)
#define TRY() g_mutex_trylock(&lock)
#define GIVE() g_mutex_unlock(&lock)
#elif defined(CRITICAL)
void GOMP_critical_start(void);
void GOMP_critical_end(void);
#define TAKE() GOMP_critical_start()
#define TRY() (GOMP_critical_start(), 1)
#define GIVE() GOMP_critical_end()
#else
void omp_set_lock(void *);
int omp_test_lock(void *);
void omp_unset_lock(void *);
#define TAKE() omp_set_lock(&lock)
#define TRY() omp_test_lock(&lock)
#define GIVE() omp_unset_lock(&lock)
#endif

static int rounds, tries, inside;

static void section(void)
{
	assert(!inside++);
	inside--;
	GIVE();
}

static void *second(void *arg)
{
	for (int i = 0; i < rounds; i++)
		if (tries) {
			if (TRY())
				section();
		} else {
			TAKE();
			section();
		}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	tries = argc > 1 && *argv[1] == 't';
	rounds = argc > 2 ? atoi(argv[2]) : 1;
	pthread_create(&t, NULL, second, NULL);
	for (int i = 0; i < rounds; i++) {
		TAKE();
		section();
	}
	pthread_join(t, NULL);
}
