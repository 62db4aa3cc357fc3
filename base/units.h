/* Units of time. */
#ifndef SIMUL_UNITS_H
#define SIMUL_UNITS_H

#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)

#endif
