#include "preload/kernel/other_processes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "preload/control/core.h"
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

static struct others_file session_file(void)
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

static bool maps_it(const char *pid, const struct others_file *file, unsigned n)
{
	const struct others_file session = session_file();
	struct maps maps;
	struct mapping m;
	bool found = false, simuls = false;
	if (maps_open_of(&maps, pid))
		while (maps_next(&maps, &m)) {
			simuls |= m.shared && m.dev == session.dev && m.ino == session.ino;
			for (unsigned i = 0; m.shared && i < n; i++)
				found |= file[i].dev == m.dev && file[i].ino == m.ino;
		}
	maps_close(&maps);
	return found && (!simuls || started_here(atoi(pid)));
}

bool others_map(const struct others_file *file, unsigned n)
{
	static char buf[4096] __attribute__((aligned(8)));
	long fd = sys_open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), bytes;
	bool found = false;
	if (sys_failed(fd))
		return false;
	while (!found && (bytes = sys_call3(SYS_getdents64, fd, (long)buf, sizeof buf)) > 0)
		for (long at = 0; at < bytes && !found;) {
			const struct dirent64 *d = (const struct dirent64 *)(buf + at);
			bool process = d->name[0] >= '1' && d->name[0] <= '9';
			found = process && atoi(d->name) != sys_getpid() && maps_it(d->name, file, n);
			at += d->size;
		}
	sys_close((int)fd);
	return found;
}
