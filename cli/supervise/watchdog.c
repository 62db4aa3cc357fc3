#include "cli/supervise/watchdog.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "cli/base/child_processes.h"

#define GRACE_NS UINT64_C(2000000000) /* for the target to end the execution itself, once asked */
#define WALL_FACTOR 10
#define SETUP_FACTOR 6 /* before the first execution: loading data may take a while */

uint64_t wall_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void watchdog_start(struct watchdog *w, uint64_t limit_ns)
{
	memset(w, 0, sizeof(*w));
	w->limit_ns = limit_ns;
	w->wall_ns = wall_clock_ns();
}

void watchdog_forgive(struct watchdog *w)
{
	w->pid = 0;
	w->asked_ns = 0;
}

static uint64_t cpu_of(pid_t pid)
{
	unsigned long long cpu = 0;
	pid_t parent;
	char state;

	return process_stat(pid, &parent, &cpu, &state) ? cpu : 0;
}

/* Returns the process that must make progress now. The target names it in memory that the program can write, so a process that is not a
   descendant of the target is ignored. */
static pid_t watched_pid(const struct segment *seg, pid_t main_pid, bool *setting_up)
{
	const struct session_control *ctl = &seg->session->ctl;
	pid_t pid = __atomic_load_n(&ctl->execution.exec_pid, __ATOMIC_ACQUIRE);

	*setting_up = shared_load(&ctl->handshake.state) == STATE_STARTING;
	return *setting_up || !children_is_descendant(pid, main_pid) ? main_pid : pid;
}

static bool moved(struct watchdog *w, const struct segment *seg, pid_t pid)
{
	const struct session_control *ctl = &seg->session->ctl;
	uint64_t progress = __atomic_load_n(&ctl->execution.progress, __ATOMIC_ACQUIRE);
	uint64_t executions = __atomic_load_n(&ctl->execution.executions_started, __ATOMIC_ACQUIRE);
	bool same = progress == w->progress && executions == w->executions && pid == w->pid;

	w->progress = progress;
	w->executions = executions;
	w->pid = pid;
	return !same;
}

void watchdog_look(struct watchdog *w, const struct segment *seg, pid_t main_pid)
{
	bool setting_up;
	pid_t pid = watched_pid(seg, main_pid, &setting_up);
	uint64_t now = wall_clock_ns(), limit = w->limit_ns * (setting_up ? SETUP_FACTOR : 1), cpu;

	if (moved(w, seg, pid)) {
		w->cpu_ns = cpu_of(pid);
		w->wall_ns = now;
		w->asked_ns = 0;
		return;
	}
	if (w->asked_ns) {
		if (now - w->asked_ns > GRACE_NS)
			kill(pid, SIGKILL);
		return;
	}
	cpu = cpu_of(pid);
	if (cpu - w->cpu_ns <= limit && now - w->wall_ns <= limit * WALL_FACTOR)
		return;
	w->hangs++;
	w->asked_ns = now;
	if (setting_up) {
		kill(pid, SIGKILL);
		return;
	}
	shared_store(&seg->session->ctl.handshake.hang_request, 1);
	kill(pid, SIGNAL_HANG);
}
