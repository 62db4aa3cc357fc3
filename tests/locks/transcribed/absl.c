/*
 * absl THREADS ROUNDS m|w: absl::Mutex (mutex.cc, 20220623) as an algorithm, for writers; m and w are the same. The queue has a pthread mutex in place of a bit that
 * threads spin for, and lies beside the word. Without the turns of spinning before a thread is queued, which only delay it.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/locks/counted.h"

#define DESIG 2  /* a woken thread tries to take the lock: an unlock need not wake another one */
#define WAIT 4   /* threads are queued */
#define WRITER 8 /* the lock is taken */

struct waiter {
	atomic_int queued;
	struct waiter *next;
};

static atomic_uint word;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiter *first, *last;

/* Queues the thread if the lock is taken. clear: bits that the thread takes back. */
static bool queue(struct waiter *me, unsigned clear)
{
	pthread_mutex_lock(&queue_lock);
	unsigned v = atomic_load_explicit(&word, memory_order_relaxed);
	while (v & WRITER && !atomic_compare_exchange_strong(&word, &v, (v & ~clear) | WAIT))
		;
	if (v & WRITER) {
		*(first ? &last->next : &first) = me;
		last = me;
	}
	pthread_mutex_unlock(&queue_lock);
	return v & WRITER;
}

static void enter_slowly(void)
{
	unsigned clear = 0;
	for (;;) {
		struct waiter me = { .queued = 1 };
		unsigned v = atomic_load_explicit(&word, memory_order_relaxed);
		if (!(v & WRITER)) {
			if (atomic_compare_exchange_strong(&word, &v, (v | WRITER) & ~clear))
				return;
			continue;
		}
		if (!queue(&me, clear))
			continue;
		while (atomic_load_explicit(&me.queued, memory_order_acquire))
			syscall(SYS_futex, &me.queued, FUTEX_WAIT_PRIVATE, 1, NULL);
		clear = DESIG;
	}
}

static void enter(void)
{
	unsigned v = atomic_load_explicit(&word, memory_order_relaxed);
	if (v & WRITER || !atomic_compare_exchange_strong(&word, &v, v | WRITER))
		enter_slowly();
}

static void leave(void)
{
	unsigned v = atomic_load_explicit(&word, memory_order_relaxed);
	assert(v & WRITER);
	while ((v & (WAIT | DESIG)) != WAIT)
		if (atomic_compare_exchange_strong(&word, &v, v & ~(unsigned)WRITER))
			return;
	pthread_mutex_lock(&queue_lock);
	struct waiter *woken = first;
	first = woken->next;
	atomic_store(&word, DESIG | (first ? WAIT : 0));
	pthread_mutex_unlock(&queue_lock);
	atomic_store_explicit(&woken->queued, 0, memory_order_release);
	syscall(SYS_futex, &woken->queued, FUTEX_WAKE_PRIVATE, 1);
}
