/* Signal 0 sends nothing. Calls with a bad group or no messages do not either. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static void *send_nothing(void *unused)
{
	int pair[2];
	struct mmsghdr none;

	assert(raise(0) == 0);
	assert(raise(65) == -1 && errno == EINVAL);
	assert(kill(getpid(), 0) == 0 && pthread_kill(pthread_self(), 0) == 0);
	assert(killpg(-5, SIGTERM) == -1 && errno == EINVAL);
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	assert(sendmmsg(pair[0], &none, 0, 0) == 0);
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, send_nothing, NULL));
	assert(!pthread_join(t, NULL));
	return 0;
}
