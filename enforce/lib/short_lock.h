/* A lock that is held for a few instructions. All zero bytes: free. */
#ifndef SIMUL_SHORT_LOCK_H
#define SIMUL_SHORT_LOCK_H

#include <sched.h>
#include <stdint.h>

static inline void short_lock(uint32_t *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static inline void short_unlock(uint32_t *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

#endif
