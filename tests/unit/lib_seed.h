/* Seeds of random programs. */
#ifndef SIMUL_TEST_SEED_H
#define SIMUL_TEST_SEED_H

#include <stdint.h>

/* SEED of the environment, or `usual`. Prints it: SEED=<that> repeats the run. */
uint64_t test_seed(uint64_t usual);

#endif
