#include "preload/kernel/other_processes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "preload/control/ctl.h"
#include "preload/base/maps.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MAX_GENERATIONS 16

struct dirent64 { /* the kernel's struct linux_dirent64 */
	uint64_t ino, off;
	uint16_t size;
	uint8_t type;
	char name[];
};

struct others_file others_session(void)
{
	struct stat st = { 0 };
	if (sys_call2(SYS_fstat, ctl_session_fd, (long)&st))
		return (struct others_file){ 0, 0 };
	return (struct others_file){ (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev), st.st_ino };
}

/* Returns the parent of a process; 0: the process is gone. */
static int parent_of(int pid)
{
	char path[32], text[512];
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	long fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return 0;
	ssize_t n = sys_read((int)fd, text, sizeof text - 1);
	sys_close((int)fd);
	text[n > 0 ? n : 0] = 0;
	const char *name_end = strrchr(text, ')'); /* "12 (name) S 11 ..." */
	return name_end && strlen(name_end) > 4 ? atoi(name_end + 4) : 0;
}

static bool started_here(int pid)
{
	int me = sys_getpid();
	for (unsigned i = 0; i < MAX_GENERATIONS && pid > 1; i++)
		if ((pid = parent_of(pid)) == me)
			return true;
	return false;
}

/* ---- looking through directories of /proc ---- */

struct look {
	const char *pid;
	const struct others_file *file;
	unsigned n;
	const char *link; /* the target of a link in /proc/PID/fd */
};

#define ENTRIES 4096

/* Returns whether `is` holds for an entry of the directory whose name is a number. buf has room for ENTRIES bytes. */
static bool any_entry(const char *path, char *buf, bool (*is)(const char *name, const struct look *l), const struct look *l)
{
	long fd = sys_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), bytes;
	bool found = false;
	if (sys_failed(fd))
		return false;
	while (!found && (bytes = sys_call3(SYS_getdents64, fd, (long)buf, ENTRIES)) > 0)
		for (long at = 0; at < bytes && !found;) {
			const struct dirent64 *d = (const struct dirent64 *)(buf + at);
			found = d->name[0] >= '0' && d->name[0] <= '9' && is(d->name, l);
			at += d->size;
		}
	sys_close((int)fd);
	return found;
}

static bool any_process(bool (*is)(const char *pid, const struct look *l), const struct look *l)
{
	static char buf[ENTRIES] __attribute__((aligned(8)));
	return any_entry("/proc", buf, is, l);
}

/* ---- memory ---- */

static bool maps_it(const char *pid, const struct look *l)
{
	const struct others_file session = others_session();
	struct maps maps;
	struct mapping m;
	bool found = false, simuls = false;
	if (atoi(pid) == sys_getpid())
		return false;
	if (maps_open_of(&maps, pid))
		while (maps_next(&maps, &m)) {
			simuls |= m.shared && m.dev == session.dev && m.ino == session.ino;
			for (unsigned i = 0; m.shared && i < l->n; i++)
				found |= l->file[i].dev == m.dev && l->file[i].ino == m.ino;
		}
	maps_close(&maps);
	return found && (!simuls || started_here(atoi(pid)));
}

bool others_map(const struct others_file *file, unsigned n)
{
	return any_process(maps_it, &(struct look){ .file = file, .n = n });
}

/* ---- pipes and socket pairs ---- */

static bool is_link(const char *fd, const struct look *l)
{
	char path[64], text[64];
	snprintf(path, sizeof path, "/proc/%s/fd/%s", l->pid, fd);
	long n = sys_call3(SYS_readlink, (long)path, (long)text, sizeof text - 1);
	text[n > 0 ? n : 0] = 0;
	return !strcmp(text, l->link);
}

static bool holds_it(const char *pid, const struct look *l)
{
	static char buf[ENTRIES] __attribute__((aligned(8)));
	char path[64];
	snprintf(path, sizeof path, "/proc/%s/fd", pid);
	return atoi(pid) != sys_getpid() && any_entry(path, buf, is_link, &(struct look){ .pid = pid, .link = l->link });
}

bool others_hold_file(const char *type, uint64_t ino)
{
	char link[64];
	snprintf(link, sizeof link, "%s:[%llu]", type, (unsigned long long)ino);
	return any_process(holds_it, &(struct look){ .link = link });
}
