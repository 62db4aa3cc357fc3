/* Fails in one order of its threads if it gets "--password=hush7" or "--password hush7"; otherwise it has no such failure. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *unused)
{
	pthread_mutex_lock(&lock);
	x = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	int known = 0, before;
	pthread_t t;

	for (int i = 1; i < argc; i++)
		known |= strstr(argv[i], "hush7") != NULL;
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	before = x;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	if (known && before)
		abort();
	return 0;
}
