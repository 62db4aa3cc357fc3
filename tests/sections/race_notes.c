/* Sections that commute, beside plain accesses. By default there is a data race on `statistics`. With PUBLISHED the
   mutex orders the accesses to `statistics`, in the executions that have both. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int in[2], statistics, ready;

static void section(int *data)
{
	pthread_mutex_lock(&m);
	++*data;
	pthread_mutex_unlock(&m);
}

#ifdef PUBLISHED
static void *first(void *unused)
{
	section(&in[0]);
	statistics = 1;
	section(&ready);
	return NULL;
}

static void *second(void *unused)
{
	int now;

	section(&in[1]);
	pthread_mutex_lock(&m);
	now = ready;
	pthread_mutex_unlock(&m);
	if (now)
		statistics++;
	return NULL;
}
#else
static void *first(void *unused)
{
	section(&in[0]);
	statistics++;
	section(&in[0]);
	return NULL;
}

static void *second(void *unused)
{
	section(&in[1]);
	statistics++;
	section(&in[1]);
	return NULL;
}
#endif

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
