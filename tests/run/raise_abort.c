/* raise(SIGABRT) without a handler, in one of the orders, ends the program like abort(), although simul intercepts its system calls. */
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *last_one(void *arg)
{
	pthread_mutex_lock(&mutex);
	if (count++ == 1 && arg)
		raise(SIGABRT);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, last_one, &count);
	pthread_create(&b, NULL, last_one, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
