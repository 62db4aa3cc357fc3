#include "preload/kernel/thread_state.h"

#include <string.h>
#include <sys/syscall.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"

#include "preload/base/rules.h"

static bool shared(void)
{
	return ctl_state == CTL_ON && ctl_session->config.settings.threads == THREADS_FIBER;
}

static void __attribute__((noreturn)) refuse(const char *call)
{
	ctl_force_enter();
	strncpy(ctl_session->ctl.failure.kernel_threads_for, call, sizeof(ctl_session->ctl.failure.kernel_threads_for) - 1);
	ctl_refuse("the program calls %s, and the kernel keeps for each thread what this call concerns: run it with --threads kernel", call);
}

bool thread_state_alone(void)
{
	return ctl_state != CTL_ON || world_live_threads(ctl_world) < 2;
}

void thread_state_changed(const char *call)
{
	if (shared() && !thread_state_alone())
		refuse(call);
}

void thread_state_set(enum thread_setting setting)
{
	if (shared() && !thread_state_alone())
		ctl_session->ctl.facts.own_settings |= setting;
}

void thread_state_asked(enum thread_setting setting, const char *call)
{
	if (shared() && ctl_session->ctl.facts.own_settings & setting)
		refuse(call);
}

static void read_value(enum thread_setting setting, struct thread_value *v)
{
	long at = (long)v->value, size = sizeof(v->value), bytes = 0;

	memset(v, 0, sizeof(*v));
	if (setting == SETTING_PROCESSORS)
		bytes = sys_call3(SYS_sched_getaffinity, 0, size, at);
	if (setting == SETTING_PRIORITY)
		bytes = sys_call4(SYS_sched_getattr, 0, at, size, 0) ? 0 : size;
	v->known = bytes > 0;
}

void thread_state_before(enum thread_setting setting, struct thread_value *before)
{
	before->known = false;
	if (ctl_state == CTL_ON)
		read_value(setting, before);
}

bool thread_state_after(enum thread_setting setting, const struct thread_value *before)
{
	struct thread_value now;

	if (before->known) {
		read_value(setting, &now);
		if (now.known && !memcmp(now.value, before->value, sizeof(now.value)))
			return true;
	}
	thread_state_set(setting);
	return false;
}
