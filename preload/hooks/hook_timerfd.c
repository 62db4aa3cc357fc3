/* The calls of timerfd. kernel/timerfd.h describes the model. */
#include "preload/base/real.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include "preload/control/ctl.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/hooks/fd_io.h"
#include "preload/base/sys.h"
#include "preload/kernel/timerfd.h"
#include "preload/kernel/timers.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

int timerfd_create(int clock, int flags)
{
	/* The real call checks the clock, the flags and the permissions. */
	int fd = real_timerfd_create(clock, flags);

	if (fd < 0 || !ctl_enter())
		return fd;
	long event = sys_call2(SYS_eventfd2, 0, flags & (TFD_NONBLOCK | TFD_CLOEXEC));

	if (!sys_failed(event)) {
		sys_call3(SYS_dup3, (int)event, fd, flags & TFD_CLOEXEC);
		sys_close((int)event);
	}
	int err = sys_failed(event) ? (int)-event : timerfd_make(fd_new(FILE_TIMER, fd), clock);

	if (err) {
		sys_close(fd);
		fd_forget(fd);
		return hook_fail(err);
	}
	return (int)fd_done(descriptor_opened(fd));
}

static void show(const struct timerfd *v, struct itimerspec *out)
{
	uint64_t now = vtime_now();

	vtime_to_timespec(v->due == TIMERS_NEVER ? 0 : v->due > now ? v->due - now : 1, &out->it_value);
	vtime_to_timespec(v->interval, &out->it_interval);
}

/* Discards expirations that no thread has read. */
static void drain(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint64_t count;

	if (sys_poll(&p, 1, 0) > 0)
		sys_read(fd, &count, sizeof(count));
}

static void arm_timer(struct timerfd *v, int flags, const struct itimerspec *want)
{
	uint64_t value = vtime_from_timespec(&want->it_value);

	v->interval = vtime_from_timespec(&want->it_interval);
	if (!value)
		v->due = TIMERS_NEVER;
	else if (flags & TFD_TIMER_ABSTIME)
		v->due = ctl_deadline_abs(v->clock, &want->it_value);
	else
		v->due = vtime_add(vtime_now(), value);
	v->far = v->due != TIMERS_NEVER && v->due >= vtime_add(vtime_now(), FAR_AWAY_NS);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	if (!ctl_enter())
		return real_timerfd_settime(fd, flags, new, old);
	struct open_file *f = fd_lookup(fd);
	struct timerfd *v = f ? timerfd_of(f) : NULL;

	if (!v) /* the real call fails with the right error */
		return (int)fd_done(real_timerfd_settime(fd, flags, new, old));
	if (!new || !vtime_valid(&new->it_value) || !vtime_valid(&new->it_interval) ||
		(flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)))
		return hook_fail(EINVAL);
	struct itimerspec want = *new;

	fd_touch(f, __builtin_return_address(0));
	if (old)
		show(v, old);
	drain(fd);
	arm_timer(v, flags, &want);
	fd_refresh_waits();
	return (int)fd_done(0);
}

int timerfd_gettime(int fd, struct itimerspec *out)
{
	if (!ctl_enter())
		return real_timerfd_gettime(fd, out);
	struct open_file *f = fd_lookup(fd);
	struct timerfd *v = f ? timerfd_of(f) : NULL;

	if (!v)
		return (int)fd_done(real_timerfd_gettime(fd, out));
	fd_touch(f, __builtin_return_address(0));
	show(v, out);
	return (int)fd_done(0);
}
