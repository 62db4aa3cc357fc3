/* Fails when SIGXFSZ or SIGPIPE is not at its default. */
#include <pthread.h>
#include <signal.h>

static void *none(void *arg)
{
	return arg;
}

int main(void)
{
	struct sigaction size, reader;
	pthread_t t;

	pthread_create(&t, NULL, none, NULL);
	pthread_join(t, NULL);
	sigaction(SIGXFSZ, NULL, &size);
	sigaction(SIGPIPE, NULL, &reader);
	return size.sa_handler != SIG_DFL || reader.sa_handler != SIG_DFL;
}
