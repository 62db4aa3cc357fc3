/* Arithmetic on virtual time (nanoseconds, saturating just below OP_NO_DEADLINE); see ctl_time.c. */
#ifndef SIMUL_VTIME_H
#define SIMUL_VTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

void vtime_to_timespec(uint64_t ns, struct timespec *out);
void vtime_to_timeval(uint64_t ns, struct timeval *out);
/* Is *ts normalised and not negative? */
bool vtime_valid(const struct timespec *ts);
/* A duration; negative seconds count as 0. */
uint64_t vtime_from_timespec(const struct timespec *ts);
uint64_t vtime_add(uint64_t a, uint64_t b);
/* The clock of the running thread. */
uint64_t vtime_now(void);

#endif
