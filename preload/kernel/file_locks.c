/* Locks of files; see file_locks.h. */
#include "preload/kernel/file_locks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"

#include "preload/base/rules.h"

/* The object of all locks. The number of an open file never grows that large. */
static struct open_file locks = {.kind = FILE_LOCKS, .serial = UINT32_MAX};
static bool used;           /* a lock was set that closing its descriptor releases in an event */
static bool used_of_process; /* the program has used record locks of the process */
static bool used_of_file;   /* the program has used record locks of open file descriptions */

/* A thread that waits for a lock. */
struct lock_wait {
	struct fd_wait w; /* must be first */
	int fd;
	int operation; /* flock: LOCK_SH or LOCK_EX; 0: a record lock */
	int query;     /* F_GETLK or F_OFD_GETLK */
	struct flock record;
};

/* Looks in the kernel's description of fd for a lock of this type, which ends with `range` if that is not NULL. */
static bool has_lock(int fd, const char *type, const char *range)
{
	char text[4096];

	fd_info(fd, text, sizeof(text));
	for (const char *at = strstr(text, type); at; at = strstr(at + 1, type))
		if (!range || !strncmp(strchrnul(at, '\n') - strlen(range), range, strlen(range)))
			return true;
	return false;
}

/* Returns whether a descriptor of the program has such a lock on the file of fd. */
static bool locked_here(int fd, const char *type, const char *range)
{
	struct stat file, st;

	if (sys_call2(SYS_fstat, fd, (long)&file))
		return false;
	for (int i = 0, end = fd_end(); i < end; i++)
		if (!sys_call2(SYS_fstat, i, (long)&st) && st.st_ino == file.st_ino && st.st_dev == file.st_dev && has_lock(i, type, range))
			return true;
	return false;
}

/* ---- waiting ---- */

/* Returns whether the kernel would refuse the record lock, and sets *found to a lock that is in the way. */
static bool record_refused(const struct lock_wait *l, struct flock *found)
{
	*found = l->record;
	return !sys_call3(SYS_fcntl, l->fd, l->query, (long)found) && found->l_type != F_UNLCK;
}

/* To find out whether flock would wait, this function takes the lock and gives it back. It must not do so while the open file has a lock:
   a second lock replaces the first. In this case the call does not wait: either it succeeds, or it loses the lock and then waits. */
static bool lock_ready(const struct fd_wait *w)
{
	const struct lock_wait *l = (const struct lock_wait *)w;
	struct flock found;

	if (!l->operation)
		return !record_refused(l, &found);
	if (has_lock(l->fd, "FLOCK ", NULL))
		return true;
	long r = sys_call2(SYS_flock, l->fd, l->operation | LOCK_NB);

	if (!r)
		sys_call2(SYS_flock, l->fd, LOCK_UN);
	return r != -EWOULDBLOCK;
}

/* Returns whether another process has the lock. */
static bool lock_outside(const struct fd_wait *w)
{
	const struct lock_wait *l = (const struct lock_wait *)w;
	struct flock found;
	char range[64];

	if (l->operation)
		return !lock_ready(w) && !locked_here(l->fd, "FLOCK ", NULL);
	if (!record_refused(l, &found))
		return false;
	if (found.l_pid != -1)
		return found.l_pid != sys_getpid();
	if (found.l_len)
		snprintf(range, sizeof(range), " %lld %lld", (long long)found.l_start, (long long)(found.l_start + found.l_len - 1));
	else
		snprintf(range, sizeof(range), " %lld EOF", (long long)found.l_start);
	return !locked_here(l->fd, "OFDLCK ", range);
}

/* The event of a call that waits. Returns false when a signal handler interrupted it. */
static bool wait_for_lock(struct lock_wait *l, const void *pc)
{
	struct op op = ctl_op(EV_FD_READ, pc);

	op.flags = l->operation ? 0 : OPF_CANCELPOINT;
	op.deadline = OP_NO_DEADLINE;
	l->w = (struct fd_wait){.file = {&locks, NULL}, .ready = lock_ready, .outside = lock_outside};
	l->w.external = lock_outside(&l->w);
	return fd_perform_op(&op, &l->w, true) != CTL_EINTR;
}

/* ---- the calls ---- */

long file_lock_whole(int fd, int operation, const void *pc)
{
	struct lock_wait l = {.fd = fd, .operation = operation & ~LOCK_NB};
	bool waits = l.operation == LOCK_SH || l.operation == LOCK_EX;
	long r;

	used = true;
	if (operation & LOCK_NB || !waits) {
		fd_touch(&locks, pc);
		return sys_call2(SYS_flock, fd, operation);
	}
	do {
		if (!wait_for_lock(&l, pc))
			return -EINTR;
		r = sys_call2(SYS_flock, fd, operation | LOCK_NB);
	} while (r == -EWOULDBLOCK);
	return r;
}

/* The orders of locks of the two kinds are not explored, since those of the process are no events at first. */
static void mixed(void)
{
	if (used_of_process && used_of_file)
		ctl_uncontrolled("record locks of the process and of open file descriptions (F_SETLK and F_OFD_SETLK) in one program");
}

long file_lock_record(int fd, int cmd, const struct flock *record, const void *pc)
{
	bool of_file = cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW, waits = cmd == F_SETLKW || cmd == F_OFD_SETLKW;
	int try = of_file ? F_OFD_SETLK : F_SETLK;
	struct lock_wait l = {.fd = fd, .query = of_file ? F_OFD_GETLK : F_GETLK};
	long r = -EAGAIN;

	*(of_file ? &used_of_file : &used_of_process) = true;
	used = used_of_file;
	mixed();
	waits = waits && record->l_type != F_UNLCK;
	if (!used_of_file)
		r = sys_call3(SYS_fcntl, fd, try, (long)record);
	else if (!waits) {
		fd_touch(&locks, pc);
		r = sys_call3(SYS_fcntl, fd, try, (long)record);
	}
	l.record = *record;
	while (waits && (r == -EAGAIN || r == -EACCES)) {
		if (!wait_for_lock(&l, pc))
			return -EINTR;
		r = sys_call3(SYS_fcntl, fd, try, (long)record);
	}
	return r;
}

void file_lock_closing(int fd, const void *pc)
{
	if (used && has_lock(fd, "lock:", NULL))
		fd_touch(&locks, pc);
}
