/*
 * Virtual time: nanoseconds since the start of the program. The world keeps one clock for each thread. This file converts between it and
 * the clocks of the program.
 */
#include <stdint.h>
#include <time.h>

#include "base/units.h"
#include "preload/control/ctl.h"
#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/memory/unforeseen.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

/* CLOCK_MONOTONIC and related clocks at the start. Programs subtract from it and expect a positive result. */
#define MONOTONIC_START (1000 * NS_PER_S)

/* The latest deadline. It must differ from OP_NO_DEADLINE: a wait with this deadline is still a timed wait. */
#define FAR_AWAY (OP_NO_DEADLINE - 1)

static uint64_t clock_start(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI:
		return ctl_session->config.settings.start_time;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		return MONOTONIC_START;
	default: /* CPU clocks: all virtual time counts as processor time */
		return 0;
	}
}

void vtime_to_timespec(uint64_t ns, struct timespec *out)
{
	out->tv_sec = (time_t)(ns / NS_PER_S);
	out->tv_nsec = (long)(ns % NS_PER_S);
}

void vtime_to_timeval(uint64_t ns, struct timeval *out)
{
	out->tv_sec = (time_t)(ns / NS_PER_S);
	out->tv_usec = (suseconds_t)(ns % NS_PER_S / 1000);
}

bool vtime_valid(const struct timespec *ts)
{
	return ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < (long)NS_PER_S;
}

uint64_t vtime_from_timespec(const struct timespec *ts)
{
	uint64_t ns;

	if (ts->tv_sec < 0)
		return 0;
	if (__builtin_mul_overflow((uint64_t)ts->tv_sec, NS_PER_S, &ns) ||
		__builtin_add_overflow(ns, (uint64_t)ts->tv_nsec, &ns))
		return FAR_AWAY;
	return ns < FAR_AWAY ? ns : FAR_AWAY;
}

uint64_t vtime_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) || sum > FAR_AWAY ? FAR_AWAY : sum;
}

uint64_t vtime_now(void)
{
	return world_now(ctl_world, ctl_self());
}

void ctl_clock_read(clockid_t clock, struct timespec *out)
{
	value_unforeseen();
	vtime_to_timespec(clock_start(clock) + world_read_clock(ctl_world, ctl_self()), out);
}

uint64_t ctl_clock_ticks(void)
{
	struct timespec now;

	if (!ctl_enter())
		return processor_ticks();
	ctl_clock_read(CLOCK_MONOTONIC, &now);
	ctl_leave();
	return vtime_from_timespec(&now);
}

uint64_t ctl_deadline_abs(clockid_t clock, const struct timespec *ts)
{
	uint64_t at = vtime_from_timespec(ts), start = clock_start(clock);

	return at == FAR_AWAY ? FAR_AWAY : at > start ? at - start : 0;
}

uint64_t ctl_deadline_rel(const struct timespec *ts)
{
	return vtime_add(vtime_now(), vtime_from_timespec(ts));
}
