/* main returns while threads run. No argument: two threads take a lock twice each. "daemon": a thread never ends. "fails": a thread finds in the end
   what main has done. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sections;

static void section(void)
{
	pthread_mutex_lock(&m);
	sections++;
	pthread_mutex_unlock(&m);
}

static void *twice(void *arg)
{
	section();
	section();
	return NULL;
}

static void *for_ever(void *arg)
{
	for (;;) {
		section();
		usleep(1000);
	}
	return NULL;
}

static void *counts(void *arg)
{
	section();
	pthread_mutex_lock(&m);
	assert(sections == 1);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t t;

	if (!strcmp(what, "daemon"))
		return pthread_create(&t, NULL, for_ever, NULL);
	if (!strcmp(what, "fails")) {
		pthread_create(&t, NULL, counts, NULL);
		section();
		return 0;
	}
	pthread_create(&t, NULL, twice, NULL);
	pthread_create(&t, NULL, twice, NULL);
	return 0;
}
