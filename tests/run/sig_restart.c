/* A read is restarted after a handler with SA_RESTART and interrupted by one without. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int fds[2];
static volatile sig_atomic_t hits;

static void handler(int sig)
{
	hits++;
}

static void *reader(void *arg)
{
	char c;
	ssize_t n = read(fds[0], &c, 1);

	assert(n == 1 && c == 'r'); /* restarted */
	do
		n = read(fds[0], &c, 1);
	while (n == -1 && errno == EINTR && hits);
	assert(n == 1 && c == 's');
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_RESTART};

	assert(pipe(fds) == 0);
	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_flags = 0;
	sigaction(SIGUSR2, &sa, NULL);
	assert(pthread_create(&t, NULL, reader, NULL) == 0);
	pthread_kill(t, SIGUSR1);
	assert(write(fds[1], "rs", 2) == 2);
	pthread_join(t, NULL);
	return 0;
}
