#include "cli/base/child_processes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_CHILDREN 1024
#define MAX_ANCESTRY 64

void children_init(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static size_t read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t r;

	if (fd < 0)
		return 0;
	while (n < size - 1 && (r = read(fd, buf + n, size - 1 - n)) > 0)
		n += (size_t)r;
	close(fd);
	buf[n] = 0;
	return n;
}

bool process_stat(pid_t pid, pid_t *parent, unsigned long long *cpu_ns, char *state)
{
	char path[64], buf[1024], *p;
	unsigned long long user, system;
	int ppid;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (pid <= 0 || !read_file(path, buf, sizeof(buf)))
		return false;
	p = strrchr(buf, ')'); /* the process name in front of it may contain any character */
	if (!p || sscanf(p + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", state, &ppid,
		&user, &system) != 4)
		return false;
	*parent = ppid;
	*cpu_ns = (user + system) * (1000000000ULL / (unsigned long long)sysconf(_SC_CLK_TCK));
	return true;
}

/* Lists the children by scanning all processes: for kernels without /proc/PID/task/TID/children. */
static size_t scan_children(pid_t *out, size_t max)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	size_t n = 0;
	pid_t me = getpid();

	while (dir && n < max && (entry = readdir(dir))) {
		pid_t pid = (pid_t)atoi(entry->d_name), parent;
		unsigned long long cpu;
		char state;

		if (pid > 0 && process_stat(pid, &parent, &cpu, &state) && parent == me)
			out[n++] = pid;
	}
	if (dir)
		closedir(dir);
	return n;
}

static size_t list_children(pid_t *out, size_t max)
{
	char path[64], buf[16384], *p = buf, *end;
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	if (access(path, R_OK))
		return scan_children(out, max);
	if (!read_file(path, buf, sizeof(buf)))
		return 0; /* no children, or no descriptor is left to read them */
	for (; n < max; p = end) {
		long pid = strtol(p, &end, 10);

		if (end == p)
			break;
		out[n++] = (pid_t)pid;
	}
	return n;
}

void children_begin(struct child_processes *b)
{
	b->n = list_children(b->keep, CHILDREN_KEEP);
}

static bool kept(const struct child_processes *b, pid_t pid)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->keep[i] == pid)
			return true;
	return false;
}

static bool among(const pid_t *pids, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

void children_reap_strays(const struct child_processes *b, const pid_t *except, size_t n_except)
{
	pid_t pids[MAX_CHILDREN];
	size_t n = list_children(pids, MAX_CHILDREN);

	for (size_t i = 0; i < n; i++)
		if (!among(except, n_except, pids[i]) && !kept(b, pids[i]))
			waitpid(pids[i], NULL, WNOHANG);
}

void children_end_strays(const struct child_processes *b, const pid_t *except, size_t n_except)
{
	const struct timespec moment = {0, 1000000};

	for (int round = 0; round < 5000; round++) {
		pid_t pids[MAX_CHILDREN];
		size_t n = list_children(pids, MAX_CHILDREN), ours = 0;

		for (size_t i = 0; i < n; i++) {
			if (kept(b, pids[i]) || among(except, n_except, pids[i]))
				continue;
			ours++;
			kill(pids[i], SIGKILL);
			/* its children become children of simul when it dies: the next round lists them */
		}
		for (size_t i = 0; i < n; i++)
			if (!kept(b, pids[i]) && !among(except, n_except, pids[i]))
				waitpid(pids[i], NULL, WNOHANG);
		if (!ours)
			return;
		nanosleep(&moment, NULL);
	}
}

void children_end(const struct child_processes *b)
{
	children_end_strays(b, NULL, 0);
}

bool children_is_descendant(pid_t pid, pid_t ancestor)
{
	for (int i = 0; i < MAX_ANCESTRY && pid > 1; i++) {
		pid_t parent;
		unsigned long long cpu;
		char state;

		if (pid == ancestor)
			return true;
		if (!process_stat(pid, &parent, &cpu, &state))
			return false;
		pid = parent;
	}
	return false;
}
