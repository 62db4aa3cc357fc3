/*
 * The reader-writer lock of Rust's std on Linux, as an algorithm. RWLOCK_KIND is LOCKED: a pthread mutex makes each operation one step, up to the futex call in which
 * it waits, and a thread waits at a condition variable while a writer has the lock. Or CODE: atomic accesses, with names that simul takes as operations. INLINE: as in
 * optimised builds, only the slow parts are functions.
 */
#ifndef RWLOCK_H
#define RWLOCK_H

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOCKED 1
#define CODE 2

#define WRITE_LOCKED 0x3fffffffu
#define MOST_READERS 0x3ffffffeu
#define READERS_WAITING 0x40000000u
#define WRITERS_WAITING 0x80000000u

/* The linker's names, which base/runtimes.def has patterns for. */
#define NAMED(name) __asm__("_ZN3std3sys4sync6rwlock5futex6RwLock" name "17h0123456789abcdefE") __attribute__((noinline))
#if RWLOCK_KIND == LOCKED
#define FAST(name)
#define SLOW(name)
#elif defined(INLINE)
#define FAST(name) __attribute__((always_inline))
#define SLOW(name) NAMED(name)
#else
#define FAST(name) NAMED(name)
#define SLOW(name) NAMED(name)
#endif

struct rwlock {
	atomic_uint state, writer_notify;
	pthread_mutex_t one_step;
	pthread_cond_t changed;
};

#if RWLOCK_KIND == LOCKED
static void begin(struct rwlock *l)
{
	pthread_mutex_lock(&l->one_step);
}

static void end(struct rwlock *l)
{
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->one_step);
}

/* Waits while a writer has the lock and no thread is flagged as waiting. */
static void begin_taking(struct rwlock *l)
{
	begin(l);
	while (l->state == WRITE_LOCKED)
		pthread_cond_wait(&l->changed, &l->one_step);
}
#else
static void begin(struct rwlock *l)
{
}

static void end(struct rwlock *l)
{
}

static void begin_taking(struct rwlock *l)
{
}
#endif

static void sleep_on(struct rwlock *l, atomic_uint *word, unsigned value)
{
	end(l);
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
	begin_taking(l);
}

/* Waking is an event of its own, which other threads may precede. */
static bool wake(struct rwlock *l, atomic_uint *word, int n)
{
	end(l);
	long woken = syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, n);
	begin(l);
	return woken > 0;
}

static bool read_lockable(unsigned state)
{
	return (state & WRITE_LOCKED) < MOST_READERS && !(state & (READERS_WAITING | WRITERS_WAITING));
}

static void read_contended(struct rwlock *l) SLOW("14read_contended");
static void read_contended(struct rwlock *l)
{
	unsigned state = atomic_load(&l->state);

	for (;;) {
		if (read_lockable(state)) {
			if (atomic_compare_exchange_strong(&l->state, &state, state + 1))
				return;
			continue;
		}
		if (!(state & READERS_WAITING) && !atomic_compare_exchange_strong(&l->state, &state, state | READERS_WAITING))
			continue;
		sleep_on(l, &l->state, state | READERS_WAITING);
		state = atomic_load(&l->state);
	}
}

static void write_contended(struct rwlock *l) SLOW("15write_contended");
static void write_contended(struct rwlock *l)
{
	unsigned state = atomic_load(&l->state), others = 0;

	for (;;) {
		if (!(state & WRITE_LOCKED)) {
			if (atomic_compare_exchange_strong(&l->state, &state, state | WRITE_LOCKED | others))
				return;
			continue;
		}
		if (!(state & WRITERS_WAITING) && !atomic_compare_exchange_strong(&l->state, &state, state | WRITERS_WAITING))
			continue;
		others = WRITERS_WAITING;
		unsigned seen = atomic_load(&l->writer_notify);
		state = atomic_load(&l->state);
		if (!(state & WRITE_LOCKED) || !(state & WRITERS_WAITING))
			continue;
		sleep_on(l, &l->writer_notify, seen);
		state = atomic_load(&l->state);
	}
}

static bool wake_writer(struct rwlock *l)
{
	atomic_fetch_add(&l->writer_notify, 1);
	return wake(l, &l->writer_notify, 1);
}

static void wake_writer_or_readers(struct rwlock *l, unsigned state) SLOW("22wake_writer_or_readers");
static void wake_writer_or_readers(struct rwlock *l, unsigned state)
{
	if (state == WRITERS_WAITING && atomic_compare_exchange_strong(&l->state, &state, 0)) {
		wake_writer(l);
		return;
	}
	if (state == (READERS_WAITING | WRITERS_WAITING)) {
		if (!atomic_compare_exchange_strong(&l->state, &state, READERS_WAITING) || wake_writer(l))
			return;
		state = READERS_WAITING;
	}
	if (state == READERS_WAITING && atomic_compare_exchange_strong(&l->state, &state, 0))
		wake(l, &l->state, 1 << 30);
}

static inline void read_lock(struct rwlock *l) FAST("4read");
static inline void read_lock(struct rwlock *l)
{
	begin_taking(l);
	unsigned state = atomic_load_explicit(&l->state, memory_order_relaxed);
	if (!read_lockable(state) || !atomic_compare_exchange_strong(&l->state, &state, state + 1))
		read_contended(l);
	end(l);
}

static inline void read_unlock(struct rwlock *l) FAST("11read_unlock");
static inline void read_unlock(struct rwlock *l)
{
	begin(l);
	unsigned state = atomic_fetch_sub(&l->state, 1) - 1;
	if ((state & ~READERS_WAITING) == WRITERS_WAITING)
		wake_writer_or_readers(l, state);
	end(l);
}

static inline void write_lock(struct rwlock *l) FAST("5write");
static inline void write_lock(struct rwlock *l)
{
	unsigned state = 0;

	begin_taking(l);
	if (!atomic_compare_exchange_strong(&l->state, &state, WRITE_LOCKED))
		write_contended(l);
	end(l);
}

static inline void write_unlock(struct rwlock *l) FAST("12write_unlock");
static inline void write_unlock(struct rwlock *l)
{
	begin(l);
	unsigned state = atomic_fetch_sub(&l->state, WRITE_LOCKED) - WRITE_LOCKED;
	if (state)
		wake_writer_or_readers(l, state);
	end(l);
}

static inline bool try_read(struct rwlock *l) FAST("8try_read");
static inline bool try_read(struct rwlock *l)
{
	begin(l);
	unsigned state = atomic_load(&l->state);
	bool got = false;
	while (!got && read_lockable(state))
		got = atomic_compare_exchange_strong(&l->state, &state, state + 1);
	end(l);
	return got;
}

static inline bool try_write(struct rwlock *l) FAST("9try_write");
static inline bool try_write(struct rwlock *l)
{
	begin(l);
	unsigned state = atomic_load(&l->state);
	bool got = false;
	while (!got && !(state & WRITE_LOCKED))
		got = atomic_compare_exchange_strong(&l->state, &state, state + WRITE_LOCKED);
	end(l);
	return got;
}
#endif
