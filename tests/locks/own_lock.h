/*
 * Locks for tests/locks. LOCK_KIND: PTHREAD; FUTEX, a lock as Rust's std has it, with SPINS turns of spinning before it sleeps; SPIN, one that only spins and
 * yields; GMUTEX and OMP, the locks of GLib and libgomp, whose headers need not be installed; PARKING_LOT, that of the Rust crate (parking_lot_c.rs); ABSL, absl::Mutex (absl_c.cpp).
 * take and give are functions that --lock can name. WRAPPED: all compare-and-swaps are one instruction, also that of the try-lock.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PTHREAD 1
#define FUTEX 2
#define SPIN 3
#define GMUTEX 4
#define OMP 5
#define PARKING_LOT 6
#define ABSL 7

#ifndef SPINS
#define SPINS 1
#endif

#if LOCK_KIND == PTHREAD
typedef pthread_mutex_t own_lock;
#define OWN_LOCK PTHREAD_MUTEX_INITIALIZER
static void take(own_lock *l) { pthread_mutex_lock(l); }
static void give(own_lock *l) { pthread_mutex_unlock(l); }
static int try_to_take(own_lock *l) { return pthread_mutex_trylock(l) == 0; }
#elif LOCK_KIND == GMUTEX
typedef struct { void *word; } own_lock;
#define OWN_LOCK { 0 }
void g_mutex_lock(own_lock *l);
void g_mutex_unlock(own_lock *l);
int g_mutex_trylock(own_lock *l);
static void take(own_lock *l) { g_mutex_lock(l); }
static void give(own_lock *l) { g_mutex_unlock(l); }
static int try_to_take(own_lock *l) { return g_mutex_trylock(l); }
#elif LOCK_KIND == PARKING_LOT
typedef struct { unsigned char word; } own_lock;
#define OWN_LOCK { 0 }
void parking_lot_lock(own_lock *l);
void parking_lot_unlock(own_lock *l);
_Bool parking_lot_try_lock(own_lock *l);
static void take(own_lock *l) { parking_lot_lock(l); }
static void give(own_lock *l) { parking_lot_unlock(l); }
static int try_to_take(own_lock *l) { return parking_lot_try_lock(l); }
#elif LOCK_KIND == ABSL
typedef struct { long word; } own_lock;
#define OWN_LOCK { 0 }
void absl_lock(own_lock *l);
void absl_unlock(own_lock *l);
_Bool absl_try_lock(own_lock *l);
static void take(own_lock *l) { absl_lock(l); }
static void give(own_lock *l) { absl_unlock(l); }
static int try_to_take(own_lock *l) { return absl_try_lock(l); }
#elif LOCK_KIND == OMP
typedef struct { int word; } own_lock;
#define OWN_LOCK { 0 }
void omp_set_lock(own_lock *l);
void omp_unset_lock(own_lock *l);
int omp_test_lock(own_lock *l);
static void take(own_lock *l) { omp_set_lock(l); }
static void give(own_lock *l) { omp_unset_lock(l); }
static int try_to_take(own_lock *l) { return omp_test_lock(l); }
#else
typedef atomic_int own_lock;
#define OWN_LOCK 0

#ifdef WRAPPED
__attribute__((noinline))
#else
__attribute__((always_inline)) inline
#endif
static int compare_and_swap(own_lock *l, int *seen)
{
	*seen = 0;
	return atomic_compare_exchange_strong(l, seen, 1);
}

static int spin(own_lock *l)
{
	for (int left = SPINS;; left--) {
		int seen = atomic_load_explicit(l, memory_order_relaxed);
		if (seen != 1 || !left)
			return seen;
	}
}

static __attribute__((noinline)) void wait_and_take(own_lock *l)
{
	int seen = spin(l);
#if LOCK_KIND == FUTEX
	if (seen == 0 && compare_and_swap(l, &seen))
		return;
	for (;;) {
		if (seen != 2 && atomic_exchange(l, 2) == 0)
			return;
		syscall(SYS_futex, l, FUTEX_WAIT_PRIVATE, 2, NULL);
		seen = spin(l);
	}
#else
	while (!compare_and_swap(l, &seen))
		sched_yield();
#endif
}

static __attribute__((noinline)) void take(own_lock *l)
{
	int seen;
	if (!compare_and_swap(l, &seen))
		wait_and_take(l);
}

static __attribute__((noinline)) void give(own_lock *l)
{
	int was = atomic_exchange(l, 0);
	(void)was;
#if LOCK_KIND == FUTEX && !defined(NO_WAKE)
	if (was == 2)
		syscall(SYS_futex, l, FUTEX_WAKE_PRIVATE, 1);
#endif
}

/* Not in `take`: a failure is a result. */
static __attribute__((noinline)) int try_to_take(own_lock *l)
{
	int seen, took = compare_and_swap(l, &seen);
	__asm__ volatile(""); /* no tail call */
	return took;
}
#endif
