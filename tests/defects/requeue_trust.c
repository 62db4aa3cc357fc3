/* A timed futex wait, and a call that moves the waiter to another futex. --strategy trust missed a trace, and its verdict was `complete`.
 * check: incomplete says=futex_calls_moved_waiters : --strategy trust
 * check: complete traces=8 : --strategy optimal
 * check: complete traces=8 : --strategy exhaustive
 * check: complete : --strategy auto
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int a, b;

static void *wait(void *unused)
{
	struct timespec second = { .tv_sec = 1 };
	syscall(SYS_futex, &a, FUTEX_WAIT_PRIVATE, 0, &second, NULL, 0);
	return NULL;
}

static void *move(void *unused)
{
	syscall(SYS_futex, &a, FUTEX_REQUEUE_PRIVATE, 0, 1, &b, 0);
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, wait, NULL);
	pthread_create(&u, NULL, move, NULL);
	syscall(SYS_futex, &b, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
