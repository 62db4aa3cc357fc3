/* The registers of a thread: before an access, while another thread runs, in a signal handler. See processor.h. */
#ifndef SIMUL_REGISTERS_H
#define SIMUL_REGISTERS_H

#if defined(__x86_64__)
#include "base/x86_64/registers.h"
#else
#error "simul has no code for this processor: see docs/porting.md"
#endif

#endif
