/*
 * parking_lot THREADS ROUNDS m|w: RawMutex of parking_lot 0.12 (m) and WordLock of parking_lot_core 0.9 (w), the lock of a bucket, as algorithms. Bits of the mutex:
 * LOCKED, PARKED. The other has a pointer to the first sleeping thread above its two bits. Without the turns of spinning before a thread parks, which only delay
 * it. The mutex has one bucket, and every second unlock with parked threads hands the mutex over, which parking_lot decides by the clock.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/locks/counted.h"

#define LOCKED 1
#define PARKED 2
#define QUEUE_LOCKED 2
#define HEAD(state) ((struct sleeper *)((state) & ~UINT64_C(3)))

struct sleeper {
	atomic_int futex;
	bool handed_over;
	struct sleeper *tail, *prev, *next;
} __attribute__((aligned(16)));

static atomic_uchar mutex;
static pthread_mutex_t bucket = PTHREAD_MUTEX_INITIALIZER;
static struct sleeper *first, *last;
static bool fair;

static void park(struct sleeper *s)
{
	while (atomic_load_explicit(&s->futex, memory_order_acquire))
		syscall(SYS_futex, &s->futex, FUTEX_WAIT_PRIVATE, 1, NULL);
}

static void unpark(struct sleeper *s)
{
	atomic_store_explicit(&s->futex, 0, memory_order_release);
	syscall(SYS_futex, &s->futex, FUTEX_WAKE_PRIVATE, 1);
}

/* Returns whether the mutex was handed over to the thread. */
static bool park_on_mutex(void)
{
	struct sleeper me = { .futex = 1 };
	pthread_mutex_lock(&bucket);
	if (atomic_load_explicit(&mutex, memory_order_relaxed) != (LOCKED | PARKED)) {
		pthread_mutex_unlock(&bucket);
		return false;
	}
	*(first ? &last->next : &first) = &me;
	last = &me;
	pthread_mutex_unlock(&bucket);
	park(&me);
	return me.handed_over;
}

static void lock(void)
{
	unsigned char state = 0;
	if (atomic_compare_exchange_strong(&mutex, &state, LOCKED))
		return;
	state = atomic_load_explicit(&mutex, memory_order_relaxed);
	for (;;) {
		if (!(state & LOCKED)) {
			if (atomic_compare_exchange_strong(&mutex, &state, state | LOCKED))
				return;
			continue;
		}
		if (!(state & PARKED) && !atomic_compare_exchange_strong(&mutex, &state, state | PARKED))
			continue;
		if (park_on_mutex())
			return;
		state = atomic_load_explicit(&mutex, memory_order_relaxed);
	}
}

static void unlock(void)
{
	unsigned char state = LOCKED;
	if (atomic_compare_exchange_strong(&mutex, &state, 0))
		return;
	pthread_mutex_lock(&bucket);
	struct sleeper *s = first;
	if (s)
		first = s->next;
	if (s && (fair = !fair)) {
		if (!first)
			atomic_store(&mutex, LOCKED);
		s->handed_over = true;
	} else {
		atomic_store(&mutex, first ? PARKED : 0);
	}
	if (s)
		atomic_store_explicit(&s->futex, 0, memory_order_release);
	pthread_mutex_unlock(&bucket);
	if (s)
		syscall(SYS_futex, &s->futex, FUTEX_WAKE_PRIVATE, 1);
}

static atomic_ulong word;

static void word_lock(void)
{
	unsigned long state = 0;
	if (atomic_compare_exchange_strong(&word, &state, LOCKED))
		return;
	state = atomic_load_explicit(&word, memory_order_relaxed);
	for (;;) {
		if (!(state & LOCKED)) {
			if (atomic_compare_exchange_strong(&word, &state, state | LOCKED))
				return;
			continue;
		}
		struct sleeper me = { .futex = 1, .next = HEAD(state) };
		if (!me.next)
			me.tail = &me;
		if (!atomic_compare_exchange_strong(&word, &state, (state & 3) | (uintptr_t)&me))
			continue;
		park(&me);
		state = atomic_load_explicit(&word, memory_order_relaxed);
	}
}

/* Returns the last thread of the queue, whose length may have changed. */
static struct sleeper *tail_of(struct sleeper *head)
{
	struct sleeper *s = head;
	for (; !s->tail; s = s->next)
		s->next->prev = s;
	return head->tail = s->tail;
}

static void wake_last(unsigned long state)
{
	for (;;) {
		struct sleeper *tail = tail_of(HEAD(state));
		if (state & LOCKED) {
			if (atomic_compare_exchange_strong(&word, &state, state & ~(unsigned long)QUEUE_LOCKED))
				return;
			continue;
		}
		if (tail->prev) {
			HEAD(state)->tail = tail->prev;
			atomic_fetch_and(&word, ~(unsigned long)QUEUE_LOCKED);
			unpark(tail);
			return;
		}
		bool removed;
		while (!(removed = atomic_compare_exchange_strong(&word, &state, state & LOCKED)) && !HEAD(state))
			;
		if (removed) {
			unpark(tail);
			return;
		}
	}
}

static void word_unlock(void)
{
	unsigned long state = atomic_fetch_sub(&word, LOCKED);
	if (state & QUEUE_LOCKED || !HEAD(state))
		return;
	state = atomic_load_explicit(&word, memory_order_relaxed);
	do {
		if (state & QUEUE_LOCKED || !HEAD(state))
			return;
	} while (!atomic_compare_exchange_strong(&word, &state, state | QUEUE_LOCKED));
	wake_last(state | QUEUE_LOCKED);
}

static void enter(void)
{
	(*variant == 'w' ? word_lock : lock)();
}

static void leave(void)
{
	(*variant == 'w' ? word_unlock : unlock)();
}
