/* More threads than most programs have: all of them are kept ready. */
#include <pthread.h>

#define N 130

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *thread(void *arg)
{
	pthread_mutex_lock(&mutex);
	n++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return n != N;
}
