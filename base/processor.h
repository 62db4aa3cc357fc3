/*
 * What simul needs of the processor, as functions that are named by what they do. Each processor has a folder; docs/porting.md says what
 * belongs there.
 */
#ifndef SIMUL_PROCESSOR_H
#define SIMUL_PROCESSOR_H

#if defined(__x86_64__)
#include "base/x86_64/processor.h"
#else
#error "simul has no code for this processor: see docs/porting.md"
#endif

#endif
