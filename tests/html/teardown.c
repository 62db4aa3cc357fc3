/* A check that fails and lets the program go on: what runs after it only ends. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int n;
static int failed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define CHECK(holds) do { if (!(holds)) failed = printf("%s:%d: Failure: %s\n", __FILE__, __LINE__, #holds); } while (0)

static void *add(void *unused)
{
	int old = n;

	n = old + 1;
	return NULL;
}

static void end(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	CHECK(n == 2);
	end();
	return failed != 0;
}
