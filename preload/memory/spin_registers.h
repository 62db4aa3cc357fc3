/* The registers as a part of the state of a thread (spin_state.h). */
#ifndef SIMUL_SPIN_REGISTERS_H
#define SIMUL_SPIN_REGISTERS_H

#include "preload/base/access.h"

/* Adds the registers before the access, flags and vector registers to the hash h, except for those that are overwritten before they are
   read. Equal states give equal numbers, in whatever form the processor saved them. The registers are known. */
uint64_t spin_registers(uint64_t h, const struct mem_access *a);

#endif
