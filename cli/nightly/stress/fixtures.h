/*
 * Tests that must run before or after other tests: CTest's fixtures (FIXTURES_SETUP, _CLEANUP, _REQUIRED), and tests named by DEPENDS. They
 * run once, without simul, one after the other in listed order. Fixtures are not searched.
 */
#ifndef SIMUL_STRESS_FIXTURES_H
#define SIMUL_STRESS_FIXTURES_H

#include "cli/nightly/stress/stress.h"

/* keep[i] is set for each selected test: sets it for the fixtures of those tests too, transitively. */
void fixtures_keep(const struct stress *s, bool *keep);

/* Sets up the fixtures of all tests that are not settled. Settles the tests whose fixture or required files are missing. */
void fixtures_begin(struct stress *s);

/* Runs the cleanup of all fixtures that were set up, even if the time is over or the user interrupted once. */
void fixtures_end(struct stress *s);

#endif
