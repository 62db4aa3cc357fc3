/* siglongjmp out of handlers restores the mask; a handler of SIGSEGV may do it too. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf env;
static volatile sig_atomic_t hits;

static void handler(int sig)
{
	hits++;
	siglongjmp(env, sig);
}

static void *worker(void *arg)
{
	return NULL;
}

int main(void)
{
	pthread_t t;
	sigset_t now;

	signal(SIGUSR1, handler);
	signal(SIGSEGV, handler);
	assert(pthread_create(&t, NULL, worker, NULL) == 0);
	for (int i = 0; i < 3; i++) {
		if (sigsetjmp(env, 1) == 0) {
			raise(SIGUSR1);
			assert(0);
		}
		pthread_sigmask(SIG_BLOCK, NULL, &now);
		assert(!sigismember(&now, SIGUSR1));
	}
	for (int i = 0; i < 2; i++)
		if (sigsetjmp(env, 1) == 0) {
			*(volatile int *)8 = 1;
			assert(0);
		}
	assert(hits == 5);
	pthread_join(t, NULL);
	return 0;
}
