/*
 * rust_std THREADS ROUNDS m|w: the mutex (m) and the write lock (w) of Rust's std on Linux, as algorithms. 0: free, 1: taken, 2: taken, and a thread may sleep.
 * SPINS is 100 in std; the number changes nothing but how soon a thread sleeps. The write lock without readers has 0: free, else the number that a writer adds,
 * and a bit that says that writers sleep; a counter wakes them.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/locks/counted.h"

#define SPINS 1
#define WRITE_LOCKED 0x3fffffff
#define WRITERS_WAITING 0x80000000u

static atomic_uint mutex, rwlock, writer_notify;

static void sleep_on(atomic_uint *word, unsigned value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
}

static void wake_one(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1);
}

static unsigned spin(void)
{
	for (int left = SPINS;; left--) {
		unsigned state = atomic_load_explicit(&mutex, memory_order_relaxed);
		if (state != 1 || !left)
			return state;
	}
}

static void lock(void)
{
	unsigned state = 0;
	if (atomic_compare_exchange_strong(&mutex, &state, 1))
		return;
	state = spin();
	if (state == 0 && atomic_compare_exchange_strong(&mutex, &state, 1))
		return;
	for (;;) {
		if (state != 2 && atomic_exchange(&mutex, 2) == 0)
			return;
		sleep_on(&mutex, 2);
		state = spin();
	}
}

static void unlock(void)
{
	if (atomic_exchange(&mutex, 0) == 2)
		wake_one(&mutex);
}

static void write_lock(void)
{
	unsigned state = 0, others = 0;
	if (atomic_compare_exchange_strong(&rwlock, &state, WRITE_LOCKED))
		return;
	for (;;) {
		if (!(state & WRITE_LOCKED)) {
			if (atomic_compare_exchange_strong(&rwlock, &state, state | WRITE_LOCKED | others))
				return;
			continue;
		}
		if (!(state & WRITERS_WAITING) && !atomic_compare_exchange_strong(&rwlock, &state, state | WRITERS_WAITING))
			continue;
		others = WRITERS_WAITING;
		unsigned seen = atomic_load(&writer_notify);
		state = atomic_load_explicit(&rwlock, memory_order_relaxed);
		if (!(state & WRITE_LOCKED) || !(state & WRITERS_WAITING))
			continue;
		sleep_on(&writer_notify, seen);
		state = atomic_load_explicit(&rwlock, memory_order_relaxed);
	}
}

static void write_unlock(void)
{
	unsigned state = atomic_fetch_sub(&rwlock, WRITE_LOCKED) - WRITE_LOCKED;
	if (state == WRITERS_WAITING && atomic_compare_exchange_strong(&rwlock, &state, 0)) {
		atomic_fetch_add(&writer_notify, 1);
		wake_one(&writer_notify);
	}
}

static void enter(void)
{
	(*variant == 'w' ? write_lock : lock)();
}

static void leave(void)
{
	(*variant == 'w' ? write_unlock : unlock)();
}
