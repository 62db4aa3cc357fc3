/* A thread that a futex has woken uses what another one has taken away: a crash. With an argument it only says so, and main returns 1. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, value = 5;
static int *volatile current = &value;
static int failed;

static void *waiter(void *says)
{
	if (__atomic_load_n(&word, __ATOMIC_ACQUIRE) || syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0))
		return NULL;
	int *now = current;
	if (!says)
		value = *now + 1;
	else if (!now)
		failed = printf("%s:%d: Failure\n", __FILE__, __LINE__) > 0;
	return NULL;
}

static void *taker(void *arg)
{
	current = NULL;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, waiter, argc > 1 ? argv[1] : NULL);
	pthread_create(&t[1], NULL, taker, NULL);
	pthread_join(t[1], NULL);
	__atomic_store_n(&word, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(t[0], NULL);
	return failed;
}
