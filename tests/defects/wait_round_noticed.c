/* A thread takes one lock, tries the other, and gives the first back, again and again. The other thread counts how often it finds the first
 * lock taken after it was free: a bug needs one, two or three iterations that it notices. A search that leaves out such iterations as if they had no
 * effect (docs/rounds.md) loses the bug.
 * build: gcc -g -O1 -pthread
 * check: bug kind=assert : --jobs 1 --strategy optimal -- 1
 * check: bug kind=assert : --jobs 1 --strategy optimal -- 2
 * check: bug kind=assert : --jobs 1 --strategy optimal -- 3
 * check: complete : --jobs 1 --strategy optimal -- 4
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *both(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&a);
		if (!pthread_mutex_trylock(&b))
			break;
		pthread_mutex_unlock(&a);
		sched_yield();
	}
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *observer(void *arg)
{
	int was_free = 1;
	pthread_mutex_lock(&b);
	for (int i = 0; i < 5; i++) {
		int is_free = !pthread_mutex_trylock(&a);
		if (is_free)
			pthread_mutex_unlock(&a);
		turns += was_free && !is_free;
		was_free = is_free;
	}
	pthread_mutex_unlock(&b);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	pthread_create(&t, NULL, both, NULL);
	pthread_create(&u, NULL, observer, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(turns < atoi(argv[1]));
	return 0;
}
