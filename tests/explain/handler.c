/* A handler runs while its thread waits for a lock. After the handler's last access another thread runs. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int sig)
{
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
}

static void *work(void *p)
{
	pthread_mutex_lock(&m); /* interrupted */
	pthread_mutex_unlock(&m);
	return p;
}

int main(void)
{
	pthread_t t;
	int seen;

	signal(SIGUSR1, handler);
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, work, NULL);
	pthread_kill(t, SIGUSR1);
	seen = __atomic_load_n(&n, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	assert(seen == 0);
	return 0;
}
