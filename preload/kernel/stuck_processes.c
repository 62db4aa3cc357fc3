/* See stuck_processes.h. A child of fork has a copy of each lock; if another thread held the lock, no thread of the child will unlock it. */
#include "preload/kernel/stuck_processes.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "preload/base/maps.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/other_processes.h"
#include "preload/base/rules.h"

#define MOST_PROCESSES 64
#define MOST_THREADS 64
#define TEXT 1024

/* Reads the beginning of a file as text. Returns its length; 0: empty or not there. */
static size_t read_text(const char *path, char *text, size_t size)
{
	text[0] = 0;
	long fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);

	if (sys_failed(fd))
		return 0;
	ssize_t n = sys_read((int)fd, text, size - 1);

	sys_close((int)fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0 ? (size_t)n : 0;
}

/* Returns the state letter of a process or thread; 0: it is gone. */
static char state_of(const char *dir)
{
	char path[96], text[TEXT];

	snprintf(path, sizeof(path), "%s/stat", dir);
	read_text(path, text, sizeof(text));
	const char *end = strrchr(text, ')'); /* the name may contain anything */

	return end && end[1] ? end[2] : 0;
}

/* Returns whether the thread waits without a limit of time. *futex: the wait is not for a process. */
static bool waits_for_ever(const char *dir, bool *futex)
{
	char path[96], text[TEXT];
	unsigned long long a[4];
	long n;

	snprintf(path, sizeof(path), "%s/syscall", dir);
	if (!read_text(path, text, sizeof(text)) || sscanf(text, "%ld %llx %llx %llx %llx", &n, &a[0], &a[1], &a[2], &a[3]) != 5)
		return false; /* it runs, or /proc does not tell */
	if (n == SYS_wait4 || n == SYS_waitid)
		return true;
	*futex = true;
	unsigned op = (unsigned)a[1] & ~(unsigned)FUTEX_CLOCK_REALTIME;

	return n == SYS_futex && !a[3] && (op == FUTEX_WAIT_PRIVATE || op == FUTEX_WAIT_BITSET_PRIVATE);
}

/* Returns whether the process has still the memory of the fork: it maps the session. */
static bool is_fork(pid_t pid)
{
	char number[16];
	const struct others_file session = others_session();
	struct maps maps;
	struct mapping m;
	bool found = false;

	snprintf(number, sizeof(number), "%d", (int)pid);
	if (maps_open_of(&maps, number))
		while (!found && maps_next(&maps, &m))
			found = m.shared && m.dev == session.dev && m.ino == session.ino;
	maps_close(&maps);
	return found;
}

/* Lists the threads of a process. Returns their number; 0: there are too many, or the process is gone. */
static unsigned threads_of(pid_t pid, int tid[MOST_THREADS])
{
	char path[64], buf[TEXT] __attribute__((aligned(8)));
	unsigned n = 0;
	long bytes;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	long fd = sys_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

	if (sys_failed(fd))
		return 0;
	while ((bytes = sys_call3(SYS_getdents64, fd, (long)buf, sizeof(buf))) > 0)
		for (long at = 0; at < bytes;) {
			const char *entry = buf + at;
			uint16_t size;

			memcpy(&size, entry + 16, sizeof(size)); /* struct linux_dirent64 */
			if (entry[19] != '.' && n < MOST_THREADS)
				tid[n] = atoi(entry + 19);
			n += entry[19] != '.';
			at += size;
		}
	sys_close((int)fd);
	return n <= MOST_THREADS ? n : 0;
}

/* Calls `visit` for each child of the process, as long as it returns true. Returns whether it returned true for all. false: there may be more. */
static bool each_child(pid_t pid, bool (*visit)(pid_t child, void *ctx), void *ctx)
{
	int tid[MOST_THREADS];
	unsigned n = threads_of(pid, tid);
	bool all = n;

	for (unsigned i = 0; i < n && all; i++) {
		char path[96], list[TEXT], *at = list, *next;

		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, tid[i]);
		bool whole = read_text(path, list, sizeof(list)) < sizeof(list) - 1;
		for (; all && (next = strchr(at, ' ')); at = next + 1) {
			*next = 0;
			all = visit(atoi(at), ctx);
		}
		all = all && whole;
	}
	return all;
}

struct look {
	pid_t first;    /* a process that waits for a futex; 0: none yet */
	unsigned most;  /* processes that may still be looked at */
};

/* Returns whether the process has ended, or it and its children wait for ever. */
static bool is_stuck(pid_t pid, void *look)
{
	struct look *l = look;
	int tid[MOST_THREADS];
	unsigned n = threads_of(pid, tid);
	bool futex = false, alive = !n;

	for (unsigned i = 0; i < n; i++) {
		char dir[64];

		snprintf(dir, sizeof(dir), "/proc/%d/task/%d", (int)pid, tid[i]);
		char state = state_of(dir);

		if (!state || state == 'Z' || state == 'X')
			continue;
		alive = true;
		if (state != 'S' || !waits_for_ever(dir, &futex))
			return false;
	}
	if (!alive)
		return true;
	if (!n || !l->most || !is_fork(pid))
		return false;
	l->most--;
	if (!each_child(pid, is_stuck, l))
		return false;
	if (futex)
		l->first = pid;
	return true;
}

bool stuck_processes(pid_t *first)
{
	struct look l = {.most = MOST_PROCESSES};
	bool stuck = !ctl_session->ctl.facts.child_timers && each_child(sys_getpid(), is_stuck, &l) && l.first;

	*first = l.first;
	return stuck;
}

/* Sets *running if a thread of the process or of a descendant runs. */
static bool look_for_running(pid_t pid, void *running)
{
	int tid[MOST_THREADS];
	unsigned n = threads_of(pid, tid);

	for (unsigned i = 0; i < n; i++) {
		char dir[64];

		snprintf(dir, sizeof(dir), "/proc/%d/task/%d", (int)pid, tid[i]);
		char state = state_of(dir);

		*(bool *)running |= state == 'R' || state == 'D';
	}
	each_child(pid, look_for_running, running);
	return !*(bool *)running;
}

bool stuck_processes_asleep(void)
{
	bool running = false;

	each_child(sys_getpid(), look_for_running, &running);
	return !running;
}

/* Kills a process and its descendants. One whose parent has ended before is not among them. */
static bool kill_all(pid_t pid, void *ctx)
{
	each_child(pid, kill_all, ctx);
	sys_kill(pid, SIGKILL);
	return true;
}

void stuck_processes_kill(void)
{
	do
		each_child(sys_getpid(), kill_all, NULL);
	while (sys_wait4(-1, NULL, 0, NULL) > 0);
}
