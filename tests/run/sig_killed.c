/* A signal with the default action, sent by another thread. */
#include <pthread.h>
#include <signal.h>

static void *killer(void *arg)
{
	pthread_kill(*(pthread_t *)arg, SIGTERM);
	return NULL;
}

int main(void)
{
	pthread_t t, self = pthread_self();

	pthread_create(&t, NULL, killer, &self);
	pthread_join(t, NULL);
	return 0;
}
