#include "tests/explain/std_of_rust.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WHOLE __attribute__((noinline, optimize("no-optimize-sibling-calls")))

static void contended(struct std_mutex *m) RUST("_ZN3std3sys4unix5locks5futex5Mutex14lock_contended");
static void sys_lock(struct std_mutex *m) RUST("_ZN3std3sys4unix5locks5futex5Mutex4lock");

static WHOLE void contended(struct std_mutex *m)
{
	while (atomic_exchange(&m->futex, 2))
		syscall(SYS_futex, &m->futex, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static WHOLE void sys_lock(struct std_mutex *m)
{
	unsigned free = 0;

	if (!atomic_compare_exchange_strong(&m->futex, &free, 1))
		contended(m);
}

WHOLE void std_lock(struct std_mutex *m)
{
	sys_lock(m);
	__asm__ volatile("");
}

WHOLE void std_unlock(struct std_mutex *m)
{
	if (atomic_exchange(&m->futex, 0) == 2)
		syscall(SYS_futex, &m->futex, FUTEX_WAKE_PRIVATE, 1);
}

WHOLE void std_panic(const char *thread, const char *what)
{
	static pthread_mutex_t hook = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&hook);
	fprintf(stderr, "thread '%s' panicked at %s\n", thread, what);
	pthread_mutex_unlock(&hook);
}
