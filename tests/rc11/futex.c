/* futex: a mutex of a word, which waits in futex calls
   -DWEAK: unlocked with relaxed: a data race */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define FREE rlx
#else
#define FREE rel
#endif
static atomic_int word; /* 1: locked; 2: and threads may wait */
static int data;

static void lock(void)
{
	int free = 0;
	if (atomic_compare_exchange_strong_explicit(&word, &free, 1, acq, rlx))
		return;
	while (atomic_exchange_explicit(&word, 2, acq))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void unlock(void)
{
	if (atomic_exchange_explicit(&word, 0, FREE) == 2)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

static void *work(void *arg)
{
	lock();
	data++;
	unlock();
	return NULL;
}

int main(void)
{
	RUN(work, work);
	CHECK(data == 2);
	return 0;
}
