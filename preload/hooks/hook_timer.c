/*
 * alarm, setitimer and timer_create: signals at a virtual time. kernel/timers.c decides when they fire. SIGEV_THREAD is refused: glibc
 * implements it with a thread of its own, which simul cannot schedule.
 */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "base/units.h"
#include "preload/control/ctl.h"
#include "preload/hooks/children.h"
#include "preload/hooks/hook_fail.h"
#include "preload/kernel/process.h"
#include "preload/base/real.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"
#include "preload/control/vtime.h"
#include "preload/memory/interrupt.h"

#include "preload/base/rules.h"

/* ---- interval timers and alarm ---- */

static uint64_t from_timeval(const struct timeval *tv)
{
	struct timespec ts = {.tv_sec = tv->tv_sec, .tv_nsec = tv->tv_usec * 1000};

	return vtime_from_timespec(&ts);
}

/* Arms the timer to fire after `delay` ns, and then every `interval` ns (0: only once). A delay of 0 disarms it. */
static void arm_timer(struct vtimer *v, uint64_t delay, uint64_t interval)
{
	v->due = delay ? vtime_add(vtime_now(), delay) : TIMERS_NEVER;
	v->interval = interval;
	v->overrun = 0;
	v->set_by = ctl_past_checkpoint ? ctl_self() : NO_THREAD;
	v->set_from = ctl_past_checkpoint ? interrupt_sent() : 1;
}

/* Returns the time until the timer is due, at least 1 ns; 0 if it is not armed. */
static uint64_t time_left(const struct vtimer *v)
{
	uint64_t now = vtime_now();

	return v->due == TIMERS_NEVER ? 0 : v->due > now ? v->due - now : 1;
}

unsigned alarm(unsigned seconds)
{
	if (!ctl_enter()) {
		children_note_timer();
		return real_alarm(seconds);
	}
	uint64_t was = time_left(&virtual_timer[ITIMER_REAL]);

	arm_timer(&virtual_timer[ITIMER_REAL], seconds * NS_PER_S, 0);
	ctl_leave();
	return (unsigned)((was + NS_PER_S - 1) / NS_PER_S);
}

useconds_t ualarm(useconds_t us, useconds_t interval)
{
	if (!ctl_enter()) {
		children_note_timer();
		return real_ualarm(us, interval);
	}
	uint64_t was = time_left(&virtual_timer[ITIMER_REAL]);

	arm_timer(&virtual_timer[ITIMER_REAL], us * UINT64_C(1000), interval * UINT64_C(1000));
	ctl_leave();
	return (useconds_t)(was / 1000);
}

static bool bad_timeval(const struct timeval *tv)
{
	return tv->tv_sec < 0 || tv->tv_usec < 0 || tv->tv_usec >= 1000000;
}

int getitimer(__itimer_which_t which, struct itimerval *out)
{
	if ((unsigned)which >= FIRST_POSIX || !ctl_enter())
		return real_getitimer(which, out);
	vtime_to_timeval(time_left(&virtual_timer[which]), &out->it_value);
	vtime_to_timeval(virtual_timer[which].interval, &out->it_interval);
	ctl_leave();
	return 0;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
	struct itimerval *restrict old)
{
	if ((unsigned)which >= FIRST_POSIX || !new || bad_timeval(&new->it_value) ||
		bad_timeval(&new->it_interval) || !ctl_enter()) {
		children_note_timer();
		return real_setitimer(which, new, old);
	}
	struct itimerval want = *new;

	if (old) {
		vtime_to_timeval(time_left(&virtual_timer[which]), &old->it_value);
		vtime_to_timeval(virtual_timer[which].interval, &old->it_interval);
	}
	arm_timer(&virtual_timer[which], from_timeval(&want.it_value), from_timeval(&want.it_interval));
	ctl_leave();
	return 0;
}

static bool made_before; /* a call of timer_create came before control began */

void timers_adopt(void)
{
	const struct itimerval none = {{0}, {0}};
	struct itimerval now;

	for (int which = 0; which < FIRST_POSIX; which++) {
		if (sys_call2(SYS_getitimer, which, (long)&now) || (!now.it_value.tv_sec && !now.it_value.tv_usec))
			continue;
		sys_call3(SYS_setitimer, which, (long)&none, 0);
		arm_timer(&virtual_timer[which], from_timeval(&now.it_value), from_timeval(&now.it_interval));
	}
	if (made_before)
		ctl_uncontrolled("a timer that was made with timer_create before simul was ready, by the constructor of a library");
}

