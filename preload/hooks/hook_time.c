/* Clocks and sleeping. They run on virtual time: a sleep takes no real time. */
#include "preload/base/real.h"

#include <errno.h>
#include <sched.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>

#include "preload/accesses/ranges.h"
#include "preload/control/ctl.h"
#include "preload/hooks/sync.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/signals.h"
#include "preload/kernel/task_order.h"
#include "preload/kernel/timers.h"
#include "preload/control/vtime.h"

#include "preload/memory/repeat.h"
#include "preload/base/rules.h"

/* ---- reading clocks ---- */

/* Reads the virtual clock. Reading lets time pass, so the timers that are due by now fire. */
static void read_clock(clockid_t clock, struct timespec *out)
{
	ctl_clock_read(clock, out);
	timers_fire_due(vtime_now());
}

/* Replaces the CPU clock of any thread (pthread_getcpuclockid) by the caller's. The clock's id contains the id of a kernel thread, which
   may be parked in another process. Ids of these clocks are negative. Ids of device clocks are negative too, and end in binary 011. */
static clockid_t known_clock(clockid_t clock)
{
	return ctl_state == CTL_ON && clock < 0 && (clock & 7) != 3 ? CLOCK_THREAD_CPUTIME_ID : clock;
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	struct timespec now;

	clock = known_clock(clock);
	/* The real call knows which clocks exist. */
	int r = real_clock_gettime(clock, &now);

	if (r == 0 && ctl_enter()) {
		read_clock(clock, &now);
		ctl_leave();
	}
	if (r == 0)
		*ts = now;
	return r;
}

int __clock_gettime(clockid_t clock, struct timespec *ts)
{
	return clock_gettime(clock, ts);
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	struct timespec now;
	int r = real_gettimeofday(tv, tz);

	if (r == 0 && ctl_enter()) {
		read_clock(CLOCK_REALTIME, &now);
		tv->tv_sec = now.tv_sec;
		tv->tv_usec = now.tv_nsec / 1000;
		ctl_leave();
	}
	return r;
}

int __gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	return gettimeofday(tv, tz);
}

