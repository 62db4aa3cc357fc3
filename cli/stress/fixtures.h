/*
 * What other tests need to be run before, or after, them: the fixtures of CTest (FIXTURES_SETUP, _CLEANUP, _REQUIRED), and tests that are to run
 * first (DEPENDS). They are run once, without simul, one after the other in their order; fixtures are not searched.
 */
#ifndef SIMUL_STRESS_FIXTURES_H
#define SIMUL_STRESS_FIXTURES_H

#include "cli/stress/stress.h"

/* keep[i] for each test: adds the fixtures of those that are kept, and theirs. */
void fixtures_keep(const struct stress *s, bool *keep);

/* Sets up what the tests that are not settled need. Those whose fixture is not there, or whose files are not, are settled. */
void fixtures_begin(struct stress *s);

/* Clears away what was set up; also when the time is over, or after one interruption. */
void fixtures_end(struct stress *s);

#endif
