/* Times the part of a program in which it has several threads, so that a measurement can leave out how long starting took. */
#include <stdio.h>
#include <time.h>
#include "window.h"

static struct timespec begun;

static inline void time_begin(void)
{
	clock_gettime(CLOCK_MONOTONIC, &begun);
}

/* Prints the time since time_begin in nanoseconds. */
static inline void time_print(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%lld\n", (now.tv_sec - begun.tv_sec) * 1000000000ll + now.tv_nsec - begun.tv_nsec);
}
