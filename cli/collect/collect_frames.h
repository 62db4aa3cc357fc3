/* Where an address on a thread's stack was at a step of the execution: in a frame that may have been left since. */
#ifndef SIMUL_COLLECT_FRAMES_H
#define SIMUL_COLLECT_FRAMES_H

#include <stdint.h>

#include "cli/collect/collecting.h"

/* Returns the frame that contained addr when event `step` happened; `step` may be the number of events, for the end. Its pc is 0 if addr is
   not in a known frame. Needs the stacks of a confirmation or replay. */
struct symbols_frame collect_frame(const struct collecting *c, uint32_t step, uint64_t addr);

/* Returns the frame of this stack, which ends at `hi`, that contains addr; pc 0: none does, or it is not known. */
struct symbols_frame frames_find(const struct session_frames *f, uint64_t hi, uint64_t addr);

#endif
