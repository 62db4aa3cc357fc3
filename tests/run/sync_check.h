/* For the sync_* programs: a condition that must hold, or the program ends with a message and status 1. */
#ifndef SYNC_CHECK_H
#define SYNC_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define CHECK(cond)                                                                                \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #cond);   \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

/* The value of an int expression, shown when it is another. */
#define EXPECT(expr, value)                                                                        \
	do {                                                                                       \
		int got_ = (expr), want_ = (value);                                                \
		if (got_ != want_) {                                                               \
			fprintf(stderr, "%s:%d: %s is %d, not %d\n", __FILE__, __LINE__, #expr,    \
				got_, want_);                                                      \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

/* The point of time `ms` milliseconds from now on a clock. */
static inline struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	ts.tv_nsec += ms * 1000000;
	ts.tv_sec += ts.tv_nsec / 1000000000;
	ts.tv_nsec %= 1000000000;
	return ts;
}

#endif
