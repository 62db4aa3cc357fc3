/* Values that do not follow from the thread's memory. */
#ifndef SIMUL_UNFORESEEN_H
#define SIMUL_UNFORESEEN_H

#include "preload/memory/round_state.h"
#include "preload/memory/spin.h"

/* Call it when the running thread gets such a value, or changes what decides a later one: a clock, random numbers, a
   position in a file, a setting of the kernel. Then the thread does not come back to a state (rounds, spin loops),
   though its memory is the same. Called inside simul. */
static inline void value_unforeseen(void)
{
	spin_impure();
	round_unforeseen();
}

/* Call it when the running thread has opened a descriptor's number, or closes it. A loop that closes what it opens
   comes back to a state between calls (rounds). Called inside simul. */
static inline void number_unforeseen(int fd, bool opened)
{
	spin_impure();
	round_number(fd, opened);
}

#endif
