/* Arithmetic on virtual time, in nanoseconds. Results saturate just below OP_NO_DEADLINE. See ctl_time.c. */
#ifndef SIMUL_VTIME_H
#define SIMUL_VTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/* Convert nanoseconds; vtime_to_timeval rounds down to microseconds. */
void vtime_to_timespec(uint64_t ns, struct timespec *out);
void vtime_to_timeval(uint64_t ns, struct timeval *out);
/* Returns whether *ts is normalised and not negative. */
bool vtime_valid(const struct timespec *ts);
/* Converts a duration or time. Negative seconds give 0. */
uint64_t vtime_from_timespec(const struct timespec *ts);
uint64_t vtime_add(uint64_t a, uint64_t b);
/* Returns the clock of the running thread. Inside simul. */
uint64_t vtime_now(void);

#endif
