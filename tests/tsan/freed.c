/* One thread takes a pointer under the lock and uses it in the next section; another one frees it in between. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static volatile int seen;

static void *reader(void *u)
{
	pthread_mutex_lock(&m);
	int *p = shared;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	if (p)
		seen = *p;
	pthread_mutex_unlock(&m);
	return u;
}

static void *remover(void *u)
{
	pthread_mutex_lock(&m);
	int *p = shared;
	shared = NULL;
	free(p);
	pthread_mutex_unlock(&m);
	return u;
}

int main(void)
{
	pthread_t t[2];
	shared = malloc(sizeof(*shared));
	*shared = 1;
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, remover, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