time_t time(time_t *out)
{
	struct timespec now;

	if (!ctl_enter())
		return real_time(out);
	read_clock(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	ctl_leave();
	return now.tv_sec;
}

int timespec_get(struct timespec *ts, int base)
{
	if (base != TIME_UTC || !ctl_enter())
		return real_timespec_get(ts, base);
	read_clock(CLOCK_REALTIME, ts);
	ctl_leave();
	return base;
}

int ftime(struct timeb *tb)
{
	struct timespec now;

	if (!ctl_enter())
		return real_ftime ? real_ftime(tb) : -1;
	read_clock(CLOCK_REALTIME, &now);
	*tb = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
	ctl_leave();
	return 0;
}

clock_t clock(void)
{
	struct timespec now;

	if (!ctl_enter())
		return real_clock();
	read_clock(CLOCK_PROCESS_CPUTIME_ID, &now);
	ctl_leave();
	return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}

clock_t times(struct tms *out)
{
	struct timespec now;

	if (!ctl_enter())
		return real_times(out);
	read_clock(CLOCK_PROCESS_CPUTIME_ID, &now);
	ctl_leave();
	clock_t ticks = now.tv_sec * 100 + now.tv_nsec / 10000000;
	if (out)
		*out = (struct tms){.tms_utime = ticks};
	return ticks + 100000; /* counted from an arbitrary point in the past, as the standard says */
}

/* ---- letting time pass ---- */

/*
 * Sleeps until virtual time `until`. A timer that is due earlier fires at its time. Returns 0, or CTL_EINTR when a signal handler ran,
 * which ends the sleep, with SA_RESTART, too.
 */
static int64_t sleep_until(uint64_t until, const void *pc)
{
	for (uint8_t begun = 0;; begun = OPF_BEGUN) {
		uint64_t timer = timers_next(ctl_self());
		uint64_t stop = timer < until ? timer : until;
		struct op op = ctl_op(EV_SLEEP, pc);

		op.flags |= OPF_TIMED | OPF_CANCELPOINT | begun;
		op.deadline = stop;
		if (signals_perform(&op, false) == CTL_EINTR)
			return CTL_EINTR;
		world_advance(ctl_world, ctl_self(), stop);
		if (timers_fire_due(stop))
			return CTL_EINTR;
		if (stop == until)
			return 0;
	}
}

/* Sleeps. `abs`: *req is a time of the clock; otherwise a duration, and *rem becomes what is left of it after EINTR. Returns 0 or an errno
   value. */
static int do_sleep(
	clockid_t clk, bool abs, const struct timespec *req, struct timespec *rem, const void *pc)
{
	if (!vtime_valid(req)) /* a time before 1970 on an absolute clock is valid: it has passed */
		return abs && req->tv_sec < 0 && sync_nanoseconds_ok(req) ? 0 : EINVAL;
	uint64_t until = abs ? ctl_deadline_abs(clk, req) : ctl_deadline_rel(req);

	child_signals_at_rest(pc);
	if (sleep_until(until, pc) != CTL_EINTR)
		return 0;
	uint64_t now = vtime_now();

	if (!abs)
		vtime_to_timespec(until > now ? until - now : 0, rem);
	return EINTR;
}

/* Ends a relative sleep: leaves simul, and reports the write of what is left, which comes after the sleep. Returns err. */
static int slept(int err, const struct timespec *left, struct timespec *rem, const void *pc)
{
	ctl_leave();
	if (err == EINTR && rem)
		range_put(rem, left, sizeof(*left), (uintptr_t)pc);
	return err;
}

int nanosleep(const struct timespec *req, struct timespec *rem)
{
	if (!ctl_enter())
		return real_nanosleep(req, rem);
	struct timespec left;
	int err = slept(do_sleep(CLOCK_REALTIME, false, req, &left, HERE), &left, rem, HERE);

	if (!err)
		return 0;
	errno = err;
	return -1;
}

int __nanosleep(const struct timespec *req, struct timespec *rem)
{
	return nanosleep(req, rem);
}

int clock_nanosleep(clockid_t clk, int flags, const struct timespec *req, struct timespec *rem)
{
	struct timespec probe;

	if (clk == CLOCK_THREAD_CPUTIME_ID)
		return EINVAL;
	if (real_clock_gettime(clk, &probe))
		return EINVAL;
	if (!ctl_enter())
		return real_clock_nanosleep(clk, flags, req, rem);
	struct timespec left;
	int err = do_sleep(clk, flags & TIMER_ABSTIME, req, &left, HERE);

	return slept(err, &left, flags & TIMER_ABSTIME ? NULL : rem, HERE);
}

int usleep(useconds_t us)
{
	if (!ctl_enter())
		return real_usleep(us);
	struct timespec req = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L}, left;
	int err = do_sleep(CLOCK_REALTIME, false, &req, &left, __builtin_return_address(0));

	ctl_leave();
	if (!err)
		return 0;
	errno = err;
	return -1;
}

unsigned sleep(unsigned seconds)
{
	if (!ctl_enter())
		return real_sleep(seconds);
	struct timespec req = {.tv_sec = seconds}, rem = {0};
	int err = do_sleep(CLOCK_REALTIME, false, &req, &rem, __builtin_return_address(0));

	ctl_leave();
	return err ? (unsigned)rem.tv_sec + (rem.tv_nsec > 0) : 0;
}

int thrd_sleep(const struct timespec *req, struct timespec *rem)
{
	if (!ctl_enter())
		return real_thrd_sleep(req, rem);
	struct timespec left;
	int err = slept(do_sleep(CLOCK_REALTIME, false, req, &left, HERE), &left, rem, HERE);

	return err == 0 ? 0 : err == EINTR ? -1 : -2;
}

/* ---- yielding ---- */

static void do_yield(const void *pc)
{
	struct op op = ctl_op(EV_YIELD, pc);

	child_signals_at_rest(pc);
	if (!repeat_yields() && !task_order_yields(pc))
		ctl_perform(&op);
	ctl_leave();
}

int sched_yield(void)
{
	if (!ctl_enter())
		return real_sched_yield();
	do_yield(__builtin_return_address(0));
	return 0;
}

int __sched_yield(void)
{
	if (!ctl_enter())
		return real_sched_yield();
	do_yield(__builtin_return_address(0));
	return 0;
}

int pthread_yield(void)
{
	if (!ctl_enter())
		return real_sched_yield();
	do_yield(__builtin_return_address(0));
	return 0;
}

void thrd_yield(void)
{
	if (!ctl_enter()) {
		real_thrd_yield();
		return;
	}
	do_yield(__builtin_return_address(0));
}
