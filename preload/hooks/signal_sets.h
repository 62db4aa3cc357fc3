/* Signal numbers, signal sets of the program, and masks of signals. In a mask, signal sig is bit sig - 1. */
#ifndef SIMUL_SIGNAL_SETS_H
#define SIMUL_SIGNAL_SETS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns whether this is a signal that programs can use: from 1 to 64, but not 32 and 33, which libc uses itself. */
static inline bool signal_usable(int sig)
{
	return sig >= 1 && sig <= 64 && sig != 32 && sig != 33;
}

/* Returns the mask of a set. */
static inline uint64_t signal_mask_of(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits;
}

/* Sets *set to the signals of a mask. */
static inline void signal_fill_set(sigset_t *set, uint64_t bits)
{
	memset(set, 0, sizeof(*set));
	memcpy(set, &bits, sizeof(bits));
}

#endif
