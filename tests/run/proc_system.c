/* system() when the kernel reaps its child: it fails with ECHILD, and does not return 0. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void *run(void *unused)
{
	assert(system("exit 3") == 3 << 8);
	signal(SIGCHLD, SIG_IGN);
	assert(system("exit 3") == -1 && errno == ECHILD);
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, run, NULL));
	assert(!pthread_join(t, NULL));
	return 0;
}
