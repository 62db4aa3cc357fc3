/*
 * Addresses in the program that stand for something other than memory. Calls that use state of libc, or a resource like a file, are
 * accesses of these bytes. They are the same in every process and in recordings.
 */
#ifndef SIMUL_STATE_PLACES_H
#define SIMUL_STATE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#define LIBC_STATE_AT UINT64_C(0x100340000000)
#define RESOURCES_AT UINT64_C(0x100380000000)
#define KEYS_AT UINT64_C(0x1003c0000000)
/* No memory, only addresses: each stands for the mutex of an object (preload/control/whole_calls.h). */
#define CALL_MUTEXES_AT UINT64_C(0x1003e0000000)
#define CALL_MUTEXES UINT64_C(65536)
#define STATE_PLACES_BYTES (UINT64_C(1) << 30) /* of each */

static inline bool stands_for_call_mutex(uint64_t addr)
{
	return addr - CALL_MUTEXES_AT < CALL_MUTEXES;
}

static inline bool stands_for_key(uint64_t addr)
{
	return addr - KEYS_AT < CALL_MUTEXES_AT - KEYS_AT;
}

static inline bool is_resource(uint64_t addr)
{
	return addr - RESOURCES_AT < STATE_PLACES_BYTES;
}

static inline bool stands_for_state(uint64_t addr)
{
	return addr - LIBC_STATE_AT < KEYS_AT + STATE_PLACES_BYTES - LIBC_STATE_AT;
}

#endif
