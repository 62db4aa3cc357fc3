/* The warm-up, and what the search starts again with. */
#ifndef SIMUL_SESSION_WARM_UP_H
#define SIMUL_SESSION_WARM_UP_H

#include <stdint.h>

struct session_warm_up {
	uint32_t running;    /* 1: executions belong to the warm-up: random schedules, to find shared memory and spin loops; 0: to the search */
	uint32_t restarts;   /* number of restarts of the search after discoveries of the warm-up */
	uint64_t executions; /* those of the warm-up; they do not count as explored, because the search restarted after them */
	uint32_t quiet;      /* successive random executions that found nothing new */
	uint32_t unsettled;  /* 1: warm-up did not converge; the search ignores what was discovered after the last restart */
	uint64_t random;     /* all random executions of the session */
	uint64_t samples;    /* samples that `auto` took before the search restarted */
	uint32_t outlook;    /* enum explore_outlook that `auto` had when the search restarted */
	uint32_t unswept;    /* 1: memory that a search used could not be cleared when the next one began */
};

#endif