/* ---- POSIX timers. A timer_t is an index of virtual_timer ---- */

static struct vtimer *find_timer(timer_t id)
{
	uintptr_t i = (uintptr_t)id;

	return i >= FIRST_POSIX && i < N_TIMERS && virtual_timer[i].used ? &virtual_timer[i] : NULL;
}

/* Makes a timer in a free slot. Returns 0 or an errno value. */
static int make_timer(clockid_t clk, const struct sigevent *ev, timer_t *out)
{
	int i = FIRST_POSIX;

	while (i < N_TIMERS && virtual_timer[i].used)
		i++;
	if (i == N_TIMERS)
		return EAGAIN;
	virtual_timer[i] = (struct vtimer){.used = true, .notify = SIGEV_SIGNAL, .sig = SIGALRM,
		.code = SI_TIMER, .target = NO_THREAD, .clock = clk, .due = TIMERS_NEVER,
		.value.sival_int = i};
	*out = (timer_t)(uintptr_t)i;
	if (!ev)
		return 0;
	virtual_timer[i].notify = (uint8_t)ev->sigev_notify;
	virtual_timer[i].sig = ev->sigev_signo;
	virtual_timer[i].value = ev->sigev_value;
	if (ev->sigev_notify == SIGEV_THREAD_ID)
		virtual_timer[i].target = process_thread_of_tid(ev->_sigev_un._tid);
	bool bad = ev->sigev_notify != SIGEV_NONE &&
		(ev->sigev_signo < 1 || ev->sigev_signo > 64 ||
			(ev->sigev_notify == SIGEV_THREAD_ID && virtual_timer[i].target == NO_THREAD));
	virtual_timer[i].used = !bad;
	return bad ? EINVAL : 0;
}

int timer_create(clockid_t clk, struct sigevent *restrict ev, timer_t *restrict out)
{
	struct timespec probe;

	if (real_clock_gettime(clk, &probe))
		return -1;
	if (!ctl_enter()) {
		made_before |= ctl_state != CTL_ON;
		return real_timer_create(clk, ev, out);
	}
	if (ev && ev->sigev_notify == SIGEV_THREAD)
		ctl_refuse("timer_create with SIGEV_THREAD starts threads inside libc that simul cannot "
			   "schedule; use SIGEV_SIGNAL, or a thread that calls clock_nanosleep");
	int err = make_timer(clk, ev, out);

	if (err)
		return hook_fail(err);
	ctl_leave();
	return 0;
}

int timer_delete(timer_t id)
{
	if (!ctl_enter())
		return real_timer_delete(id);
	struct vtimer *v = find_timer(id);

	if (!v)
		return hook_fail(EINVAL);
	v->used = false;
	ctl_leave();
	return 0;
}

static void show(const struct vtimer *v, struct itimerspec *out)
{
	vtime_to_timespec(time_left(v), &out->it_value);
	vtime_to_timespec(v->interval, &out->it_interval);
}

int timer_settime(timer_t id, int flags, const struct itimerspec *restrict new,
	struct itimerspec *restrict old)
{
	if (!ctl_enter()) {
		children_note_timer();
		return real_timer_settime(id, flags, new, old);
	}
	struct vtimer *v = find_timer(id);
	struct itimerspec want;

	if (!v || !new || !vtime_valid(&new->it_value) || !vtime_valid(&new->it_interval))
		return hook_fail(EINVAL);
	want = *new;
	if (old)
		show(v, old);
	arm_timer(v, vtime_from_timespec(&want.it_value), vtime_from_timespec(&want.it_interval));
	if (v->due != TIMERS_NEVER && (flags & TIMER_ABSTIME))
		v->due = ctl_deadline_abs(v->clock, &want.it_value);
	ctl_leave();
	return 0;
}

int timer_gettime(timer_t id, struct itimerspec *out)
{
	if (!ctl_enter())
		return real_timer_gettime(id, out);
	struct vtimer *v = find_timer(id);

	if (!v)
		return hook_fail(EINVAL);
	show(v, out);
	ctl_leave();
	return 0;
}

int timer_getoverrun(timer_t id)
{
	if (!ctl_enter())
		return real_timer_getoverrun(id);
	struct vtimer *v = find_timer(id);

	if (!v)
		return hook_fail(EINVAL);
	int n = v->overrun;

	ctl_leave();
	return n;
}
