/* Seeds of random programs. */
#ifndef SIMUL_TEST_SEED_H
#define SIMUL_TEST_SEED_H

#include <stdint.h>

/* Returns SEED from the environment, or `usual`. Prints it, so that SEED=<value> repeats the run. */
uint64_t test_seed(uint64_t usual);

#endif
