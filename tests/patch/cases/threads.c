/* Threads: their own storage, clean-up handlers, cancellation in every way, exit from deep down, keys, once. */
#include "case.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static __thread int mine = 5;
static __thread char mine_array[100];
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int ready;
static int cleaned[8], key_freed, once_ran;

static void on_clean(void *p) { *(int *)p += 1; }
static void on_key(void *p) { key_freed += *(int *)p; free(p); }
static void init_once(void) { once_ran++; }

static NOINLINE void deep_exit(int n)
{
	pthread_cleanup_push(on_clean, &cleaned[0]);
	if (!n)
		pthread_exit((void *)42);
	deep_exit(n - 1);
	pthread_cleanup_pop(0);
}
static void *exits(void *arg)
{
	int *value = malloc(sizeof(*value));
	*value = 3;
	pthread_setspecific(key, value);
	pthread_once(&once, init_once);
	mine += 1;
	memset(mine_array, mine, sizeof(mine_array));
	deep_exit(10);
	return NULL;
}
static void *deferred(void *arg)
{
	pthread_cleanup_push(on_clean, &cleaned[1]);
	pthread_once(&once, init_once);
	ready = 1;
	for (;;) {
		mine_array[mine++ % 100] ^= 1;
		pthread_testcancel();
	}
	pthread_cleanup_pop(0);
	return NULL;
}
static void *blocked(void *arg)
{
	char byte;
	pthread_cleanup_push(on_clean, &cleaned[2]);
	ready = 1;
	if (read(*(int *)arg, &byte, 1) < 0)
		perror("read");
	pthread_cleanup_pop(0);
	return NULL;
}
static NOINLINE void endless(void)
{
	volatile uint64_t n = 0;
	for (;;)
		mine_array[n % 100] = (char)n, n = n + 1;
}
static void *at_once(void *arg)
{
	int old;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	pthread_cleanup_push(on_clean, &cleaned[3]);
	ready = 1;
	endless();
	pthread_cleanup_pop(0);
	return NULL;
}
static void cancel_one(const char *what, void *(*f)(void *), void *arg)
{
	pthread_t t;
	void *ret;
	ready = 0;
	pthread_create(&t, NULL, f, arg);
	while (!ready)
		usleep(100);
	pthread_cancel(t);
	pthread_join(t, &ret);
	printf("%s %s\n", what, ret == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

CASE(threads)
{
	pthread_t t;
	void *ret;
	int p[2];
	pthread_key_create(&key, on_key);
	pthread_create(&t, NULL, exits, NULL);
	pthread_join(t, &ret);
	printf("exit %d cleaned %d key %d\n", (int)(intptr_t)ret, cleaned[0], key_freed);
	cancel_one("deferred", deferred, NULL);
	if (pipe(p))
		return;
	cancel_one("blocked", blocked, &p[0]);
	cancel_one("at once", at_once, NULL);
	printf("cleaned %d %d %d mine %d once %d\n", cleaned[1], cleaned[2], cleaned[3], mine, once_ran);
	errno = 0;
	close(p[0]), close(p[1]);
	printf("errno %d\n", close(p[0]) ? errno : 0);
}
