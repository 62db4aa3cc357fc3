/* Finds the standing of other processes from /proc, because the program must not signal or trace simul. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "preload/control/ctl.h"
#include "preload/kernel/process.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

#define MOST_ANCESTORS 64

struct process_stat {
	pid_t parent, group;
};

static bool read_stat(pid_t pid, struct process_stat *out)
{
	char path[32], text[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	long fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);

	if (sys_failed(fd))
		return false;
	ssize_t n = sys_read((int)fd, text, sizeof(text) - 1);

	sys_close((int)fd);
	text[n > 0 ? n : 0] = 0;
	const char *p = strrchr(text, ')'); /* the name may contain anything */

	return p && sscanf(p + 1, " %*c %d %d", &out->parent, &out->group) == 2;
}

static pid_t supervisor(void)
{
	return ctl_session ? ctl_session->ctl.requests.supervisor : 0;
}

/* Returns whether pid is simul or an ancestor of it. For a group: whether one of its members is. */
static bool is_keeper(pid_t pid)
{
	struct process_stat st;
	pid_t at = supervisor();

	if (pid == -1) /* all processes */
		return true;
	for (int i = 0; i < MOST_ANCESTORS && at > 0; i++, at = st.parent) {
		if (at == pid)
			return true;
		if (!read_stat(at, &st))
			return false;
		if (pid < -1 && st.group == -pid)
			return true;
	}
	return false;
}

static bool descends_from(pid_t pid, pid_t ancestor)
{
	struct process_stat st;

	for (int i = 0; i < MOST_ANCESTORS && pid > 1; i++, pid = st.parent) {
		if (pid == ancestor)
			return true;
		if (!read_stat(pid, &st))
			return false;
	}
	return false;
}

enum process_standing process_standing(pid_t pid)
{
	if (!supervisor())
		return PROCESS_OURS;
	if (is_keeper(pid))
		return PROCESS_KEEPER;
	return pid == 0 || descends_from(pid < 0 ? -pid : pid, supervisor()) ? PROCESS_OURS : PROCESS_STRANGER;
}

void process_refuse_keeper(pid_t pid, const char *call)
{
	if (pid == -1)
		ctl_refuse("the program calls %s(-1): it would reach every process of this user", call);
	if (process_standing(pid) == PROCESS_KEEPER)
		ctl_refuse("the program calls %s for a process that runs it (simul, or what started simul)", call);
}

bool process_may_signal(pid_t pid, int sig)
{
	if (!sig || process_standing(pid) != PROCESS_KEEPER)
		return true;
	ctl_uncontrolled("a signal to simul, by a process that the program started: it was not sent");
	errno = EPERM;
	return false;
}

bool process_may_change(pid_t pid, const char *call)
{
	if (pid <= 0 || process_standing(pid) != PROCESS_KEEPER)
		return true;
	if (ctl_enter())
		process_refuse_keeper(pid, call);
	errno = EPERM;
	return false;
}

bool process_call_allowed(long n, const long a[6])
{
	switch (n) {
	case SYS_kill:
	case SYS_tkill:
	case SYS_rt_sigqueueinfo:
		return process_may_signal((pid_t)a[0], (int)a[1]);
	case SYS_tgkill:
	case SYS_rt_tgsigqueueinfo:
		return process_may_signal((pid_t)a[0], (int)a[2]);
	case SYS_prlimit64:
		return !a[2] || process_may_change((pid_t)a[0], "prlimit");
	case SYS_ptrace:
		return a[0] == PTRACE_TRACEME || process_may_change((pid_t)a[1], "ptrace");
	case SYS_process_vm_writev:
	case SYS_pidfd_open:
		return process_may_change((pid_t)a[0], "a system call");
	default:
		return true;
	}
}
