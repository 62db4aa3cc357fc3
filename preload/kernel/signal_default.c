#include "preload/kernel/signal_default.h"

#include <stdio.h>
#include <string.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/signals.h"
#include "preload/base/rules.h"

#define DEFAULT_IGNORED (SIG_BIT(SIGCHLD) | SIG_BIT(SIGURG) | SIG_BIT(SIGWINCH) | SIG_BIT(SIGCONT))
#define DEFAULT_STOPS (SIG_BIT(SIGSTOP) | SIG_BIT(SIGTSTP) | SIG_BIT(SIGTTIN) | SIG_BIT(SIGTTOU))

bool signal_default_ignores(int sig)
{
	return DEFAULT_IGNORED & SIG_BIT(sig);
}

bool signal_is_timers(const siginfo_t *info)
{
	return info->si_code == SI_TIMER || info->si_code == SI_KERNEL;
}

static const char *sender_name(const siginfo_t *info, char *buf, size_t size)
{
	if (signal_is_timers(info))
		return "a timer";
	snprintf(buf, size, "thread ");
	thread_name_format(
		ctl_segment(ctl_session->layout.names_off), ctl_self(), buf + 7, size - 7);
	return buf;
}

void signal_default(const siginfo_t *info)
{
	int sig = info->si_signo;
	const char *name = sigabbrev_np(sig);
	char buf[96];

	if (signal_default_ignores(sig))
		return;
	if (DEFAULT_STOPS & SIG_BIT(sig)) {
		ctl_uncontrolled("a signal that stops the process");
		return;
	}
	if (sig == SIGPIPE)
		ctl_bug(BUG_CRASH, "killed by SIGPIPE: wrote to a pipe or socket that nobody reads");
	ctl_bug(BUG_CRASH, "killed by SIG%s, sent by %s", name ? name : "RT",
		sender_name(info, buf, sizeof(buf)));
}
